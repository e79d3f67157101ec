// SPDX-License-Identifier: MIT
#include "session/async/async_graph.h"

#include <algorithm>
#include <unordered_map>

#include "base/limits.h"
#include "base/progress.h"
#include "heap/object_head.h"
#include "memory/elf/redaction.h"
#include "session/async/suspended_methods.h"
#include "session/objects/object_query.h"

namespace heapscape::engine {
namespace {

bool isContinuationName(std::string_view typeName) {
  return typeName.starts_with("Continuation_") || typeName == "System.Runtime.CompilerServices.Continuation";
}

RunningCall callAbove(const ThreadStackRow& thread, std::uint32_t dispatcher) {
  RunningCall call{.thread = thread.managedId};
  // A stub that the runtime writes stands in between.
  for (std::uint32_t i = dispatcher; i-- > 0 && !call.methodDesc;) {
    const FrameRow& frame = thread.frames[i];
    if (frame.kind != FrameKind::Managed || !frame.methodTable) continue;
    call.methodDesc = frame.methodDesc;
    call.ilOffset = frame.ilOffset;
    call.file = frame.file;
    call.line = frame.line;
  }
  return call;
}

}  // namespace

// AsyncHelpers.RuntimeAsyncTask<T>.DispatchContinuations, and a variant for profilers (.NET 11).
bool dispatchesContinuations(const FrameRow& frame) {
  return isRuntimeAsyncTaskName(frame.type) && frame.method.find("DispatchContinuations") != std::string::npos;
}

std::unordered_map<Address, RunningCall> runningCalls(const StackList& stacks) {
  std::unordered_map<Address, RunningCall> calls;
  for (const ThreadStackRow& thread : stacks.threads) {
    for (std::uint32_t i = 0; i < thread.frames.size(); ++i) {
      const FrameRow& frame = thread.frames[i];
      if (!dispatchesContinuations(frame)) continue;
      RunningCall call = callAbove(thread, i);
      Address task;
      for (std::uint32_t r = frame.firstRoot; r < frame.firstRoot + frame.rootCount && r < thread.roots.size(); ++r) {
        const StackRootRow& root = thread.roots[r];
        if (root.isInterior || !root.isExact) continue;
        if (isRuntimeAsyncTaskName(root.typeName)) task = root.object;
        // The dispatcher keeps the one that comes after the method that runs.
        if (isContinuationName(root.typeName)) call.next = root.object;
      }
      if (task) calls.emplace(task, call);
    }
  }
  return calls;
}

namespace {

constexpr std::size_t kForwardings = 16;              // from a task to what goes on: a wrapper, a delegate, a method
constexpr std::uint32_t kMostWordsOfAwaiter = 4096;   // that are looked at for what it calls
constexpr std::uint32_t kContinuations = 16'000'000;  // of one task
constexpr std::uint64_t kElements = 16;               // of an array, from its address

}  // namespace

class AsyncGraph::Builder {
 public:
  Builder(const Contents& contents, AsyncTypes& types, SuspendedMethods& methods, const FindRunning& findRunning,
          FindingList& findings, std::stop_token stop)
      : m_memory(*contents.memory),
        m_heap(*contents.heap),
        m_types(types),
        m_methods(methods),
        m_findRunning(findRunning),
        m_continuations(contents.readers->runtime),
        m_typeRows(*contents.types),
        m_findings(findings),
        m_stop(std::move(stop)),
        m_nodeOf(contents.heap->index.objectCount()) {
    const ClrRuntime& runtime = contents.readers->runtime;
    m_delegateTarget = runtime.contract().offset("Delegate", "_target");
    m_delegateSecondCode = runtime.contract().offset("Delegate", "_methodPtrAux");
  }

  bool run(const std::vector<TypedObject>& objects) {
    for (const TypedObject& object : objects) {
      if (isStopped()) return false;
      addObject(object);
    }
    // Nodes are added on the way: tasks that nothing goes on after, and sources.
    for (std::uint32_t node = 0; node < m_graph.m_nodes.size(); ++node) {
      if (isStopped()) return false;
      const AsyncType& type = m_types.of(m_graph.m_nodes[node].type);
      if (const AsyncNode& suspended = m_graph.m_nodes[node]; suspended.isSuspended) {
        const Address task = suspended.task;
        const bool endsTask = suspended.endsTask;
        addAwaitedBySuspended(node);
        if (endsTask) addContinuations(node, task, m_types.of(typeAt(task)));
        continue;
      }
      if (m_graph.m_nodes[node].kind == AsyncNode::Kind::Method) addAwaited(node, type);
      if (type.source) addSource(node, type);
      if (type.continuation) addContinuations(node, addressOf(node), type);
    }
    m_graph.m_awaited = rowsOf(m_graph.m_nodes.size(), m_waits);
    for (Wait& wait : m_waits) std::swap(wait.waiter, wait.awaited);
    m_graph.m_waiters = rowsOf(m_graph.m_nodes.size(), m_waits);
    return true;
  }

