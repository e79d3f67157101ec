// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/threads/sync_blocks.h"
#include "session/async/async_query.h"
#include "session/async/suspended_methods.h"
#include "session/stacks/stacks_query.h"

namespace heapscape::engine {

enum class AwaitedKind : std::uint8_t { Task, Thread, Object };

/// Object that a thread waits for and others of the process bring about.
struct AwaitedObject {
  AwaitedKind kind = AwaitedKind::Object;
  Address object = {};        // the task, the System.Threading.Thread, the lock, event or semaphore; 0 if none is kept
  std::string typeName = {};  // of the object
  std::string called = {};    // what the thread waits in: "SemaphoreSlim.Wait"
};

/// Words on what threads wait for or do, by the frames and roots of their stacks: "waits in Thread.Join", "waits for
/// Shop.Orders.PlaceAsync in Task.Wait", "idle pool thread", "runs Shop.Worker.Spin"; of the one that the process died
/// on "died of System.DivideByZeroException". Equal words for threads that do the same. For one thread.
class ThreadWaits {
 public:
  explicit ThreadWaits(const Snapshot& snapshot) : m_snapshot(snapshot) {}

  /// Empty where nothing is known.
  std::string doingOf(const ThreadStackRow& thread);
  /// The monitor that a thread waits to enter: as the runtime notes it, or where it does not (.NET 11), by the Lock
  /// that the frames of the wait keep. Null for none.
  const SyncBlock* awaitedMonitor(const ThreadStackRow& thread);
  /// Returns what a thread blocks on, by the references that the frames of the wait keep; nullopt if it waits for
  /// nothing of the process, or for a monitor, which locks tell. Needs a stack with roots.
  std::optional<AwaitedObject> awaitedBy(const ThreadStackRow& thread);

 private:
  const std::vector<SyncBlock>& syncBlocks();
  const SyncBlock* blockOfLock(Address lock);
  std::string monitorWords(const SyncBlock& block) const;
  /// The async method that ends with a task; empty where that is not known, and for other tasks.
  std::string methodOfTask(const StackRootRow& task);
  /// Puts the object whose monitor is waited for in the place of the Condition that .NET 11 keeps of it.
  void tellMonitorOf(AwaitedObject& condition);

  const Snapshot& m_snapshot;
  std::optional<std::vector<SyncBlock>> m_syncBlocks;
  std::optional<SuspendedMethods> m_suspended;  // made when it is first needed
};

/// The stacks of all threads, with what each does; with `roots` that can say which object it waits for.
Outcome<StackList> listStacks(const Snapshot& snapshot, const StackOptions& options, std::stop_token stop);
/// Returns keptStacks() with what each thread does in words, kept as well.
Outcome<std::shared_ptr<const StackList>> keptStacksInWords(const Snapshot& snapshot, std::stop_token stop);

/// Returns what one thread does, in words.
std::string doingOf(const Snapshot& snapshot, const ThreadStackRow& thread);

/// Managed ids of the threads that run tasks, async methods among them, by task.
std::unordered_map<Address, std::uint32_t> runnersOfTasks(const StackList& stacks);

/// Notes in frames which thread runs the method, or blocks until it has ended.
void joinThreads(AsyncList& list, const StackList& stacks);

}  // namespace heapscape::engine
