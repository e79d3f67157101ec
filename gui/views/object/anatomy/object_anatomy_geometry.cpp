// SPDX-License-Identifier: MIT
#include "views/object/anatomy/object_anatomy_geometry.h"

#include <algorithm>

namespace heapscape::gui {
namespace {

constexpr double kNarrowest = 96;

std::vector<double> columnWidths(const ObjectAnatomy& anatomy, const ObjectAnatomyMetrics& metrics) {
  std::vector<double> widths;
  for (std::size_t box = 0; box < anatomy.boxes.size(); ++box) {
    const auto column = static_cast<std::size_t>(anatomy.boxes[box].column);
    if (widths.size() <= column) widths.resize(column + 1, kNarrowest);
    widths[column] = std::max(widths[column], metrics.widths[box] + 2 * metrics.padding);
  }
  const double gaps = metrics.columnGap * static_cast<double>(widths.size() - 1);
  const double room = std::max(0.0, metrics.width - 2 * metrics.margin - gaps);
  // Where room is short the widest give way first.
  std::vector<double> sorted = widths;
  std::ranges::sort(sorted);
  double left = room;
  double widest = room;
  for (std::size_t narrower = 0; narrower < sorted.size(); ++narrower) {
    widest = left / static_cast<double>(sorted.size() - narrower);
    if (sorted[narrower] > widest) break;
    left -= sorted[narrower];
    widest = sorted.back();
  }
  for (double& width : widths) width = std::max(kNarrowest, std::min(width, widest));
  return widths;
}

// Down the middle between the columns, so that arrows to several boxes share a line.
QPolygonF arrowBetween(const QRectF& from, const QRectF& to, double bend) {
  const QPointF start(from.right(), from.center().y());
  const QPointF end(to.left(), to.center().y());
  return QPolygonF({start, {bend, start.y()}, {bend, end.y()}, end});
}

}  // namespace

ObjectAnatomyGeometry layOutObjectAnatomy(const ObjectAnatomy& anatomy, const ObjectAnatomyMetrics& metrics) {
  ObjectAnatomyGeometry geometry;
  if (anatomy.boxes.empty()) return geometry;
  const std::vector<double> widths = columnWidths(anatomy, metrics);
  std::vector<double> left(widths.size(), metrics.margin);
  for (std::size_t column = 1; column < widths.size(); ++column) {
    left[column] = left[column - 1] + widths[column - 1] + metrics.columnGap;
  }
  std::vector<double> top(widths.size(), metrics.margin);
  for (const ObjectAnatomyBox& box : anatomy.boxes) {
    const auto column = static_cast<std::size_t>(box.column);
    const double lines = 2.0 + static_cast<double>(box.lines.size());
    const double height = lines * metrics.lineHeight + 2 * metrics.padding;
    geometry.boxes.emplace_back(left[column], top[column], widths[column], height);
    top[column] += height + metrics.rowGap;
  }
  for (const ObjectAnatomyArrow& arrow : anatomy.arrows) {
    const QRectF& to = geometry.boxes[arrow.to];
    geometry.arrows.push_back(arrowBetween(geometry.boxes[arrow.from], to, to.left() - metrics.columnGap / 2));
  }
  const double lowest = *std::ranges::max_element(top) - metrics.rowGap + metrics.margin;
  geometry.size = {left.back() + widths.back() + metrics.margin, lowest};
  return geometry;
}

}  // namespace heapscape::gui
