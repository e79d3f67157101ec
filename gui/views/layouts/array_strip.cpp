// SPDX-License-Identifier: MIT
#include "views/layouts/array_strip.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/layout_diagram/layout_diagram_geometry.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

using engine::LayoutItem;
using engine::LayoutPart;

namespace {

constexpr std::int64_t kFewest = 4;
constexpr std::int64_t kMost = 8;

bool crosses(const ArrayElements& elements, std::int64_t index) {
  const std::int64_t begin = elements.elementOffset + index * elements.stride;
  return elements.stride <= kCacheLineBytes && crossesCacheLine(begin, begin + elements.stride);
}

}  // namespace

LineRhythm lineRhythm(const ArrayElements& elements) {
  if (elements.stride <= 0) return {};
  LineRhythm rhythm;
  rhythm.elements = kCacheLineBytes / std::gcd(elements.stride, kCacheLineBytes);
  for (std::int64_t index = 0; index < rhythm.elements; ++index) rhythm.straddling += crosses(elements, index) ? 1 : 0;
  return rhythm;
}

ArrayStripGeometry layOutArrayStrip(const ArrayElements& elements, const QRectF& room, double leastByteWidth) {
  ArrayStripGeometry strip;
  if (elements.stride <= 0 || room.width() <= 0) return strip;
  const auto fitting =
      static_cast<std::int64_t>(room.width() / (leastByteWidth * static_cast<double>(elements.stride)));
  const std::int64_t count = std::clamp(fitting, kFewest, kMost);
  const std::int64_t bytes = count * elements.stride;
  strip.byteWidth = room.width() / static_cast<double>(bytes);
  const auto at = [&](std::int64_t byte) { return room.left() + static_cast<double>(byte) * strip.byteWidth; };
  const auto span = [&](std::int64_t begin, std::int64_t end) {
    return QRectF(QPointF(at(begin), room.top()), QPointF(at(end), room.bottom()));
  };
  for (std::int64_t index = 0; index < count; ++index) {
    const std::int64_t begin = index * elements.stride;
    strip.elements.push_back({span(begin, begin + elements.stride), crosses(elements, index)});
    if (!elements.element) continue;
    for (const LayoutItem& item : elements.element->items) {
      if (item.part == LayoutPart::Padding) strip.paddings.push_back(span(begin + item.begin, begin + item.end));
    }
  }
  const std::int64_t first = (kCacheLineBytes - elements.elementOffset % kCacheLineBytes) % kCacheLineBytes;
  for (std::int64_t line = first; line < bytes; line += kCacheLineBytes) strip.lines.push_back(at(line));
  return strip;
}

using engine::LayoutItems;

namespace {

constexpr double kMargin = 12;
constexpr double kLeastByteWidth = 4;
constexpr std::uint64_t kManyElements = 1000;  // an example that is easy to scale

/// `each`: "an element".
QStringList factsOf(const ArrayElements& elements, const QString& each, std::uint64_t padding) {
  QStringList facts;
  const auto stride = static_cast<std::uint64_t>(elements.stride);
  facts << u"%1 %2"_s.arg(bytesText(stride), each);
  facts << (padding == 0 ? u"no padding"_s
                         : u"%1 padding in each, %2 in %3"_s.arg(bytesText(padding), bytesText(padding * kManyElements),
                                                                 countText(kManyElements)));
  const LineRhythm rhythm = lineRhythm(elements);
  if (elements.stride > 64) {
    facts << u"each spans several cache lines"_s;
  } else {
    facts << u"%1 a cache line"_s.arg(QString::number(64.0 / static_cast<double>(stride), 'g', 3));
    facts << (rhythm.straddling == 0 ? u"none crosses a line"_s
                                     : u"%1 of every %2 cross a line"_s.arg(rhythm.straddling).arg(rhythm.elements));
  }
  return facts;
}

}  // namespace

std::vector<ArrayLine> arrayLines(const std::vector<AlikeColumns>& columns) {
  constexpr std::int64_t kFirstElement = 16;  // of an array with one dimension
  std::vector<ArrayLine> lines;
  for (const AlikeColumns& alike : columns) {
    const LayoutColumn* column = alike.front();
    const engine::TypeLayout& layout = column->layout();
    ArrayLine line;
    std::uint64_t padding = 0;
    if (layout.valueSize) {
      line.elements = {std::int64_t{*layout.valueSize}, kFirstElement, column->unboxed.get()};
      line.element = column->unboxed;
      padding = layout.paddingBytes();
    } else if (layout.kind == engine::TypeKind::Array && layout.componentSize > 0) {
      if (!layout.elementLayout.empty()) {
        line.element = std::make_shared<const LayoutItems>(buildLayoutItems(layout.elementLayout.front(), true));
        padding = layout.elementLayout.front().paddingBytes();
      }
      line.elements = {std::int64_t{layout.componentSize}, std::int64_t{layout.elementOffset}, line.element.get()};
    } else {
      continue;
    }
    if (line.elements.stride <= 0) continue;
    line.title = columnNames(alike);
    line.facts = factsOf(line.elements, u"an element"_s, padding);
    lines.push_back(std::move(line));
  }
  return lines;
}

ArrayLine objectsInARow(const engine::TypeLayout& layout, std::shared_ptr<const engine::LayoutItems> items) {
  constexpr std::int64_t kAlignment = 8;
  ArrayLine line;
  const std::int64_t stride = (std::int64_t{layout.baseSize} + kAlignment - 1) / kAlignment * kAlignment;
  line.elements = {stride, 0, items.get()};
  line.element = std::move(items);
  line.facts = factsOf(line.elements, u"an object, one behind the other"_s, layout.paddingBytes());
  return line;
}

