// SPDX-License-Identifier: MIT
#include "session/async/async_query.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <ranges>
#include <unordered_map>

#include "base/progress.h"
#include "graph/retained/retained_parts.h"
#include "layout/framework_assembly.h"
#include "metadata/names/generated_names.h"
#include "session/async/async_graph.h"
#include "session/async/async_names.h"
#include "session/async/suspended_methods.h"
#include "session/async/thread_pool_query.h"
#include "session/stacks/parallel_stacks.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {
namespace {

/// Whether an object waits in a queue of the thread pool; nothing if these cannot be read.
using IsInPool = std::function<std::optional<bool>(Address)>;

// Where many wait for many, ways multiply.
constexpr std::size_t kFrames = 32'000'000;  // of all chains
constexpr std::size_t kSteps = 128'000'000;  // from what waits to what is awaited

class ChainMaker {
 public:
  ChainMaker(const Contents& contents, const AsyncGraph& graph, AsyncNames& names, const IsInPool& isInPool,
             AsyncList& list, std::stop_token stop)
      : m_index(contents.heap->index),
        m_graph(graph),
        m_names(names),
        m_isInPool(isInPool),
        m_list(list),
        m_stop(std::move(stop)),
        m_isOnWay(graph.nodes().size()),
        m_isSeen(graph.nodes().size()) {}

  bool run() {
    const auto nodes = static_cast<std::uint32_t>(m_graph.nodes().size());
    for (std::uint32_t node = 0; node < nodes; ++node) {
      if (isMethod(node)) ++m_list.methods;
      if (m_graph.waitersOf(node).empty() && !follow(node)) return false;
    }
    // What has not been come by waits for itself in the end.
    for (std::uint32_t node = 0; node < nodes; ++node) {
      if (!m_isSeen[node] && isMethod(node) && !follow(node)) return false;
    }
    return true;
  }

 private:
  struct Step {
    std::uint32_t node = 0;
    std::uint32_t next = 0;  // of what it waits for
  };

  bool isMethod(std::uint32_t node) const { return m_graph.nodes()[node].kind == AsyncNode::Kind::Method; }
  Address addressOf(std::uint32_t node) const { return m_index.addressOf({m_graph.nodes()[node].object}); }

  void enter(std::uint32_t node) {
    m_way.push_back({node, 0});
    m_isOnWay[node] = m_isSeen[node] = true;
  }

  /// All ways from an outermost node down.
  bool follow(std::uint32_t outermost) {
    enter(outermost);
    while (!m_way.empty()) {
      if (++m_steps % kStopInterval == 0 && m_stop.stop_requested()) return false;
      Step& step = m_way.back();
      const auto awaited = m_graph.awaitedBy(step.node);
      if (awaited.empty()) addWay(AsyncGraph::kNone);
      if (step.next == awaited.size() || isFull()) {
        m_isOnWay[step.node] = false;
        m_way.pop_back();
        continue;
      }
      const std::uint32_t next = awaited[step.next++];
      if (m_isOnWay[next])
        addWay(next);
      else
        enter(next);
    }
    return true;
  }

  bool isFull() {
    if (m_list.frames.size() < kFrames && m_steps < kSteps) return false;
    if (!m_wasFull)
      m_list.findings.add(FindingKind::HeapDamaged, {},
                          "There are too many ways in which async methods wait for each "
                          "other; not all chains are listed.");
    return m_wasFull = true;
  }

  /// The way as a chain. `back`: where a circle closes; kNone if it ends with what waits for nothing.
  void addWay(std::uint32_t back) {
    AsyncChain chain;
    chain.firstFrame = static_cast<std::uint32_t>(m_list.frames.size());
    std::size_t innermost = m_way.size();
    if (back != AsyncGraph::kNone) {
      chain.state = AsyncState::Circle;
      chain.waitsFor = m_names.nameOf(m_graph.nodes()[back]);
      chain.awaited = addressOf(back);
    } else if (isMethod(m_way.back().node)) {
      describe(m_way.back().node, chain);
    } else {
      describeAwaited(m_way.back().node, chain);
      --innermost;
    }
    bool hasMethod = false;
    for (std::size_t i = 0; i < innermost; ++i) hasMethod |= isMethod(m_way[i].node);
    if (!hasMethod) return;
    for (std::size_t i = innermost; i-- > 0;) m_list.frames.push_back(frameOf(m_way[i].node));
    chain.frameCount = static_cast<std::uint32_t>(innermost);
    const AsyncNode& outermost = m_graph.nodes()[m_way.front().node];
    if (outermost.callback) chain.callback = m_names.add(m_names.calledBy(outermost.callback));
    m_list.chains.push_back(chain);
  }

