// SPDX-License-Identifier: MIT
#include "graph/semidominators.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace heapscape::engine {
namespace {

// How far ahead of their use the links of arcs' sources are fetched; found by measuring.
constexpr std::size_t kFetchLink = 24;
constexpr std::size_t kFetchAncestor = 8;

/// Finds the semidominator of every vertex, from the last number to the first. The search's first finder of a vertex is
/// its predecessor with the smallest number, so that only arcs from later vertices into earlier ones have to be
/// evaluated beside it.
class SemidominatorSweep {
 public:
  SemidominatorSweep(SearchTree& tree, LargeArray<Candidate>& candidates)
      : m_links(tree.links.data()),
        m_arcs(tree.backArcs),
        m_reached(tree.reached),
        m_candidates(candidates),
        m_ends(ArcBuckets::kTargetsPerBucket) {}

  bool run(StageProgress& progress, const std::stop_token& stop) {
    for (std::uint32_t bucket = m_reached / ArcBuckets::kTargetsPerBucket + 1; bucket-- > 0;) {
      if (stop.stop_requested()) return false;
      sortArcs(bucket);
      const std::uint32_t first = bucket * ArcBuckets::kTargetsPerBucket;
      sweep(std::max(first, 1u), first, std::min(m_reached, first + ArcBuckets::kTargetsPerBucket - 1));
      progress.report(1 - (1 - SearchTree::kProgressShare) * first / (m_reached + 1.0));
    }
    return true;
  }

 private:
  // The sources by target, counted within the bucket: those of target t lie from m_ends[t - 1] to m_ends[t].
  void sortArcs(std::uint32_t bucket) {
    std::fill(m_ends.begin(), m_ends.end(), 0);
    std::uint32_t count = 0;
    m_arcs.forEach(bucket, [&](ArcBuckets::Arc arc) {
      ++m_ends[arc.target % ArcBuckets::kTargetsPerBucket];
      ++count;
    });
    std::uint32_t start = 0;
    for (std::uint32_t& end : m_ends) start += std::exchange(end, start);
    m_sources.resize(count);
    m_arcs.forEach(bucket, [&](ArcBuckets::Arc arc) {
      m_sources[m_ends[arc.target % ArcBuckets::kTargetsPerBucket]++] = arc.source;
    });
  }

  void sweep(std::uint32_t from, std::uint32_t first, std::uint32_t to) {
    std::size_t next = m_sources.size();
    for (std::uint32_t w = to; w >= from; --w) {
      std::uint32_t best = m_links[w].firstFinder;
      for (const std::size_t start = w == first ? 0 : m_ends[w - first - 1]; next > start;) {
        --next;
        if (next >= kFetchLink) __builtin_prefetch(&m_links[m_sources[next - kFetchLink]]);
        if (next >= kFetchAncestor) __builtin_prefetch(&m_links[m_links[m_sources[next - kFetchAncestor]].parent]);
        best = std::min(best, smallestLabel(m_sources[next], w));
      }
      m_candidates[w] = {m_links[w].parent, best};
      m_links[w].firstFinder = best;
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
  LargeArray<Candidate>& m_candidates;
  std::vector<std::uint32_t> m_ends;     // by target within the bucket
  std::vector<std::uint32_t> m_sources;  // of the bucket's arcs
  std::vector<std::uint32_t> m_path;
};

}  // namespace

bool findSemidominators(SearchTree& search, LargeArray<Candidate>& candidates, StageProgress& progress,
                        const std::stop_token& stop) {
  return SemidominatorSweep(search, candidates).run(progress, stop);
}

}  // namespace heapscape::engine
