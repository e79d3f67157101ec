// SPDX-License-Identifier: MIT
#include "views/references/dominators/sunburst_geometry.h"

#include <QRectF>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "widgets/drawing/marks.h"

namespace heapscape::gui {
namespace {

constexpr double kMargin = 8;
constexpr double kHoleShare = 0.24;
constexpr std::uint32_t kMostRings = 9;
constexpr double kFullCircle = 360;

double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

QPointF pointAt(QPointF centre, double radius, double angle) {
  return {centre.x() + radius * std::sin(radians(angle)), centre.y() - radius * std::cos(radians(angle))};
}

QRectF around(QPointF centre, double radius) {
  return {centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius};
}

std::uint32_t deepestOf(const std::vector<engine::DominatorShape>& shapes) {
  std::uint32_t deepest = 0;
  for (const engine::DominatorShape& shape : shapes) deepest = std::max(deepest, shape.depth);
  return deepest;
}

}  // namespace

Sunburst makeSunburst(const std::vector<engine::DominatorShape>& shapes, QSizeF size, double leastRing) {
  Sunburst sunburst;
  sunburst.centre = {size.width() / 2, size.height() / 2};
  sunburst.radius = std::min(size.width(), size.height()) / 2 - kMargin;
  if (shapes.empty() || shapes[0].node.retainedBytes == 0 || sunburst.radius < 2 * leastRing) return sunburst;
  sunburst.holeRadius = sunburst.radius * kHoleShare;
  const double room = sunburst.radius - sunburst.holeRadius;
  const auto fitting = static_cast<std::uint32_t>(std::max(1.0, std::floor(room / leastRing)));
  const std::uint32_t rings = std::min({std::max(deepestOf(shapes), 1u), fitting, kMostRings});
  const double ring = room / rings;
  const double degreesPerByte = kFullCircle / static_cast<double>(shapes[0].node.retainedBytes);
  for (std::uint32_t i = 1; i < shapes.size(); ++i) {
    const engine::DominatorShape& shape = shapes[i];
    if (shape.depth > rings) continue;
    SunburstArc arc;
    arc.shape = i;
    arc.innerRadius = sunburst.holeRadius + (shape.depth - 1) * ring;
    arc.outerRadius = arc.innerRadius + ring;
    arc.startAngle = static_cast<double>(shape.firstByte) * degreesPerByte;
    arc.spanAngle = static_cast<double>(shape.node.retainedBytes) * degreesPerByte;
    if (radians(arc.spanAngle) * arc.outerRadius >= 1) sunburst.arcs.push_back(arc);
  }
  return sunburst;
}

std::optional<std::uint32_t> Sunburst::shapeAt(QPointF point) const {
  const QPointF offset = point - centre;
  const double distance = std::hypot(offset.x(), offset.y());
  if (distance < holeRadius) return 0;
  double angle = std::atan2(offset.x(), -offset.y()) * 180 / std::numbers::pi;
  if (angle < 0) angle += kFullCircle;
  const auto isThere = [&](const SunburstArc& arc) {
    return distance >= arc.innerRadius && distance < arc.outerRadius && angle >= arc.startAngle &&
           angle < arc.startAngle + arc.spanAngle;
  };
  const auto found = std::ranges::find_if(arcs, isThere);
  return found == arcs.end() ? std::nullopt : std::optional(found->shape);
}

QPainterPath arcPath(const Sunburst& sunburst, const SunburstArc& arc) {
  QPainterPath path;
  if (arc.spanAngle >= kFullCircle) {
    path.addEllipse(around(sunburst.centre, arc.outerRadius));
    path.addEllipse(around(sunburst.centre, arc.innerRadius));
    return path;
  }
  // Qt counts angles counter-clockwise from three o'clock.
  const double start = 90 - arc.startAngle;
  path.moveTo(pointAt(sunburst.centre, arc.innerRadius, arc.startAngle));
  path.lineTo(pointAt(sunburst.centre, arc.outerRadius, arc.startAngle));
  path.arcTo(around(sunburst.centre, arc.outerRadius), start, -arc.spanAngle);
  path.lineTo(pointAt(sunburst.centre, arc.innerRadius, arc.startAngle + arc.spanAngle));
  path.arcTo(around(sunburst.centre, arc.innerRadius), start - arc.spanAngle, arc.spanAngle);
  path.closeSubpath();
  return path;
}

std::vector<QLineF> arcSeam(const Sunburst& sunburst, const SunburstArc& arc) {
  const double radius = arc.innerRadius + kSeamInset + kSeamWidth / 2;
  const double degreesPerPixel = 180 / (std::numbers::pi * radius);
  const double first = arc.startAngle + kSeamInset * degreesPerPixel;
  std::vector<QLineF> lines;
  for (const SeamDash& dash : seamDashes(radians(arc.spanAngle) * radius - 2 * kSeamInset)) {
    const double from = first + dash.start * degreesPerPixel;
    lines.emplace_back(pointAt(sunburst.centre, radius, from),
                       pointAt(sunburst.centre, radius, from + dash.length * degreesPerPixel));
  }
  return lines;
}

QPointF arcCentre(const Sunburst& sunburst, const SunburstArc& arc) {
  return pointAt(sunburst.centre, (arc.innerRadius + arc.outerRadius) / 2, arc.startAngle + arc.spanAngle / 2);
}

}  // namespace heapscape::gui
