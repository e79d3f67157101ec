// SPDX-License-Identifier: MIT
#include "runtime/modules/loader_allocators.h"

#include <span>
#include <unordered_set>

namespace heapscape::engine {

Result<Address> loaderAllocatorOf(const MethodTables& methodTables, const MethodTable& type) {
  HEAPSCAPE_TRY(const Address module, methodTables.loaderModule(type));
  return methodTables.runtime().pointerAt(module, "Module", "LoaderAllocator");
}

Result<Address> loaderAllocatorObject(const MethodTables& methodTables, const MethodTable& type) {
  const ClrRuntime& runtime = methodTables.runtime();
  HEAPSCAPE_TRY(const Address allocator, loaderAllocatorOf(methodTables, type));
  HEAPSCAPE_TRY(const Address handle, runtime.pointerAt(allocator, "LoaderAllocator", "ObjectHandle"));
  if (!handle) return Address{};
  return runtime.memory().readPointer(handle);
}

namespace {

constexpr std::size_t kMaximumBlocks = 1'000'000;  // of one heap; bounds the loop over a damaged list

struct HeapMember {
  const char* field;
  const char* name;
};
constexpr HeapMember kHeaps[] = {{"LowFrequencyHeap", "low frequency"},
                                 {"HighFrequencyHeap", "high frequency"},
                                 {"StaticsHeap", "statics"},
                                 {"StubHeap", "stubs"},
                                 {"ExecutableHeap", "executable"},
                                 {"FixupPrecodeHeap", "fixup precodes"},
                                 {"NewStubPrecodeHeap", "stub precodes"}};

// Heaps of the manager of stubs for interface calls (VirtualCallStubManager, src/coreclr/vm/virtualcallstub.h). Code of
// these stubs lies in code heaps.
constexpr HeapMember kHeapsOfCalls[] = {{"IndirectionCellHeap", "cells of interface calls"},
                                        {"CacheEntryHeap", "cache of interface calls"}};

void readBlocks(const ClrRuntime& runtime, Address heap, const char* name, std::vector<LoaderHeapBlock>& blocks,
                FindingList& findings) {
  auto block = runtime.pointerAt(heap, "LoaderHeap", "FirstBlock");
  std::unordered_set<Address> seen;
  while (block && *block) {
    const auto start = runtime.pointerAt(*block, "LoaderHeapBlock", "VirtualAddress");
    const auto size = runtime.valueAt<std::uint64_t>(*block, "LoaderHeapBlock", "VirtualSize");
    const auto next = runtime.pointerAt(*block, "LoaderHeapBlock", "Next");
    const bool isSound =
        start && size && next && *size <= ~start->value && seen.size() < kMaximumBlocks && seen.insert(*block).second;
    if (!isSound) {
      findings.add(FindingKind::RuntimeDataDamaged, *block, "The list of a loader heap's blocks is damaged.");
      return;
    }
    blocks.push_back({{*start, *start + *size}, name});
    block = *next;
  }
}

}  // namespace

std::vector<LoaderHeapBlock> readLoaderHeaps(const ClrRuntime& runtime, Address loaderAllocator,
                                             FindingList& findings) {
  std::vector<LoaderHeapBlock> blocks;
  const auto readHeaps = [&](Address owner, const char* type, std::span<const HeapMember> members) {
    for (const HeapMember& member : members) {
      const auto heap = runtime.pointerAt(owner, type, member.field);
      if (heap && *heap) readBlocks(runtime, *heap, member.name, blocks, findings);
    }
  };
  readHeaps(loaderAllocator, "LoaderAllocator", kHeaps);
  const auto calls = runtime.pointerAt(loaderAllocator, "LoaderAllocator", "VirtualCallStubManager");
  if (calls && *calls) readHeaps(*calls, "VirtualCallStubManager", kHeapsOfCalls);
  return blocks;
}

}  // namespace heapscape::engine
