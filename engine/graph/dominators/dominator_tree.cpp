// SPDX-License-Identifier: MIT
#include "graph/dominators/dominator_tree.h"

#include <utility>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "graph/dominators/dominator_climb.h"
#include "graph/dominators/semidominators.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kVerticesAhead = 32;

/// What becomes of the search's number of a vertex.
struct Renumbered {
  std::uint32_t number;  // at first how many there are from the vertex down
  std::uint32_t next;    // number that the next vertex gets that this one dominates
};

}  // namespace

std::optional<DominatorTree> DominatorTree::build(const EdgeRows& edges, const RootForest& roots,
                                                  StageProgress& progress, std::stop_token stop) {
  auto search = SearchTree::grow(edges, roots, progress, stop);
  if (!search) return std::nullopt;
  auto candidates = std::move(search->nodes).reuse<Candidate>();
  if (!findSemidominators(*search, candidates, progress, stop)) return std::nullopt;
  search->backArcs.clear();
  findDominators(candidates, search->links, search->reached);
  if (stop.stop_requested()) return std::nullopt;
  DominatorTree tree;
  tree.m_objectCount = edges.vertexCount();
  tree.m_rootCount = roots.size();
  tree.m_reached = search->reached;
  tree.number(*search, candidates.data());
  candidates = {};
  search.reset();
  tree.findNumbers();
  progress.report(1);
  return tree;
}

// In preorder, so that whole subtrees lie behind their tops.
void DominatorTree::number(SearchTree& search, const Candidate* candidates) {
  m_vertices = LargeArray<std::uint32_t>(std::size_t{m_reached} + 1);
  m_dominators = LargeArray<std::uint32_t>(std::size_t{m_reached} + 1);
  auto renumbered = std::move(search.links).reuse<Renumbered>();
  for (std::uint32_t w = 1; w <= m_reached; ++w) renumbered[w].number = 1;
  for (std::uint32_t w = m_reached; w > 0; --w) renumbered[candidates[w].dominator].number += renumbered[w].number;
  renumbered[0] = {0, 1};
  for (std::uint32_t w = 1; w <= m_reached; ++w) {
    Renumbered& dominator = renumbered[candidates[w].dominator];
    const std::uint32_t number = dominator.next;
    dominator.next += renumbered[w].number;
    renumbered[w] = {number, number + 1};
    m_vertices[number] = search.vertices[w];
    m_dominators[number] = dominator.number;
  }
}

void DominatorTree::findNumbers() {
  m_numbers = LargeArray<std::uint32_t>(std::size_t{m_objectCount} + m_rootCount);
  tbb::parallel_for(tbb::blocked_range<std::uint32_t>(1, m_reached + 1, 1 << 16), [this](const auto& part) {
    for (std::uint32_t number = part.begin(); number < part.end(); ++number) {
      if (number + kVerticesAhead < part.end()) __builtin_prefetch(&m_numbers[m_vertices[number + kVerticesAhead]], 1);
      m_numbers[m_vertices[number]] = number;
    }
  });
}

}  // namespace heapscape::engine
