// SPDX-License-Identifier: MIT
#include "session/threads/blocked_threads.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "runtime/threads/thread_details.h"
#include "session/async/async_names.h"
#include "session/async/async_query.h"
#include "session/door/contents.h"
#include "session/objects/object_query.h"
#include "session/threads/lock_cycles.h"
#include "session/threads/thread_waits.h"

namespace heapscape::engine {
namespace {

/// Where a lock that is no monitor notes who holds it (.NET 8 to 10; Lock since 9).
struct OwnerField {
  std::string_view type, field;
  bool isOsId = false;
};
constexpr std::array kOwnerFields{
    OwnerField{"System.Threading.Lock", "_owningThreadId", true},
    OwnerField{"System.Threading.ReaderWriterLockSlim", "_writeLockOwnerId"},
};

/// Tells what threads block on, once the stacks and the async methods are known.
class BlockedReader {
 public:
  BlockedReader(const Snapshot& snapshot, const StackList& stacks, std::stop_token stop)
      : m_snapshot(snapshot),
        m_contents(snapshot.contents()),
        m_stacks(stacks),
        m_types(m_contents),
        m_names(m_contents, m_types, stop),
        m_runners(runnersOfTasks(stacks)),
        m_stop(std::move(stop)) {}

  Outcome<BlockedThreads> read() {
    BlockedThreads list;
    for (const ThreadStackRow& stack : m_stacks.threads) {
      if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      const auto awaited = awaitedBy(m_snapshot, stack);
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
        thread.owner = holderOf(thread.object, thread.name);
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
    const AsyncFrame& frame = *std::ranges::find(frames, thread.object, &AsyncFrame::object);
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
      for (const AsyncFrame& frame : m_async->framesOf(m_async->chains[i])) m_chains.emplace(frame.object, i);
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

  std::uint32_t holderOf(Address lock, std::string_view typeName) const {
    const auto* known = std::ranges::find(kOwnerFields, typeName, &OwnerField::type);
    if (known == kOwnerFields.end()) return 0;
    const InstanceSources sources = m_types.sources();
    const auto instance = Instance::at(sources, lock);
    const auto owner = instance ? instance->number<std::uint32_t>(known->field) : failure(ErrorCode::NotFound, {});
    const auto isOwner = [&](const ThreadStackRow& stack) {
      return owner && *owner != 0 && (known->isOsId ? stack.osId : stack.managedId) == *owner;
    };
    const auto found = std::ranges::find_if(m_stacks.threads, isOwner);
    return found == m_stacks.threads.end() ? 0 : found->managedId;
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
};

std::vector<std::vector<std::uint32_t>> deadlocksOf(const std::vector<LockRow>& locks,
                                                    const std::vector<BlockedThread>& blocked) {
  WaitsFor waitsFor = waitsForOf(locks);
  for (const BlockedThread& thread : blocked) {
    if (thread.owner) waitsFor[thread.managedId] = thread.owner;
  }
  return findLockCycles(waitsFor);
}

}  // namespace

Outcome<BlockedThreads> listBlockedThreads(const Snapshot& snapshot, const StackList& stacks, const LockList& locks,
                                           std::stop_token stop) {
  if (!snapshot.has(Stage::Objects)) return BlockedThreads{};
  HEAPSCAPE_TRY(BlockedThreads list, BlockedReader(snapshot, stacks, std::move(stop)).read());
  list.deadlocks = deadlocksOf(locks.locks, list.threads);
  return list;
}

}  // namespace heapscape::engine
