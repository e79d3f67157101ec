// SPDX-License-Identifier: MIT
#pragma once

#include "models/row_list.h"
#include "session/type_details.h"

namespace heapscape::gui {

RowSchema<engine::TypeMethod> methodSchema();

}  // namespace heapscape::gui