  AsyncGraph take() { return std::move(m_graph); }

 private:
  bool isStopped() { return ++m_steps % kStopInterval == 0 && m_stop.stop_requested(); }
  Address addressOf(std::uint32_t node) const { return m_heap.index.addressOf({m_graph.m_nodes[node].object}); }
  template <class T>
  T read(Address at) const {
    T value{};
    return m_memory.tryRead(at, value) ? value : T{};
  }
  TypeId typeAt(Address object) const {
    const TypeIndex::Slot* slot = m_heap.types.find(read<std::uint64_t>(object) & kMethodTableMask);
    return slot ? TypeId{slot->type} : TypeId{};
  }
  bool hasEnded(Address object, const AsyncType& type) const {
    return type.flags && (read<std::uint32_t>(object + type.flags) & TaskFlags::kEnded);
  }

  std::uint32_t addNode(ObjectId object, TypeId type, AsyncNode::Kind kind) {
    const auto node = static_cast<std::uint32_t>(m_graph.m_nodes.size());
    m_graph.m_nodes.push_back({.object = object.value, .type = type, .kind = kind});
    m_nodeOf[object.value] = node + 1;
    return node;
  }
  std::uint32_t nodeAt(ObjectId object) const { return object.isNone() ? kNone : m_nodeOf[object.value] - 1; }

  void addObject(const TypedObject& object) {
    const AsyncType& type = m_types.of(object.type);
    const Address address = m_heap.index.addressOf(object.id);
    if (hasEnded(address, type)) return;
    if (type.role == AsyncType::Role::Promise) {
      addPromise(object, address, type);
    } else if (type.role == AsyncType::Role::Box) {
      addMethod(object, address, type);
    } else if (read<std::uint64_t>(address + type.continuation) || type.source) {
      addNode(object.id, object.type, AsyncNode::Kind::Task);
    }
  }

  void addMethod(const TypedObject& object, Address address, const AsyncType& type) {
    Address machine = address + type.machine;
    if (type.isReference && (!m_memory.tryRead(machine, machine) || !machine)) return;
    std::int32_t state = 0;
    if (!m_memory.tryRead(machine + type.state, state)) {
      m_findings.add(FindingKind::MemoryMissing, address, "The state of an async method is not in the dump.");
      return;
    }
    // Below are methods that have ended, and iterators at a yield return: nothing can be pending in these.
    if (state < AsyncNode::kRunning) return;
    if (!type.isTask() && !read<Address>(address + type.context) && !awaitedIn(machine, type)) return;  // for reuse
    const std::uint32_t node = addNode(object.id, object.type, AsyncNode::Kind::Method);
    m_graph.m_nodes[node].state = state;
    if (!type.isReference) return;
    // An async iterator is awaited itself, not the box that holds it.
    const ObjectId held = m_heap.index.idOf(machine);
    if (!held.isNone()) m_nodeOf[held.value] = node + 1;
  }

