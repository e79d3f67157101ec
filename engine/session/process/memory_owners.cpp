// SPDX-License-Identifier: MIT
#include "session/process/memory_owners.h"

#include <algorithm>

namespace heapscape::engine {

const char* titleOf(MemoryOwner owner) {
  switch (owner) {
    case MemoryOwner::GcUsed:
      return "Objects";
    case MemoryOwner::GcFree:
      return "Free between objects";
    case MemoryOwner::GcCommittedUnused:
      return "Committed, unused";
    case MemoryOwner::GcBookkeeping:
      return "GC bookkeeping";
    case MemoryOwner::LoaderHeap:
      return "Loader heaps";
    case MemoryOwner::JitCode:
      return "JIT code";
    case MemoryOwner::ThreadStack:
      return "Thread stacks";
    case MemoryOwner::MappedFile:
      return "Mapped files";
    case MemoryOwner::NativeHeap:
      return "Native heap";
    case MemoryOwner::Other:
      break;
  }
  return "Other";
}

std::vector<OwnedMemory> memoryByOwner(const ProcessMemory& memory) {
  std::vector<OwnedMemory> owners;
  for (auto first = memory.parts.begin(); first != memory.parts.end();) {
    const auto end = std::find_if(first, memory.parts.end(),
                                  [owner = first->owner](const MemoryPart& part) { return part.owner != owner; });
    OwnedMemory owned{.owner = first->owner, .parts = {first, end}};
    for (const MemoryPart& part : owned.parts) {
      owned.bytes += part.bytes;
      owned.inDumpBytes += part.inDumpBytes;
    }
    if (owned.bytes) owners.push_back(owned);
    first = end;
  }
  return owners;
}

}  // namespace heapscape::engine
