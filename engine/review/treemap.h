// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

namespace heapscape::engine {

/// Where a treemap or a part of it lies, in any unit; y grows downwards.
struct TreemapRect {
  double x = 0, y = 0, width = 0, height = 0;
};

/// Divides an area by weights into rectangles that are as near to squares as a squarified treemap gets (Bruls, Huizing
/// and van Wijk, "Squarified treemaps", 2000). One for each weight, in the order of the weights: areas are in the
/// proportion of the weights and add up to `area`. What weighs nothing, less or no number has no area. Looks best with
/// the largest weight first, but any order is right. Takes time in proportion to the number of weights.
std::vector<TreemapRect> squarify(std::span<const double> weights, const TreemapRect& area);

}  // namespace heapscape::engine
