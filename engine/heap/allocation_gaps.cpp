// SPDX-License-Identifier: MIT
#include "heap/allocation_gaps.h"

#include <algorithm>

namespace heapscape::engine {

std::vector<AllocationGap> findAllocationGaps(const std::vector<RuntimeThread>& threads, const GcState& gc,
                                              std::uint64_t slackBytes) {
  std::vector<AllocationGap> gaps;
  const auto add = [&](const AllocationContext& context) {
    if (!context.pointer || context.limit < context.pointer) return;
    gaps.push_back({context.pointer, context.limit + slackBytes, context.pointer == context.limit});
  };
  for (const RuntimeThread& thread : threads) add(thread.allocationContext);
  for (const GcHeap& heap : gc.heaps) add(heap.generation0Context);
  std::sort(gaps.begin(), gaps.end(), [](const AllocationGap& a, const AllocationGap& b) { return a.start < b.start; });
  return gaps;
}

}  // namespace heapscape::engine
