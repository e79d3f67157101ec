// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "session/async_query.h"
#include "session/stacks_query.h"

namespace heapscape::engine {

/// What threads wait for or do, in words, told by the frames and roots of their stacks: "waits in Thread.Join", "waits
/// for Shop.Orders.PlaceAsync in Task.Wait", "idle in the pool", "runs Shop.Worker.Spin". Equal words for threads that
/// do the same. For one thread.
class ThreadWaits {
 public:
  explicit ThreadWaits(const Snapshot& snapshot) : m_snapshot(snapshot) {}

  /// Empty where nothing is known.
  std::string doingOf(const ThreadStackRow& thread);

 private:
  std::string monitorWords(Address syncBlock);

  const Snapshot& m_snapshot;
  std::optional<std::unordered_map<Address, std::string>> m_monitorWords;  // by sync block
};

/// The same for one thread.
std::string doingOf(const Snapshot& snapshot, const ThreadStackRow& thread);

/// Notes in frames which thread runs the method, or blocks until it has ended.
void joinThreads(AsyncList& list, const StackList& stacks);

}  // namespace heapscape::engine
