// SPDX-License-Identifier: MIT
#pragma once

#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"
#include "session/process/process_memory.h"

namespace heapscape::engine {

/// Writes `memory` and `totals`.
void writeMemory(JsonWriter& json, const ProcessMemory& memory, const RowSelection& selection);

/// Owners and their parts as a table for people; without `--top` the largest parts of each owner.
void writeMemoryText(Output& output, const ProcessMemory& memory, const RowSelection& selection);

}  // namespace heapscape::engine
