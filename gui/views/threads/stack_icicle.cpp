// SPDX-License-Identifier: MIT
#include "views/threads/stack_icicle.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "models/names/type_name.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr double kAbove = 0.55;  // of the colour of what lies above the focus

bool isDotted(FrameFamily family) {
  return family == FrameFamily::Folded;
}

}  // namespace

QString frameFamilyText(FrameFamily family) {
  switch (family) {
    case FrameFamily::Program:
      return u"Your code"_s;
    case FrameFamily::Package:
      return u"Packages"_s;
    case FrameFamily::Framework:
      return u".NET"_s;
    case FrameFamily::Aside:
      return u"Runtime, native"_s;
    case FrameFamily::Folded:
      break;
  }
  return u"Several as one"_s;
}

QBrush frameFamilyBrush(FrameFamily family, const Colours& colours) {
  switch (family) {
    case FrameFamily::Program:
      return typeFamilyColour(TypeFamily::Program, colours);
    case FrameFamily::Package:
      return typeFamilyColour(TypeFamily::Package, colours);
    case FrameFamily::Framework:
      return typeFamilyColour(TypeFamily::Framework, colours);
    case FrameFamily::Aside:
      return colours.header();
    case FrameFamily::Folded:
      break;
  }
  return colours.freeSpaceBrush();
}

std::vector<IcicleSpan> stackSpans(const std::vector<StackShape>& shapes, std::uint32_t focus) {
  std::vector<IcicleSpan> spans;
  if (focus >= shapes.size()) return spans;
  for (std::uint32_t above = focus; above != StackShape::kNone; above = shapes[above].parent) {
    spans.push_back({.shape = above, .first = 0, .size = shapes[focus].count, .depth = shapes[above].depth});
  }
  std::ranges::reverse(spans);
  std::vector<std::uint64_t> next(shapes.size(), 0);  // where the next child of each begins
  for (std::uint32_t i = focus + 1; i < shapes.size() && shapes[i].depth > shapes[focus].depth; ++i) {
    const std::uint64_t first = next[shapes[i].parent];
    next[i] = first;
    next[shapes[i].parent] += shapes[i].count;
    spans.push_back({.shape = i, .first = first, .size = shapes[i].count, .depth = shapes[i].depth});
  }
  for (IcicleSpan& span : spans) {
    span.isDivided = span.shape + 1 < shapes.size() && shapes[span.shape + 1].parent == span.shape;
  }
  return spans;
}

StackIcicle::StackIcicle(QWidget* parent) : QWidget(parent), PictureItems(this), m_bubble(new HoverBubble(this)) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumWidth(240);
  addPictureActions(
      this, [this](QPainter& painter, QSize) { paint(painter); }, u"stacks"_s, PictureContents::None);
}

void StackIcicle::show(std::vector<StackShape> shapes, const QString& noun) {
  m_shapes = std::move(shapes);
  m_noun = noun;
  m_focus = 0;
  m_marked.reset();
  place();
}

void StackIcicle::setFocusShape(std::uint32_t shape) {
  if (shape >= m_shapes.size() || shape == m_focus) return;
  m_focus = shape;
  place();
}

double StackIcicle::rowHeight() const {
  return std::max(24, fontMetrics().height() * 8 / 5 + 1);
}

void StackIcicle::place() {
  m_hovered.reset();
  m_bubble->hide();
  const std::vector<IcicleSpan> spans = stackSpans(m_shapes, m_focus);
  std::uint32_t rows = 0;
  for (const IcicleSpan& span : spans) rows = std::max(rows, span.depth + 1);
  const int height = static_cast<int>(rows * rowHeight());
  setMinimumHeight(height);
  m_boxes = spans.empty() ? std::vector<IcicleBox>()
                          : icicleBoxes(spans, m_shapes[m_focus].count, QSizeF(width(), height), rowHeight());
  tellItemsChanged();
  updateGeometry();
  update();
}

QSize StackIcicle::sizeHint() const {
  return {480, minimumHeight()};
}

const IcicleBox* StackIcicle::boxOf(std::uint32_t shape) const {
  const auto found = std::ranges::find(m_boxes, shape, &IcicleBox::shape);
  return found == m_boxes.end() ? nullptr : &*found;
}

std::optional<std::uint32_t> StackIcicle::shapeAt(QPointF point) const {
  const auto holds = [point](const IcicleBox& box) {
    return point.x() >= box.rect.left() && point.x() < box.rect.right() && point.y() >= box.rect.top() &&
           point.y() < box.rect.bottom();
  };
  const auto found = std::ranges::find_if(m_boxes, holds);
  return found == m_boxes.end() ? std::nullopt : std::optional(found->shape);
}

QString StackIcicle::countOf(const StackShape& shape) const {
  return countedText(shape.count, m_noun);
}

