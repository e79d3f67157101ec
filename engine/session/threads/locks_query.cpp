// SPDX-License-Identifier: MIT
#include "session/threads/locks_query.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/limits.h"
#include "heap/header_reader.h"
#include "runtime/threads/sync_blocks.h"
#include "runtime/threads/threads.h"
#include "session/objects/object_query.h"
#include "session/roots/statics_query.h"
#include "session/snapshot/contents.h"
#include "session/threads/thread_waits.h"
#include "session/threads/threads_query.h"
#include "values/instance.h"

namespace heapscape::engine {
namespace {

/// Reads locks that .NET writes in C# and that keep their state in fields: System.Threading.Lock (since .NET 9) and
/// ReaderWriterLockSlim, whose readers each note in a thread static which locks they have entered (.NET 8 to 11). For
/// one thread.
class ManagedLocks {
 public:
  ManagedLocks(const Contents& contents, const std::vector<RuntimeThread>& threads);

  /// All that are held or awaited, by address; nothing if it was stopped. From the Objects stage on.
  std::optional<std::vector<LockRow>> find(const std::stop_token& stop);
  /// One of them, held or not; nothing if the object is no such lock, or cannot be read. Type and names are left out.
  std::optional<LockRow> read(Address object);

 private:
  /// How often one thread has entered a reader-writer lock.
  struct Entered {
    std::uint32_t managedId = 0;
    std::uint32_t toRead = 0, toWrite = 0;
  };
  std::optional<LockRow> readLock(const Instance& instance) const;
  std::optional<LockRow> readReaderWriter(const Instance& instance);
  void readEntered();

