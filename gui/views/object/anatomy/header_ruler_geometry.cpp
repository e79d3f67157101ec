// SPDX-License-Identifier: MIT
#include "views/object/anatomy/header_ruler_geometry.h"

#include <algorithm>

namespace heapscape::gui {
namespace {

constexpr int kBits = 32;
constexpr double kGroupGap = 2;  // between cells of different groups
constexpr double kTick = 10;     // from a line to the name beside it

QRectF cellsOf(const std::vector<QRectF>& bits, const engine::HeaderBits& group) {
  const int lowest = std::min<int>(group.first, kBits - 1);
  const int highest = std::clamp(group.first + group.count - 1, lowest, kBits - 1);
  const QRectF cells = bits[static_cast<std::size_t>(lowest)].united(bits[static_cast<std::size_t>(highest)]);
  return cells.adjusted(kGroupGap / 2, 0, -kGroupGap / 2, 0);
}

}  // namespace

RulerGeometry layOutRuler(const std::vector<engine::HeaderBits>& groups, const std::vector<double>& labelWidths,
                          const RulerMetrics& metrics) {
  RulerGeometry geometry;
  const double cell = (metrics.width - 2 * metrics.margin) / kBits;
  for (int bit = 0; bit < kBits; ++bit) {
    const double left = metrics.margin + (kBits - 1 - bit) * cell;
    geometry.bits.emplace_back(left, metrics.numberHeight, cell, metrics.cellHeight);
  }
  const double below = metrics.numberHeight + metrics.cellHeight + metrics.lineHeight / 2;
  std::vector<double> free;  // by line: up to where nothing stands yet
  geometry.groups.resize(groups.size());
  // From the right: a name that is wider than its bits stands beside its line, below the names to its right, so that
  // no line crosses a name.
  for (std::size_t number = groups.size(); number-- > 0;) {
    RulerGroup& group = geometry.groups[number];
    group.cells = cellsOf(geometry.bits, groups[number]);
    const double middle = group.cells.center().x();
    const double width = labelWidths[number];
    const bool fits = width <= group.cells.width();
    const double rightmost = std::max(metrics.margin, metrics.width - metrics.margin - width);
    const double left = std::min(fits ? middle - width / 2 : middle + kTick, rightmost);
    std::size_t line = 0;
    while (line < free.size() && left + width + metrics.gap > free[line]) ++line;
    if (line == free.size()) free.push_back(metrics.width);
    for (std::size_t above = 0; above <= line; ++above) free[above] = std::min(free[above], std::min(left, middle));
    group.label = {left, below + static_cast<double>(line) * metrics.lineHeight, width, metrics.lineHeight};
    group.isBeside = !fits;
    group.from = {middle, group.cells.bottom()};
    group.to = {middle, fits ? group.label.top() : group.label.center().y()};
  }
  geometry.size = {metrics.width, below + static_cast<double>(free.size()) * metrics.lineHeight + metrics.margin};
  return geometry;
}

}  // namespace heapscape::gui
