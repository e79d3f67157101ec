// SPDX-License-Identifier: MIT
#include "review/memory_owners.h"

#include <algorithm>

namespace heapscape::engine {

const char* titleOf(MemoryOwner owner) {
  switch (owner) {
    case MemoryOwner::GcUsed:
      return "GC heap: objects";
    case MemoryOwner::GcFree:
      return "GC heap: free between objects";
    case MemoryOwner::GcCommittedUnused:
      return "GC heap: committed, unused";
    case MemoryOwner::GcBookkeeping:
      return "GC bookkeeping";
    case MemoryOwner::LoaderHeap:
      return "Loader heaps";
    case MemoryOwner::JitCode:
      return "Jitted code";
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

SvgColour colourOf(MemoryOwner owner) {
  switch (owner) {
    case MemoryOwner::GcUsed:
      return SvgColour::Gen2;
    case MemoryOwner::GcFree:
    case MemoryOwner::GcCommittedUnused:
      return SvgColour::Free;
    case MemoryOwner::GcBookkeeping:
      return SvgColour::Gen0;
    case MemoryOwner::LoaderHeap:
      return SvgColour::Runtime;
    case MemoryOwner::JitCode:
      return SvgColour::Large;
    case MemoryOwner::ThreadStack:
      return SvgColour::Gen1;
    case MemoryOwner::MappedFile:
      return SvgColour::Files;
    case MemoryOwner::NativeHeap:
      return SvgColour::Native;
    case MemoryOwner::Other:
      break;
  }
  return SvgColour::Header;
}

std::vector<OwnedMemory> memoryByOwner(const ProcessMemory& memory) {
  std::vector<OwnedMemory> owners;
  for (const MemoryPart& part : memory.parts) {
    auto found = std::ranges::find(owners, part.owner, &OwnedMemory::owner);
    if (found == owners.end()) found = owners.insert(found, {.owner = part.owner, .parts = {}});
    found->bytes += part.bytes;
    found->inDumpBytes += part.inDumpBytes;
    found->parts.push_back(part);
  }
  std::erase_if(owners, [](const OwnedMemory& owner) { return owner.bytes == 0; });
  for (OwnedMemory& owner : owners) std::ranges::stable_sort(owner.parts, std::greater(), &MemoryPart::bytes);
  std::ranges::stable_sort(owners, std::greater(), &OwnedMemory::bytes);
  return owners;
}

}  // namespace heapscape::engine
