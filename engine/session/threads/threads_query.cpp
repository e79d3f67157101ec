// SPDX-License-Identifier: MIT
#include "session/threads/threads_query.h"

#include <algorithm>
#include <unordered_map>

#include "runtime/threads/threads.h"
#include "session/objects/referred_object.h"
#include "session/objects/retained_query.h"
#include "session/snapshot/contents.h"
#include "session/threads/crash_cause.h"
#include "session/threads/lock_cycles.h"
#include "stacks/exception_handling.h"

namespace heapscape::engine {
namespace {

/// How the threads hold and await monitors, by managed id.
struct LocksByThread {
  std::unordered_map<std::uint32_t, std::uint32_t> held, others;
  WaitsFor waitsFor;

  explicit LocksByThread(const std::vector<LockRow>& locks) : waitsFor(waitsForOf(locks)) {
    for (const LockRow& lock : locks) {
      for (const std::uint32_t holder : holdersOf(lock)) ++(isMonitor(lock.kind) ? held : others)[holder];
    }
  }

  std::uint32_t awaitedBy(std::uint32_t thread) const {
    const auto found = waitsFor.find(thread);
    return found == waitsFor.end() ? 0 : found->second.front();
  }

  static std::uint32_t valueOf(const std::unordered_map<std::uint32_t, std::uint32_t>& values, std::uint32_t thread) {
    const auto found = values.find(thread);
    return found == values.end() ? 0 : found->second;
  }
};

ThreadRow rowOf(const Snapshot& snapshot, const ThreadDetails& details, const LocksByThread& locks) {
  const RuntimeThread& thread = details.thread;
  ThreadState state = decodeThreadState(thread.state);
  ThreadRow row;
  row.address = thread.address;
  row.managedId = thread.managedId;
  row.osId = thread.osId;
  row.name = details.name;
  row.stateBits = thread.state;
  row.state = std::move(state.names);
  row.isAlive = isAlive(thread);
  row.isBackground = state.isBackground;
  row.isFinalizer = details.isFinalizer;
  row.isGc = details.isSuspending;
  row.isThreadPool = state.isThreadPool;
  row.hasDied = crashCauseOf(snapshot).thread == row.address;
  const AllocationContext& context = thread.allocationContext;
  if (context.pointer && context.pointer <= context.limit) row.allocationContext = {context.pointer, context.limit};
  row.managedThread = details.managedThread;
  row.exception = details.exception;
  if (row.exception) row.exceptionType = referredObject(snapshot, row.exception).typeName;
  for (const ExceptionOnItsWay& exception : exceptionsOf(snapshot.contents().readers->runtime, thread.address)) {
    std::string type = exception.object ? referredObject(snapshot, exception.object).typeName : std::string();
    row.exceptionsInFlight.push_back(type.empty() ? "an exception" : std::move(type));
  }
  row.locks = LocksByThread::valueOf(locks.held, thread.managedId);
  row.otherLocks = LocksByThread::valueOf(locks.others, thread.managedId);
  row.waitsForManagedId = locks.awaitedBy(thread.managedId);
  row.stack = details.stack;
  if (snapshot.has(Stage::Retained))
    row.retainedBytes = retainedByThread(snapshot, row.address).value_or(Retained{}).bytes;
  return row;
}

}  // namespace

Outcome<ThreadList> listThreads(const Snapshot& snapshot, std::stop_token stop) {
  const RuntimeReaders& readers = *snapshot.contents().readers;
  ThreadList list;
  HEAPSCAPE_TRY(const LockList locks, listLocks(snapshot, stop));
  list.findings.append(locks.findings);
  const LocksByThread byThread(locks.locks);
  FindingList repeated;  // listLocks has read the same threads
  for (const RuntimeThread& thread : readThreads(readers.runtime, repeated)) {
    if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    list.threads.push_back(rowOf(snapshot, readThreadDetails(readers, thread), byThread));
    const ThreadRow& row = list.threads.back();
    if (row.exception && row.exceptionType.empty()) {
      list.findings.add(FindingKind::ReferenceDamaged, row.address,
                        "A thread's exception leads to " + toString(row.exception) + ", where no object begins.");
    }
  }
  return list;
}

void addWaiting(ThreadList& list, const BlockedThreads& blocked) {
  std::unordered_map<std::uint32_t, std::uint32_t> owners;
  for (const BlockedThread& thread : blocked.threads) owners.emplace(thread.managedId, thread.owner);
  for (ThreadRow& row : list.threads) {
    const auto owner = row.isAlive && !row.waitsForManagedId ? owners.find(row.managedId) : owners.end();
    if (owner != owners.end()) row.waitsForManagedId = owner->second;
  }
}

void addActivities(ThreadList& list, const StackList& stacks) {
  std::unordered_map<Address, const ThreadStackRow*> known;
  for (const ThreadStackRow& stack : stacks.threads) known.emplace(stack.thread, &stack);
  for (ThreadRow& row : list.threads) {
    const auto stack = known.find(row.address);
    if (stack == known.end()) continue;
    row.doing = stack->second->doing;
    row.hasExactRoots = stack->second->isComplete &&
                        std::ranges::all_of(stack->second->frames, [](const FrameRow& frame) { return frame.isExact; });
  }
}

}  // namespace heapscape::engine