  const Contents& m_contents;
  const std::vector<RuntimeThread>& m_threads;
  TypeShapes m_shapes;
  std::optional<std::unordered_multimap<std::uint64_t, Entered>> m_entered;  // by the lock's number
};

constexpr std::string_view kLock = "System.Threading.Lock";
constexpr std::string_view kReaderWriterLock = "System.Threading.ReaderWriterLockSlim";

// Lock.State and ReaderWriterLockSlim (src/libraries/System.Private.CoreLib/src/System/Threading).
constexpr std::uint32_t kIsLocked = 1;
constexpr unsigned kWaiterShift = 7;
constexpr std::uint32_t kWriterHolds = 0x80000000;
constexpr std::uint32_t kReaders = 0x0fffffff;
constexpr std::int32_t kNobody = -1;

constexpr std::size_t kMostEntered = 100'000;  // locks that one thread notes

bool isManagedLock(std::string_view type) {
  return type == kLock || type == kReaderWriterLock;
}

bool isInUse(const LockRow& lock) {
  return lock.isHeld || lock.waiting > 0;
}

ManagedLocks::ManagedLocks(const Contents& contents, const std::vector<RuntimeThread>& threads)
    : m_contents(contents), m_threads(threads), m_shapes(*contents.readers) {}

std::optional<std::vector<LockRow>> ManagedLocks::find(const std::stop_token& stop) {
  const std::vector<TypeRow>& types = *m_contents.types;
  std::vector<std::uint8_t> isWanted(types.size());
  for (std::size_t i = 0; i < types.size(); ++i) isWanted[i] = isManagedLock(types[i].name);
  std::vector<LockRow> locks;
  if (std::ranges::count(isWanted, 1) == 0) return locks;
  const auto objects = objectsOfTypes(m_contents, isWanted, stop);
  if (!objects) return std::nullopt;
  for (const TypedObject& object : *objects) {
    auto lock = read(m_contents.heap->index.addressOf(object.id));
    if (lock && isInUse(*lock)) locks.push_back(std::move(*lock));
  }
  return locks;
}

std::optional<LockRow> ManagedLocks::read(Address object) {
  const InstanceSources sources{*m_contents.readers, m_shapes};
  const auto instance = Instance::at(sources, object);
  if (!instance) return std::nullopt;
  std::optional<LockRow> lock;
  if (instance->shape().name == kLock) lock = readLock(*instance);
  if (instance->shape().name == kReaderWriterLock) lock = readReaderWriter(*instance);
  if (lock) lock->object = object;
  return lock;
}

std::optional<LockRow> ManagedLocks::readLock(const Instance& instance) const {
  const auto owner = instance.number<std::uint32_t>("_owningThreadId");
  const auto state = instance.number<std::uint32_t>("_state");
  const auto recursion = instance.number<std::uint32_t>("_recursionCount");
  if (!owner || !state || !recursion) return std::nullopt;
  LockRow lock;
  lock.kind = LockKind::Lock;
  lock.isHeld = (*state & kIsLocked) != 0;
  lock.waiting = *state >> kWaiterShift;
  if (!lock.isHeld) return lock;
  const Contract& contract = m_contents.readers->runtime.contract();
  (contract.constant("ManagedLock.OwnerIsManagedId") ? lock.ownerManagedId : lock.ownerOsId) = *owner;
  lock.recursion = *recursion;
  return lock;
}

std::optional<LockRow> ManagedLocks::readReaderWriter(const Instance& instance) {
  const auto id = instance.number<std::uint64_t>("_lockID");
  const auto owners = instance.number<std::uint32_t>("_owners");
  const auto writer = instance.number<std::int32_t>("_writeLockOwnerId");
  const auto upgrader = instance.number<std::int32_t>("_upgradeLockOwnerId");
  if (!id || !owners || !writer || !upgrader) return std::nullopt;
  LockRow lock;
  lock.kind = LockKind::ReaderWriterLock;
  for (const char* waiters : {"_numWriteWaiters", "_numReadWaiters", "_numWriteUpgradeWaiters", "_numUpgradeWaiters"})
    lock.waiting += instance.number<std::uint32_t>(waiters).value_or(0);
  const bool isWritten = (*owners & kWriterHolds) != 0;
  lock.isUpgradeable = !isWritten && *upgrader != kNobody;
  // Who may upgrade is counted with the readers.
  const std::uint32_t counted = *owners & kReaders;
  lock.readerCount = counted - (counted > 0 && *upgrader != kNobody ? 1 : 0);
  lock.isHeld = isWritten || counted > 0;
  if (isWritten && *writer != kNobody) lock.ownerManagedId = static_cast<std::uint32_t>(*writer);
  if (lock.isUpgradeable) lock.ownerManagedId = static_cast<std::uint32_t>(*upgrader);
  lock.recursion = lock.ownerManagedId ? 1 : 0;
  if (!m_entered) readEntered();
  const auto [first, last] = m_entered->equal_range(*id);
  for (auto entered = first; entered != last; ++entered) {
    const Entered& one = entered->second;
    if (one.toRead > 0 && one.managedId != lock.ownerManagedId) lock.readers.push_back(one.managedId);
    if (one.managedId == lock.ownerManagedId) lock.recursion = std::max(one.toWrite, 1u);
  }
  std::ranges::sort(lock.readers);
  return lock;
}

void ManagedLocks::readEntered() {
  m_entered.emplace();
  const InstanceSources sources{*m_contents.readers, m_shapes};
  for (const RuntimeThread& thread : m_threads) {
    Address at =
        readLibraryThreadStatic(*m_contents.readers, kReaderWriterLock, "t_rwc", thread.address).value_or(Address{});
    for (std::size_t i = 0; at && i < kMostEntered; ++i) {
      const auto count = Instance::at(sources, at);
      const auto id = count ? count->number<std::uint64_t>("lockID") : failure(ErrorCode::NotFound, {});
      if (!id) break;
      m_entered->emplace(*id, Entered{.managedId = thread.managedId,
                                      .toRead = count->count("readercount").value_or(0),
                                      .toWrite = count->count("writercount").value_or(0)});
      at = count->reference("next").value_or(Address{});
    }
  }
}

/// Makes rows of locks, naming the threads that hold and await them.
class LockRows {
 public:
  LockRows(const Snapshot& snapshot, FindingList& findings, const std::stop_token& stop) : m_snapshot(snapshot) {
    const RuntimeReaders& readers = *snapshot.contents().readers;
    FindingList damage;
    m_all = readThreads(readers.runtime, damage);
    m_areAllKnown = damage.items().empty();
    findings.append(damage);
    for (const RuntimeThread& thread : m_all) {
      ThreadDetails details = readThreadDetails(readers, thread);
      if (details.awaitedBlock) m_waiting.emplace(details.awaitedBlock, thread.managedId);
      if (isAlive(thread)) m_managedIds.emplace(thread.osId, thread.managedId);
      m_threads.emplace(thread.managedId, std::move(details));
    }
    if (!notesWaiters(readers.runtime)) findWaiters(stop);
  }

  const std::vector<RuntimeThread>& threads() const { return m_all; }

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
    row.hasOwnerEnded = block.hasHolderEnded;
    row.ownerManagedId = block.holderManagedId;
    row.ownerOsId = block.holderOsId;
    row.recursion = block.recursion;
    row.waiting = block.waiting;
    row.syncBlockIndex = block.index;
    row.syncBlock = block.address;
    row.hashCode = block.hashCode;
    row.hasInterop = static_cast<bool>(block.interop);
    const auto [first, last] = m_waiting.equal_range(block.address);
    for (auto waiter = first; waiter != last; ++waiter) row.waitingThreads.push_back(waiter->second);
    std::ranges::sort(row.waitingThreads);
    nameOwner(row);
    return row;
  }

