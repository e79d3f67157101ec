// SPDX-License-Identifier: MIT
#include "graph/dominators/dominator_tree.h"

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
  std::uint32_t number;  // at first how many there are from the vertex down
  std::uint32_t next;    // number that the next vertex gets that this one dominates
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
  DominatorClimb(LargeArray<Candidate>& candidates, LargeArray<Jump>& jumps)
      : m_candidates(candidates), m_jumps(jumps) {}

  /// `told` gets the shares that are done.
  void run(std::uint32_t reached, const std::function<void(double)>& told) {
    const std::uint64_t enough = kStepsBeforeJumps * reached;
    std::uint64_t steps = 0;
    std::uint32_t w = 1;
    for (; w <= reached && steps <= enough; ++w) {
      if (w % kVerticesPerReport == 0) told(static_cast<double>(w) / reached);
      const auto [parent, semidominator] = m_candidates[w];
      std::uint32_t dominator = parent;
      for (; dominator > semidominator; ++steps) dominator = m_candidates[dominator].dominator;
      m_candidates[w].dominator = dominator;
    }
    if (w > reached) return;
    m_jumps[0] = {0, 0};
    for (std::uint32_t v = 1; v < w; ++v) addJump(v);
    for (; w <= reached; ++w) {
      if (w % kVerticesPerReport == 0) told(static_cast<double>(w) / reached);
      const auto [parent, semidominator] = m_candidates[w];
      std::uint32_t dominator = parent;
      while (dominator > semidominator) {
        const std::uint32_t far = jumpFrom(dominator);
        dominator = far > semidominator ? far : m_candidates[dominator].dominator;
      }
      m_candidates[w].dominator = dominator;
      addJump(w);
    }
  }

 private:
  static constexpr std::uint64_t kStepsBeforeJumps = 32;

  // Jumps as in a skew-binary list (Myers 1983): each vertex has one, and they are twice as long every other level.
  std::uint32_t jumpFrom(std::uint32_t v) const { return m_jumps[v].to; }
  std::uint32_t depthOf(std::uint32_t v) const { return m_jumps[v].depth; }
  void addJump(std::uint32_t v) {
    const std::uint32_t above = m_candidates[v].dominator;
    const std::uint32_t near = jumpFrom(above);
    const std::uint32_t far = jumpFrom(near);
    const bool isEven = depthOf(above) - depthOf(near) == depthOf(near) - depthOf(far);
    m_jumps[v] = {isEven ? far : above, depthOf(above) + 1};
  }

  LargeArray<Candidate>& m_candidates;
  LargeArray<Jump>& m_jumps;
};

/// Turns semidominators into dominators (semi-NCA): each is the nearest dominator above that is not behind the
/// semidominator. `spare`: the links of the search, whose memory is used.
void findDominators(LargeArray<Candidate>& candidates, LargeArray<SearchTree::Link>& spare, std::uint32_t reached,
                    StageProgress& progress) {
  auto jumps = std::move(spare).reuse<Jump>();
  DominatorClimb(candidates, jumps).run(reached, [&](double share) {
    progress.report(kSemidominatorsEnd + (kDominatorsEnd - kSemidominatorsEnd) * share);
  });
  spare = std::move(jumps).reuse<SearchTree::Link>();
}

}  // namespace

std::optional<DominatorTree> DominatorTree::build(const EdgeRows& edges, const RootForest& roots,
                                                  StageProgress& progress, std::stop_token stop) {
  auto search = SearchTree::grow(edges, roots, progress, stop);
  if (!search) return std::nullopt;
  auto candidates = std::move(search->nodes).reuse<Candidate>();
  const auto told = [&](double share) {
    progress.report(SearchTree::kProgressShare + (kSemidominatorsEnd - SearchTree::kProgressShare) * share);
  };
  if (!findSemidominators(*search, candidates, told, stop)) return std::nullopt;
  search->backArcs.clear();
  findDominators(candidates, search->links, search->reached, progress);
  progress.report(kDominatorsEnd);
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