  /// The methods that end with a task, the innermost first, each waiting for the one before.
  void addPromise(const TypedObject& object, Address address, const AsyncType& type) {
    Address at;
    if (!m_memory.tryRead(address + type.next, at)) {
      m_findings.add(FindingKind::MemoryMissing, address, "The continuations of a task are not in the dump.");
      return;
    }
    std::uint32_t innermost = kNone, outermost = kNone;
    Address waiting;
    if (!at) {
      const auto running = m_findRunning(address);
      innermost = outermost = addSuspended(object.id, object.type, address);
      if (running) {
        m_graph.m_nodes[innermost].running = running->methodDesc;
        at = running->next;
        m_graph.m_running.emplace(innermost, *running);
      }
    } else if (m_types.of(typeAt(at)).role == AsyncType::Role::Waiting) {
      waiting = at;
      at = nextOf(at);
    }
    while (at) {
      const ObjectId id = m_heap.index.idOf(at);
      const TypeId typeId = id.isNone() ? TypeId{} : typeAt(at);
      const auto continuation = m_continuations.read(at);
      if (m_types.of(typeId).role != AsyncType::Role::Suspended || !continuation || nodeAt(id) != kNone) {
        m_findings.add(FindingKind::HeapDamaged, at, "The continuations of an async method lead to something else.");
        break;
      }
      // What the runtime puts in between waits for what its callers do not know to be tasks.
      if (innermost == kNone && !waiting && continuation->next && m_methods.isHelper(at, *continuation)) {
        waiting = at;
        at = continuation->next;
        continue;
      }
      const std::uint32_t node = addSuspended(id, typeId, address);
      m_nodeOf[id.value] = node + 1;
      m_graph.m_nodes[node].resumeInfo = continuation->resumeInfo;
      m_graph.m_nodes[node].state = continuation->number;
      if (outermost == kNone) innermost = node;
      wait(node, outermost);
      outermost = node;
      at = continuation->next;
    }
    if (outermost == kNone) innermost = outermost = addSuspended(object.id, object.type, address);
    m_graph.m_nodes[innermost].waiting = waiting;
    // Where nothing waits in front, nothing is awaited any more, or an awaiter that calls back.
    m_graph.m_nodes[innermost].isReady = !waiting;
    m_graph.m_nodes[innermost].hasYielded = !waiting && keepsContext(addressOf(innermost));
    m_graph.m_nodes[outermost].endsTask = true;
    m_nodeOf[object.id.value] = outermost + 1;
    m_goesOn.emplace(object.id.value, innermost);
    if (const ObjectId id = waiting ? m_heap.index.idOf(waiting) : ObjectId{}; !id.isNone())
      m_goesOn.emplace(id.value, innermost);
  }

  std::uint32_t addSuspended(ObjectId object, TypeId type, Address task) {
    const auto node = static_cast<std::uint32_t>(m_graph.m_nodes.size());
    m_graph.m_nodes.push_back(
        {.object = object.value, .type = type, .kind = AsyncNode::Kind::Method, .isSuspended = true, .task = task});
    return node;
  }

  Address nextOf(Address continuation) const {
    const auto read = m_continuations.read(continuation);
    return read ? read->next : Address{};
  }

  void addAwaitedBySuspended(std::uint32_t node) {
    const Address waiting = m_graph.m_nodes[node].waiting;
    const Address awaited = waiting ? awaitedThrough(waiting) : awaiterIn(m_graph.m_nodes[node]);
    if (!awaited) return;
    bool hasAwaitedEnded = false;
    wait(node, awaitedNode(awaited, hasAwaitedEnded));
    m_graph.m_nodes[node].isReady = hasAwaitedEnded;
    m_graph.m_nodes[node].hasYielded = hasAwaitedEnded && (hasScheduler(waiting) || keepsContext(addressOf(node)));
  }

  bool hasScheduler(Address waiting) const {
    const AsyncType& type = m_types.of(waiting ? typeAt(waiting) : TypeId{});
    return type.scheduler && read<Address>(waiting + type.scheduler);
  }

  bool keepsContext(Address continuation) const {
    using Part = ContinuationReader::Part;
    const std::vector<Part> parts = m_continuations.partsOf(continuation);
    return std::ranges::count(parts, Part::Kind::Context, &Part::kind) != 0;
  }

  /// An awaiter that is no task is told by what it has been given to call. The method keeps it, or, of a struct, what
  /// that refers to; what is to be called may lie in a list of theirs.
  Address awaiterIn(const AsyncNode& node) const {
    constexpr std::uint32_t kFarthest = 3;  // from an awaiter to its list, to the list's array, to what it calls
    if (!node.isReady || !node.resumeInfo) return {};
    const Address action = read<Address>(node.task + m_types.of(typeAt(node.task)).action);
    Address awaiter;
    for (std::uint32_t distance = 1; action && !awaiter && distance <= kFarthest; ++distance) {
      forEachKept(m_heap.index.addressOf({node.object}), [&](Address kept) {
        std::uint32_t words = kMostWordsOfAwaiter;
        if (leadsTo(kept, action, distance, words)) awaiter = kept;
        return !awaiter;
      });
    }
    return awaiter;
  }

