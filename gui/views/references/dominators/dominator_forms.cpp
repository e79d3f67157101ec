// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_forms.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "review/treemap.h"
#include "views/references/dominators/dominator_text.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr double kTileInset = 2;      // around the parts of a tile
constexpr double kLeastTile = 2;      // smaller ones are left out
constexpr double kLeastDivided = 14;  // smaller ones are not divided
constexpr double kHeadingWidths = 3;  // of its height, that a heading has room in at least
constexpr double kHeadingHeights = 2.2;

/// Children of each shape, which stand side by side in the list.
struct Family {
  std::uint32_t first = 0, count = 0;
};

std::vector<Family> familiesOf(const std::vector<engine::DominatorShape>& shapes) {
  std::vector<Family> families(shapes.size());
  for (std::uint32_t i = 1; i < shapes.size(); ++i) {
    Family& family = families[shapes[i].parent];
    if (family.count++ == 0) family.first = i;
  }
  return families;
}

QRectF roomFor(DominatorTile& tile, double headingHeight) {
  QRectF room = tile.rect.adjusted(kTileInset, kTileInset, -kTileInset, -kTileInset);
  const bool hasHeading =
      tile.rect.width() >= kHeadingWidths * headingHeight && tile.rect.height() >= kHeadingHeights * headingHeight;
  if (!hasHeading) return room;
  tile.heading = QRectF(tile.rect.left(), tile.rect.top(), tile.rect.width(), headingHeight);
  room.setTop(tile.heading.bottom());
  return room;
}

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

double icicleRowHeight(const std::vector<engine::DominatorShape>& shapes, QSizeF size, double least) {
  std::uint32_t levels = 1;
  const double whole = shapes.empty() ? 0 : static_cast<double>(shapes[0].node.retainedBytes);
  for (const engine::DominatorShape& shape : shapes) {
    if (static_cast<double>(shape.node.retainedBytes) * size.width() >= whole)
      levels = std::max(levels, shape.depth + 1);
  }
  return std::max(least, size.height() / levels);
}

std::vector<IcicleBox> icicleBoxes(const std::vector<engine::DominatorShape>& shapes, QSizeF size, double rowHeight) {
  if (shapes.empty()) return {};
  std::vector<IcicleSpan> spans;
  spans.reserve(shapes.size());
  for (std::uint32_t i = 0; i < shapes.size(); ++i) {
    const engine::DominatorShape& shape = shapes[i];
    spans.push_back({.shape = i,
                     .first = shape.firstByte,
                     .size = shape.node.retainedBytes,
                     .depth = shape.depth,
                     .isDivided = !shape.isRest && shape.node.children > 0});
  }
  return icicleBoxes(spans, shapes[0].node.retainedBytes, size, rowHeight);
}

namespace {

constexpr std::uint32_t kDominatorIcicleNone = 0xffffffff;

}  // namespace

DominatorIcicle::DominatorIcicle(QWidget* parent) : DominatorPicture(u"Dominators as an icicle"_s, parent) {
  setObjectName(u"dominatorIcicle"_s);
}

void DominatorIcicle::place() {
  const int least = std::max(24, fontMetrics().height() * 8 / 5 + 1);
  m_boxes = icicleBoxes(shapes(), size(), icicleRowHeight(shapes(), size(), least));
  m_boxByShape.assign(shapes().size(), kDominatorIcicleNone);
  for (std::uint32_t i = 0; i < m_boxes.size(); ++i) m_boxByShape[m_boxes[i].shape] = i;
}

const IcicleBox* DominatorIcicle::boxOf(std::uint32_t shape) const {
  return shape < m_boxByShape.size() && m_boxByShape[shape] != kDominatorIcicleNone ? &m_boxes[m_boxByShape[shape]]
                                                                                    : nullptr;
}

std::optional<std::uint32_t> DominatorIcicle::shapeAt(QPointF point) const {
  const auto holds = [point](const IcicleBox& box) {
    return point.x() >= box.rect.left() && point.x() < box.rect.right() && point.y() >= box.rect.top() &&
           point.y() < box.rect.bottom();
  };
  const auto found = std::ranges::find_if(m_boxes, holds);
  return found == m_boxes.end() ? std::nullopt : std::optional(found->shape);
}