  LockRow managed(LockRow row) const {
    const LockRow named = begin(row.kind, row.object);
    row.typeName = named.typeName;
    row.methodTable = named.methodTable;
    // Until .NET 10 a Lock notes the thread by its OS id.
    if (row.kind == LockKind::Lock && row.ownerOsId) {
      const auto owner = m_managedIds.find(row.ownerOsId);
      if (owner != m_managedIds.end()) row.ownerManagedId = owner->second;
      row.hasOwnerEnded = owner == m_managedIds.end() && m_areAllKnown;
    }
    nameOwner(row);
    return row;
  }

 private:
  void findWaiters(const std::stop_token& stop) {
    const auto stacks = keptStacks(m_snapshot, stop);
    ThreadWaits waits(m_snapshot);
    for (std::size_t i = 0; stacks && i < (*stacks)->threads.size(); ++i) {
      const ThreadStackRow& stack = (*stacks)->threads[i];
      if (const SyncBlock* block = waits.awaitedMonitor(stack)) m_waiting.emplace(block->address, stack.managedId);
    }
  }

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
    if (!row.isHeld || row.ownerManagedId == 0) return;
    const auto owner = m_threads.find(row.ownerManagedId);
    if (owner == m_threads.end()) {
      row.hasOwnerEnded = m_areAllKnown;
      return;
    }
    if (!isAlive(owner->second.thread)) row.hasOwnerEnded = true;
    if (row.ownerOsId == 0) row.ownerOsId = owner->second.thread.osId;
    row.ownerName = owner->second.name;
  }

  const Snapshot& m_snapshot;
  std::vector<RuntimeThread> m_all;
  bool m_areAllKnown = true;                                      // the runtime's list of threads was read to its end
  std::unordered_map<std::uint32_t, ThreadDetails> m_threads;     // by managed id
  std::unordered_map<std::uint32_t, std::uint32_t> m_managedIds;  // by OS id, of those that are alive
  std::unordered_multimap<Address, std::uint32_t> m_waiting;      // by sync block: managed ids
};

/// Walks the heap's headers.
Outcome<LockList> findLocks(const Snapshot& snapshot, const std::stop_token& stop) {
  const Contents& contents = snapshot.contents();
  const ClrRuntime& runtime = contents.readers->runtime;
  LockList list;
  const LockRows rows(snapshot, list.findings, stop);
  if (contents.heap) {
    for (const ThinLock& lock : findThinLocks(runtime, *contents.segments, *contents.heap, stop))
      list.locks.push_back(rows.thin(lock));
  }
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  std::unordered_set<Address> monitors;  // locks that are told of as sync blocks
  for (const SyncBlock& block : readSyncBlocks(runtime, list.findings)) {
    if (block.lock) monitors.insert(block.lock);
    list.locks.push_back(rows.inSyncBlock(block));
    if (block.object && list.locks.back().typeName.empty()) {
      list.findings.add(FindingKind::SyncBlockMismatch, block.address,
                        "A sync block belongs to " + toString(block.object) + ", where no object begins.");
    }
  }
  if (contents.heap) {
    auto managed = ManagedLocks(contents, rows.threads()).find(stop);
    if (!managed) return tl::unexpected(Unfinished::cancelled());
    for (LockRow& lock : *managed) {
      if (!monitors.contains(lock.object)) list.locks.push_back(rows.managed(std::move(lock)));
    }
  }
  list.cycles = findLockCycles(waitsForOf(list.locks));
  return list;
}

}  // namespace

Outcome<LockList> listLocks(const Snapshot& snapshot, std::stop_token stop) {
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  HEAPSCAPE_TRY(const auto locks, snapshot.contents().locks->get([&] { return findLocks(snapshot, stop); }));
  return *locks;
}

Outcome<LockList> listLocksWithActivities(const Snapshot& snapshot, std::stop_token stop) {
  HEAPSCAPE_TRY(LockList list, listLocks(snapshot, stop));
  HEAPSCAPE_TRY(const auto stacks, keptStacksInWords(snapshot, stop));
  addActivities(list, *stacks);
  HEAPSCAPE_TRY(const BlockedThreads blocked, listBlockedThreads(snapshot, *stacks, list, std::move(stop)));
  addWaiting(list, blocked);
  return list;
}

