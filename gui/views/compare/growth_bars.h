// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <QSize>
#include <QString>
#include <cstdint>
#include <vector>

#include "insight/comparison/comparison.h"

namespace heapscape::gui {

/// A type that has grown or shrunk.
struct GrowthBar {
  std::string type;
  engine::Change bytes;
  std::uint32_t row = 0;  // in the comparison's types
};

/// The types that grew most, and behind them those that shrunk most, so many of each at most. The comparison's types
/// are in order of growth.
std::vector<GrowthBar> growthBars(const std::vector<engine::TypeChange>& types, std::size_t each = 8);

/// Where one bar lies: its name on the left, the bar beside the axis, and its figure at the bar's end.
struct GrowthBarShape {
  QRectF line;  // all of it
  QRectF name;
  QRectF bar;  // at least a pixel wide
  QRectF figure;
  bool isGrowth = true;
};

struct GrowthPicture {
  double axis = 0;  // x of no change
  std::vector<GrowthBarShape> bars;
};

/// Growth goes to the right of the axis, shrinking to the left, both to one scale. Bars that find no room below are
/// left out. `lineHeight` and `figureWidth` come from the font.
GrowthPicture layOutGrowth(const std::vector<GrowthBar>& bars, QSizeF size, double lineHeight, double figureWidth);

}  // namespace heapscape::gui