QPainterPath DominatorIcicle::outlineOf(std::uint32_t shape) const {
  QPainterPath path;
  if (const IcicleBox* box = boxOf(shape)) path.addRect(box->rect.adjusted(0.5, 0.5, -0.5, -0.5));
  return path;
}

QPointF DominatorIcicle::pointIn(std::uint32_t shape) const {
  const IcicleBox* box = boxOf(shape);
  return box ? box->rect.center() : QPointF();
}

QRectF DominatorIcicle::areaOf(std::uint32_t shape) const {
  const IcicleBox* box = boxOf(shape);
  return box ? QRectF(box->rect.left(), box->rect.top(), box->rect.width(), height() - box->rect.top()) : QRectF();
}

void DominatorIcicle::paintShapes(QPainter& painter, const Colours& colours) const {
  for (const IcicleBox& box : m_boxes) paintBox(painter, colours, box);
}

void DominatorIcicle::paintBox(QPainter& painter, const Colours& colours, const IcicleBox& box) const {
  const QBrush fill = fillOf(box.shape, colours);
  const QColor text = textOn(box.shape, colours);
  const engine::DominatorShape& shape = shapes()[box.shape];
  const QRectF part = box.rect.adjusted(0, 0, -1, -1);
  paintIcicleBox(painter, box,
                 {.fill = fill,
                  .text = text,
                  .name = dominatorLabel(shape),
                  .figure = bytesText(shape.node.retainedBytes),
                  .plate = shape.isRest ? colours.freeSpace() : QColor(),
                  .belowLabel = freedHeight(box.shape, part)},
                 palette().color(QPalette::Text));
  if (isRoot(box.shape)) paintSeam(painter, part, rootSeamColour(text, fill.color(), colours));
  paintFreed(painter, colours, box.shape, part);
}

std::vector<DominatorTile> dominatorTiles(const std::vector<engine::DominatorShape>& shapes, QSizeF size,
                                          double headingHeight) {
  std::vector<DominatorTile> tiles;
  if (shapes.empty() || shapes[0].node.retainedBytes == 0 || size.width() < 1 || size.height() < 1) return tiles;
  const std::vector<Family> families = familiesOf(shapes);
  tiles.reserve(shapes.size());
  tiles.push_back({.shape = 0, .rect = QRectF(QPointF(), size)});
  std::vector<double> weights;
  for (std::size_t next = 0; next < tiles.size(); ++next) {
    DominatorTile& tile = tiles[next];
    const Family family = families[tile.shape];
    if (family.count == 0 || std::min(tile.rect.width(), tile.rect.height()) < kLeastDivided) continue;
    tile.isDivided = true;
    const QRectF room = roomFor(tile, headingHeight);
    auto own = static_cast<double>(shapes[tile.shape].node.retainedBytes);
    weights.clear();
    for (std::uint32_t i = 0; i < family.count; ++i) {
      weights.push_back(static_cast<double>(shapes[family.first + i].node.retainedBytes));
      own -= weights.back();
    }
    weights.push_back(std::max(0.0, own));
    const auto rects = engine::squarify(weights, {room.x(), room.y(), room.width(), room.height()});
    for (std::uint32_t i = 0; i < family.count; ++i) {
      const engine::TreemapRect& rect = rects[i];
      if (rect.width < kLeastTile || rect.height < kLeastTile) continue;
      tiles.push_back({.shape = family.first + i, .rect = QRectF(rect.x, rect.y, rect.width, rect.height)});
    }
  }
  return tiles;
}

namespace {

constexpr std::uint32_t kDominatorTreemapNone = 0xffffffff;
constexpr double kTileMargin = 5;
constexpr double kGroundShare = 0.35;  // of its colour behind what a tile is divided into
constexpr double kLeastGap = 4;        // narrower tiles have no line between them
constexpr qsizetype kFewestTileLetters = 4;

}  // namespace

