// SPDX-License-Identifier: MIT
#include "views/compare/difference_icicle.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "views/compare/comparison_rows.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/hover_bubble.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

using engine::DifferenceShape;
using engine::DominatorKind;

constexpr std::uint64_t kParts = 100;  // of the larger side, one of which is no difference
constexpr double kMarkHeight = 4;
constexpr double kPaleAbove = 0.55;  // of the colour of what lies above the focus

QString nameOf(const DifferenceShape& shape) {
  if (shape.isRest) return u"smaller ones"_s;
  if (shape.kind == DominatorKind::Whole) return u"All roots"_s;
  const bool isRoot = shape.kind == DominatorKind::Root || shape.kind == DominatorKind::RootGroup;
  return isRoot ? givenNameText(shape.name) : fromEngine(shape.name);
}

QString labelOf(const DifferenceShape& shape) {
  const bool isShortened = !shape.isRest && (shape.kind == DominatorKind::Type || shape.kind == DominatorKind::Object);
  const QString name = isShortened ? shortTypeName(shape.name) : nameOf(shape);
  const std::uint64_t count = std::max(shape.objects.before, shape.objects.after);
  return isShortened && count > 1 ? u"%1 × %2"_s.arg(name, countText(count)) : name;
}

}  // namespace

DifferenceFate differenceFate(const engine::Change& retained) {
  const std::uint64_t larger = std::max(retained.before, retained.after);
  const std::uint64_t apart = larger - std::min(retained.before, retained.after);
  if (apart <= larger / kParts) return DifferenceFate::Same;
  return retained.after > retained.before ? DifferenceFate::Grown : DifferenceFate::Shrunk;
}

QString differenceFateText(DifferenceFate fate) {
  switch (fate) {
    case DifferenceFate::Same:
      return u"As before"_s;
    case DifferenceFate::Grown:
      return u"Grown"_s;
    case DifferenceFate::Shrunk:
      break;
  }
  return u"Shrunk"_s;
}

QColor differenceColour(DifferenceFate fate, const Colours& colours) {
  switch (fate) {
    case DifferenceFate::Same:
      return colours.header();
    case DifferenceFate::Grown:
      return colours.warning();
    case DifferenceFate::Shrunk:
      break;
  }
  return colours.of(engine::Generation::Gen0);
}

QRectF differenceMark(DifferenceFate fate, const QRectF& part) {
  if (fate == DifferenceFate::Same || part.height() < 3 * kMarkHeight) return {};
  const double top = fate == DifferenceFate::Grown ? part.top() : part.bottom() - kMarkHeight;
  return {part.left(), top, part.width(), kMarkHeight};
}

DifferenceIcicle::DifferenceIcicle(QWidget* parent)
    : QWidget(parent), PictureItems(this), m_bubble(new HoverBubble(this)) {
  setObjectName(u"differenceIcicle"_s);
  setAccessibleName(u"Dominators of both dumps, laid over each other"_s);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  addPictureActions(
      this, [this](QPainter& painter, QSize) { paint(painter); }, u"difference"_s, PictureContents::None);
}

void DifferenceIcicle::show(std::vector<DifferenceShape> shapes) {
  m_shapes = std::move(shapes);
  m_focus = 0;
  place();
}

double DifferenceIcicle::rowHeight() const {
  return std::max(24, fontMetrics().height() * 8 / 5 + 1);
}

// What is above the focus is as wide as the picture; what is below it shares that.
void DifferenceIcicle::place() {
  m_current.reset();
  m_bubble->hide();
  std::vector<IcicleSpan> spans;
  if (!m_shapes.empty()) {
    const DifferenceShape& focus = m_shapes[m_focus];
    for (std::uint32_t above = m_focus; above != 0;) {
      above = m_shapes[above].parent;
      spans.push_back({.shape = above, .first = 0, .size = focus.bytes, .depth = m_shapes[above].depth});
    }
    std::ranges::reverse(spans);
    for (std::uint32_t i = m_focus; i < m_shapes.size() && (i == m_focus || m_shapes[i].depth > focus.depth); ++i)
      spans.push_back({.shape = i,
                       .first = m_shapes[i].firstByte - focus.firstByte,
                       .size = m_shapes[i].bytes,
                       .depth = m_shapes[i].depth,
                       .isDivided = i + 1 < m_shapes.size() && m_shapes[i + 1].parent == i});
  }
  std::uint32_t rows = 0;
  for (const IcicleSpan& span : spans) rows = std::max(rows, span.depth + 1);
  const int height = static_cast<int>(rows * rowHeight());
  setMinimumHeight(height);
  m_boxes = spans.empty() ? std::vector<IcicleBox>()
                          : icicleBoxes(spans, m_shapes[m_focus].bytes, QSizeF(width(), height), rowHeight());
  tellItemsChanged();
  updateGeometry();
  update();
}