  /// Where a method waits until it can go on. Task.Yield leaves it to the thread pool, unless there is a context or a
  /// scheduler to come back to.
  std::string queueOf(std::uint32_t node, bool hasYielded) const {
    const AsyncNode& waiting = m_graph.nodes()[node];
    const std::optional<bool> isInPool = m_isInPool(waiting.isSuspended ? waiting.task : addressOf(node));
    if (isInPool.value_or(false)) return "thread pool queue";
    return isInPool && hasYielded ? "SynchronizationContext or TaskScheduler" : "its turn to go on";
  }

  /// Describes an innermost method that waits for no object.
  void describe(std::uint32_t node, AsyncChain& chain) {
    const AsyncNode& method = m_graph.nodes()[node];
    if (method.state == AsyncNode::kRunning) {
      chain.state = AsyncState::Running;
    } else if (method.isSuspended && !method.waiting && !method.hasYielded &&
               !m_isInPool(method.task).value_or(false)) {
      chain.waitsFor = m_names.add("something unknown");  // an awaiter of its own that nothing leads to
    } else if (method.isReady || method.hasYielded) {
      chain.state = AsyncState::Queued;
      chain.waitsFor = m_names.add(queueOf(node, method.hasYielded));
    } else {
      chain.waitsFor = m_names.add("something unknown");
    }
  }

  void describeAwaited(std::uint32_t node, AsyncChain& chain) {
    const AsyncNode& awaited = m_graph.nodes()[node];
    chain.waitsFor = m_names.nameOf(awaited);
    chain.awaited = addressOf(node);
    chain.milliseconds = m_names.millisecondsOf(awaited);
  }

  AsyncFrame frameOf(std::uint32_t number) {
    const AsyncNode& node = m_graph.nodes()[number];
    const bool isMethod = node.kind == AsyncNode::Kind::Method;
    AsyncFrame frame{.object = addressOf(number),
                     .name = m_names.nameOf(node),
                     .isMethod = isMethod,
                     .await = isMethod ? node.state : -1,
                     .event = node.threadWait};
    if (!node.isSuspended) return frame;
    if (node.endsTask) frame.task = node.task;
    frame.waiting = node.waiting;
    if (const RunningCall* call = m_graph.runningCall(number)) {
      frame.ilOffset = call->ilOffset;
      if (!call->file.empty()) frame.file = m_names.add(call->file);
      frame.line = call->line;
    }
    if (const SuspendedMethod* place = m_names.placeOf(node)) {
      frame.ilOffset = place->ilOffset;
      if (place->line) {
        frame.file = m_names.add(place->line->file);
        frame.line = place->line->line;
      }
      if (!place->missing.empty()) frame.missing = m_names.add(place->missing);
    }
    return frame;
  }

  const ObjectIndex& m_index;
  const AsyncGraph& m_graph;
  AsyncNames& m_names;
  const IsInPool& m_isInPool;
  AsyncList& m_list;
  std::stop_token m_stop;
  std::vector<Step> m_way;      // from an outermost node down
  std::vector<bool> m_isOnWay;  // by node
  std::vector<bool> m_isSeen;
  std::size_t m_steps = 0;
  bool m_wasFull = false;
};

/// Follows who waits for whom through the graph, from the outermost methods down, and makes a chain of every way. Ways
/// in a circle end where they come back. False if it was stopped.
bool addChains(const Contents& contents, const AsyncGraph& graph, AsyncNames& names, const IsInPool& isInPool,
               AsyncList& list, const std::stop_token& stop) {
  return ChainMaker(contents, graph, names, isInPool, list, stop).run();
}

constexpr std::uint64_t kAlwaysPassed = 20'000'000;  // objects, for retained bytes: a fraction of a second
constexpr std::uint64_t kPassesOfHeap = 3;

/// Puts equal chains together.
class ChainGrouper {
 public:
  explicit ChainGrouper(AsyncList& list) : m_list(list) {}

  void group(bool equalTogether) {
    for (std::uint32_t i = 0; i < m_list.chains.size(); ++i) {
      std::uint32_t number = static_cast<std::uint32_t>(m_list.groups.size());
      if (equalTogether) number = m_groups.try_emplace(keyOf(m_list.chains[i]), number).first->second;
      if (number == m_list.groups.size()) m_list.groups.push_back({.isFramework = isFramework(m_list.chains[i])});
      m_list.groups[number].chains.push_back(i);
    }
    for (AsyncGroup& group : m_list.groups)
      std::ranges::sort(group.chains, {},
                        [&](std::uint32_t chain) { return m_list.frames[m_list.chains[chain].firstFrame].object; });
    std::ranges::stable_sort(m_list.groups, [&](const AsyncGroup& a, const AsyncGroup& b) {
      const bool isReachable = m_list.firstOf(a).isReachable;
      if (isReachable != m_list.firstOf(b).isReachable) return isReachable;
      return a.chains.size() > b.chains.size();
    });
  }

