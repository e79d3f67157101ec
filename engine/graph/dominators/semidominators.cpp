// SPDX-License-Identifier: MIT
#include "graph/dominators/semidominators.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <tbb/task_group.h>

namespace heapscape::engine {
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
  bool run(const std::function<void(double)>& told, const std::stop_token& stop) {
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
      told(1 - bucket * ArcBuckets::kTargetsPerBucket / (m_reached + 1.0));
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

bool findSemidominators(SearchTree& search, const std::function<void(double)>& told, const std::stop_token& stop) {
  return SemidominatorSweep(search).run(told, stop);
}

}  // namespace heapscape::engine
