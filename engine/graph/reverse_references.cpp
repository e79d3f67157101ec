// SPDX-License-Identifier: MIT
#include "graph/reverse_references.h"

#include <atomic>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "base/progress.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kReferencesAhead = 16;

}  // namespace

// Edges are counted on all cores and placed by one, in order, so that the sources need no sorting.
std::optional<ReverseReferences> ReverseReferences::build(const EdgeRows& edges, StageProgress& progress,
                                                          std::stop_token stop) {
  const std::uint32_t objects = edges.vertexCount();
  ReverseReferences reverse;
  reverse.m_rows = LargeArray<std::uint32_t>(std::size_t{objects} + 2);
  reverse.m_sources = LargeArray<std::uint32_t>(edges.targets.size());
  auto& rows = reverse.m_rows;
  // Counted two places behind, so that placing moves each start to where it belongs.
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, edges.targets.size(), 1 << 20), [&](const auto& part) {
    for (std::size_t i = part.begin(); i < part.end(); ++i) {
      if (i + kReferencesAhead < part.end())
        __builtin_prefetch(&rows[std::size_t{edges.targets[i + kReferencesAhead]} + 2], 1);
      std::atomic_ref<std::uint32_t>(rows[std::size_t{edges.targets[i]} + 2]).fetch_add(1, std::memory_order_relaxed);
    }
  });
  if (stop.stop_requested()) return std::nullopt;
  progress.report(0.3);
  for (std::size_t i = 2; i <= std::size_t{objects} + 1; ++i) rows[i] += rows[i - 1];
  for (std::uint32_t object = 0, edge = 0; object < objects; ++object) {
    if (object % kStopInterval == 0) {
      if (stop.stop_requested()) return std::nullopt;
      progress.report(0.3 + 0.7 * object / objects);
    }
    for (const std::uint32_t end = edge + edges.rows.countOf(object); edge < end; ++edge) {
      if (edge + kReferencesAhead < edges.targets.size())
        __builtin_prefetch(&rows[std::size_t{edges.targets[edge + kReferencesAhead]} + 1], 1);
      reverse.m_sources[rows[std::size_t{edges.targets[edge]} + 1]++] = object;
    }
  }
  progress.report(1);
  return reverse;
}

}  // namespace heapscape::engine
