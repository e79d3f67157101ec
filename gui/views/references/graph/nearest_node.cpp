// SPDX-License-Identifier: MIT
#include "views/references/graph/nearest_node.h"

#include <QPointF>
#include <cmath>

namespace heapscape::gui {

namespace {

constexpr double kAside = 3;  // how much worse a step aside is than one ahead

QPointF directionOf(Qt::Key key) {
  switch (key) {
    case Qt::Key_Left:
      return {-1, 0};
    case Qt::Key_Right:
      return {1, 0};
    case Qt::Key_Up:
      return {0, -1};
    default:
      return {0, 1};
  }
}

}  // namespace

std::optional<std::size_t> nearestNode(const std::vector<QRectF>& boxes, std::size_t from, Qt::Key key) {
  const QPointF direction = directionOf(key);
  std::optional<std::size_t> nearest;
  double least = 0;
  for (std::size_t box = 0; box < boxes.size(); ++box) {
    const QPointF way = boxes[box].center() - boxes[from].center();
    const double ahead = QPointF::dotProduct(way, direction);
    const double aside = std::abs(way.x() * direction.y() - way.y() * direction.x());
    // Columns overlap a little; what is more beside than ahead belongs to another arrow.
    const double leastAhead = (direction.x() != 0 ? boxes[from].width() : boxes[from].height()) / 2;
    if (box == from || ahead < leastAhead) continue;
    const double distance = ahead + kAside * aside;
    if (nearest && distance >= least) continue;
    nearest = box;
    least = distance;
  }
  return nearest;
}

}  // namespace heapscape::gui
