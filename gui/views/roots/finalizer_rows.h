// SPDX-License-Identifier: MIT
#pragma once

#include "models/rows/row_list.h"
#include "session/roots/handles_query.h"

namespace heapscape::gui {

RowSchema<engine::FinalizerRow> finalizerSchema();

}  // namespace heapscape::gui
