// SPDX-License-Identifier: MIT
#include "views/overview/top_types_geometry.h"

#include <algorithm>

namespace heapscape::gui {

namespace {

constexpr double kNameShare = 0.5;
constexpr double kGap = 12;
constexpr double kTopTypesGeometryMargin = 8;
constexpr double kTopTypesGeometryBarHeight = 0.5;  // of the row
constexpr double kThinnestBar = 2;

}  // namespace

std::vector<TopTypeBar> topTypeBars(const std::vector<TopType>& types, double width, double rowHeight,
                                    double figureWidth) {
  std::uint64_t most = 1;
  for (const TopType& type : types) most = std::max(most, type.bytes);
  const double nameWidth = std::max(0.0, (width - figureWidth - 2 * kTopTypesGeometryMargin) * kNameShare);
  const double barLeft = kTopTypesGeometryMargin + nameWidth + kGap;
  const double barRoom = std::max(0.0, width - kTopTypesGeometryMargin - figureWidth - kGap - barLeft);

  std::vector<TopTypeBar> bars;
  bars.reserve(types.size());
  for (const TopType& type : types) {
    const double top = rowHeight * static_cast<double>(bars.size());
    TopTypeBar bar;
    bar.row = QRectF(0, top, width, rowHeight);
    bar.name = QRectF(kTopTypesGeometryMargin, top, nameWidth, rowHeight);
    bar.figure = QRectF(width - kTopTypesGeometryMargin - figureWidth, top, figureWidth, rowHeight);
    const double length = std::max(kThinnestBar, barRoom * static_cast<double>(type.bytes) / static_cast<double>(most));
    double left = barLeft;
    for (const engine::Generation generation : engine::kGenerations) {
      const std::uint64_t bytes = type.generationBytes[static_cast<std::size_t>(generation)];
      if (bytes == 0 || type.bytes == 0) continue;
      const double part = length * static_cast<double>(bytes) / static_cast<double>(type.bytes);
      bar.parts.emplace_back(generation, QRectF(left, top + rowHeight * (1 - kTopTypesGeometryBarHeight) / 2, part,
                                                rowHeight * kTopTypesGeometryBarHeight));
      left += part;
    }
    bars.push_back(std::move(bar));
  }
  return bars;
}

}  // namespace heapscape::gui
