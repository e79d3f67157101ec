// SPDX-License-Identifier: MIT
#include "graph/dominators/search_tree.h"

#include <span>
#include <utility>
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

constexpr double kLaidOut = 0.08;  // of finding dominators as a whole: nodes are made ready

// How much memory is taken at a time, and how far ahead, in vertices.
constexpr std::size_t kPopulateStep = 1 << 19;
constexpr std::size_t kPopulateAhead = 2 << 20;

/// Groups and roots as vertices behind the objects, with rows of their own behind those of the objects.
struct ForestRows {
  ForestRows(const EdgeRows& edges, const RootForest& roots)
      : firstEdge(static_cast<std::uint32_t>(edges.targets.size())), rows(std::size_t{roots.size()} + 1, firstEdge) {
    const std::uint32_t objects = edges.vertexCount();
    const auto forEachEdge = [&](auto visit) {
      for (std::uint32_t i = 0; i < roots.size(); ++i) {
        if (roots[i].parent != RootForest::kNone) visit(roots[i].parent, objects + i);
        if (roots[i].object < objects) visit(i, roots[i].object);
      }
    };
    forEachEdge([&](std::uint32_t from, std::uint32_t) { ++rows[from]; });
    std::uint32_t end = firstEdge;
    for (std::uint32_t& row : rows) end += std::exchange(row, end) - firstEdge;
    targets.resize(rows.back() - firstEdge);
    std::vector<std::uint32_t> next(rows);
    forEachEdge([&](std::uint32_t from, std::uint32_t to) { targets[next[from]++ - firstEdge] = to; });
  }

  std::uint32_t firstEdge;
  std::vector<std::uint32_t> rows;  // by position, and one more
  std::vector<std::uint32_t> targets;
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
        m_stack(m_edges.targets.size() + m_forest.targets.size() + m_roots.size() + 1),
        m_tree{0, LargeArray<SearchTree::Node>(std::size_t{m_vertices} + 1),
               LargeArray<std::uint32_t>(std::size_t{m_vertices} + 1),
               LargeArray<SearchTree::Link>(std::size_t{m_vertices} + 1),
               ArcBuckets(m_vertices + 1, m_edges.targets.size() + m_forest.targets.size())} {}

  std::optional<SearchTree> run() {
    layOut();
    m_progress.report(kLaidOut);
    for (std::uint32_t i = m_roots.size(); i-- > 0;)
      if (m_roots[i].parent == RootForest::kNone) push(m_objects + i, 0);
    for (std::uint32_t step = 0; m_depth > 0; ++step) {
      if (step % kStopInterval == 0 && !goOn()) break;
      const Frame frame = m_stack[--m_depth];
      fetchAhead();
      // A vertex is stacked once for each who finds it before its turn comes.
      if (m_tree.nodes[frame.vertex].number & kWaiting) enter(frame);
    }
    m_populating.wait();
    if (m_depth > 0) return std::nullopt;
    return std::move(m_tree);
  }

 private:
  struct Frame {
    std::uint32_t vertex;
    std::uint32_t finder;
  };

  void layOut() {
    tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, m_objects, 1 << 16), [&](const auto& part) {
      for (std::uint32_t v = part.begin(); v < part.end(); ++v) m_tree.nodes[v].row = m_edges.rows[v];
    });
    for (std::size_t i = 0; i < m_forest.rows.size(); ++i) m_tree.nodes[m_objects + i].row = m_forest.rows[i];
  }

  // The search itself uses one core; another one takes memory for it, so far ahead as it will surely be needed soon.
  void populateAhead() {
    for (; m_populated < m_vertices && m_populated < m_tree.reached + kPopulateAhead; m_populated += kPopulateStep) {
      m_populating.run([this, first = m_populated] {
        m_tree.vertices.populate(first, kPopulateStep);
        m_tree.links.populate(first, kPopulateStep);
      });
    }
  }

  bool goOn() {
    populateAhead();
    m_progress.report(kLaidOut + (SearchTree::kProgressShare - kLaidOut) * m_tree.reached / (m_vertices + 1.0));
    return !m_stop.stop_requested();
  }

  void push(std::uint32_t vertex, std::uint32_t finder) {
    m_tree.nodes[vertex].number = kWaiting | finder;
    m_stack[m_depth++] = {vertex, finder};
  }

  void fetchAhead() const {
    if (m_depth >= kFetchVertex) __builtin_prefetch(&m_tree.nodes[m_stack[m_depth - kFetchVertex].vertex]);
    if (m_depth >= kFetchRow) fetchTargets(m_tree.nodes[m_stack[m_depth - kFetchRow].vertex]);
  }

  void fetchTargets(const SearchTree::Node& node) const {
    if (node.row < m_edges.targets.size()) __builtin_prefetch(&m_edges.targets[node.row]);
  }

  std::span<const std::uint32_t> targetsOf(std::uint32_t vertex) const {
    const std::uint32_t first = m_tree.nodes[vertex].row;
    const std::uint32_t count = m_tree.nodes[vertex + 1].row - first;
    if (vertex < m_objects) return m_edges.targets.subspan(first, count);
    return std::span(m_forest.targets).subspan(first - m_forest.firstEdge, count);
  }

  // Gives a vertex its number and looks at all its targets.
  void enter(const Frame& frame) {
    SearchTree::Node& node = m_tree.nodes[frame.vertex];
    const std::uint32_t number = ++m_tree.reached;
    m_tree.vertices[number] = frame.vertex;
    m_tree.links[number] = {frame.finder, node.number & ~kWaiting};
    node.number = number;
    const std::span<const std::uint32_t> targets = targetsOf(frame.vertex);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (i + kFetchTarget < targets.size()) __builtin_prefetch(&m_tree.nodes[targets[i + kFetchTarget]]);
      find(targets[i], number);
    }
  }

  void find(std::uint32_t vertex, std::uint32_t finder) {
    SearchTree::Node& node = m_tree.nodes[vertex];
    if (node.number == 0) {
      if (node.row == m_tree.nodes[vertex + 1].row) {
        // Without edges it needs no turn of its own.
        node.number = ++m_tree.reached;
        m_tree.vertices[node.number] = vertex;
        m_tree.links[node.number] = {finder, finder};
      } else {
        fetchTargets(node);
        push(vertex, finder);
      }
    } else if (node.number & kWaiting) {
      m_stack[m_depth++] = {vertex, finder};
    } else if (node.number < finder) {
      m_tree.backArcs.add(node.number, finder);
    }
  }

  const EdgeRows& m_edges;
  const RootForest& m_roots;
  const ForestRows m_forest;
  StageProgress& m_progress;
  const std::stop_token& m_stop;
  const std::uint32_t m_objects;
  const std::uint32_t m_vertices;
  tbb::task_group m_populating;
  std::size_t m_populated = 0;  // vertices that memory was taken for
  LargeArray<Frame> m_stack;    // each edge stacks at most once
  std::size_t m_depth = 0;
  SearchTree m_tree;
};

}  // namespace

std::optional<SearchTree> SearchTree::grow(const EdgeRows& edges, const RootForest& roots, StageProgress& progress,
                                           const std::stop_token& stop) {
  return DepthFirstSearch(edges, roots, progress, stop).run();
}

}  // namespace heapscape::engine
