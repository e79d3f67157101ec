// SPDX-License-Identifier: MIT
#include "session/threads/locks_query.h"

#include <algorithm>
#include <unordered_map>

#include "heap/header_reader.h"
#include "heap/thin_locks.h"
#include "runtime/threads/sync_blocks.h"
#include "runtime/threads/thread_details.h"
#include "session/door/contents.h"
#include "session/references/referred_object.h"
#include "session/threads/lock_cycles.h"

namespace heapscape::engine {
namespace {

/// Makes rows of locks, naming the threads that hold and await them.
class LockRows {
 public:
  LockRows(const Snapshot& snapshot, FindingList& findings) : m_snapshot(snapshot) {
    const RuntimeReaders& readers = *snapshot.contents().readers;
    for (const RuntimeThread& thread : readThreads(readers.runtime, findings)) {
      ThreadDetails details = readThreadDetails(readers, thread);
      if (details.awaitedBlock) m_waiting.emplace(details.awaitedBlock, thread.managedId);
      m_threads.emplace(thread.managedId, std::move(details));
    }
  }

  LockRow thin(const ThinLock& lock) const {
    LockRow row = begin(LockKind::Thin, lock.object);
    row.isHeld = true;
    row.ownerManagedId = lock.ownerManagedId;
    row.recursion = lock.recursion;
    nameOwner(row);
    return row;
  }

  LockRow inSyncBlock(const SyncBlock& block) const {
    LockRow row = begin(LockKind::SyncBlock, block.object);
    row.isHeld = block.isHeld;
    row.ownerManagedId = block.holderManagedId;
    row.ownerOsId = block.holderOsId;
    row.recursion = block.recursion;
    row.waiting = block.waiting;
    row.syncBlockIndex = block.index;
    row.syncBlock = block.address;
    row.hashCode = block.hashCode;
    row.hasInterop = block.hasInterop;
    const auto [first, last] = m_waiting.equal_range(block.address);
    for (auto waiter = first; waiter != last; ++waiter) row.waitingThreads.push_back(waiter->second);
    std::ranges::sort(row.waitingThreads);
    nameOwner(row);
    return row;
  }

 private:
  LockRow begin(LockKind kind, Address object) const {
    LockRow row;
    row.kind = kind;
    row.object = object;
    ReferredObject referred = referredObject(m_snapshot, object);
    row.typeName = std::move(referred.typeName);
    row.methodTable = referred.methodTable;
    return row;
  }

  void nameOwner(LockRow& row) const {
    const auto owner = row.isHeld ? m_threads.find(row.ownerManagedId) : m_threads.end();
    if (owner == m_threads.end()) return;
    if (row.ownerOsId == 0) row.ownerOsId = owner->second.thread.osId;
    row.ownerName = owner->second.name;
  }

  const Snapshot& m_snapshot;
  std::unordered_map<std::uint32_t, ThreadDetails> m_threads;  // by managed id
  std::unordered_multimap<Address, std::uint32_t> m_waiting;   // by sync block: managed ids
};

/// Walks the heap's headers.
Outcome<LockList> findLocks(const Snapshot& snapshot, const std::stop_token& stop) {
  const Contents& contents = snapshot.contents();
  const ClrRuntime& runtime = contents.readers->runtime;
  LockList list;
  const LockRows rows(snapshot, list.findings);
  if (contents.heap) {
    for (const ThinLock& lock : findThinLocks(runtime, *contents.segments, *contents.heap, stop))
      list.locks.push_back(rows.thin(lock));
  }
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  for (const SyncBlock& block : readSyncBlocks(runtime, list.findings)) {
    list.locks.push_back(rows.inSyncBlock(block));
    if (block.object && list.locks.back().typeName.empty()) {
      list.findings.add(FindingKind::SyncBlockMismatch, block.address,
                        "A sync block belongs to " + toString(block.object) + ", where no object begins.");
    }
  }
  list.cycles = findLockCycles(waitsForOf(list.locks));
  return list;
}

}  // namespace

const char* toString(LockKind kind) {
  return kind == LockKind::Thin ? "thin" : "syncBlock";
}

Outcome<LockList> listLocks(const Snapshot& snapshot, std::stop_token stop) {
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  HEAPSCAPE_TRY(const auto locks, snapshot.contents().locks->get([&] { return findLocks(snapshot, stop); }));
  return *locks;
}

Outcome<LockList> listLocksWithActivities(const Snapshot& snapshot, std::stop_token stop) {
  HEAPSCAPE_TRY(LockList list, listLocks(snapshot, stop));
  HEAPSCAPE_TRY(const StackList stacks, listStacks(snapshot, {}, std::move(stop)));
  addActivities(list, stacks);
  return list;
}

std::optional<LockRow> lockOf(const Snapshot& snapshot, Address object) {
  const ClrRuntime& runtime = snapshot.contents().readers->runtime;
  const auto header = readHeader(runtime, object);
  if (!header || !referredObject(snapshot, object).isObject) return std::nullopt;
  FindingList ignored;
  if (header->kind == HeaderKind::ThinLock)
    return LockRows(snapshot, ignored).thin({object, header->threadId, header->recursion});
  if (header->kind != HeaderKind::SyncBlock) return std::nullopt;
  const auto block = readSyncBlock(runtime, header->syncBlockIndex);
  return block ? std::optional(LockRows(snapshot, ignored).inSyncBlock(*block)) : std::nullopt;
}

void addActivities(LockList& list, const StackList& stacks) {
  std::unordered_map<std::uint32_t, const std::string*> doing;
  for (const ThreadStackRow& stack : stacks.threads) doing.emplace(stack.managedId, &stack.doing);
  for (LockRow& row : list.locks) {
    const auto owner = row.isHeld ? doing.find(row.ownerManagedId) : doing.end();
    if (owner != doing.end()) row.ownerDoing = *owner->second;
  }
}

}  // namespace heapscape::engine