  /// Whether an object refers to another one in so many steps. Looks at no more than `words` words.
  bool leadsTo(Address object, Address wanted, std::uint32_t steps, std::uint32_t& words) const {
    const TypeId typeId = typeAt(object);
    if (typeId.isNone()) return false;
    const TypeRow& type = m_typeRows[typeId.value];
    std::uint64_t end = type.baseSize - kPointerBytes;
    if (type.componentSize == kPointerBytes)
      end += std::uint64_t{read<std::uint32_t>(object + kPointerBytes)} * kPointerBytes;
    for (std::uint64_t offset = kPointerBytes; offset < end && words > 0; offset += kPointerBytes, --words) {
      const Address at = read<Address>(object + offset);
      if (at == wanted) return true;
      if (steps > 1 && at && !m_heap.index.idOf(at).isNone() && leadsTo(at, wanted, steps - 1, words)) return true;
    }
    return false;
  }

  /// Objects that a continuation refers to beside what the runtime needs, until the call gives false.
  void forEachKept(Address continuation, const auto& call) const {
    const TypeId typeId = typeAt(continuation);
    const auto parts = m_continuations.partsOf(continuation);
    const std::uint64_t end = typeId.isNone() ? 0 : m_typeRows[typeId.value].baseSize;
    for (std::uint64_t offset = m_continuations.headBytes(); offset + kPointerBytes <= end; offset += kPointerBytes) {
      if (std::ranges::count(parts, offset, &ContinuationReader::Part::offset)) continue;
      const Address kept = read<Address>(continuation + offset);
      if (kept && !m_heap.index.idOf(kept).isNone() && !call(kept)) return;
    }
  }

  /// Target that the object in front of continuations waits for.
  Address awaitedThrough(Address waiting) const {
    const AsyncType& type = m_types.of(typeAt(waiting));
    if (type.role == AsyncType::Role::Waiting) return read<Address>(waiting + type.awaited);
    Address awaiter;
    forEachKept(waiting, [&](Address kept) {
      awaiter = kept;
      return false;
    });
    return awaiter;
  }

  void wait(std::uint32_t waiter, std::uint32_t awaited) {
    if (waiter != kNone && awaited != kNone) m_waits.push_back({waiter, awaited});
  }

  /// The node of what is awaited, made if there is none yet; kNone if that has ended or is no object.
  std::uint32_t awaitedNode(Address object, bool& hasAwaitedEnded) {
    const ObjectId id = m_heap.index.idOf(object);
    if (id.isNone()) return kNone;
    if (const std::uint32_t known = nodeAt(id); known != kNone) return known;
    const TypeId typeId = typeAt(object);
    const AsyncType& type = m_types.of(typeId);
    hasAwaitedEnded = type.isTask() && hasEnded(object, type);
    if (hasAwaitedEnded) return kNone;
    return addNode(id, typeId, type.isTask() ? AsyncNode::Kind::Task : AsyncNode::Kind::Source);
  }

  // Only the awaiter of the current await is set. A task among its references is what it waits for, else the first one.
  Address awaitedIn(Address machine, const AsyncType& type) {
    Address first;
    for (const std::uint64_t offset : type.awaiters) {
      const Address awaited = read<Address>(machine + offset);
      if (!awaited || m_heap.index.idOf(awaited).isNone()) continue;
      if (m_types.of(typeAt(awaited)).isTask()) return awaited;
      if (!first) first = awaited;
    }
    return first;
  }

  void addAwaited(std::uint32_t node, const AsyncType& type) {
    if (m_graph.m_nodes[node].state == AsyncNode::kRunning) return;
    Address machine = addressOf(node) + type.machine;
    if (type.isReference) machine = read<Address>(machine);
    bool hasAwaitedEnded = false;
    const Address awaited = awaitedIn(machine, type);
    if (awaited) wait(node, awaitedNode(awaited, hasAwaitedEnded));
    m_graph.m_nodes[node].isReady = hasAwaitedEnded;
    m_graph.m_nodes[node].hasYielded = !awaited && type.mayYield;
  }

  void addSource(std::uint32_t node, const AsyncType& type) {
    const Address source = read<Address>(addressOf(node) + type.source);
    bool hasEnded = false;
    if (source) wait(node, awaitedNode(source, hasEnded));
  }

