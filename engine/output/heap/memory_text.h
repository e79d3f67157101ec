// SPDX-License-Identifier: MIT
#pragma once

#include "output/output.h"
#include "output/row_selection.h"
#include "session/process/process_memory.h"

namespace heapscape::engine {

/// Owners and their parts as a table for people; without `--top` the largest parts of each owner.
void writeMemoryText(Output& output, const ProcessMemory& memory, const RowSelection& selection);

}  // namespace heapscape::engine