 private:
  std::vector<std::uint32_t> keyOf(const AsyncChain& chain) const {
    std::vector<std::uint32_t> key{static_cast<std::uint32_t>(chain.state), chain.waitsFor, chain.callback,
                                   chain.isReachable};
    for (const AsyncFrame& frame : m_list.framesOf(chain)) {
      key.push_back(frame.name);
      key.push_back(static_cast<std::uint32_t>(frame.await));
      key.push_back(frame.event ? 1 : 0);
    }
    return key;
  }

  bool isFramework(const AsyncChain& chain) {
    return std::ranges::all_of(m_list.framesOf(chain), [&](const AsyncFrame& frame) {
      if (!frame.isMethod) return true;
      const auto [entry, isNew] = m_isFramework.try_emplace(frame.name);
      if (isNew) entry->second = isFrameworkMember(m_list.names[frame.name]);
      return entry->second;
    });
  }

  AsyncList& m_list;
  std::map<std::vector<std::uint32_t>, std::uint32_t> m_groups;
  std::map<std::uint32_t, bool> m_isFramework;  // by name
};

void markUnreachable(const Contents& contents, AsyncList& list) {
  const DominatorTree& tree = contents.retention->tree;
  for (AsyncChain& chain : list.chains) {
    chain.isReachable = std::ranges::any_of(list.framesOf(chain), [&](const AsyncFrame& frame) {
      return tree.numberOf(contents.heap->index.idOf(frame.object).value) != 0;
    });
  }
}

/// False if it was stopped.
bool addRetained(const Contents& contents, AsyncList& list, const std::stop_token& stop) {
  const Retention& retention = *contents.retention;
  const ObjectIndex& index = contents.heap->index;
  std::vector<std::uint32_t> roots;
  for (const RootRow& root : retention.roots.roots) {
    if (const ObjectId object = index.idOf(root.object); !object.isNone()) roots.push_back(object.value);
  }
  RetainedPartsFinder finder(*contents.graph, retention.tree, retention.sizes, roots,
                             std::max(kPassesOfHeap * retention.tree.reachedCount(), kAlwaysPassed));
  for (AsyncGroup& group : list.groups) {
    std::vector<std::uint32_t> members;
    for (const std::uint32_t chain : group.chains) {
      for (const AsyncFrame& frame : list.framesOf(list.chains[chain])) {
        for (const Address object : {frame.object, frame.task, frame.waiting}) {
          if (const ObjectId id = object ? index.idOf(object) : ObjectId{}; !id.isNone()) members.push_back(id.value);
        }
      }
    }
    const auto parts = finder.without({.members = members}, stop);
    if (!parts) return false;
    group.retainedBytes = parts->bytes;
    group.isRetainedExact = parts->isExact;
  }
  return true;
}

/// State, builder and awaiters, and what iterators keep for themselves (GeneratedNames.cs). Of a parameter of an
/// iterator, "<>3__name" is the one for the next time.
bool isCompilersOwn(std::string_view field) {
  constexpr std::array<std::string_view, 7> kOwn{"<>1__", "<>3__", "<>l__", "<>t__", "<>u__", "<>v__", "<>w__"};
  return std::ranges::any_of(kOwn, [&](std::string_view start) { return field.starts_with(start); });
}

}  // namespace

Outcome<AsyncList> listAsync(const Snapshot& snapshot, const AsyncOptions& options, std::stop_token stop) {
  AsyncList list;
  if (!snapshot.has(Stage::Objects)) return list;
  const Contents& contents = snapshot.contents();
  AsyncTypes types(contents);
  AsyncNames names(contents, types, stop);
  bool isStackRead = false;  // when a task is found whose method seems to run
  std::unordered_map<Address, RunningCall> running;
  const auto findRunning = [&](Address task) -> std::optional<RunningCall> {
    if (!isStackRead) {
      if (const auto stacks = keptStacks(snapshot, stop)) running = runningCalls(**stacks);
    }
    isStackRead = true;
    const auto found = running.find(task);
    return found == running.end() ? std::nullopt : std::optional(found->second);
  };
  const auto graph = AsyncGraph::build(contents, types, names.methods(), findRunning, list.findings, stop);
  if (!graph) return tl::unexpected(Unfinished::cancelled());
  bool isPoolRead = false;  // when a method is found that may wait there
  std::optional<std::vector<Address>> queued;
  const auto isInPool = [&](Address object) -> std::optional<bool> {
    if (!isPoolRead) queued = queuedInThreadPool(snapshot);
    isPoolRead = true;
    return queued ? std::optional(std::ranges::binary_search(*queued, object)) : std::nullopt;
  };
  if (!addChains(contents, *graph, names, isInPool, list, stop)) return tl::unexpected(Unfinished::cancelled());
  list.names = names.take();
  if (snapshot.has(Stage::Retained)) markUnreachable(contents, list);
  ChainGrouper(list).group(options.equalTogether);
  if (options.retained && snapshot.has(Stage::Retained) && !addRetained(contents, list, stop))
    return tl::unexpected(Unfinished::cancelled());
  return list;
}