DominatorTreemap::DominatorTreemap(QWidget* parent) : DominatorPicture(u"Dominators as a treemap"_s, parent) {
  setObjectName(u"dominatorTreemap"_s);
}

void DominatorTreemap::place() {
  // With room for the seam of roots above the name, and for what would be freed below it.
  const double line = fontMetrics().height();
  const double heading = hasFreed() ? line + kSeamInset + kSeamWidth + kFreedStrip + 2 : line * 1.4;
  m_tiles = dominatorTiles(shapes(), size(), heading);
  m_tileByShape.assign(shapes().size(), kDominatorTreemapNone);
  for (std::uint32_t i = 0; i < m_tiles.size(); ++i) m_tileByShape[m_tiles[i].shape] = i;
}

const DominatorTile* DominatorTreemap::tileOf(std::uint32_t shape) const {
  if (shape >= m_tileByShape.size() || m_tileByShape[shape] == kDominatorTreemapNone) return nullptr;
  return &m_tiles[m_tileByShape[shape]];
}

std::optional<std::uint32_t> DominatorTreemap::shapeAt(QPointF point) const {
  // The innermost one comes last.
  const auto found = std::find_if(m_tiles.rbegin(), m_tiles.rend(),
                                  [point](const DominatorTile& tile) { return tile.rect.contains(point); });
  return found == m_tiles.rend() ? std::nullopt : std::optional(found->shape);
}

QPainterPath DominatorTreemap::outlineOf(std::uint32_t shape) const {
  QPainterPath path;
  if (const DominatorTile* tile = tileOf(shape)) path.addRect(tile->rect.adjusted(0.5, 0.5, -0.5, -0.5));
  return path;
}

QPointF DominatorTreemap::pointIn(std::uint32_t shape) const {
  const DominatorTile* tile = tileOf(shape);
  if (!tile) return {};
  if (!tile->isDivided) return tile->rect.center();
  return tile->heading.isEmpty() ? tile->rect.topLeft() + QPointF(1, 1) : tile->heading.center();
}

void DominatorTreemap::paintShapes(QPainter& painter, const Colours& colours) const {
  for (const DominatorTile& tile : m_tiles) paintTile(painter, colours, tile);
}

void DominatorTreemap::paintTile(QPainter& painter, const Colours& colours, const DominatorTile& tile) const {
  const engine::DominatorShape& shape = shapes()[tile.shape];
  const bool hasGap = std::min(tile.rect.width(), tile.rect.height()) >= kLeastGap;
  const QRectF inner = hasGap ? tile.rect.adjusted(0, 0, -1, -1) : tile.rect;
  QBrush fill = fillOf(tile.shape, colours);
  if (tile.isDivided) fill = mixed(fill.color(), colours.surface(), kGroundShare);
  const QColor text = tile.isDivided ? palette().color(QPalette::Text) : textOn(tile.shape, colours);
  painter.fillRect(inner, fill);
  // Where it is divided there is no other room for it.
  const QRectF freed = tile.isDivided && !tile.heading.isEmpty() ? tile.heading : inner;
  paintFreed(painter, colours, tile.shape, freed);
  if (isRoot(tile.shape)) paintSeam(painter, inner, rootSeamColour(text, fill.color(), colours));
  const QFontMetricsF metrics(painter.font());
  QRectF room = tile.isDivided ? tile.heading : inner;
  const double belowSeam = isRoot(tile.shape) ? kSeamInset + kSeamWidth : 0;
  room.adjust(kTileMargin, belowSeam, -kTileMargin, -freedHeight(tile.shape, freed));
  if (room.height() < metrics.height() || room.width() < kFewestTileLetters * metrics.averageCharWidth()) return;
  painter.setPen(text);
  const QColor plate = shape.isRest ? colours.freeSpace() : QColor();
  const QString bytes = bytesText(shape.node.retainedBytes);
  const QString name = dominatorLabel(shape);
  const double figure = metrics.horizontalAdvance(bytes) + 2 * kTileMargin;
  if (tile.isDivided) {
    if (room.width() > metrics.horizontalAdvance(name) + figure) {
      painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, bytes);
      room.setRight(room.right() - figure);
    }
  } else if (room.height() >= 2 * metrics.lineSpacing() + kTileMargin && room.width() > figure) {
    paintOnPlate(painter, room.adjusted(0, kTileMargin / 2 + metrics.lineSpacing(), 0, 0), Qt::AlignLeft | Qt::AlignTop,
                 bytes, plate);
  }
  const QString shown = metrics.elidedText(name, Qt::ElideRight, room.width());
  if (shown.size() < kFewestTileLetters && shown != name) return;
  const auto place = tile.isDivided ? Qt::AlignVCenter : Qt::AlignTop;
  paintOnPlate(painter, tile.isDivided ? room : room.adjusted(0, kTileMargin / 2, 0, 0), Qt::AlignLeft | place, shown,
               plate);
}

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

