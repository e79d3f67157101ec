// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/finding.h"
#include "base/large_array.h"
#include "session/async/async_types.h"
#include "session/async/suspended_methods.h"
#include "session/stacks/stacks_query.h"

namespace heapscape::engine {

/// An async method that was suspended by the runtime itself and goes on at the moment.
struct RunningCall {
  Address methodDesc = {};                     // 0 where the stack does not tell it
  Address next = {};                           // the continuation of its caller; 0 if nobody awaits it
  std::uint32_t thread = 0;                    // managed id
  std::optional<std::uint32_t> ilOffset = {};  // at which its frame is
  std::string file = {};                       // of the source; empty if not known
  std::uint32_t line = 0;
};

/// By the task that ends with it, or with who awaits it.
std::unordered_map<Address, RunningCall> runningCalls(const StackList& stacks);

/// Whether a frame goes through continuations, one after the other: the method that runs is the next one inwards.
bool dispatchesContinuations(const FrameRow& frame);

/// Something that waits or is waited for.
struct AsyncNode {
  enum class Kind : std::uint8_t {
    Method,  // a call of an async method
    Task,    // any other task that has not ended
    Source,  // anything else that is awaited: a value task's source
  };
  static constexpr std::int32_t kRunning = -1;

  std::uint32_t object = 0;  // ObjectId
  TypeId type;
  Kind kind = Kind::Task;
  std::int32_t state = kRunning;  // of a Method: number of the await at which it waits
  bool isReady = false;           // of a Method: what it awaited has ended
  bool hasYielded = false;        // of a Method: it lets others go first by Task.Yield
  Address threadWait = {};        // wakes a thread that blocks until this has ended; 0 if none does
  Address callback = {};          // a delegate that is called when this has ended and leads to no node; 0 for none
  // Whether the runtime itself suspends a Method; `object` is its continuation, or while it runs the task.
  bool isSuspended = false;
  Address resumeInfo = {};  // of its continuation
  Address running = {};     // MethodDesc of the one that runs; 0 if that is not known
  Address task = {};        // that ends with the outermost of the methods which wait for each other directly
  bool endsTask = false;    // this is the outermost
  Address waiting = {};     // of the innermost: the object that waits for what is awaited; 0 if there is none
};

/// The method that runs on behalf of a task whose continuations are going on; nothing if none is known to.
using FindRunning = std::function<std::optional<RunningCall>(Address task)>;

/// Which async methods wait for what, both ways: by what their awaiters refer to, and by what goes on when a task has
/// ended. Only what has not ended is in it.
class AsyncGraph {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  /// Returns nullopt if it was stopped.
  static std::optional<AsyncGraph> build(const Contents& contents, AsyncTypes& types, SuspendedMethods& methods,
                                         const FindRunning& findRunning, FindingList& findings,
                                         const std::stop_token& stop);

  std::span<const AsyncNode> nodes() const { return m_nodes; }
  /// Where a method that the runtime itself suspends runs; null for a node that does not, or if that is not known.
  const RunningCall* runningCall(std::uint32_t node) const {
    const auto found = m_running.find(node);
    return found == m_running.end() ? nullptr : &found->second;
  }
  /// Nodes that a node waits for.
  std::span<const std::uint32_t> awaitedBy(std::uint32_t node) const { return m_awaited.of(node); }
  /// Nodes that wait for a node.
  std::span<const std::uint32_t> waitersOf(std::uint32_t node) const { return m_waiters.of(node); }

 private:
  struct Rows {
    std::vector<std::uint32_t> starts, targets;
    std::span<const std::uint32_t> of(std::uint32_t node) const {
      return std::span(targets).subspan(starts[node], starts[node + 1] - starts[node]);
    }
  };
  /// One waits for the other.
  struct Wait {
    std::uint32_t waiter = 0, awaited = 0;
    auto operator<=>(const Wait&) const = default;
  };
  class Builder;

  std::vector<AsyncNode> m_nodes;
  std::unordered_map<std::uint32_t, RunningCall> m_running;  // by node
  Rows m_awaited, m_waiters;
};

}  // namespace heapscape::engine