  void addContinuations(std::uint32_t node, Address task, const AsyncType& type) {
    const Address next = read<Address>(task + type.continuation);
    if (!next) return;
    const AsyncType& nextType = m_types.of(typeAt(next));
    if (nextType.role != AsyncType::Role::List) {
      addContinuation(node, next);
      return;
    }
    const Address items = read<Address>(next + nextType.next);
    const auto slots = items ? read<std::uint32_t>(items + kComponentsOffset) : 0;
    // Where a copy without contents has left the count out, all that there is room for: what is not in use is null.
    const Redaction* copy = m_memory.redaction();
    const bool isCounted = m_memory.hasContents() || copy->keeps(kKeptCounts);
    const auto count = isCounted ? read<std::uint32_t>(next + nextType.count) : slots;
    if (count > std::min(slots, kContinuations)) {
      m_findings.add(FindingKind::HeapDamaged, next,
                     "A list of what goes on after a task has more items than it has room for.");
    }
    for (std::uint32_t i = 0; i < std::min({count, slots, kContinuations}) && !isStopped(); ++i) {
      if (const Address item = read<Address>(items + kElements + 8 * std::uint64_t{i})) addContinuation(node, item);
    }
  }

  /// From what a task notes to the node that goes on.
  void addContinuation(std::uint32_t node, Address next) {
    Address callback;
    for (std::size_t step = 0; next && step < kForwardings; ++step) {
      const ObjectId id = m_heap.index.idOf(next);
      if (const auto goesOn = id.isNone() ? m_goesOn.end() : m_goesOn.find(id.value); goesOn != m_goesOn.end()) {
        wait(goesOn->second, node);
        return;
      }
      if (const std::uint32_t waiter = nodeAt(id); waiter != kNone) {
        wait(waiter, node);
        return;
      }
      const TypeId typeId = id.isNone() ? TypeId{} : typeAt(next);
      const AsyncType& type = m_types.of(typeId);
      switch (type.role) {
        case AsyncType::Role::Task:
          if (!hasEnded(next, type)) wait(addNode(id, typeId, AsyncNode::Kind::Task), node);
          return;
        case AsyncType::Role::ThreadWait:
          m_graph.m_nodes[node].threadWait = next;
          return;
        case AsyncType::Role::Delegate:
          callback = next;
          // An open delegate has no target but itself.
          next = read<Address>(next + m_delegateSecondCode) ? Address{} : read<Address>(next + m_delegateTarget);
          break;
        case AsyncType::Role::Forwarder:
          next = read<Address>(next + type.next);
          break;
        default:
          next = {};
      }
    }
    if (callback) m_graph.m_nodes[node].callback = callback;
  }

  static Rows rowsOf(std::size_t nodes, std::vector<Wait>& waits) {
    std::ranges::sort(waits);
    waits.erase(std::ranges::unique(waits).begin(), waits.end());
    Rows rows;
    rows.starts.assign(nodes + 1, 0);
    for (const Wait& wait : waits) ++rows.starts[wait.waiter + 1];
    for (std::size_t i = 0; i < nodes; ++i) rows.starts[i + 1] += rows.starts[i];
    for (const Wait& wait : waits) rows.targets.push_back(wait.awaited);
    return rows;
  }

  const AddressSpace& m_memory;
  const WalkedHeap& m_heap;
  AsyncTypes& m_types;
  SuspendedMethods& m_methods;
  const FindRunning& m_findRunning;
  ContinuationReader m_continuations;
  const std::vector<TypeRow>& m_typeRows;
  FindingList& m_findings;
  std::stop_token m_stop;
  std::size_t m_steps = 0;
  std::uint64_t m_delegateTarget = 0, m_delegateSecondCode = 0;
  LargeArray<std::uint32_t> m_nodeOf;                         // by ObjectId: the node's number and 1
  std::unordered_map<std::uint32_t, std::uint32_t> m_goesOn;  // by ObjectId: the node that goes on, where not its own
  std::vector<Wait> m_waits;
  AsyncGraph m_graph;
};

std::optional<AsyncGraph> AsyncGraph::build(const Contents& contents, AsyncTypes& types, SuspendedMethods& methods,
                                            const FindRunning& findRunning, FindingList& findings,
                                            const std::stop_token& stop) {
  const auto objects = objectsOfTypes(contents, types.boxesAndTasks(), stop);
  if (!objects) return std::nullopt;
  Builder builder(contents, types, methods, findRunning, findings, stop);
  if (!builder.run(*objects)) return std::nullopt;
  return builder.take();
}

}  // namespace heapscape::engine
