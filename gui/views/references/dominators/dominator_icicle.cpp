// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_icicle.h"

#include <QPainter>
#include <algorithm>

#include "views/references/dominators/dominator_text.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/icicle/icicle.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

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

}  // namespace heapscape::gui
