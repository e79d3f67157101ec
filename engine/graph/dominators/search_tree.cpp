// SPDX-License-Identifier: MIT
#include "graph/dominators/search_tree.h"

#include <numeric>
#include <span>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include "base/stop_interval.h"

namespace heapscape::engine {
namespace {

// A vertex that is on the stack and has no number yet; the other bits are the number of who found it first.
constexpr std::uint32_t kWaiting = 0x8000'0000;

// How far ahead of their use the next vertices, rows and edges are fetched; found by measuring.
constexpr std::size_t kFetchVertex = 8;
constexpr std::size_t kFetchRow = 4;
constexpr std::size_t kFetchTarget = 12;

constexpr double kLaidOut = 0.04;  // of finding dominators as a whole: vertices without edges are known

// How many vertices another core makes ready at a time, and how far ahead of the search.
constexpr std::uint32_t kStep = 1 << 19;
constexpr std::uint32_t kPopulateAhead = 2 << 20;

/// Groups and roots as vertices behind the objects.
class ForestRows {
 public:
  ForestRows(const EdgeRows& edges, const RootForest& roots) : m_rows(std::size_t{roots.size()} + 1) {
    const std::uint32_t objects = edges.vertexCount();
    const auto forEachEdge = [&](auto visit) {
      for (std::uint32_t i = 0; i < roots.size(); ++i) {
        if (roots[i].parent != RootForest::kNone) visit(roots[i].parent, objects + i);
        if (roots[i].object < objects) visit(i, roots[i].object);
      }
    };
    forEachEdge([&](std::uint32_t from, std::uint32_t) { ++m_rows[from]; });
    std::exclusive_scan(m_rows.begin(), m_rows.end(), m_rows.begin(), 0u);
    m_targets.resize(m_rows.back());
    std::vector<std::uint32_t> next(m_rows);
    forEachEdge([&](std::uint32_t from, std::uint32_t to) { m_targets[next[from]++] = to; });
  }

  std::size_t edgeCount() const { return m_targets.size(); }
  std::span<const std::uint32_t> targetsOf(std::uint32_t position) const {
    return std::span(m_targets).subspan(m_rows[position], m_rows[position + 1] - m_rows[position]);
  }

 private:
  std::vector<std::uint32_t> m_rows;  // by position, and one more
  std::vector<std::uint32_t> m_targets;
};

class DepthFirstSearch {
 public:
  DepthFirstSearch(const EdgeRows& edges, const RootForest& roots, StageProgress& progress, const std::stop_token& stop)
      : m_edges(edges),
        m_roots(roots),
        m_forest(edges, roots),
        m_progress(progress),
        m_stop(stop),
        m_objects(edges.vertexCount()),
        m_vertices(m_objects + roots.size()),
        m_stack(m_edges.targets.size() + m_forest.edgeCount() + m_roots.size() + 1),
        m_tree{0,
               LargeArray<std::uint32_t>(m_vertices),
               LargeArray<SearchTree::Link>(std::size_t{m_vertices} + 1),
               {LargeArray<std::uint32_t>(std::size_t{m_vertices} + 1),
                LargeArray<std::uint32_t>(std::size_t{m_vertices} + 1)},
               ArcBuckets(m_vertices + 1, m_edges.targets.size() + m_forest.edgeCount())} {}

  std::optional<SearchTree> run() {
    markLeaves();
    m_progress.report(kLaidOut);
    for (std::uint32_t i = m_roots.size(); i-- > 0;)
      if (m_roots[i].parent == RootForest::kNone) push(m_objects + i, 0);
    for (std::uint32_t step = 0; m_depth > 0; ++step) {
      if (step % kStopInterval == 0 && !goOn()) break;
      const Frame frame = m_stack[--m_depth];
      fetchAhead();
      // A vertex is stacked once for each who finds it before its turn comes.
      if (m_tree.numbers[frame.vertex] & kWaiting) enter(frame);
    }
    m_otherCore.wait();
    if (m_depth > 0) return std::nullopt;
    beginCandidates(m_begun, m_tree.reached + 1);
    return std::move(m_tree);
  }

 private:
  struct Frame {
    std::uint32_t vertex;
    std::uint32_t finder;
  };