std::optional<LockRow> lockOf(const Snapshot& snapshot, Address object) {
  const ClrRuntime& runtime = snapshot.contents().readers->runtime;
  const auto header = readHeader(runtime, object);
  const ReferredObject referred = referredObject(snapshot, object);
  if (!header || !referred.isObject) return std::nullopt;
  const bool isManaged = isManagedLock(referred.typeName);
  // Rows know all threads; most objects are no locks.
  if (!isManaged && header->kind != HeaderKind::ThinLock && header->kind != HeaderKind::SyncBlock) return std::nullopt;
  FindingList ignored;
  const LockRows rows(snapshot, ignored, {});
  if (isManaged) {
    if (auto managed = ManagedLocks(snapshot.contents(), rows.threads()).read(object)) return rows.managed(*managed);
  }
  if (header->kind == HeaderKind::ThinLock) return rows.thin({object, header->threadId, header->recursion});
  if (header->kind != HeaderKind::SyncBlock) return std::nullopt;
  const auto block = readSyncBlock(runtime, header->syncBlockIndex);
  return block ? std::optional(rows.inSyncBlock(*block)) : std::nullopt;
}

void addActivities(LockList& list, const StackList& stacks) {
  std::unordered_map<std::uint32_t, const std::string*> doing;
  for (const ThreadStackRow& stack : stacks.threads) doing.emplace(stack.managedId, &stack.doing);
  for (LockRow& row : list.locks) {
    const auto owner = row.isHeld ? doing.find(row.ownerManagedId) : doing.end();
    if (owner != doing.end()) row.ownerDoing = *owner->second;
    if (row.hasOwnerEnded) row.ownerDoing = "has ended";
  }
}

namespace {

using Circle = std::vector<std::uint32_t>;

/// The shortest way from a thread back to itself; empty if there is none.
Circle shortestCircle(const WaitsFor& waitsFor, std::uint32_t start) {
  std::unordered_map<std::uint32_t, std::uint32_t> cameFrom;
  std::vector<std::uint32_t> next{start};
  for (std::size_t i = 0; i < next.size(); ++i) {
    const auto holders = waitsFor.find(next[i]);
    if (holders == waitsFor.end()) continue;
    for (const std::uint32_t holder : holders->second) {
      if (!cameFrom.try_emplace(holder, next[i]).second) continue;
      if (holder != start) {
        next.push_back(holder);
        continue;
      }
      Circle circle;
      for (std::uint32_t at = next[i]; at != start; at = cameFrom.at(at)) circle.push_back(at);
      circle.push_back(start);
      std::ranges::reverse(circle);
      return circle;
    }
  }
  return {};
}

/// Threads whose ways end nowhere are in no circle: they are taken out, one after the other.
void dropFree(WaitsFor& waitsFor) {
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> waiters;
  std::unordered_map<std::uint32_t, std::size_t> left;
  std::vector<std::uint32_t> free;
  for (const auto& [thread, holders] : waitsFor) {
    for (const std::uint32_t holder : holders) {
      waiters[holder].push_back(thread);
      if (!waitsFor.contains(holder)) free.push_back(holder);
    }
    left[thread] = holders.size();
  }
  std::ranges::sort(free);
  free.erase(std::ranges::unique(free).begin(), free.end());
  while (!free.empty()) {
    const std::uint32_t thread = free.back();
    free.pop_back();
    waitsFor.erase(thread);
    for (const std::uint32_t waiter : waiters[thread]) {
      if (--left[waiter] == 0) free.push_back(waiter);
    }
  }
}

}  // namespace

std::vector<std::uint32_t> holdersOf(const LockRow& lock) {
  std::vector<std::uint32_t> holders;
  if (lock.isHeld && lock.ownerManagedId) holders.push_back(lock.ownerManagedId);
  holders.insert(holders.end(), lock.readers.begin(), lock.readers.end());
  return holders;
}

WaitsFor waitsForOf(const std::vector<LockRow>& locks) {
  WaitsFor waitsFor;
  for (const LockRow& lock : locks) {
    if (!lock.isHeld) continue;
    const std::vector<std::uint32_t> holders = holdersOf(lock);
    if (holders.empty()) continue;
    for (const std::uint32_t waiter : lock.waitingThreads) waitsFor[waiter] = holders;
  }
  return waitsFor;
}

std::vector<Circle> findLockCycles(WaitsFor waitsFor) {
  std::vector<Circle> circles;
  dropFree(waitsFor);
  std::vector<std::uint32_t> threads;
  for (const auto& [thread, holders] : waitsFor) threads.push_back(thread);
  std::ranges::sort(threads);
  std::unordered_set<std::uint32_t> told;
  for (const std::uint32_t thread : threads) {
    if (told.contains(thread)) continue;
    Circle circle = shortestCircle(waitsFor, thread);
    if (circle.empty()) continue;  // it only waits for those in one
    const bool isNew = std::ranges::none_of(circle, [&](std::uint32_t member) { return told.contains(member); });
    told.insert(circle.begin(), circle.end());
    if (isNew) circles.push_back(std::move(circle));
  }
  return circles;
}

}  // namespace heapscape::engine
