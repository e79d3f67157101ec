// SPDX-License-Identifier: MIT
#include "session/process/thread_stacks.h"

#include <algorithm>

#include "base/address.h"
#include "runtime/threads/thread_registers.h"

namespace heapscape::engine {
std::vector<ThreadStack> stacksOf(const ElfCore& core, const std::vector<Mapping>& mappings) {
  std::vector<ThreadStack> stacks;
  for (const CoreThread& thread : core.threads) {
    const Address pointer = thread.stackPointer();
    const auto mapping =
        std::upper_bound(mappings.begin(), mappings.end(), pointer,
                         [](Address address, const Mapping& candidate) { return address < candidate.range.end; });
    if (mapping == mappings.end() || !mapping->range.contains(pointer) || !mapping->path.empty()) continue;
    // The C library puts a thread's own data into the last page of its stack; what follows is another's, though the
    // kernel may have joined the two. Below lies a page without access.
    AddressRange range = mapping->range;
    const Address threadData = threadPointerOf(thread);
    if (range.contains(threadData) && threadData > pointer)
      range.end = std::min(range.end, Address{alignUp(threadData.value + 1, kPageBytes)});
    stacks.push_back({thread.osId, range});
  }
  return stacks;
}

}  // namespace heapscape::engine