  void markLeaves() {
    tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, m_objects, 1 << 16), [&](const auto& part) {
      for (std::uint32_t v = part.begin(); v < part.end(); ++v)
        m_tree.numbers[v] = m_edges.rows.countOf(v) ? 0 : SearchTree::kLeaf;
    });
  }

  // The search itself uses one core. Another one takes memory for it, so far ahead as it will surely be needed soon,
  // and begins the candidates behind it.
  void useOtherCore() {
    for (; m_populated < m_vertices && m_populated < m_tree.reached + kPopulateAhead; m_populated += kStep)
      m_otherCore.run([this, first = m_populated] { m_tree.links.populate(first, kStep); });
    for (; m_begun + kStep <= m_tree.reached; m_begun += kStep)
      m_otherCore.run([this, first = m_begun] { beginCandidates(first, first + kStep); });
  }

  void beginCandidates(std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t w = first; w < end; ++w) {
      m_tree.candidates.dominators[w] = m_tree.links[w].parent;
      m_tree.candidates.semidominators[w] = m_tree.links[w].firstFinder;
    }
  }

  bool goOn() {
    useOtherCore();
    m_progress.report(kLaidOut + (SearchTree::kProgressShare - kLaidOut) * m_tree.reached / (m_vertices + 1.0));
    return !m_stop.stop_requested();
  }

  void push(std::uint32_t vertex, std::uint32_t finder) {
    m_tree.numbers[vertex] = kWaiting | finder;
    m_stack[m_depth++] = {vertex, finder};
  }

  void fetchAhead() const {
    if (m_depth >= kFetchVertex) {
      const std::uint32_t vertex = m_stack[m_depth - kFetchVertex].vertex;
      __builtin_prefetch(&m_tree.numbers[vertex]);
      if (vertex < m_objects) m_edges.rows.prefetch(vertex);
    }
    if (m_depth >= kFetchRow) fetchTargets(m_stack[m_depth - kFetchRow].vertex);
  }

  void fetchTargets(std::uint32_t vertex) const {
    if (vertex < m_objects) __builtin_prefetch(m_edges.targets.data() + m_edges.rows[vertex]);
  }

  std::span<const std::uint32_t> targetsOf(std::uint32_t vertex) const {
    return vertex < m_objects ? m_edges.targetsOf(vertex) : m_forest.targetsOf(vertex - m_objects);
  }

  // Gives a vertex its number and looks at all its targets.
  void enter(const Frame& frame) {
    const std::uint32_t firstFinder = m_tree.numbers[frame.vertex] & ~kWaiting;
    const std::uint32_t number = ++m_tree.reached;
    m_tree.numbers[frame.vertex] = number;
    m_tree.links[number] = {frame.finder, firstFinder};
    const std::span<const std::uint32_t> targets = targetsOf(frame.vertex);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (i + kFetchTarget < targets.size()) __builtin_prefetch(&m_tree.numbers[targets[i + kFetchTarget]]);
      find(targets[i], number);
    }
  }

  void find(std::uint32_t vertex, std::uint32_t finder) {
    std::uint32_t& number = m_tree.numbers[vertex];
    if (number == SearchTree::kLeaf) {
      // It needs no turn of its own.
      number = ++m_tree.reached;
      m_tree.links[number] = {finder, finder};
    } else if (number == 0) {
      fetchTargets(vertex);
      push(vertex, finder);
    } else if (number & kWaiting) {
      m_stack[m_depth++] = {vertex, finder};
    } else if (number < finder) {
      m_tree.backArcs.add(number, finder);
    }
  }

  const EdgeRows& m_edges;
  const RootForest& m_roots;
  const ForestRows m_forest;
  StageProgress& m_progress;
  const std::stop_token& m_stop;
  const std::uint32_t m_objects;
  const std::uint32_t m_vertices;
  tbb::task_group m_otherCore;
  std::uint32_t m_populated = 0;  // vertices that memory was taken for
  std::uint32_t m_begun = 1;      // the first number without candidates
  LargeArray<Frame> m_stack;      // each edge stacks at most once
  std::size_t m_depth = 0;
  SearchTree m_tree;
};

}  // namespace

std::optional<SearchTree> SearchTree::grow(const EdgeRows& edges, const RootForest& roots, StageProgress& progress,
                                           const std::stop_token& stop) {
  return DepthFirstSearch(edges, roots, progress, stop).run();
}

}  // namespace heapscape::engine
