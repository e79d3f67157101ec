// SPDX-License-Identifier: MIT
#include "layout/advice/overlap_clusters.h"

#include <algorithm>
#include <numeric>

namespace heapscape::engine {

std::vector<OverlapCluster> overlapClusters(const FieldPlacement& placement, std::span<const FieldExtent> shapes) {
  std::vector<std::uint32_t> byOffset(placement.offsets.size());
  std::iota(byOffset.begin(), byOffset.end(), 0u);
  std::ranges::stable_sort(byOffset, {}, [&](std::uint32_t field) { return placement.offsets[field]; });
  std::vector<OverlapCluster> clusters;
  std::uint64_t end = 0;
  for (const std::uint32_t field : byOffset) {
    if (clusters.empty() || placement.offsets[field] >= end)
      clusters.push_back({.fields = {}, .start = placement.offsets[field], .shape = {}});
    OverlapCluster& cluster = clusters.back();
    cluster.fields.push_back(field);
    cluster.shape.alignment = std::max(cluster.shape.alignment, shapes[field].alignment);
    end = std::max(end, std::uint64_t{placement.offsets[field]} + placement.sizes[field]);
    cluster.shape.sizeBytes = static_cast<std::uint32_t>(end);  // of the end, until it is known where it starts
  }
  for (OverlapCluster& cluster : clusters) {
    cluster.start -= cluster.start % cluster.shape.alignment;
    cluster.shape.sizeBytes -= cluster.start;
  }
  return clusters;
}

}  // namespace heapscape::engine
