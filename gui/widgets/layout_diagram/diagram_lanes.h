// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "layout/layout_items.h"

namespace heapscape::gui {

/// Neighbours whose bytes overlap, directly or through others; each lane holds some that do not.
struct OverlapCluster {
  std::vector<std::vector<std::uint32_t>> lanes;
};

/// Most clusters are one item in one lane. `siblings` must be sorted by begin.
std::vector<OverlapCluster> clusterOverlaps(const engine::LayoutItems& items,
                                            const std::vector<std::uint32_t>& siblings);

}  // namespace heapscape::gui
