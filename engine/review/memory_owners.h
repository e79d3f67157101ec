// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "review/svg_colours.h"
#include "session/process_memory.h"

namespace heapscape::engine {

/// "GC heap, objects": an owner in words.
const char* titleOf(MemoryOwner owner);
SvgColour colourOf(MemoryOwner owner);

/// The parts of one owner together.
struct OwnedMemory {
  MemoryOwner owner = MemoryOwner::Other;
  std::uint64_t bytes = 0, inDumpBytes = 0;
  std::vector<MemoryPart> parts;  // the largest first
};
/// Owners with memory, the largest first.
std::vector<OwnedMemory> memoryByOwner(const ProcessMemory& memory);

}  // namespace heapscape::engine
