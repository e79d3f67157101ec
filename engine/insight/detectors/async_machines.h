// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "insight/detectors/delegates.h"
#include "insight/heap_objects.h"
#include "session/async/suspended_methods.h"

namespace heapscape::engine {

/// An async method that waits at an await.
struct PendingMachine {
  std::uint32_t box = 0;                       // ObjectId: the object that holds its state, most often its Task, too
  std::uint32_t awaited = HeapObjects::kNone;  // the task or source that it waits for; none if it cannot be told
  std::int32_t state = 0;                      // number of the await
};

/// Reads async methods that the runtime itself suspends by the continuations of the task that ends with them, which
/// stands for all methods that wait for each other directly; its innermost method is the one that is named. Reads state
/// machines of async methods (AsyncStateMachineBox of AsyncTaskMethodBuilder, StateMachineBox of the
/// pooling builders; .NET 8 to 10) by the fields that the C# compiler gives them: `<>1__state` and `<>u__N`.
class AsyncMachines {
 public:
  AsyncMachines(const InsightInput& input, HeapObjects& heap, const Delegates& delegates);

  /// Types of boxes with objects on the heap.
  const std::vector<TypeId>& types() const { return m_types; }
  /// Returns nullopt for a box whose method runs or has ended, and for what cannot be read.
  std::optional<PendingMachine> read(std::uint32_t box);
  bool isBox(std::uint32_t object) const;
  /// Whether an object is a task that has ended.
  bool isEndedTask(std::uint32_t object);
  /// The box of the method that goes on when this one's ends; kNone if none, or several do.
  std::uint32_t nextOf(std::uint32_t box);
  /// "Shop.Mailer.SendAsync".
  std::string methodOf(std::uint32_t box);
  /// That method, and for a task of the runtime's the others that wait for it and end with the same task.
  std::vector<std::string> methodsOf(std::uint32_t box);

 private:
  struct BoxType {
    bool isSuspended = false;  // by the runtime itself; then nothing of what follows
    std::string method = {};
    std::uint64_t machine = 0;                 // offset of the state machine within the box
    bool isReference = false;                  // it is an object of its own, as in code compiled for debugging
    std::uint64_t state = 0;                   // offsets from the machine's start, or from its object's address
    std::vector<std::uint64_t> awaiters = {};  // references in awaiters
  };
  void addType(TypeId type);
  std::optional<PendingMachine> readSuspended(std::uint32_t task);
  std::vector<std::uint64_t> awaiterReferences(const TypeShape& machine, std::uint64_t start) const;
  void addReferences(const TypeShape& shape, std::uint64_t start, std::vector<std::uint64_t>& references) const;

  HeapObjects& m_heap;
  const Delegates& m_delegates;
  SuspendedMethods m_methods;
  ContinuationReader m_continuations;
  std::vector<TypeId> m_types;
  std::unordered_map<std::uint32_t, BoxType> m_boxes;  // by TypeId
};

}  // namespace heapscape::engine