struct AsyncLocals::Parts {
  explicit Parts(const Contents& all)
      : contents(all),
        types(all),
        methods(all),
        suspended(all, methods),
        values({.readers = *all.readers, .heap = all.heap.get()}) {}

  const Contents& contents;
  AsyncTypes types;
  SuspendedMethods methods;
  SuspendedLocals suspended;
  ValueReader values;
};

AsyncLocals::AsyncLocals(const Snapshot& snapshot) {
  if (snapshot.contents().heap) m_parts = std::make_unique<Parts>(snapshot.contents());
}
AsyncLocals::~AsyncLocals() = default;

Result<std::vector<FieldValue>> AsyncLocals::of(Address object) {
  if (!m_parts) return failure(ErrorCode::NotFound, "Objects are not read yet.");
  const Contents& contents = m_parts->contents;
  std::uint64_t word = 0;
  const TypeIndex::Slot* slot =
      contents.memory->tryRead(object, word) ? contents.heap->types.find(word & kMethodTableMask) : nullptr;
  const AsyncType& type = m_parts->types.of(slot ? TypeId{slot->type} : TypeId{});
  if (type.role == AsyncType::Role::Suspended) return m_parts->suspended.of(object);
  if (type.role != AsyncType::Role::Box)
    return failure(ErrorCode::NotFound, "There is no call of an async method at " + toString(object) + ".");
  Address machine = object + type.machine;
  if (type.isReference) {
    HEAPSCAPE_TRY(machine, contents.memory->readPointer(machine));
    machine = machine + Instance::kFieldsOffset;
  }
  HEAPSCAPE_TRY(const MethodTable machineType, contents.readers->methodTables.read(type.machineType));
  std::vector<FieldValue> fields =
      m_parts->values.readFields(machineType, machine, type.isReference ? Instance::kFieldsOffset : 0);
  std::erase_if(fields, [](const FieldValue& field) { return isCompilersOwn(field.name); });
  for (FieldValue& field : fields) field.name = csharpFieldName(std::string(field.name));
  return fields;
}

namespace {

// Beyond that nothing can be told apart in a picture.
constexpr std::size_t kDeepestChain = 1000;

class AsyncMerger {
 public:
  explicit AsyncMerger(const AsyncList& list) : m_list(list), m_nodes(1) {}

  void add(std::uint32_t group) {
    const AsyncChain& chain = m_list.firstOf(m_list.groups[group]);
    if (!chain.isReachable) return;
    std::uint32_t at = count(0, group);
    std::size_t depth = 0;
    for (const AsyncFrame& frame : m_list.framesOf(chain) | std::views::reverse) {
      if (++depth >= kDeepestChain) return;
      at = count(childOf(at, frame.name, frame.isMethod), group);
    }
    if (chain.waitsFor != AsyncFrame::kNone) count(childOf(at, chain.waitsFor, false), group);
  }

  std::vector<AsyncTreeNode> finish() {
    std::vector<AsyncTreeNode> nodes;
    if (m_nodes[0].chains == 0) return nodes;
    for (const Tree::Placed& placed : m_tree.inOrder([this](auto node) { return m_nodes[node].chains; })) {
      AsyncTreeNode& node = nodes.emplace_back(std::move(m_nodes[placed.node]));
      node.parent = placed.parent;
      node.depth = placed.depth;
    }
    return nodes;
  }

 private:
  using Tree = PrefixTree<std::pair<std::uint32_t, bool>>;
  static_assert(Tree::kNone == AsyncTreeNode::kNone);

  std::uint32_t childOf(std::uint32_t parent, std::uint32_t name, bool isMethod) {
    const auto [child, isNew] = m_tree.childOf(parent, {name, isMethod});
    if (isNew) {
      AsyncTreeNode& node = m_nodes.emplace_back();
      node.name = m_list.nameOf(name);
      node.isMethod = isMethod;
    }
    return child;
  }

  std::uint32_t count(std::uint32_t node, std::uint32_t group) {
    m_nodes[node].chains += m_list.groups[group].chains.size();
    m_nodes[node].groups.push_back(group);
    return node;
  }

  const AsyncList& m_list;
  Tree m_tree;
  std::vector<AsyncTreeNode> m_nodes;  // by number in the tree
};

}  // namespace

std::vector<AsyncTreeNode> asyncTree(const AsyncList& list) {
  AsyncMerger merger(list);
  for (std::uint32_t group = 0; group < list.groups.size(); ++group) merger.add(group);
  return merger.finish();
}

}  // namespace heapscape::engine