void StackIcicle::paint(QPainter& painter) const {
  const Colours colours(palette());
  for (const IcicleBox& box : m_boxes) {
    const StackShape& shape = m_shapes[box.shape];
    // The one above all is a heading: dots are for what is folded on the way.
    const bool hasDots = isDotted(shape.family) && shape.parent != StackShape::kNone;
    const bool isHeading = isDotted(shape.family) && !hasDots;
    QBrush fill = isHeading ? QBrush(colours.freeSpace()) : frameFamilyBrush(shape.family, colours);
    const QColor text = isDotted(shape.family) ? colours.dimmedText() : Colours::textOn(fill.color());
    const bool isAbove = box.shape != m_focus && shape.depth < m_shapes[m_focus].depth;
    if (!isDotted(shape.family)) {
      const QColor colour = box.shape % 2 ? everyOther(fill.color(), colours) : fill.color();
      fill = isAbove ? mixed(colour, colours.surface(), kAbove) : colour;
    }
    paintIcicleBox(painter, box,
                   {.fill = fill,
                    .text = isAbove ? palette().color(QPalette::WindowText) : text,
                    .name = shape.name,
                    .figure = countText(shape.count),
                    .plate = hasDots ? colours.freeSpace() : QColor()},
                   palette().color(QPalette::Text));
  }
}

void StackIcicle::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), Colours(palette()).surface());
  paint(painter);
  painter.setBrush(Qt::NoBrush);
  const auto outline = [&](std::optional<std::uint32_t> shape, const QPen& pen) {
    const IcicleBox* box = shape ? boxOf(*shape) : nullptr;
    if (!box) return;
    painter.setPen(pen);
    painter.drawRect(box->rect.adjusted(1, 1, -2, -2));
  };
  if (m_hovered != m_marked) outline(m_hovered, QPen(palette().color(QPalette::Text), 1));
  if (hasFocus()) outline(m_marked, focusRing(palette()));
}

bool StackIcicle::event(QEvent* event) {
  if (event->type() == QEvent::Leave) hoverAt(std::nullopt);
  return QWidget::event(event);
}

void StackIcicle::resizeEvent(QResizeEvent*) {
  place();
}

void StackIcicle::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) place();
}

BubbleText StackIcicle::bubbleText(std::uint32_t index) const {
  const StackShape& shape = m_shapes[index];
  const QBrush fill = frameFamilyBrush(shape.family, Colours(palette()));
  return {.swatch = isDotted(shape.family) ? QColor() : fill.color(),
          .title = shape.fullName,
          .facts = QStringList{countOf(shape)} + shape.facts};
}

void StackIcicle::hoverAt(std::optional<QPointF> point) {
  const auto hovered = point ? shapeAt(*point) : std::nullopt;
  m_bubble->showOrHide(point, hovered ? std::optional(bubbleText(*hovered)) : std::nullopt);
  if (hovered == m_hovered) return;
  m_hovered = hovered;
  update();
}

void StackIcicle::mouseMoveEvent(QMouseEvent* event) {
  hoverAt(event->position());
}

void StackIcicle::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) {
    QWidget::mousePressEvent(event);
    return;
  }
  if (const auto shape = shapeAt(event->position())) putIntoFocus(*shape);
}

void StackIcicle::putIntoFocus(std::uint32_t shape) {
  mark(shape);
  if (shape == m_focus) return;
  setFocusShape(shape);
  Q_EMIT focusChanged(shape);
}

void StackIcicle::mark(std::uint32_t shape) {
  m_marked = shape;
  tellCurrent();
}

std::optional<std::size_t> StackIcicle::currentItem() const {
  const IcicleBox* box = m_marked ? boxOf(*m_marked) : nullptr;
  return box ? std::optional(static_cast<std::size_t>(box - m_boxes.data())) : std::nullopt;
}

std::uint32_t StackIcicle::neighbour(std::uint32_t shape, int key) const {
  const StackShape& from = m_shapes[shape];
  if (key == Qt::Key_Up) return from.parent == StackShape::kNone ? shape : from.parent;
  const std::uint32_t below = shape + 1;
  if (key == Qt::Key_Down) {
    // Above the focus there is one way down.
    if (from.depth < m_shapes[m_focus].depth) {
      std::uint32_t way = m_focus;
      while (m_shapes[way].parent != shape && way != 0) way = m_shapes[way].parent;
      return way == 0 ? shape : way;
    }
    return below < m_shapes.size() && m_shapes[below].parent == shape && boxOf(below) ? below : shape;
  }
  if (from.parent == StackShape::kNone) return shape;
  std::uint32_t found = shape;
  if (key == Qt::Key_Right) {
    for (std::uint32_t i = below; i < m_shapes.size() && m_shapes[i].depth >= from.depth && found == shape; ++i) {
      if (m_shapes[i].parent == from.parent) found = i;
    }
  } else {
    for (std::uint32_t i = shape; i-- > from.parent + 1 && found == shape;) {
      if (m_shapes[i].parent == from.parent) found = i;
    }
  }
  return boxOf(found) ? found : shape;
}

void StackIcicle::keyPressEvent(QKeyEvent* event) {
  if (m_shapes.empty()) {
    QWidget::keyPressEvent(event);
    return;
  }
  switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
      mark(m_marked && boxOf(*m_marked) ? neighbour(*m_marked, event->key()) : m_focus);
      revealCurrent();
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      putIntoFocus(m_marked.value_or(m_focus));
      return;
    case Qt::Key_Escape:
    case Qt::Key_Backspace:
      if (m_focus == 0) {
        QWidget::keyPressEvent(event);
        return;
      }
      putIntoFocus(m_shapes[m_focus].parent);
      return;
    case Qt::Key_Home:
      putIntoFocus(0);
      return;
    default:
      if (takesKey(event->key())) return;
      QWidget::keyPressEvent(event);
  }
}

}  // namespace heapscape::gui
