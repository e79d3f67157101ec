// SPDX-License-Identifier: MIT
#include "graph/reference_counts.h"

#include <algorithm>
#include <array>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

namespace heapscape::engine {
namespace {

constexpr std::size_t kCountedAtOnce = 1 << 18;
constexpr std::size_t kCountedTogether = 1 << 10;
constexpr std::size_t kCountedAhead = 16;

/// Counts references to objects from one number to another. One core alone writes their bytes: that each looks at all
/// targets costs less than to share a byte. Targets are gathered first, so that many bytes are on their way at once.
void countBetween(std::span<const std::uint32_t> targets, std::uint32_t first, std::uint32_t end,
                  LargeArray<std::uint8_t>& counts) {
  std::array<std::uint32_t, kCountedTogether> found;
  for (std::size_t from = 0; from < targets.size(); from += kCountedTogether) {
    const auto some = targets.subspan(from, std::min(kCountedTogether, targets.size() - from));
    std::size_t size = 0;
    for (const std::uint32_t target : some) {
      found[size] = target;
      size += target - first < end - first;
    }
    for (std::size_t i = 0; i < size; ++i) {
      if (i + kCountedAhead < size) __builtin_prefetch(&counts[found[i + kCountedAhead]], 1);
      std::uint8_t& count = counts[found[i]];
      count = static_cast<std::uint8_t>(count + (count != ReferenceCounts::kMany));
    }
  }
}

}  // namespace

std::optional<ReferenceCounts> ReferenceCounts::count(const EdgeRows& edges, const std::stop_token& stop) {
  ReferenceCounts result;
  const std::uint64_t objects = edges.vertexCount();
  result.m_counts = LargeArray<std::uint8_t>(objects);
  const auto parts = static_cast<std::uint64_t>(tbb::this_task_arena::max_concurrency());
  tbb::parallel_for(std::uint64_t{0}, parts, [&](std::uint64_t part) {
    const auto first = static_cast<std::uint32_t>(objects * part / parts);
    const auto end = static_cast<std::uint32_t>(objects * (part + 1) / parts);
    for (std::size_t from = 0; from < edges.targets.size() && !stop.stop_requested(); from += kCountedAtOnce) {
      const std::size_t size = std::min(kCountedAtOnce, edges.targets.size() - from);
      countBetween(edges.targets.subspan(from, size), first, end, result.m_counts);
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
