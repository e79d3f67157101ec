// SPDX-License-Identifier: MIT
#include "graph/dominator_tree.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kStopInterval = 1 << 16;
// A vertex that is on the stack and has no number yet; the other bits are the number of who found it first.
constexpr std::uint32_t kWaiting = 0x8000'0000;

// How far ahead of their use the next vertices, rows and edges are fetched; found by measuring.
constexpr std::size_t kFetchVertex = 8;
constexpr std::size_t kFetchRow = 4;
constexpr std::uint32_t kFetchTarget = 8;
constexpr std::uint32_t kFetchList = 16;
constexpr std::uint32_t kFetchArc = 8;

// The part of the search tree that a vertex hangs on by, and the smallest semidominator on the way up to there.
struct Link {
  std::uint32_t ancestor;
  std::uint32_t label;
};

// An edge from a vertex found later to one found earlier, in the list of those with the same target.
struct Arc {
  std::uint32_t source;
  std::uint32_t next;  // 0 at the end
};

}  // namespace

/// The depth-first search takes a vertex's smallest-numbered predecessor for its first discoverer, so that only arcs
/// from later vertices into earlier ones have to be kept and evaluated for semidominators.
class DominatorSearch {
 public:
  DominatorSearch(const EdgeRows& edges, const RootForest& roots, StageProgress& progress, std::stop_token stop)
      : m_edges(edges), m_roots(roots), m_progress(progress), m_stop(std::move(stop)) {}

  std::optional<DominatorTree> run() {
    m_tree.m_objectCount = m_edges.vertexCount();
    m_tree.m_rootCount = m_roots.size();
    const std::size_t vertices = std::size_t{m_tree.m_objectCount} + m_roots.size();
    m_tree.m_nodes = LargeArray<DominatorTree::Node>(vertices + 1);
    for (std::size_t v = 0; v < m_tree.m_objectCount; ++v) m_tree.m_nodes[v] = {m_edges.rows[v], 0};
    layOutForest();
    m_tree.m_vertices = LargeArray<std::uint32_t>(vertices + 1);
    m_tree.m_dominators = LargeArray<std::uint32_t>(vertices + 1);
    m_links = LargeArray<Link>(vertices + 1);
    m_lists = LargeArray<std::uint32_t>(vertices + 1);
    m_arcs = LargeArray<Arc>(m_edges.targets.size() + m_roots.size() + 2);
    if (!search() || !findSemidominators()) return std::nullopt;
    findDominators();
    m_progress.report(1);
    return std::move(m_tree);
  }

 private:
  bool isStopped(std::uint32_t step) const { return step % kStopInterval == 0 && m_stop.stop_requested(); }

  void report(double share, std::uint32_t done) {
    if (done % kStopInterval == 0)
      m_progress.report(share +
                        kSearchShare * static_cast<double>(done) / static_cast<double>(m_edges.vertexCount() + 1));
  }

  // The forest's rows follow those of the objects, as if its targets stood behind theirs.
  void layOutForest() {
    const std::uint32_t objects = m_tree.m_objectCount;
    std::vector<std::uint32_t> degrees(m_roots.size());
    for (std::uint32_t i = 0; i < m_roots.size(); ++i) {
      if (m_roots[i].parent != RootForest::kNone) ++degrees[m_roots[i].parent];
      if (m_roots[i].object < objects) ++degrees[i];
    }
    std::uint32_t end = m_firstForestEdge;
    for (std::uint32_t i = 0; i < m_roots.size(); ++i) {
      m_tree.m_nodes[objects + i] = {end, 0};
      end += std::exchange(degrees[i], end);
    }
    m_tree.m_nodes[objects + m_roots.size()] = {end, 0};
    m_forestTargets.resize(end - m_firstForestEdge);
    for (std::uint32_t i = 0; i < m_roots.size(); ++i) {
      const RootForest::Vertex& vertex = m_roots[i];
      if (vertex.parent != RootForest::kNone)
        m_forestTargets[degrees[vertex.parent]++ - m_firstForestEdge] = objects + i;
      if (vertex.object < objects) m_forestTargets[degrees[i]++ - m_firstForestEdge] = vertex.object;
    }
  }

  std::uint32_t targetOf(std::uint32_t edge) const {
    return edge < m_firstForestEdge ? m_edges.targets[edge] : m_forestTargets[edge - m_firstForestEdge];
  }

