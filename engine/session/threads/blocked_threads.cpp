// SPDX-License-Identifier: MIT
#include "session/threads/blocked_threads.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "runtime/threads/threads.h"
#include "session/async/async_names.h"
#include "session/async/async_query.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "session/threads/lock_cycles.h"
#include "session/threads/thread_waits.h"

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

}  // namespace heapscape::engine
