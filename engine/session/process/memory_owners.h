// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "session/process/process_memory.h"

namespace heapscape::engine {

/// "Free between objects": an owner in words.
const char* titleOf(MemoryOwner owner);

/// All parts of one owner.
struct OwnedMemory {
  MemoryOwner owner = MemoryOwner::Other;
  std::uint64_t bytes = 0, inDumpBytes = 0;
  std::span<const MemoryPart> parts = {};  // of the memory that was asked, the largest first
};
/// Owners with memory in their own order. They refer to `memory`.
std::vector<OwnedMemory> memoryByOwner(const ProcessMemory& memory);

}  // namespace heapscape::engine
