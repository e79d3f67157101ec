// SPDX-License-Identifier: MIT
#include "graph/reference_counts.h"

#include <algorithm>
#include <atomic>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

namespace heapscape::engine {
namespace {

constexpr std::size_t kCountedAtOnce = 1 << 18;
constexpr std::size_t kCountedAhead = 16;

/// Never goes on from kMany, whoever else counts.
void countOne(std::uint8_t& count) {
  const std::atomic_ref<std::uint8_t> shared(count);
  std::uint8_t known = shared.load(std::memory_order_relaxed);
  while (known != ReferenceCounts::kMany &&
         !shared.compare_exchange_weak(known, static_cast<std::uint8_t>(known + 1), std::memory_order_relaxed)) {
  }
}

}  // namespace

std::optional<ReferenceCounts> ReferenceCounts::count(const EdgeRows& edges, const std::stop_token& stop) {
  ReferenceCounts result;
  result.m_counts = LargeArray<std::uint8_t>(edges.vertexCount());
  LargeArray<std::uint8_t>& counts = result.m_counts;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, edges.targets.size(), kCountedAtOnce), [&](const auto& part) {
    if (stop.stop_requested()) return;
    for (std::size_t i = part.begin(); i < part.end(); ++i) {
      if (i + kCountedAhead < part.end()) __builtin_prefetch(&counts[edges.targets[i + kCountedAhead]], 1);
      countOne(counts[edges.targets[i]]);
    }
  });
  if (stop.stop_requested()) return std::nullopt;
  return result;
}

std::uint64_t countReferencesTo(const EdgeRows& edges, std::uint32_t object) {
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, edges.targets.size(), kCountedAtOnce), std::uint64_t{0},
      [&](const auto& part, std::uint64_t count) {
        const auto* targets = edges.targets.data();
        return count + static_cast<std::uint64_t>(std::count(targets + part.begin(), targets + part.end(), object));
      },
      std::plus());
}

std::vector<std::uint32_t> firstReferrersOf(const EdgeRows& edges, std::span<const std::uint32_t> objects) {
  std::vector<std::uint32_t> referrers(objects.begin(), objects.end());
  if (objects.empty()) return referrers;
  std::vector<bool> isWanted(edges.vertexCount());
  for (const std::uint32_t object : objects) isWanted[object] = true;
  for (std::uint32_t source = 0, edge = 0; source < edges.vertexCount(); ++source) {
    for (const std::uint32_t end = edge + edges.rows.countOf(source); edge < end; ++edge) {
      const std::uint32_t target = edges.targets[edge];
      if (!isWanted[target]) continue;
      isWanted[target] = false;
      const auto place = std::ranges::lower_bound(objects, target) - objects.begin();
      referrers[static_cast<std::size_t>(place)] = source;
    }
  }
  return referrers;
}

}  // namespace heapscape::engine
