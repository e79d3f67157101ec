// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "session/snapshot/contents.h"
#include "values/instance.h"

namespace heapscape::engine {

/// Part of objects of one type in async methods. Offsets are from an object's address; 0 where there is no such field.
struct AsyncType {
  enum class Role : std::uint8_t {
    None,
    Box,         // holds the state machine of an async method
    Task,        // any other task
    Delegate,    // goes on in its target
    List,        // of several that go on
    Promise,     // a task that ends with a method which the runtime itself suspends
    Waiting,     // waits in front of the continuations of such a method and its callers
    Suspended,   // one of these: the locals of a method
    Forwarder,   // goes on in what one of its fields refers to
    ThreadWait,  // wakes a thread that blocks until the task has ended
  };
  Role role = Role::None;
  std::uint64_t flags = 0;         // of a Task and of boxes that are tasks: m_stateFlags
  std::uint64_t continuation = 0;  // m_continuationObject
  std::uint64_t action = 0;        // of a Task: m_action, what it runs
  std::uint64_t next = 0;          // of a Forwarder; of a List its _items; of a Promise its first continuation
  std::uint64_t count = 0;         // of a List: _size
  std::uint64_t source = 0;        // of a Task that stands for a value task: what completes it
  std::uint64_t awaited = 0;       // of a Waiting
  std::uint64_t scheduler = 0;     // of a Waiting: the SynchronizationContext or TaskScheduler to go on in

  // For a Box.
  std::string method;                   // "Shop.Orders.PlaceAsync"
  Address machineType;                  // method table of the state machine
  std::uint64_t machine = 0;            // where it lies, or the reference to it
  bool isReference = false;             // it is an object of its own, as in code compiled for debugging
  std::uint64_t context = 0;            // the execution context to go on in
  std::uint64_t state = 0;              // from the machine's start, or from its object's address
  std::vector<std::uint64_t> awaiters;  // references in awaiters, the same
  bool mayYield = false;                // awaits Task.Yield() somewhere

  bool isTask() const { return flags != 0; }
};

/// Whether a type is that of objects in which the runtime's builders keep state machines: AsyncStateMachineBox<…>,
/// StateMachineBox<…> of pooling builders, and their variant for debugging (.NET 8 to 10).
bool isAsyncBoxName(std::string_view typeName);
/// The method whose state machine is in objects of such a type: "Shop.Orders.PlaceAsync".
std::string asyncMethodOfBox(std::string_view boxTypeName);

/// The type of the state machines in objects of such a type; nothing if that cannot be told.
TypeHandle stateMachineOf(const RuntimeReaders& readers, const MethodTable& boxType);

/// Task.m_stateFlags (TaskStateFlags in Task.cs, .NET 8 to 10).
struct TaskFlags {
  static constexpr std::uint32_t kEnded = 0x200000 | 0x400000 | 0x1000000;  // faulted, cancelled, ran to completion
  static constexpr std::uint32_t kDelegateInvoked = 0x20000;
  static constexpr std::uint32_t kStarted = 0x10000;
};

/// The types of a dump that async methods are told by, each looked at once, when it is first asked for. For one thread.
class AsyncTypes {
 public:
  explicit AsyncTypes(const Contents& contents);

  const AsyncType& of(TypeId type);
  /// Tasks, and boxes that are none; by TypeId.
  std::vector<std::uint8_t> boxesAndTasks();
  InstanceSources sources() const { return {*m_contents.readers, m_shapes}; }

 private:
  AsyncType read(TypeId type) const;
  bool isTask(Address methodTable) const;
  void readBox(const TypeShape& shape, AsyncType& type) const;
  void addAwaiter(const FieldShape& field, std::uint64_t start, AsyncType& type) const;
  std::uint64_t offsetOf(const TypeShape& shape, std::string_view field) const;

  const Contents& m_contents;
  TypeShapes m_shapes;
  Address m_multicastDelegate;
  mutable std::unordered_map<Address, bool> m_isTask;  // by method table, parents too
  std::vector<std::optional<AsyncType>> m_types;       // by TypeId
};

}  // namespace heapscape::engine
