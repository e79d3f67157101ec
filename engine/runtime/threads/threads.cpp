// SPDX-License-Identifier: MIT
#include "runtime/threads/threads.h"

#include <unordered_set>

#include "base/limits.h"

namespace heapscape::engine {
namespace {

// .NET 8 keeps the context in the Thread, later versions in the thread's native storage, which the Thread points to.
Result<AllocationContext> readAllocationContext(const ClrRuntime& runtime, Address thread) {
  Address context;
  if (runtime.contract().has("Thread", "AllocContext")) {
    context = runtime.member(thread, "Thread", "AllocContext");
  } else {
    HEAPSCAPE_TRY(const Address locals, runtime.pointerAt(thread, "Thread", "RuntimeThreadLocals"));
    if (!locals) return AllocationContext{};
    context = runtime.member(locals, "RuntimeThreadLocals", "AllocContextPointer");
  }
  AllocationContext result;
  HEAPSCAPE_TRY(result.pointer, runtime.pointerAt(context, "GCAllocContext", "Pointer"));
  HEAPSCAPE_TRY(result.limit, runtime.pointerAt(context, "GCAllocContext", "Limit"));
  return result;
}

}  // namespace

std::vector<RuntimeThread> readThreads(const ClrRuntime& runtime, FindingList& findings) {
  std::vector<RuntimeThread> threads;
  const auto store = runtime.globalPointer("ThreadStore");
  const auto first = store ? runtime.pointerAt(*store, "ThreadStore", "FirstThreadLink") : store;
  if (!first) {
    findings.add(FindingKind::RuntimeDataDamaged, {}, "The runtime's list of threads cannot be read.");
    return threads;
  }
  // Until .NET 10 links lead to links, since then to threads.
  const std::uint64_t linkOffset = runtime.contract().offset("Thread", "LinkNext");
  const std::uint64_t linkInThread = runtime.contract().constant("ThreadStore.LinksToThreads") ? 0 : linkOffset;
  Address link = *first;
  std::unordered_set<Address> seen;
  while (link) {
    RuntimeThread thread;
    thread.address = link - linkInThread;
    const auto managedId = runtime.valueAt<std::uint32_t>(thread.address, "Thread", "Id");
    const auto osId = runtime.valueAt<std::uint32_t>(thread.address, "Thread", "OSId");
    const auto state = runtime.valueAt<std::uint32_t>(thread.address, "Thread", "State");
    const auto next = runtime.memory().readPointer(thread.address + linkOffset);
    if (!managedId || !osId || !state || !next || threads.size() >= kLimits.threads || !seen.insert(link).second) {
      findings.add(FindingKind::RuntimeDataDamaged, thread.address, "The runtime's list of threads breaks off.");
      break;
    }
    thread.managedId = *managedId;
    thread.osId = *osId;
    thread.state = *state;
    if (const auto context = readAllocationContext(runtime, thread.address)) {
      thread.allocationContext = *context;
    } else {
      findings.add(
          FindingKind::MemoryMissing, thread.address,
          "A thread's allocation context is not in the dump; the walk may end early in the region it allocates from.");
    }
    threads.push_back(thread);
    link = *next;
  }
  return threads;
}

}  // namespace heapscape::engine
