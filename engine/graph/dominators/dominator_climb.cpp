// SPDX-License-Identifier: MIT
#include "graph/dominators/dominator_climb.h"

#include <utility>

namespace heapscape::engine {
namespace {

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

  void run(std::uint32_t reached) {
    const std::uint64_t enough = kStepsBeforeJumps * reached;
    std::uint64_t steps = 0;
    std::uint32_t w = 1;
    for (; w <= reached && steps <= enough; ++w) {
      const auto [parent, semidominator] = m_candidates[w];
      std::uint32_t dominator = parent;
      for (; dominator > semidominator; ++steps) dominator = m_candidates[dominator].dominator;
      m_candidates[w].dominator = dominator;
    }
    if (w > reached) return;
    m_jumps[0] = {0, 0};
    for (std::uint32_t v = 1; v < w; ++v) addJump(v);
    for (; w <= reached; ++w) {
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

}  // namespace

void findDominators(LargeArray<Candidate>& candidates, LargeArray<SearchTree::Link>& spare, std::uint32_t reached) {
  auto jumps = std::move(spare).reuse<Jump>();
  DominatorClimb(candidates, jumps).run(reached);
  spare = std::move(jumps).reuse<SearchTree::Link>();
}

}  // namespace heapscape::engine
