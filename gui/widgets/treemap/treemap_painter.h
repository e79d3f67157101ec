// SPDX-License-Identifier: MIT
#pragma once

#include <QPalette>
#include <vector>

#include "widgets/treemap/treemap_geometry.h"

class QPainter;

namespace heapscape::gui {

/// Draws the tiles with the painter's font: fills, headings, and labels where they fit.
void paintTreemap(QPainter& painter, const std::vector<TreemapPart>& groups, const std::vector<TreemapTile>& tiles,
                  const QPalette& palette);

}  // namespace heapscape::gui
