// SPDX-License-Identifier: MIT
#include "graph/dominators/dominator_tree.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "graph/dominators/closed_trees.h"
#include "graph/dominators/preorder_numbers.h"
#include "graph/dominators/search_graph.h"
#include "graph/dominators/semidominators.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kVerticesPerReport = 1 << 18;

// Where each step ends, from measurements.
constexpr double kTreesEnd = 0.1;
constexpr double kGraphEnd = 0.2;
constexpr double kSearchEnd = 0.65;
constexpr double kSemidominatorsEnd = 0.8;
constexpr double kDominatorsEnd = 0.9;

/// From a vertex to one that dominates it, over many others as a rule.
struct Jump {
  std::uint32_t to;
  std::uint32_t depth;  // of the vertex itself
};

/// The way up is short as a rule. It is long where a list is and where much hangs on its end that is held from
/// elsewhere, too: once steps have become many they are taken by jumps, so that none takes more than the logarithm of
/// the depth.
class DominatorClimb {
 public:
  DominatorClimb(Candidates& candidates, LargeArray<Jump>& jumps)
      : m_dominators(candidates.dominators), m_semidominators(candidates.semidominators), m_jumps(jumps) {}

  /// `told` gets the shares that are done.
  void run(std::uint32_t reached, const std::function<void(double)>& told) {
    const std::uint64_t enough = kStepsBeforeJumps * reached;
    std::uint64_t steps = 0;
    std::uint32_t w = 1;
    for (; w <= reached && steps <= enough; ++w) {
      if (w % kVerticesPerReport == 0) told(static_cast<double>(w) / reached);
      const std::uint32_t semidominator = m_semidominators[w];
      std::uint32_t dominator = m_dominators[w];
      for (; dominator > semidominator; ++steps) dominator = m_dominators[dominator];
      m_dominators[w] = dominator;
    }
    if (w > reached) return;
    m_jumps[0] = {0, 0};
    for (std::uint32_t v = 1; v < w; ++v) addJump(v);
    for (; w <= reached; ++w) {
      if (w % kVerticesPerReport == 0) told(static_cast<double>(w) / reached);
      const std::uint32_t semidominator = m_semidominators[w];
      std::uint32_t dominator = m_dominators[w];
      while (dominator > semidominator) {
        const std::uint32_t far = jumpFrom(dominator);
        dominator = far > semidominator ? far : m_dominators[dominator];
      }
      m_dominators[w] = dominator;
      addJump(w);
    }
  }

 private:
  static constexpr std::uint64_t kStepsBeforeJumps = 32;

  // Jumps as in a skew-binary list (Myers 1983): each vertex has one, and they are twice as long every other level.
  std::uint32_t jumpFrom(std::uint32_t v) const { return m_jumps[v].to; }
  std::uint32_t depthOf(std::uint32_t v) const { return m_jumps[v].depth; }
  void addJump(std::uint32_t v) {
    const std::uint32_t above = m_dominators[v];
    const std::uint32_t near = jumpFrom(above);
    const std::uint32_t far = jumpFrom(near);
    const bool isEven = depthOf(above) - depthOf(near) == depthOf(near) - depthOf(far);
    m_jumps[v] = {isEven ? far : above, depthOf(above) + 1};
  }

  LargeArray<std::uint32_t>& m_dominators;  // of those behind us; of others the parents
  const LargeArray<std::uint32_t>& m_semidominators;
  LargeArray<Jump>& m_jumps;
};

/// Turns semidominators into dominators (semi-NCA): each is the nearest dominator above that is not behind the
/// semidominator. The links of the search are used up.
void findDominators(SearchTree& search, const std::function<void(double)>& told) {
  auto jumps = std::move(search.links).reuse<Jump>();
  DominatorClimb(search.candidates, jumps).run(search.reached, told);
  search.links = std::move(jumps).reuse<SearchTree::Link>();
}

}  // namespace

std::optional<DominatorTree> DominatorTree::build(const EdgeRows& edges, const RootForest& roots,
                                                  StageProgress& progress, std::stop_token stop) {
  auto trees = ClosedTrees::find(edges, roots, stop);
  if (!trees) return std::nullopt;
  progress.report(kTreesEnd);
  SearchGraph graph(edges, roots, *trees);
  const auto part = [&](double from, double to) {
    return [&progress, from, to](double share) { progress.report(from + (to - from) * share); };
  };
  auto search = SearchTree::grow(graph, roots, part(kGraphEnd, kSearchEnd), stop);
  if (!search) return std::nullopt;
  if (!findSemidominators(*search, part(kSearchEnd, kSemidominatorsEnd), stop)) return std::nullopt;
  search->backArcs.clear();
  findDominators(*search, part(kSemidominatorsEnd, kDominatorsEnd));
  if (stop.stop_requested()) return std::nullopt;
  PreorderNumbers numbered = numberInPreorder(edges, *std::move(trees), graph, *std::move(search));
  DominatorTree tree;
  tree.m_objectCount = edges.vertexCount();
  tree.m_rootCount = roots.size();
  tree.m_reached = static_cast<std::uint32_t>(numbered.vertices.size()) - 1;
  tree.m_numbers = std::move(numbered.numbers);
  tree.m_vertices = std::move(numbered.vertices);
  tree.m_dominators = std::move(numbered.dominators);
  progress.report(1);
  return tree;
}

DominatorTree DominatorTree::ofArrays(std::uint32_t objectCount, const Arrays& arrays) {
  DominatorTree tree;
  tree.m_objectCount = objectCount;
  tree.m_rootCount = static_cast<std::uint32_t>(arrays.numbers.size()) - objectCount;
  tree.m_reached = static_cast<std::uint32_t>(arrays.vertices.size()) - 1;
  tree.m_numbers = LargeArray<std::uint32_t>::viewOf(arrays.numbers);
  tree.m_vertices = LargeArray<std::uint32_t>::viewOf(arrays.vertices);
  tree.m_dominators = LargeArray<std::uint32_t>::viewOf(arrays.dominators);
  return tree;
}

}  // namespace heapscape::engine
