// SPDX-License-Identifier: MIT
#pragma once

#include "models/rows/row_list.h"
#include "session/snapshot/snapshot.h"
#include "tables/heap_tables.h"

namespace heapscape::gui {

RowSchema<engine::ListedModule> moduleSchema();

}  // namespace heapscape::gui
