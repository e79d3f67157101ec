// SPDX-License-Identifier: MIT
#include "session/async/async_chains.h"

#include <algorithm>

#include "base/stop_interval.h"

namespace heapscape::engine {
namespace {

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
      m_isOnWay[next] ? addWay(next) : enter(next);
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

  /// Of an innermost method that waits for no object.
  void describe(std::uint32_t node, AsyncChain& chain) {
    const AsyncNode& method = m_graph.nodes()[node];
    if (method.state == AsyncNode::kRunning) {
      chain.state = AsyncState::Running;
    } else if (method.isSuspended && !method.waiting && !method.hasYielded &&
               !m_isInPool(method.task).value_or(false)) {
      chain.waitsFor = m_names.add("what cannot be told");  // an awaiter of its own that nothing leads to
    } else if (method.isReady || method.hasYielded) {
      chain.state = AsyncState::Queued;
      chain.waitsFor = m_names.add(queueOf(node, method.hasYielded));
    } else {
      chain.waitsFor = m_names.add("what cannot be told");
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

}  // namespace

bool addChains(const Contents& contents, const AsyncGraph& graph, AsyncNames& names, const IsInPool& isInPool,
               AsyncList& list, const std::stop_token& stop) {
  return ChainMaker(contents, graph, names, isInPool, list, stop).run();
}

}  // namespace heapscape::engine
