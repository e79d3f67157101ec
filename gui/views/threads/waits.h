// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "session/stacks/stacks_query.h"
#include "session/threads/locks_query.h"
#include "session/threads/threads_query.h"

namespace heapscape::gui {

/// A monitor in the picture of who waits for whom.
struct WaitLock {
  engine::Address object;
  engine::Address methodTable;
  engine::Address identity;  // of its row in the list of locks
  QString title;             // "Order"
  QString detail;            // "entered twice, 3 waiting"
  std::uint32_t waiting = 0;
};

enum class WaitNodeKind {
  Thread,
  Task,    // a call of an async method, or any other task
  Object,  // a lock other than a monitor, an event, a semaphore …
};

/// A thread that holds locks, waits or is waited for; or what threads wait for.
struct WaitNode {
  WaitNodeKind kind = WaitNodeKind::Thread;
  engine::Address address = {};  // of the runtime's Thread, 0 for an owner that is not among them; else of the object
  std::uint32_t managedId = 0;   // of a thread
  QString title = {};            // "5 worker", "Orders.PlaceAsync", "SemaphoreSlim …c7a8"
  QStringList lines = {};        // below the title: "in Bank.Transfer, Bank.cs:31"
  QStringList facts = {};        // the same in full
  std::vector<WaitLock> locks = {};
  std::optional<std::size_t> waitsFor = {};    // index of the node
  std::optional<std::size_t> wantedLock = {};  // which of that thread's locks, where only one has waiters
  std::optional<std::size_t> cycle = {};       // index of the deadlock that it is part of
};

struct Waits {
  std::vector<WaitNode> nodes;
  std::vector<std::vector<std::size_t>> cycles;  // nodes in the order in which each waits for the next

  bool isEmpty() const { return nodes.empty(); }
};

/// What stacks tell: not there at first, since they take longer.
struct StackFacts {
  const engine::StackList& stacks;
  const engine::BlockedThreads& blocked;
};

/// Threads without locks that wait for nobody are left out, as are those that wait for something outside of the
/// process. `facts`: null while they are not known.
Waits findWaits(const engine::ThreadList& threads, const engine::LockList& locks, const StackFacts* facts = nullptr);

}  // namespace heapscape::gui
