// SPDX-License-Identifier: MIT
#include "views/threads/waits.h"

#include <QObject>
#include <algorithm>
#include <unordered_map>

#include "models/names/frame_place.h"
#include "session/stacks/parallel_stacks.h"
#include "views/threads/frame_text.h"
#include "views/threads/thread_rows.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::BlockedOn;
using engine::BlockedThread;

QString lockDetail(const engine::LockRow& lock) {
  QStringList parts;
  const std::uint64_t enters =
      lock.kind == engine::LockKind::Thin ? std::uint64_t{lock.recursion} + 1 : std::uint64_t{lock.recursion};
  if (enters > 1) parts << QStringLiteral("entered %1 ×").arg(countText(enters));
  if (lock.waiting > 0) parts << QStringLiteral("%1 waiting").arg(countText(lock.waiting));
  return parts.join(QStringLiteral(" · "));
}

// Objects of one type are told apart by the last digits of their address.
QString objectTitle(const std::string& typeName, engine::Address object) {
  const QString address = addressText(object);
  if (typeName.empty()) return address;
  return QStringLiteral("%1 …%2").arg(shortTypeName(typeName), address.right(5));
}

// "Bank.Transfer, Bank.cs:31".
QString placeText(const engine::FrameRow& frame) {
  const QString name = shortFrameName(frame.type, frame.method);
  return frame.file.empty() ? name : QStringLiteral("%1, %2").arg(name, framePlace(frame));
}

/// What a task is and waits for, a line each.
QStringList taskLines(const BlockedThread& blocked) {
  QStringList lines;
  const QString task = QStringLiteral("task");
  if (!blocked.isMethod) {
    if (!fromEngine(blocked.name).contains(task, Qt::CaseInsensitive)) lines << task;
  } else if (blocked.await < 0) {
    lines << QStringLiteral("async method, running");
  } else {
    lines << QStringLiteral("async method, at await %1").arg(blocked.await);
  }
  const QString waitsFor = fromEngine(blocked.waitsFor);
  if (!blocked.innermost.empty()) {
    lines << QStringLiteral("waits for %1").arg(shortMethodName(fromEngine(blocked.innermost)));
    lines << (waitsFor.isEmpty() ? QStringLiteral("which runs") : QStringLiteral("which waits for %1").arg(waitsFor));
  } else if (!waitsFor.isEmpty()) {
    lines << QStringLiteral("waits for %1").arg(waitsFor);
  }
  return lines;
}

class WaitsFinder {
 public:
  Waits find(const engine::ThreadList& threads, const engine::LockList& locks, const StackFacts* facts) {
    addWaiters(threads);
    for (const engine::LockRow& lock : locks.locks) {
      if (lock.isHeld && engine::isMonitor(lock.kind)) addLock(lock);
    }
    for (WaitNode& node : m_waits.nodes) chooseLock(node);  // so far all wait for monitors
    if (facts) {
      for (const BlockedThread& blocked : facts->blocked.threads) addBlocked(blocked);
    }
    describe(threads);
    if (facts) addPlaces(facts->stacks);
    for (const auto& cycle : facts ? facts->blocked.deadlocks : locks.cycles) addCycle(cycle);
    return std::move(m_waits);
  }

 private:
  std::size_t indexOf(std::uint32_t managedId) {
    const auto [place, isNew] = m_threads.try_emplace(managedId, m_waits.nodes.size());
    if (isNew) {
      WaitNode thread;
      thread.managedId = managedId;
      thread.title = managedId == 0 ? QStringLiteral("unknown thread") : threadText(managedId, {});
      m_waits.nodes.push_back(std::move(thread));
    }
    return place->second;
  }

  void addWaiters(const engine::ThreadList& threads) {
    for (const engine::ThreadRow& thread : threads.threads) {
      if (thread.waitsForManagedId == 0 || thread.managedId == 0) continue;
      const std::size_t waiter = indexOf(thread.managedId);
      const std::size_t owner = indexOf(thread.waitsForManagedId);
      m_waits.nodes[waiter].waitsFor = owner;
    }
  }

  void addLock(const engine::LockRow& lock) {
    WaitNode& owner = m_waits.nodes[indexOf(lock.ownerManagedId)];
    owner.locks.push_back({.object = lock.object,
                           .methodTable = lock.methodTable,
                           .identity = lock.syncBlock ? lock.syncBlock : lock.object,
                           .title = objectTitle(lock.typeName, lock.object),
                           .detail = lockDetail(lock),
                           .waiting = lock.waiting});
  }

  void addBlocked(const BlockedThread& blocked) {
    if (blocked.managedId == 0) return;
    const std::size_t waiter = indexOf(blocked.managedId);
    if (m_waits.nodes[waiter].waitsFor) return;
    if (blocked.kind == BlockedOn::Thread) {
      if (!blocked.owner) return;
      const std::size_t joined = indexOf(blocked.owner);
      m_waits.nodes[waiter].waitsFor = joined;
      m_waits.nodes[waiter].lines << QStringLiteral("waits in %1").arg(fromEngine(blocked.called));
    } else if (blocked.object) {
      const std::size_t awaited = awaitedNode(blocked);
      m_waits.nodes[waiter].waitsFor = awaited;
    }
  }

