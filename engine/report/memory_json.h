// SPDX-License-Identifier: MIT
#pragma once

#include "report/json_writer.h"
#include "report/row_selection.h"
#include "session/process/process_memory.h"

namespace heapscape::engine {

/// Writes `memory` and `totals`.
void writeMemory(JsonWriter& json, const ProcessMemory& memory, const RowSelection& selection);

}  // namespace heapscape::engine
