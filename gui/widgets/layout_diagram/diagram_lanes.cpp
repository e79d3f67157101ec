// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/diagram_lanes.h"

#include <algorithm>

namespace heapscape::gui {

using engine::LayoutItem;
using engine::LayoutItems;

std::vector<OverlapCluster> clusterOverlaps(const LayoutItems& items, const std::vector<std::uint32_t>& siblings) {
  std::vector<OverlapCluster> clusters;
  std::int64_t clusterEnd = items.begin;
  for (const std::uint32_t number : siblings) {
    const LayoutItem& item = items[number];
    if (clusters.empty() || item.begin >= clusterEnd) clusters.emplace_back();
    auto& lanes = clusters.back().lanes;
    const auto free =
        std::ranges::find_if(lanes, [&](const auto& lane) { return items[lane.back()].end <= item.begin; });
    if (free != lanes.end()) {
      free->push_back(number);
    } else {
      lanes.push_back({number});
    }
    clusterEnd = std::max(clusterEnd, item.end);
  }
  return clusters;
}

}  // namespace heapscape::gui
