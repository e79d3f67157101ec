// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "session/async/async_graph.h"
#include "session/async/async_types.h"
#include "session/async/suspended_methods.h"

namespace heapscape::engine {

/// Methods called when something happens: those of delegates, and of objects that hold one. For one thread.
class CalledMethods {
 public:
  CalledMethods(const Contents& contents, AsyncTypes& types)
      : m_contents(contents), m_types(types), m_suspended(contents) {}

  /// "Shop.Orders.OnPlaced", without parameters; of what goes on with an async method, that method. Empty if not known.
  std::string ofDelegate(Address delegate);
  /// Names what waits in a queue of the thread pool: a task, an async method, a work item.
  std::string ofWorkItem(Address object);

 private:
  const AsyncType& typeAt(Address object);
  const std::string& byCode(Address delegate);
  std::string goesOnIn(Address task);

  const Contents& m_contents;
  AsyncTypes& m_types;
  SuspendedMethods m_suspended;
  std::unordered_map<Address, std::string> m_names;  // by code
};

/// What tasks and sources are for, by their types and fields: "Task.Delay", "TaskCompletionSource". For one thread.
class AsyncNames {
 public:
  /// `stop` ends the search for who completes tasks; names tell less then.
  AsyncNames(const Contents& contents, AsyncTypes& types, std::stop_token stop)
      : m_contents(contents), m_types(types), m_methods(contents), m_called(contents, types), m_stop(std::move(stop)) {}

  /// Number of a method's name, or of what a task or source is; its type's name where that is all that is known.
  std::uint32_t nameOf(const AsyncNode& node);
  const std::string& nameAt(std::uint32_t name) const { return m_names[name]; }
  /// Adds a name that is no node's; returns its number.
  std::uint32_t add(std::string name);
  /// How long a Task.Delay takes in all; nothing for all else, and for one without end.
  std::optional<std::uint32_t> millisecondsOf(const AsyncNode& node);
  /// "Shop.Orders.OnPlaced": what a delegate calls; empty if that cannot be told.
  std::string calledBy(Address delegate) { return m_called.ofDelegate(delegate); }
  /// Returns where a Method is that the runtime itself has suspended; null for every other node.
  const SuspendedMethod* placeOf(const AsyncNode& node) {
    return node.resumeInfo ? &m_methods.of(node.resumeInfo) : nullptr;
  }

  SuspendedMethods& methods() { return m_methods; }

  std::vector<std::string> take() { return std::move(m_names); }

 private:
  Address addressOf(const AsyncNode& node) const { return m_contents.heap->index.addressOf({node.object}); }
  std::string nameOfSuspended(const AsyncNode& node);
  std::string describe(const AsyncNode& node);
  std::string describePlainTask(Address task, const AsyncType& type, const std::string& typeName);
  std::string describeSocket(Address operation) const;
  std::string describeChannelWait(Address operation);
  void findCompletionSources();
  void findChannelWaits();
  void addChannelWaits(const Instance& channel);

  const Contents& m_contents;
  AsyncTypes& m_types;
  SuspendedMethods m_methods;
  CalledMethods m_called;
  std::stop_token m_stop;
  std::vector<std::string> m_names;
  std::unordered_map<std::string, std::uint32_t> m_numbers;
  std::unordered_map<std::uint32_t, std::uint32_t> m_byType;  // TypeId to name, where the type says it all
  std::optional<std::vector<Address>> m_completed;            // tasks of TaskCompletionSources, ascending
  std::optional<std::unordered_map<Address, std::string_view>> m_channelWaits;  // by operation
};

}  // namespace heapscape::engine
