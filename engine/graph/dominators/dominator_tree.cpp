// SPDX-License-Identifier: MIT
#include "graph/dominators/dominator_tree.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "graph/dominators/semidominators.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kVerticesAhead = 32;
constexpr std::uint32_t kVerticesPerReport = 1 << 18;

// Where each step ends, from measurements; the search itself comes before these.
constexpr double kSemidominatorsEnd = 0.75;
constexpr double kDominatorsEnd = 0.85;

/// What becomes of the search's number of a vertex.
struct Renumbered {
  std::uint32_t number;
  std::uint32_t next;  // number that the next vertex gets that this one dominates
};

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
/// semidominator. `spare`: the links of the search, whose memory is used.
void findDominators(Candidates& candidates, LargeArray<SearchTree::Link>& spare, std::uint32_t reached,
                    StageProgress& progress) {
  auto jumps = std::move(spare).reuse<Jump>();
  DominatorClimb(candidates, jumps).run(reached, [&](double share) {
    progress.report(kSemidominatorsEnd + (kDominatorsEnd - kSemidominatorsEnd) * share);
  });
  spare = std::move(jumps).reuse<SearchTree::Link>();
}

/// On all cores.
template <class Run>
void forEachPart(std::uint32_t first, std::uint32_t end, Run run) {
  tbb::parallel_for(tbb::blocked_range<std::uint32_t>(first, end, 1 << 16),
                    [&](const auto& part) { run(part.begin(), part.end()); });
}

}  // namespace

std::optional<DominatorTree> DominatorTree::build(const EdgeRows& edges, const RootForest& roots,
                                                  StageProgress& progress, std::stop_token stop) {
  auto search = SearchTree::grow(edges, roots, progress, stop);
  if (!search) return std::nullopt;
  const auto told = [&](double share) {
    progress.report(SearchTree::kProgressShare + (kSemidominatorsEnd - SearchTree::kProgressShare) * share);
  };
  if (!findSemidominators(*search, told, stop)) return std::nullopt;
  search->backArcs.clear();
  findDominators(search->candidates, search->links, search->reached, progress);
  progress.report(kDominatorsEnd);
  if (stop.stop_requested()) return std::nullopt;
  DominatorTree tree;
  tree.m_objectCount = edges.vertexCount();
  tree.m_rootCount = roots.size();
  tree.m_reached = search->reached;
  tree.number(*std::move(search));
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

// In preorder, so that whole subtrees lie behind their tops. Nothing new is needed for it: what the search is done with
// becomes the tree.
void DominatorTree::number(SearchTree search) {
  LargeArray<std::uint32_t> dominators = std::move(search.candidates.dominators);
  LargeArray<std::uint32_t> counts = std::move(search.candidates.semidominators);  // of each vertex and all below it
  dominators.truncate(std::size_t{m_reached} + 1);
  counts.truncate(std::size_t{m_reached} + 1);
  auto renumbered = std::move(search.links).reuse<Renumbered>();
  std::fill_n(counts.data(), counts.size(), 1u);
  for (std::uint32_t w = m_reached; w > 0; --w) counts[dominators[w]] += counts[w];
  renumbered[0] = {0, 1};
  for (std::uint32_t w = 1; w <= m_reached; ++w) {
    std::uint32_t& next = renumbered[dominators[w]].next;
    renumbered[w] = {next, next + 1};
    next += counts[w];
  }
  m_dominators = std::move(counts);
  m_dominators[0] = 0;
  forEachPart(1, m_reached + 1, [&](std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t w = first; w < end; ++w) m_dominators[renumbered[w].number] = renumbered[dominators[w]].number;
  });
  m_vertices = std::move(dominators);
  m_vertices[0] = 0;
  m_numbers = std::move(search.numbers);
  forEachPart(0, m_objectCount + m_rootCount, [&](std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t vertex = first; vertex < end; ++vertex) {
      if (vertex + kVerticesAhead < end && m_numbers[vertex + kVerticesAhead] != SearchTree::kLeaf)
        __builtin_prefetch(&renumbered[m_numbers[vertex + kVerticesAhead]]);
      std::uint32_t& number = m_numbers[vertex];
      number = number == SearchTree::kLeaf ? 0 : renumbered[number].number;
      if (number) m_vertices[number] = vertex;
    }
  });
  m_spare = std::move(renumbered).split<std::uint32_t>();
}

}  // namespace heapscape::engine
