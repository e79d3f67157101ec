// SPDX-License-Identifier: MIT
#include "session/threads/threads_query.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "runtime/threads/threads.h"
#include "session/async/async_names.h"
#include "session/async/async_query.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/snapshot/contents.h"
#include "session/threads/crash_cause.h"
#include "session/threads/locks_query.h"
#include "session/threads/thread_waits.h"
#include "stacks/exception_handling.h"

namespace heapscape::engine {
namespace {

/// Tells what threads block on, once the stacks and the async methods are known.
class BlockedReader {
 public:
  BlockedReader(const Snapshot& snapshot, const StackList& stacks, const LockList& locks, std::stop_token stop)
      : m_snapshot(snapshot),
        m_contents(snapshot.contents()),
        m_stacks(stacks),
        m_types(m_contents),
        m_names(m_contents, m_types, stop),
        m_runners(runnersOfTasks(stacks)),
        m_stop(std::move(stop)) {
    for (const LockRow& lock : locks.locks) {
      if (!isMonitor(lock.kind)) m_locks.emplace(lock.object, &lock);
    }
  }

  Outcome<BlockedThreads> read() {
    BlockedThreads list;
    ThreadWaits waits(m_snapshot);
    for (const ThreadStackRow& stack : m_stacks.threads) {
      if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      const auto awaited = waits.awaitedBy(stack);
      if (!awaited) continue;
      BlockedThread thread{.managedId = stack.managedId, .object = awaited->object, .called = awaited->called};
      thread.name = awaited->typeName;
      if (awaited->kind == AwaitedKind::Task) {
        thread.kind = BlockedOn::Task;
        if (thread.object) HEAPSCAPE_CHECK(describeTask(thread));
      } else if (awaited->kind == AwaitedKind::Thread) {
        thread.kind = BlockedOn::Thread;
        thread.owner = threadOf(thread.object);
      } else if (thread.object) {
        addHolders(thread);
      }
      list.threads.push_back(std::move(thread));
    }
    if (m_async) list.findings = m_async->findings;
    return list;
  }

 private:
  Outcome<void> describeTask(BlockedThread& thread) {
    HEAPSCAPE_CHECK(readAsync());
    const auto chain = m_chains.find(thread.object);
    if (chain == m_chains.end()) {
      thread.isMethod = isAsyncBoxName(thread.name);
      thread.name = thread.isMethod ? asyncMethodOfBox(thread.name) : nameOf(thread.object);
      thread.owner = runnerOf(thread.object);
      return {};
    }
    const AsyncChain& found = m_async->chains[chain->second];
    const auto frames = m_async->framesOf(found);
    const AsyncFrame& frame = *std::ranges::find_if(
        frames, [&](const AsyncFrame& each) { return each.object == thread.object || each.task == thread.object; });
    thread.name = m_async->nameOf(frame.name);
    thread.isMethod = frame.isMethod;
    thread.await = frame.await;
    if (&frame != &frames.front()) thread.innermost = m_async->nameOf(frames.front().name);
    thread.waitsFor = m_async->nameOf(found.waitsFor);
    thread.owner = runnerOf(found.state == AsyncState::Running ? frames.front().object : found.awaited);
    return {};
  }

  /// Once; with the first chain of each task that is in one.
  Outcome<void> readAsync() {
    if (m_async) return {};
    HEAPSCAPE_TRY(m_async, listAsync(m_snapshot, {.retained = false}, m_stop));
    for (std::uint32_t i = 0; i < m_async->chains.size(); ++i) {
      for (const AsyncFrame& frame : m_async->framesOf(m_async->chains[i])) {
        m_chains.emplace(frame.object, i);
        if (frame.task) m_chains.emplace(frame.task, i);
      }
    }
    return {};
  }

  std::string nameOf(Address task) {
    const auto row = objectAt(m_snapshot, task);
    if (!row || row->address != task) return {};
    return m_names.nameAt(m_names.nameOf({.object = row->id.value, .type = row->type}));
  }

  /// The thread that runs a task; 0 if none does.
  std::uint32_t runnerOf(Address task) const {
    const auto found = m_runners.find(task);
    return found == m_runners.end() ? 0 : found->second;
  }

  std::uint32_t threadOf(Address managedThread) {
    if (m_threads.empty()) {
      for (const ThreadStackRow& stack : m_stacks.threads) {
        RuntimeThread thread;
        thread.address = stack.thread;
        m_threads.emplace(readThreadDetails(*m_contents.readers, thread).managedThread, stack.managedId);
      }
    }
    const auto found = managedThread ? m_threads.find(managedThread) : m_threads.end();
    return found == m_threads.end() ? 0 : found->second;
  }

  void addHolders(BlockedThread& thread) const {
    const auto lock = m_locks.find(thread.object);
    if (lock == m_locks.end()) return;
    thread.owner = lock->second->ownerManagedId;
    thread.readers = lock->second->readers;
    if (thread.owner || thread.readers.empty()) return;
    thread.owner = thread.readers.front();
    thread.readers.erase(thread.readers.begin());
  }

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  const StackList& m_stacks;
  AsyncTypes m_types;
  AsyncNames m_names;
  std::unordered_map<Address, std::uint32_t> m_runners;  // managed ids by task
  std::stop_token m_stop;
  std::optional<AsyncList> m_async;
  std::unordered_map<Address, std::uint32_t> m_chains;   // by task: index in the list
  std::unordered_map<Address, std::uint32_t> m_threads;  // managed ids by System.Threading.Thread
  std::unordered_map<Address, const LockRow*> m_locks;   // that are no monitors, by object
};

std::vector<std::vector<std::uint32_t>> deadlocksOf(const std::vector<LockRow>& locks,
                                                    const std::vector<BlockedThread>& blocked) {
  WaitsFor waitsFor = waitsForOf(locks);
  for (const BlockedThread& thread : blocked) {
    std::vector<std::uint32_t> holders = thread.readers;
    if (thread.owner) holders.insert(holders.begin(), thread.owner);
    if (!holders.empty()) waitsFor[thread.managedId] = std::move(holders);
  }
  return findLockCycles(waitsFor);
}

}  // namespace

Outcome<BlockedThreads> listBlockedThreads(const Snapshot& snapshot, const StackList& stacks, const LockList& locks,
                                           std::stop_token stop) {
  if (!snapshot.has(Stage::Objects)) return BlockedThreads{};
  HEAPSCAPE_TRY(BlockedThreads list, BlockedReader(snapshot, stacks, locks, std::move(stop)).read());
  list.deadlocks = deadlocksOf(locks.locks, list.threads);
  return list;
}

void addWaiting(LockList& list, const BlockedThreads& blocked) {
  std::unordered_map<Address, LockRow*> locks;
  for (LockRow& lock : list.locks) {
    if (!isMonitor(lock.kind)) locks.emplace(lock.object, &lock);
  }
  for (const BlockedThread& thread : blocked.threads) {
    const auto lock = locks.find(thread.object);
    if (lock == locks.end()) continue;
    std::vector<std::uint32_t>& waiting = lock->second->waitingThreads;
    if (std::ranges::find(waiting, thread.managedId) == waiting.end()) waiting.push_back(thread.managedId);
    std::ranges::sort(waiting);
  }
  list.cycles = blocked.deadlocks;
}

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
