// SPDX-License-Identifier: MIT
#include "views/threads/waits.h"

#include <QObject>
#include <QStringList>
#include <unordered_map>

#include "views/threads/thread_rows.h"
#include "widgets/figures.h"
#include "widgets/short_type_name.h"

namespace heapscape::gui {

namespace {

QString lockDetail(const engine::LockRow& lock) {
  QStringList parts;
  const std::uint64_t enters =
      lock.kind == engine::LockKind::Thin ? std::uint64_t{lock.recursion} + 1 : std::uint64_t{lock.recursion};
  if (enters > 1) parts << QObject::tr("entered %1 ×").arg(countText(enters));
  if (lock.waiting > 0) parts << QObject::tr("%1 waiting").arg(countText(lock.waiting));
  return parts.join(QStringLiteral(" · "));
}

// Locks of one type are told apart by the last digits of their object's address.
QString lockTitle(const engine::LockRow& lock) {
  const QString address = addressText(lock.object);
  if (lock.typeName.empty()) return address;
  return QStringLiteral("%1 …%2").arg(shortTypeName(lock.typeName), address.right(5));
}

class WaitsFinder {
 public:
  Waits find(const engine::ThreadList& threads, const engine::LockList& locks) {
    addWaiters(threads);
    for (const engine::LockRow& lock : locks.locks) {
      if (lock.isHeld) addLock(lock);
    }
    describe(threads);
    for (WaitThread& thread : m_waits.threads) chooseLock(thread);
    for (const auto& cycle : locks.cycles) addCycle(cycle);
    return std::move(m_waits);
  }

 private:
  std::size_t indexOf(std::uint32_t managedId) {
    const auto [place, isNew] = m_index.try_emplace(managedId, m_waits.threads.size());
    if (isNew) {
      WaitThread thread;
      thread.managedId = managedId;
      thread.title = managedId == 0 ? QObject::tr("unknown thread") : threadText(managedId, {});
      m_waits.threads.push_back(std::move(thread));
    }
    return place->second;
  }

  void addWaiters(const engine::ThreadList& threads) {
    for (const engine::ThreadRow& thread : threads.threads) {
      if (thread.waitsForManagedId == 0 || thread.managedId == 0) continue;
      const std::size_t waiter = indexOf(thread.managedId);
      const std::size_t owner = indexOf(thread.waitsForManagedId);
      m_waits.threads[waiter].waitsFor = owner;
    }
  }

  void addLock(const engine::LockRow& lock) {
    WaitThread& owner = m_waits.threads[indexOf(lock.ownerManagedId)];
    owner.locks.push_back({.object = lock.object,
                           .methodTable = lock.methodTable,
                           .identity = lock.syncBlock ? lock.syncBlock : lock.object,
                           .title = lockTitle(lock),
                           .detail = lockDetail(lock),
                           .waiting = lock.waiting});
  }

  void describe(const engine::ThreadList& threads) {
    for (const engine::ThreadRow& thread : threads.threads) {
      const auto found = m_index.find(thread.managedId);
      if (thread.managedId == 0 || found == m_index.end()) continue;
      m_waits.threads[found->second].address = thread.address;
      m_waits.threads[found->second].title = threadText(thread.managedId, thread.name);
    }
  }

  void chooseLock(WaitThread& thread) const {
    if (!thread.waitsFor) return;
    const std::vector<WaitLock>& locks = m_waits.threads[*thread.waitsFor].locks;
    for (std::size_t lock = 0; lock < locks.size(); ++lock) {
      if (locks[lock].waiting == 0) continue;
      if (thread.wantedLock) {
        thread.wantedLock.reset();
        return;
      }
      thread.wantedLock = lock;
    }
  }

  void addCycle(const std::vector<std::uint32_t>& managedIds) {
    std::vector<std::size_t> members;
    for (const std::uint32_t managedId : managedIds) {
      const auto found = m_index.find(managedId);
      if (found != m_index.end()) members.push_back(found->second);
    }
    for (const std::size_t member : members) m_waits.threads[member].cycle = m_waits.cycles.size();
    if (!members.empty()) m_waits.cycles.push_back(std::move(members));
  }

  Waits m_waits;
  std::unordered_map<std::uint32_t, std::size_t> m_index;
};

}  // namespace

Waits findWaits(const engine::ThreadList& threads, const engine::LockList& locks) {
  return WaitsFinder().find(threads, locks);
}

}  // namespace heapscape::gui
