// SPDX-License-Identifier: MIT
#include "session/threads/managed_locks.h"

#include <algorithm>

#include "base/limits.h"
#include "session/objects/object_query.h"
#include "session/objects/objects_of_types.h"
#include "session/roots/library_statics.h"

namespace heapscape::engine {
namespace {

constexpr std::string_view kLock = "System.Threading.Lock";
constexpr std::string_view kReaderWriterLock = "System.Threading.ReaderWriterLockSlim";

// Lock.State and ReaderWriterLockSlim (src/libraries/System.Private.CoreLib/src/System/Threading).
constexpr std::uint32_t kIsLocked = 1;
constexpr unsigned kWaiterShift = 7;
constexpr std::uint32_t kWriterHolds = 0x80000000;
constexpr std::uint32_t kReaders = 0x0fffffff;
constexpr std::int32_t kNobody = -1;

constexpr std::size_t kMostEntered = 100'000;  // locks that one thread notes

bool isInUse(const LockRow& lock) {
  return lock.isHeld || lock.waiting > 0;
}

}  // namespace

ManagedLocks::ManagedLocks(const Contents& contents, const std::vector<RuntimeThread>& threads)
    : m_contents(contents), m_threads(threads), m_shapes(*contents.readers) {}

std::optional<std::vector<LockRow>> ManagedLocks::find(const std::stop_token& stop) {
  const std::vector<TypeRow>& types = *m_contents.types;
  std::vector<std::uint8_t> isWanted(types.size());
  for (std::size_t i = 0; i < types.size(); ++i)
    isWanted[i] = types[i].name == kLock || types[i].name == kReaderWriterLock;
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

}  // namespace heapscape::engine
