// SPDX-License-Identifier: MIT
#include "graph/dominators/semidominators.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>
#include <algorithm>
#include <utility>

#include "base/progress.h"

namespace heapscape::engine {
namespace {

// How far down the stack nodes, and the targets of nodes, are fetched ahead of their turn; found by measuring.
constexpr std::size_t kFetchNode = 10;
constexpr std::size_t kFetchTargetsOf = 5;
constexpr std::uint32_t kFetchLinkOf = 24;

constexpr std::uint32_t kNodesOfPart = 1 << 17;  // whole huge pages
constexpr std::size_t kCandidatesAtOnce = 1 << 16;

class DepthFirstSearch {
 public:
  DepthFirstSearch(SearchGraph& graph, const std::function<void(double)>& onProgress, const std::stop_token& stop)
      : m_graph(graph),
        m_nodes(graph.nodes()),
        m_onProgress(onProgress),
        m_stop(stop),
        m_stack(graph.mostEdges() + graph.size() + 1),
        m_backArcs(graph.size() + 1, graph.mostEdges()) {}

  std::optional<SearchTree> run(const RootForest& roots) {
    for (std::size_t i = roots.tops().size(); i-- > 0;) m_stack[m_depth++] = {m_graph.placeOf(roots.tops()[i]), 0};
    for (std::uint32_t i = roots.size(); i-- > 0;)
      if (roots[i].parent == RootForest::kNone) m_stack[m_depth++] = {m_graph.firstOfForest() + i, 0};
    for (std::uint32_t step = 0; m_depth > 0; ++step) {
      if (step % kStopInterval == 0 && !goOn()) break;
      const Frame frame = m_stack[--m_depth];
      fetchAhead();
      // A vertex is stacked once for each who refers to it, and looked at when its turn comes: it is there by then.
      if (m_nodes[frame.place].number) {
        meetAgain(frame);
      } else {
        enter(frame);
      }
    }
    if (m_depth > 0) return std::nullopt;
    m_stack = {};
    m_graph.clearMany();
    return takeTree();
  }

 private:
  struct Frame {
    std::uint32_t place;
    std::uint32_t finder;
  };

  bool goOn() {
    m_onProgress(m_reached / (m_graph.size() + 1.0));
    return !m_stop.stop_requested();
  }

  void fetchAhead() const {
    if (m_depth >= kFetchNode) __builtin_prefetch(&m_nodes[m_stack[m_depth - kFetchNode].place]);
    if (m_depth < kFetchTargetsOf) return;
    const SearchGraph::Node& node = m_nodes[m_stack[m_depth - kFetchTargetsOf].place];
    if (node.number || node.targets[0] == SearchGraph::kMany) return;
    for (const std::uint32_t target : node.targets)
      if (target != SearchGraph::kNone) __builtin_prefetch(&m_nodes[target]);
  }

  // Whoever found it first has the smallest number, but its turn may come late.
  void meetAgain(const Frame& frame) {
    SearchGraph::Node& node = m_nodes[frame.place];
    if (frame.finder < node.number) {
      node.firstFinder() = std::min(node.firstFinder(), frame.finder);
    } else {
      m_backArcs.add(node.number, frame.finder);
    }
  }

  void enter(const Frame& frame) {
    const SearchGraph::Node node = m_nodes[frame.place];
    const std::uint32_t number = ++m_reached;
    m_nodes[frame.place].enter(number, frame.finder);
    m_graph.forEachTarget(node, [&](std::uint32_t place) {
      __builtin_prefetch(&m_nodes[place]);
      m_stack[m_depth++] = {place, number};
    });
  }

  // The nodes' memory is given back on the way.
  SearchTree takeTree() {
    const std::size_t numbers = std::size_t{m_reached} + 1;
    SearchTree tree{m_reached,
                    LargeArray<std::uint32_t>(m_graph.size()),
                    LargeArray<SearchTree::Link>(numbers),
                    {},
                    std::move(m_backArcs)};
    const std::uint32_t parts = (m_graph.size() + kNodesOfPart - 1) / kNodesOfPart;
    tbb::parallel_for(0u, parts, [&](std::uint32_t part) {
      const std::uint32_t first = part * kNodesOfPart;
      const std::uint32_t end = std::min(m_graph.size(), first + kNodesOfPart);
      for (std::uint32_t place = first; place < end; ++place) {
        if (place + kFetchLinkOf < end) __builtin_prefetch(&tree.links[m_nodes[place + kFetchLinkOf].number], 1);
        SearchGraph::Node& node = m_nodes[place];
        tree.numbers[place] = node.number;
        if (node.number) tree.links[node.number] = {node.parent(), node.firstFinder()};
      }
      m_nodes.discard(first, end - first);
    });
    m_nodes = {};
    tree.candidates = {LargeArray<std::uint32_t>(numbers), LargeArray<std::uint32_t>(numbers)};
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, numbers, kCandidatesAtOnce), [&](const auto& part) {
      for (std::size_t w = part.begin(); w < part.end(); ++w) {
        tree.candidates.dominators[w] = tree.links[w].parent;
        tree.candidates.semidominators[w] = tree.links[w].firstFinder;
      }
    });
    return tree;
  }