  // Numbers what can be reached; a vertex without edges gets its number on sight and is never stacked.
  bool search() {
    // What is stacked: a vertex and the number of who found it. Each edge stacks at most once.
    LargeArray<Frame> stack(m_edges.targets.size() + m_forestTargets.size() + m_roots.size() + 1);
    auto& nodes = m_tree.m_nodes;
    std::size_t depth = 0;
    for (std::uint32_t i = m_roots.size(); i-- > 0;) {
      if (m_roots[i].parent != RootForest::kNone) continue;
      nodes[m_tree.vertexOfRoot(i)].number = kWaiting;
      stack[depth++] = {m_tree.vertexOfRoot(i), 0};
    }
    std::uint32_t reached = 0;
    std::uint32_t steps = 0;
    while (depth > 0) {
      const Frame frame = stack[--depth];
      if (depth >= kFetchVertex) __builtin_prefetch(&nodes[stack[depth - kFetchVertex].vertex]);
      if (depth >= kFetchRow) __builtin_prefetch(&m_edges.targets[nodes[stack[depth - kFetchRow].vertex].row]);
      const std::uint32_t found = nodes[frame.vertex].number;
      if (!(found & kWaiting)) continue;
      if (isStopped(++steps)) return false;
      report(0, steps);
      const std::uint32_t number = ++reached;
      m_tree.m_vertices[number] = frame.vertex;
      m_links[number] = {frame.finder, found & ~kWaiting};
      nodes[frame.vertex].number = number;
      const std::uint32_t end = nodes[frame.vertex + 1].row;
      for (std::uint32_t edge = nodes[frame.vertex].row; edge < end; ++edge) {
        if (edge + kFetchTarget < end) __builtin_prefetch(&nodes[m_edges.targets[edge + kFetchTarget]]);
        const std::uint32_t target = targetOf(edge);
        DominatorTree::Node& node = nodes[target];
        if (node.number == 0) {
          if (node.row == nodes[target + 1].row) {
            m_tree.m_vertices[++reached] = target;
            m_links[reached] = {number, number};
            node.number = reached;
          } else {
            node.number = kWaiting | number;
            stack[depth++] = {target, number};
          }
        } else if (node.number & kWaiting) {
          stack[depth++] = {target, number};
        } else if (node.number < number && m_links[node.number].label != 0) {
          m_arcs[++m_arcCount] = {number, m_lists[node.number]};
          m_lists[node.number] = m_arcCount;
        }
      }
    }
    m_tree.m_reached = reached;
    return true;
  }

  // Leaves the parents in the search tree in m_dominators and the semidominators in m_lists.
  bool findSemidominators() {
    for (std::uint32_t w = m_tree.m_reached; w > 0; --w) {
      if (isStopped(w)) return false;
      report(kSearchShare, m_tree.m_reached - w);
      if (w > kFetchList) __builtin_prefetch(&m_arcs[m_lists[w - kFetchList]]);
      if (w > kFetchArc) __builtin_prefetch(&m_links[m_arcs[m_lists[w - kFetchArc]].source]);
      std::uint32_t best = m_links[w].label;
      m_tree.m_dominators[w] = m_links[w].ancestor;
      for (std::uint32_t arc = m_lists[w]; arc; arc = m_arcs[arc].next)
        best = std::min(best, smallestLabel(m_arcs[arc].source, w));
      m_links[w].label = best;
      m_lists[w] = best;
    }
    return true;
  }

  // The smallest label from v up to the last ancestor above w; the way is shortened for the next time.
  std::uint32_t smallestLabel(std::uint32_t v, std::uint32_t w) {
    m_path.clear();
    while (m_links[v].ancestor > w) {
      m_path.push_back(v);
      v = m_links[v].ancestor;
    }
    const std::uint32_t top = m_links[v].ancestor;
    std::uint32_t label = m_links[v].label;
    for (; !m_path.empty(); m_path.pop_back()) {
      Link& link = m_links[m_path.back()];
      link.label = label = std::min(label, link.label);
      link.ancestor = top;
    }
    return label;
  }

  void findDominators() {
    auto& dominators = m_tree.m_dominators;
    for (std::uint32_t w = 1; w <= m_tree.m_reached; ++w) {
      std::uint32_t dominator = dominators[w];
      while (dominator > m_lists[w]) dominator = dominators[dominator];
      dominators[w] = dominator;
    }
  }

  struct Frame {
    std::uint32_t vertex;
    std::uint32_t finder;
  };
  static constexpr double kSearchShare = 0.5;

  const EdgeRows& m_edges;
  const RootForest& m_roots;
  const std::uint32_t m_firstForestEdge = static_cast<std::uint32_t>(m_edges.targets.size());
  std::vector<std::uint32_t> m_forestTargets;
  StageProgress& m_progress;
  std::stop_token m_stop;
  DominatorTree m_tree;
  LargeArray<Link> m_links;           // by number
  LargeArray<std::uint32_t> m_lists;  // by number: the first arc into it, later its semidominator
  LargeArray<Arc> m_arcs;             // from 1
  std::uint32_t m_arcCount = 0;
  std::vector<std::uint32_t> m_path;
};

std::optional<DominatorTree> DominatorTree::build(const EdgeRows& edges, const RootForest& roots,
                                                  StageProgress& progress, std::stop_token stop) {
  return DominatorSearch(edges, roots, progress, std::move(stop)).run();
}

}  // namespace heapscape::engine
