// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "session/process/process_memory.h"
#include "tables/table.h"

namespace heapscape::engine {

/// Memory of the process by owner and name.
const TableOf<MemoryPart>& memoryTable();

/// An owner, or one of its parts below it.
struct MemoryLine {
  std::string title;  // of a part set in
  std::uint64_t bytes = 0, inDumpBytes = 0;
  std::uint64_t mappedBytes = 0;  // of the whole process
};
/// Owners with at most so many parts each, what is left of them in a line, and the sum of all; only people see them.
std::vector<MemoryLine> listMemoryLines(const ProcessMemory& memory, std::size_t partsOfOwner);
const TableOf<MemoryLine>& memoryLinesTable();

}  // namespace heapscape::engine