ArrayStrip::ArrayStrip(QWidget* parent) : QWidget(parent), PictureItems(this) {
  setFocusPolicy(Qt::TabFocus);
  setObjectName(u"layoutArrays"_s);
  setAccessibleName(u"Elements of an array"_s);
  setToolTip(
      u"Cache lines as if the array began at one; arrays are aligned to 8 bytes only, so that they may fall "
      "elsewhere."_s);
  addPictureActions(
      this, [this](QPainter& painter, QSize) { paintAll(painter); }, u"array"_s, PictureContents::None);
}

void ArrayStrip::show(std::vector<ArrayLine> lines) {
  m_lines = std::move(lines);
  m_current.reset();
  tellItemsChanged();
  QStringList texts;
  for (const ArrayLine& line : m_lines) texts << line.title + u": "_s + line.facts.join(u", "_s);
  setAccessibleDescription(texts.join(u". "_s));
  updateGeometry();
  update();
}

double ArrayStrip::lineHeight() const {
  return std::ceil(QFontMetricsF(font()).height() * 4.6);
}

QSize ArrayStrip::sizeHint() const {
  const double height = 2 * kMargin + static_cast<double>(m_lines.size()) * lineHeight();
  return {fontMetrics().averageCharWidth() * 80, static_cast<int>(std::ceil(height))};
}

QSize ArrayStrip::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 40, sizeHint().height()};
}

void ArrayStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), Colours(palette()).surface());
  paintAll(painter);
  if (!m_current || !hasFocus()) return;
  painter.setPen(focusRing(palette()));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(itemRect(*m_current).adjusted(-4, 0, 4, -4), 4, 4);
}

BubbleText ArrayStrip::itemText(std::size_t item) const {
  return {.swatch = {}, .title = m_lines[item].title, .facts = m_lines[item].facts};
}

QRectF ArrayStrip::itemRect(std::size_t item) const {
  return {kMargin, kMargin + static_cast<double>(item) * lineHeight(), width() - 2 * kMargin, lineHeight()};
}

void ArrayStrip::goToItem(std::size_t item) {
  m_current = item;
  tellCurrent();
}

void ArrayStrip::keyPressEvent(QKeyEvent* event) {
  if (!takesKey(event->key())) QWidget::keyPressEvent(event);
}

void ArrayStrip::paintAll(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t line = 0; line < m_lines.size(); ++line) paintLine(painter, m_lines[line], itemRect(line));
}

void ArrayStrip::paintLine(QPainter& painter, const ArrayLine& line, const QRectF& room) const {
  const Colours colours(palette());
  const QFont bold = scaledFont(font(), 1, QFont::DemiBold);
  const QFont small = scaledFont(font(), 0.92);
  const double text = std::ceil(QFontMetricsF(font()).height() * 1.4);
  const double titleWidth = QFontMetricsF(bold).horizontalAdvance(line.title) + 12;
  painter.setFont(bold);
  painter.setPen(palette().color(QPalette::Text));
  painter.drawText(QRectF(room.left(), room.top(), titleWidth, text), Qt::AlignLeft | Qt::AlignVCenter, line.title);
  painter.setFont(small);
  painter.setPen(colours.dimmedText());
  const QString facts = line.facts.join(u" · "_s);
  painter.drawText(QRectF(room.left() + titleWidth, room.top(), room.width() - titleWidth, text),
                   Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(small).elidedText(facts, Qt::ElideRight, room.width() - titleWidth));
  const QRectF bytes(room.left(), room.top() + text + 4, room.width(), std::ceil(text * 1.3));
  const ArrayStripGeometry strip = layOutArrayStrip(line.elements, bytes, kLeastByteWidth);
  for (std::size_t index = 0; index < strip.elements.size(); ++index) {
    const QRectF box = strip.elements[index].rect.adjusted(1, 0, -1, 0);
    QColor edge = colours.of(engine::FieldKind::ValueType);
    edge.setAlpha(255);
    painter.fillRect(box, fieldGround(engine::FieldKind::ValueType, colours));
    painter.fillRect(QRectF(box.left(), box.top(), 3, box.height()), edge);
  }
  for (const QRectF& padding : strip.paddings) paintHatch(painter, padding.adjusted(0, 0, -1, 0), colours);
  painter.setPen(QPen(palette().color(QPalette::Text), 1.2, Qt::DashLine));
  for (const double x : strip.lines) painter.drawLine(QPointF(x, bytes.top() - 4), QPointF(x, bytes.bottom() + 4));
  painter.setPen(Qt::NoPen);
  painter.setBrush(colours.warning());
  for (const double x : strip.lines) {
    for (const ArrayElementBox& element : strip.elements) {
      const bool isCut = element.straddles && x > element.rect.left() && x < element.rect.right();
      const QPointF tip(x, bytes.bottom() - 1);
      if (isCut) painter.drawPolygon(QPolygonF{tip, tip + QPointF(-5, -6), tip + QPointF(5, -6)});
    }
  }
  for (std::size_t index = 0; index < strip.elements.size(); ++index) {
    const QRectF box = strip.elements[index].rect;
    const QString name = u"[%1]"_s.arg(index);
    QRectF pill(box.left() + 6, box.center().y() - text / 2, QFontMetricsF(small).horizontalAdvance(name) + 6, text);
    if (pill.right() > box.right()) continue;
    painter.setPen(Qt::NoPen);
    painter.setBrush(colours.surface());
    painter.drawRoundedRect(pill.adjusted(0, 1, 0, -1), 3, 3);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(pill, Qt::AlignCenter, name);
  }
}

void ArrayStrip::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) update();
}

}  // namespace heapscape::gui