namespace {

constexpr std::uint32_t kDominatorSunburstNone = 0xffffffff;
constexpr double kLabelMargin = 4;
constexpr double kRim = 6;           // hatched where something would be freed
constexpr double kRimStep = 4;       // between its lines
constexpr double kLeastLetters = 4;  // a label of fewer tells nothing

}  // namespace

SunburstArc arcOfLabel(const SunburstArc& arc, double freedShare) {
  SunburstArc part = arc;
  if (freedShare > 0) part.outerRadius = std::max(arc.innerRadius, arc.outerRadius - kRim - 1);
  return part;
}

DominatorSunburst::DominatorSunburst(QWidget* parent) : DominatorPicture(u"Dominators as a sunburst"_s, parent) {
  setObjectName(u"dominatorSunburst"_s);
}

void DominatorSunburst::place() {
  m_sunburst = makeSunburst(shapes(), size(), 2 * fontMetrics().height());
  m_arcByShape.assign(shapes().size(), kDominatorSunburstNone);
  for (std::uint32_t i = 0; i < m_sunburst.arcs.size(); ++i) m_arcByShape[m_sunburst.arcs[i].shape] = i;
}

const SunburstArc* DominatorSunburst::arcOf(std::uint32_t shape) const {
  if (shape >= m_arcByShape.size() || m_arcByShape[shape] == kDominatorSunburstNone) return nullptr;
  return &m_sunburst.arcs[m_arcByShape[shape]];
}

QPainterPath DominatorSunburst::outlineOf(std::uint32_t shape) const {
  QPainterPath path;
  if (shape == 0) {
    path.addEllipse(m_sunburst.centre, m_sunburst.holeRadius - 2, m_sunburst.holeRadius - 2);
  } else if (const SunburstArc* arc = arcOf(shape)) {
    path = arcPath(m_sunburst, *arc);
  }
  return path;
}

QPointF DominatorSunburst::pointIn(std::uint32_t shape) const {
  const SunburstArc* arc = arcOf(shape);
  return arc ? arcCentre(m_sunburst, *arc) : m_sunburst.centre;
}

void DominatorSunburst::paintShapes(QPainter& painter, const Colours& colours) const {
  painter.setRenderHint(QPainter::Antialiasing);
  for (const SunburstArc& arc : m_sunburst.arcs) paintArc(painter, colours, arc);
  paintMiddle(painter, colours);
}

void DominatorSunburst::paintArc(QPainter& painter, const Colours& colours, const SunburstArc& arc) const {
  const double length = arc.spanAngle * std::numbers::pi / 180 * arc.outerRadius;
  const QBrush fill = fillOf(arc.shape, colours);
  const QColor text = textOn(arc.shape, colours);
  painter.setBrush(fill);
  painter.setPen(length >= 3 ? QPen(colours.surface(), 1) : QPen(Qt::NoPen));
  painter.drawPath(arcPath(m_sunburst, arc));
  if (isRoot(arc.shape)) {
    const std::vector<QLineF> dashes = arcSeam(m_sunburst, arc);
    painter.setPen(QPen(rootSeamColour(text, fill.color(), colours), kSeamWidth, Qt::SolidLine, Qt::FlatCap));
    painter.drawLines(dashes.data(), static_cast<int>(dashes.size()));
  }
  paintFreedRim(painter, colours, arc);
  paintLabel(painter, text, arc);
}

