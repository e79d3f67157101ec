// SPDX-License-Identifier: MIT
#pragma once

#include "session/process/process_memory.h"
#include "tables/table.h"

namespace heapscape::engine {

/// Memory of the process by owner and name.
const TableOf<MemoryPart>& memoryTable();

}  // namespace heapscape::engine