  /// One for all threads that wait for the same thing.
  std::size_t awaitedNode(const BlockedThread& blocked) {
    const auto [place, isNew] = m_objects.try_emplace(blocked.object, m_waits.nodes.size());
    if (!isNew) return place->second;
    const std::size_t index = place->second;
    const bool isTask = blocked.kind == BlockedOn::Task;
    WaitNode node{.kind = isTask ? WaitNodeKind::Task : WaitNodeKind::Object, .address = blocked.object};
    const QString name = fromEngine(blocked.name);
    if (isTask) {
      node.title = blocked.isMethod ? shortMethodName(name) : name;
      node.lines = taskLines(blocked);
    } else {
      node.title = objectTitle(blocked.name, blocked.object);
      // "Monitor.Wait" rather than "Lock", which the title says.
      const QString called = fromEngine(blocked.called);
      if (called.contains(QLatin1Char('.'))) node.lines << QStringLiteral("awaited in %1").arg(called);
    }
    if (blocked.owner) node.lines << ownerText(blocked);
    node.facts << name << addressText(blocked.object) << node.lines;
    node.facts.removeAll(QString());
    m_waits.nodes.push_back(std::move(node));
    if (blocked.owner) {
      const std::size_t owner = indexOf(blocked.owner);
      m_waits.nodes[index].waitsFor = owner;
    }
    return index;
  }

  static QString ownerText(const BlockedThread& blocked) {
    return blocked.kind == BlockedOn::Task ? QStringLiteral("runs on thread %1").arg(blocked.owner)
                                           : QStringLiteral("held by thread %1").arg(blocked.owner);
  }

  void describe(const engine::ThreadList& threads) {
    for (const engine::ThreadRow& thread : threads.threads) {
      const auto found = m_threads.find(thread.managedId);
      if (thread.managedId == 0 || found == m_threads.end()) continue;
      m_waits.nodes[found->second].address = thread.address;
      m_waits.nodes[found->second].title = threadText(thread.managedId, thread.name);
    }
  }

  /// Where each thread is, and what it does if no arrow tells.
  void addPlaces(const engine::StackList& stacks) {
    for (const engine::ThreadStackRow& stack : stacks.threads) {
      const auto found = m_threads.find(stack.managedId);
      if (stack.managedId == 0 || found == m_threads.end()) continue;
      WaitNode& node = m_waits.nodes[found->second];
      const engine::FrameRow* place = engine::placeOf(stack);
      const QString doing = fromEngine(stack.doing);
      if (place) {
        node.lines << QStringLiteral("in %1").arg(placeText(*place));
        node.facts << QStringLiteral("in %1").arg(frameName(*place).text);
        if (!place->file.empty()) node.facts << frameSource(*place);
      }
      if (doing.isEmpty()) continue;
      node.facts << doing;
      const bool isTold = place && doing.contains(fromEngine(place->type + "." + place->method));
      if (!isTold && !node.waitsFor) node.lines << doing;
    }
  }

  void chooseLock(WaitNode& node) const {
    if (!node.waitsFor) return;
    const std::vector<WaitLock>& locks = m_waits.nodes[*node.waitsFor].locks;
    for (std::size_t lock = 0; lock < locks.size(); ++lock) {
      if (locks[lock].waiting == 0) continue;
      if (node.wantedLock) {
        node.wantedLock.reset();
        return;
      }
      node.wantedLock = lock;
    }
  }

  /// The way from one thread of the circle to the next may lead through a task or a lock.
  void addCycle(const std::vector<std::uint32_t>& managedIds) {
    std::vector<std::size_t> members;
    for (const std::uint32_t managedId : managedIds) {
      const auto found = m_threads.find(managedId);
      if (found == m_threads.end()) continue;
      members.push_back(found->second);
      const auto next = m_waits.nodes[found->second].waitsFor;
      if (next && m_waits.nodes[*next].kind != WaitNodeKind::Thread) members.push_back(*next);
    }
    for (const std::size_t member : members) m_waits.nodes[member].cycle = m_waits.cycles.size();
    if (!members.empty()) m_waits.cycles.push_back(std::move(members));
  }

  Waits m_waits;
  std::unordered_map<std::uint32_t, std::size_t> m_threads;    // by managed id
  std::unordered_map<engine::Address, std::size_t> m_objects;  // by address
};

}  // namespace

Waits findWaits(const engine::ThreadList& threads, const engine::LockList& locks, const StackFacts* facts) {
  return WaitsFinder().find(threads, locks, facts);
}

}  // namespace heapscape::gui