// Hatched across the rim: vector files know no clipping.
void DominatorSunburst::paintFreedRim(QPainter& painter, const Colours& colours, const SunburstArc& arc) const {
  const double span = arc.spanAngle * freedShare(arc.shape) * std::numbers::pi / 180;
  if (span <= 0) return;
  const double start = arc.startAngle * std::numbers::pi / 180;
  const double step = kRimStep / arc.outerRadius;
  painter.setPen(QPen(colours.padding(), colours.isContrast ? 2.4 : 1.6, Qt::SolidLine, Qt::FlatCap));
  for (double angle = start + std::min(step, span) / 2; angle < start + span; angle += step) {
    const QPointF outward(std::sin(angle), -std::cos(angle));
    painter.drawLine(m_sunburst.centre + outward * (arc.outerRadius - kRim),
                     m_sunburst.centre + outward * (arc.outerRadius - 1));
  }
}

void DominatorSunburst::paintLabel(QPainter& painter, const QColor& colour, const SunburstArc& whole) const {
  const SunburstArc arc = arcOfLabel(whole, freedShare(whole.shape));
  // Along the radius, so that narrow pieces have room; never upside down.
  const QFontMetricsF metrics(painter.font());
  const double middle = (arc.innerRadius + arc.outerRadius) / 2;
  const double across = arc.spanAngle * std::numbers::pi / 180 * arc.innerRadius;
  const double ring = arc.outerRadius - arc.innerRadius;
  const double chord = 2 * middle * std::sin(std::min(arc.spanAngle, 180.0) / 2 * std::numbers::pi / 180);
  const bool isAlongRing = chord > ring * 1.5 && ring > metrics.height() * 1.3;
  if (!isAlongRing && across < metrics.height()) return;
  // A straight line of text leaves the ring where the ring bends away from it.
  const double inside = arc.innerRadius + metrics.height() / 2;
  const double straight =
      2 * std::sqrt(std::max(0.0, arc.outerRadius * arc.outerRadius - (inside + ring / 2) * (inside + ring / 2)));
  const double room = (isAlongRing ? std::min(chord, straight) : ring) - 2 * kLabelMargin;
  if (room < kLeastLetters * metrics.averageCharWidth()) return;
  const QString text = metrics.elidedText(dominatorLabel(shapes()[arc.shape]), Qt::ElideRight, room);
  if (static_cast<double>(text.size()) < kLeastLetters) return;
  double angle = arc.startAngle + arc.spanAngle / 2;
  if (isAlongRing) {
    if (angle > 90 && angle < 270) angle -= 180;
  } else {
    angle += angle < 180 ? -90 : 90;
  }
  painter.save();
  painter.translate(arcCentre(m_sunburst, arc));
  painter.rotate(angle);
  painter.setPen(colour);
  painter.drawText(QRectF(-room / 2 - 1, -metrics.height() / 2, room + 2, metrics.height()), Qt::AlignCenter, text);
  painter.restore();
}

void DominatorSunburst::paintMiddle(QPainter& painter, const Colours& colours) const {
  const QFontMetricsF metrics(painter.font());
  const engine::DominatorNode& top = shapes()[0].node;
  const double width = m_sunburst.holeRadius * 1.7;
  const QRectF line(m_sunburst.centre.x() - width / 2, m_sunburst.centre.y() - metrics.height(), width,
                    metrics.height());
  painter.setPen(palette().color(QPalette::Text));
  painter.drawText(line, Qt::AlignCenter, metrics.elidedText(dominatorLabel(top), Qt::ElideMiddle, width));
  painter.setPen(colours.dimmedText());
  painter.drawText(line.translated(0, metrics.height()), Qt::AlignCenter, bytesText(top.retainedBytes));
}

}  // namespace heapscape::gui
