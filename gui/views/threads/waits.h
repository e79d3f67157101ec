// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "session/locks_query.h"
#include "session/threads_query.h"

namespace heapscape::gui {

/// A lock in the picture of who waits for whom.
struct WaitLock {
  engine::Address object;
  engine::Address methodTable;
  engine::Address identity;  // of its row in the list of locks
  QString title;             // "Order"
  QString detail;            // "entered twice, 3 waiting"
  std::uint32_t waiting = 0;
};

/// A thread that holds locks, or waits for one.
struct WaitThread {
  engine::Address address;  // 0 for an owner that is not among the threads
  std::uint32_t managedId = 0;
  QString title;  // "5 worker"
  std::vector<WaitLock> locks;
  std::optional<std::size_t> waitsFor;    // index of the thread
  std::optional<std::size_t> wantedLock;  // which of that thread's locks, where only one has waiters
  std::optional<std::size_t> cycle;       // index of the deadlock that it is part of
};

struct Waits {
  std::vector<WaitThread> threads;
  std::vector<std::vector<std::size_t>> cycles;  // threads in the order in which each waits for the next

  bool isEmpty() const { return threads.empty(); }
};

/// Threads without locks that wait for nobody are left out.
Waits findWaits(const engine::ThreadList& threads, const engine::LockList& locks);

}  // namespace heapscape::gui