  SearchGraph& m_graph;
  LargeArray<SearchGraph::Node>& m_nodes;
  const std::function<void(double)>& m_onProgress;
  const std::stop_token& m_stop;
  LargeArray<Frame> m_stack;
  std::size_t m_depth = 0;
  std::uint32_t m_reached = 0;
  ArcBuckets m_backArcs;
};

}  // namespace

std::optional<SearchTree> SearchTree::grow(SearchGraph& graph, const RootForest& roots,
                                           const std::function<void(double)>& onProgress, const std::stop_token& stop) {
  return DepthFirstSearch(graph, onProgress, stop).run(roots);
}

namespace {

// How far ahead of their use the links of arcs' sources are fetched; found by measuring.
constexpr std::size_t kFetchLink = 24;
constexpr std::size_t kFetchAncestor = 8;

/// The arcs of one bucket by their targets.
class SortedArcs {
 public:
  SortedArcs() : m_ends(ArcBuckets::kTargetsPerBucket) {}

  void sort(const ArcBuckets& arcs, std::uint32_t bucket) {
    std::fill(m_ends.begin(), m_ends.end(), 0);
    std::uint32_t count = 0;
    arcs.forEach(bucket, [&](std::uint32_t target, std::uint32_t) {
      ++m_ends[target];
      ++count;
    });
    std::uint32_t start = 0;
    for (std::uint32_t& end : m_ends) start += std::exchange(end, start);
    m_sources.resize(count);
    arcs.forEach(bucket, [&](std::uint32_t target, std::uint32_t source) { m_sources[m_ends[target]++] = source; });
  }

  std::size_t startOf(std::uint32_t target) const { return target ? m_ends[target - 1] : 0; }
  /// Those into one target behind those into the ones before.
  const std::vector<std::uint32_t>& sources() const { return m_sources; }

 private:
  std::vector<std::uint32_t> m_ends;  // by target: where its sources end
  std::vector<std::uint32_t> m_sources;
};

/// Finds the semidominator of every vertex, from the last number to the first. The search's first finder of a vertex is
/// its predecessor with the smallest number, so that only arcs from later vertices into earlier ones have to be
/// evaluated beside it.
class SemidominatorSweep {
 public:
  explicit SemidominatorSweep(SearchTree& tree)
      : m_links(tree.links.data()),
        m_arcs(tree.backArcs),
        m_reached(tree.reached),
        m_semidominators(tree.candidates.semidominators) {}

  // Another core sorts the arcs of the next bucket meanwhile.
  bool run(const std::function<void(double)>& onProgress, const std::stop_token& stop) {
    std::uint32_t bucket = m_reached / ArcBuckets::kTargetsPerBucket;
    SortedArcs arcs;
    SortedArcs next;
    arcs.sort(m_arcs, bucket);
    for (;; --bucket) {
      if (stop.stop_requested()) return false;
      tbb::task_group otherCore;
      if (bucket > 0) otherCore.run([&] { next.sort(m_arcs, bucket - 1); });
      sweep(arcs, bucket * ArcBuckets::kTargetsPerBucket);
      otherCore.wait();
      if (bucket == 0) return true;
      std::swap(arcs, next);
      onProgress(1 - bucket * ArcBuckets::kTargetsPerBucket / (m_reached + 1.0));
    }
  }

 private:
  // A target without arcs keeps its first finder.
  void sweep(const SortedArcs& arcs, std::uint32_t firstTarget) {
    const std::vector<std::uint32_t>& sources = arcs.sources();
    std::size_t next = sources.size();
    for (std::uint32_t i = ArcBuckets::kTargetsPerBucket; next > 0;) {
      const std::size_t start = arcs.startOf(--i);
      if (next == start) continue;
      const std::uint32_t w = firstTarget + i;
      std::uint32_t best = m_links[w].firstFinder;
      while (next > start) {
        --next;
        if (next >= kFetchLink) __builtin_prefetch(&m_links[sources[next - kFetchLink]]);
        if (next >= kFetchAncestor) __builtin_prefetch(&m_links[m_links[sources[next - kFetchAncestor]].parent]);
        best = std::min(best, smallestLabel(sources[next], w));
      }
      m_links[w].firstFinder = m_semidominators[w] = best;
    }
  }

  // The smallest semidominator from v up to the last ancestor above w; the way is shortened for the next time.
  std::uint32_t smallestLabel(std::uint32_t v, std::uint32_t w) {
    m_path.clear();
    while (m_links[v].parent > w) {
      m_path.push_back(v);
      v = m_links[v].parent;
    }
    const std::uint32_t top = m_links[v].parent;
    std::uint32_t label = m_links[v].firstFinder;
    for (; !m_path.empty(); m_path.pop_back()) {
      SearchTree::Link& link = m_links[m_path.back()];
      link.firstFinder = label = std::min(label, link.firstFinder);
      link.parent = top;
    }
    return label;
  }

  SearchTree::Link* m_links;  // of vertices behind us: an ancestor, and the smallest semidominator up to there
  const ArcBuckets& m_arcs;
  const std::uint32_t m_reached;
  LargeArray<std::uint32_t>& m_semidominators;
  std::vector<std::uint32_t> m_path;
};

}  // namespace

bool findSemidominators(SearchTree& search, const std::function<void(double)>& onProgress,
                        const std::stop_token& stop) {
  return SemidominatorSweep(search).run(onProgress, stop);
}

}  // namespace heapscape::engine