void DifferenceIcicle::paint(QPainter& painter) const {
  const Colours colours(palette());
  for (const IcicleBox& box : m_boxes) {
    const DifferenceShape& shape = m_shapes[box.shape];
    const DifferenceFate fate = differenceFate(shape.retained);
    const QColor strong = differenceColour(fate, colours);
    const bool isAbove = box.shape != m_focus && shape.depth < m_shapes[m_focus].depth;
    QColor fill = fate == DifferenceFate::Same ? strong : mixed(strong, colours.surface(), kPaleAbove);
    if (isAbove) fill = mixed(fill, colours.surface(), kPaleAbove);
    if (box.shape % 2) fill = everyOther(fill, colours);
    const QRectF mark = differenceMark(fate, box.rect);
    paintIcicleBox(painter, box,
                   {.fill = fill,
                    .text = Colours::textOn(fill),
                    .name = labelOf(shape),
                    .figure = fate == DifferenceFate::Same ? bytesText(shape.retained.after)
                                                           : differenceText(shape.retained, true),
                    .belowLabel = fate == DifferenceFate::Shrunk ? mark.height() : 0},
                   palette().color(QPalette::Text));
    if (!mark.isEmpty()) painter.fillRect(mark.adjusted(0, 0, -1, 0), strong);
  }
}

void DifferenceIcicle::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), Colours(palette()).surface());
  paint(painter);
  if (!m_current || *m_current >= m_boxes.size()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(hasFocus() ? focusRing(palette()) : QPen(palette().color(QPalette::Text), 1));
  painter.drawRect(m_boxes[*m_current].rect.adjusted(1, 1, -2, -2));
}

BubbleText DifferenceIcicle::itemText(std::size_t item) const {
  const DifferenceShape& shape = m_shapes[m_boxes[item].shape];
  const DifferenceFate fate = differenceFate(shape.retained);
  BubbleText text;
  text.swatch = differenceColour(fate, Colours(palette()));
  text.title = nameOf(shape);
  text.facts << u"%1: %2"_s.arg(differenceFateText(fate), differenceText(shape.retained, true))
             << u"retains %1 before, %2 after"_s.arg(exactBytesText(shape.retained.before),
                                                     exactBytesText(shape.retained.after));
  if (shape.objects.before || shape.objects.after)
    text.facts << u"objects: %1 before, %2 after"_s.arg(countText(shape.objects.before),
                                                        countText(shape.objects.after));
  return text;
}

std::optional<std::size_t> DifferenceIcicle::itemAt(QPointF point) const {
  const auto found = std::ranges::find_if(m_boxes, [point](const IcicleBox& box) { return box.rect.contains(point); });
  return found == m_boxes.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - m_boxes.begin()));
}

void DifferenceIcicle::goToItem(std::size_t item) {
  m_current = item;
  tellCurrent();
  update();
}

void DifferenceIcicle::focusOn(std::uint32_t shape) {
  if (m_shapes[shape].isRest) return;
  m_focus = shape;
  place();
}

void DifferenceIcicle::resizeEvent(QResizeEvent*) {
  place();
}

void DifferenceIcicle::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) place();
}

void DifferenceIcicle::mousePressEvent(QMouseEvent* event) {
  const auto item = itemAt(event->position());
  if (event->button() == Qt::LeftButton && item) pressItem(*item);
}

void DifferenceIcicle::mouseMoveEvent(QMouseEvent* event) {
  const auto item = itemAt(event->position());
  m_bubble->showOrHide(event->position(), item ? std::optional(itemText(*item)) : std::nullopt);
  if (item == m_current) return;
  m_current = item;
  update();
}

void DifferenceIcicle::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  m_bubble->hide();
  m_current.reset();
  update();
}

void DifferenceIcicle::keyPressEvent(QKeyEvent* event) {
  const bool isOut = event->key() == Qt::Key_Escape || event->key() == Qt::Key_Backspace;
  if (isOut && m_focus != 0) {
    focusOn(m_shapes[m_focus].parent);
    return;
  }
  if (!takesKey(event->key())) QWidget::keyPressEvent(event);
}

}  // namespace heapscape::gui
