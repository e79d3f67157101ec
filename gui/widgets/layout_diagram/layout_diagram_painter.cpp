// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/layout_diagram_painter.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/drawing/marks.h"
#include "widgets/layout_diagram/layout_item_text.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

using engine::LayoutItem;
using engine::LayoutItems;
using engine::LayoutPart;

namespace {

constexpr double kEdge = 3;            // the strip of full colour at a field's start
constexpr double kHiddenPadding = 10;  // how wide the hatch is where padding has no box of its own
constexpr double kTextMargin = 8;
constexpr double kThinMargin = 2;  // where there is no room for more
constexpr double kSmall = 0.86;

QRectF inner(const QRectF& part) {
  return part.adjusted(0.5, 0.5, -1.5, -1.5);
}

}  // namespace

LayoutDiagramPainter::LayoutDiagramPainter(const LayoutItems& items, const DiagramGeometry& geometry, const Look& look)
    : m_items(items),
      m_geometry(geometry),
      m_look(look),
      m_colours(look.palette),
      m_small(scaledFont(look.font, kSmall)) {}

void LayoutDiagramPainter::paint(QPainter& painter, const QRectF& exposed) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  if (m_look.showsRuler) paintRuler(painter, exposed);
  if (!m_look.isBar && m_look.showsOffsets) paintOffsets(painter, exposed);
  for (const DiagramBox& box : m_geometry.boxes) paintBox(painter, box, exposed);
  paintCacheLines(painter, exposed);
  for (const DiagramBox& box : m_geometry.boxes) paintStraddleMark(painter, box);
  for (const DiagramCallout& callout : m_geometry.callouts) paintCallout(painter, callout, exposed);
  paintBrackets(painter, exposed);
  for (const DiagramBox& box : m_geometry.boxes) {
    if (box.item == m_look.selected) paintOutline(painter, box);
  }
  painter.restore();
}

QColor LayoutDiagramPainter::kindColour(const LayoutItem& item) const {
  switch (item.part) {
    case LayoutPart::Header:
      return m_colours.header();
    case LayoutPart::MethodTable:
      return m_colours.methodTable();
    case LayoutPart::Padding:
      return m_colours.padding();
    case LayoutPart::Unused:
      return m_colours.outline();
    default:
      break;
  }
  QColor colour = m_colours.of(item.kind);
  colour.setAlpha(255);
  return colour;
}

QColor LayoutDiagramPainter::fillColour(const LayoutItem& item, bool isOpen) const {
  const bool isHovered = m_look.hovered != LayoutItem::kNoItem && &m_items[m_look.hovered] == &item;
  if (item.part == LayoutPart::Unused) return m_colours.freeSpace();
  if (isOpen) return mixed(kindColour(item), m_colours.surface(), isHovered ? 0.24 : 0.12);
  const QColor ground = item.part == LayoutPart::Header        ? headerGround(m_colours)
                        : item.part == LayoutPart::MethodTable ? methodTableGround(m_colours)
                                                               : fieldGround(item.kind, m_colours);
  return isHovered ? mixed(kindColour(item), ground, 0.12) : ground;
}

void LayoutDiagramPainter::paintRuler(QPainter& painter, const QRectF& exposed) const {
  const QRectF& bytes = m_geometry.bytes;
  if (exposed.top() > bytes.top() || m_geometry.rows.empty()) return;
  painter.setFont(m_small);
  painter.setPen(m_colours.dimmedText());
  const double height = QFontMetricsF(m_small).height();
  const double top = bytes.top() - height - 3;
  const DiagramRow& first = m_geometry.rows.front();
  const auto count = static_cast<double>(first.end - first.begin);
  const double width = bytes.width() / count;
  if (!m_look.isBar) {
    if (QFontMetricsF(m_small).horizontalAdvance(u"+0"_s) + 2 > width) return;
    for (int byte = 0; byte < static_cast<int>(count); ++byte) {
      painter.drawText(QRectF(bytes.left() + byte * width, top, width, height), Qt::AlignCenter, u"+%1"_s.arg(byte));
    }
    return;
  }
  constexpr std::int64_t kStep = 8;
  const double widest = QFontMetricsF(m_small).horizontalAdvance(offsetText(m_items.end)) + 8;
  const auto step = kStep * std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(widest / (width * kStep))));
  for (std::int64_t offset = first.begin; offset < first.end; offset += step) {
    const double x = bytes.left() + static_cast<double>(offset - first.begin) * width;
    if (x > exposed.right() || x + widest < exposed.left()) continue;
    painter.drawText(QRectF(x, top, widest, height), Qt::AlignLeft | Qt::AlignVCenter, offsetText(offset));
  }
}

void LayoutDiagramPainter::paintOffsets(QPainter& painter, const QRectF& exposed) const {
  painter.setFont(fixedFont(m_small));
  for (const DiagramRow& row : m_geometry.rows) {
    if (row.rect.bottom() < exposed.top() || row.rect.top() > exposed.bottom()) continue;
    const bool isLineStart = row.begin % kCacheLineBytes == 0 && row.begin > 0;
    painter.setPen(isLineStart ? m_look.palette.color(QPalette::Text) : m_colours.dimmedText());
    const QRectF room(0, row.rect.top(), row.rect.left() - 10, row.rect.height());
    painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, row.isFolded ? u"⋮"_s : offsetText(row.begin));
  }
}

void LayoutDiagramPainter::paintCacheLines(QPainter& painter, const QRectF& exposed) const {
  QPen pen(m_look.palette.color(QPalette::Text), 1.2, Qt::CustomDashLine);
  pen.setDashPattern({4, 3});
  painter.setPen(pen);
  const QRectF& bytes = m_geometry.bytes;
  if (m_look.isBar && !m_geometry.rows.empty()) {
    const DiagramRow& bar = m_geometry.rows.front();
    const double width = bytes.width() / static_cast<double>(bar.end - bar.begin);
    for (std::int64_t offset = kCacheLineBytes; offset < std::min(bar.end, m_items.end); offset += kCacheLineBytes) {
      const double x = bytes.left() + static_cast<double>(offset - bar.begin) * width - 0.5;
      if (x >= exposed.left() && x <= exposed.right())
        painter.drawLine(QPointF(x, bytes.top() - 6), QPointF(x, bytes.bottom() + 6));
    }
    return;
  }
  for (const DiagramRow& row : m_geometry.rows) {
    const bool isLineStart = row.begin > 0 && row.begin < m_items.end && row.begin % kCacheLineBytes == 0;
    const double y = row.rect.top() - 0.5;
    if (isLineStart && y >= exposed.top() && y <= exposed.bottom()) {
      painter.drawLine(QPointF(row.rect.left() - 8, y), QPointF(row.rect.right() + 8, y));
    }
  }
}

// A wedge on either side of the line, at the right edge of what crosses it.
void LayoutDiagramPainter::paintStraddleMark(QPainter& painter, const DiagramBox& box) const {
  const LayoutItem& item = m_items[box.item];
  const std::optional<std::int64_t> line = straddles(item);
  if (!line) return;
  constexpr double kSide = 5;
  QPointF tip;
  QPolygonF wedges;
  if (m_look.isBar) {
    const QRectF& whole = box.parts.front();
    const double share = static_cast<double>(*line - item.begin) / static_cast<double>(item.sizeBytes());
    tip = {whole.left() + share * whole.width(), whole.bottom() - 1};
    wedges << tip << tip + QPointF(-kSide, -kSide) << tip + QPointF(kSide, -kSide);
  } else {
    const auto first = std::ranges::upper_bound(m_geometry.rows, item.begin, {}, &DiagramRow::end);
    const auto row = std::ranges::find(m_geometry.rows, *line / kRowBytes * kRowBytes, &DiagramRow::begin);
    if (row == m_geometry.rows.end() || row < first) return;
    const auto part = static_cast<std::size_t>(row - first);
    if (part >= box.parts.size()) return;
    tip = box.parts[part].topRight() - QPointF(2, 0.5);
    wedges << tip << tip + QPointF(-2 * kSide, -kSide) << tip + QPointF(-2 * kSide, kSide);
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(m_colours.warning());
  painter.drawPolygon(wedges);
}

void LayoutDiagramPainter::paintBrackets(QPainter& painter, const QRectF& exposed) const {
  const QFontMetricsF metrics(m_look.font);
  for (const DiagramBracket& bracket : m_geometry.brackets) {
    const QRectF around = QRectF(bracket.from, bracket.to).normalized().united(bracket.label).adjusted(-8, -8, 8, 8);
    if (!around.intersects(exposed)) continue;
    painter.setPen(QPen(m_colours.outline(), 1.5));
    const QPointF tick = m_look.isBar ? QPointF(0, -5) : QPointF(-5, 0);
    painter.drawLine(bracket.from, bracket.to);
    painter.drawLine(bracket.from, bracket.from + tick);
    painter.drawLine(bracket.to, bracket.to + tick);
    const std::string& type = m_items.levels[bracket.level].typeName;
    const bool isOwn = bracket.level + 1 == m_items.levels.size();
    painter.setFont(m_look.font);
    painter.setPen(isOwn ? m_look.palette.color(QPalette::Text) : m_colours.dimmedText());
    painter.drawText(bracket.label, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(shortTypeName(type), Qt::ElideMiddle, bracket.label.width()));
  }
}

void LayoutDiagramPainter::paintBox(QPainter& painter, const DiagramBox& box, const QRectF& exposed) const {
  const LayoutItem& item = m_items[box.item];
  const bool hasFrame = box.isOpen || m_colours.isContrast;
  bool isSeen = false;
  QPainterPath frame;
  for (std::size_t part = 0; part < box.parts.size(); ++part) {
    if (!box.parts[part].intersects(exposed)) continue;
    isSeen = true;
    QRectF shape = inner(box.parts[part]);
    // One thing looks like one thing: no gap to its next row where that goes on below.
    const bool goesOn = part + 1 < box.parts.size() && !box.isOverlapping && box.parts[part + 1].left() <= shape.left();
    if (goesOn) shape.setBottom(box.parts[part].bottom() + 0.5);
    paintPart(painter, item, shape, part == 0, box.isOpen);
    if (hasFrame) frame.addRect(shape);
  }
  if (!isSeen) return;
  if (hasFrame) {
    painter.setPen(QPen(kindColour(item), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(frame.simplified());
  }
  paintLabel(painter, box);
}

void LayoutDiagramPainter::paintPart(QPainter& painter, const LayoutItem& item, const QRectF& rect, bool isFirst,
                                     bool isOpen) const {
  if (rect.width() <= 0 || rect.height() <= 0) return;
  painter.setPen(Qt::NoPen);
  if (item.part == LayoutPart::Padding) {
    paintHatch(painter, rect, m_colours);
    return;
  }
  painter.setBrush(fillColour(item, isOpen));
  painter.drawRect(rect);
  const bool hasEdge =
      item.part != LayoutPart::Header && item.part != LayoutPart::MethodTable && item.part != LayoutPart::Unused;
  const bool hidesPadding = item.hiddenPaddingBytes > 0 || item.mostTailBytes > 0;
  const double hatched = std::min(kHiddenPadding, rect.width() / 4);
  if (isFirst && hidesPadding)
    paintHatch(painter, {rect.right() - hatched, rect.top(), hatched, rect.height()}, m_colours);
  if (isFirst && hasEdge && !isOpen)
    painter.fillRect(QRectF(rect.left(), rect.top(), std::min(kEdge, rect.width()), rect.height()), kindColour(item));
}

void LayoutDiagramPainter::paintLabel(QPainter& painter, const DiagramBox& box) const {
  const LayoutItem& item = m_items[box.item];
  // The widest of the first two rows: a field that begins at a row's end says its name in the next one.
  QRectF room = box.parts.front();
  const bool isSecondWider = !box.isOpen && box.parts.size() > 1 && box.parts[1].width() > room.width() * 1.5;
  if (isSecondWider) room = box.parts[1];
  room = inner(room);
  if (item.part == LayoutPart::Padding) {
    paintPaddingLabel(painter, item, room);
    return;
  }
  if (box.isOpen) room.setHeight(std::min(room.height(), QFontMetricsF(m_look.font).height() + 4));
  if (std::ranges::find(m_geometry.callouts, box.item, &DiagramCallout::item) != m_geometry.callouts.end()) return;
  const double hatch = notShownText(item).isEmpty() ? 0 : kHiddenPadding;
  const bool isThin = room.width() < nameWidth(item, QFontMetricsF(m_look.font)) + kTextMargin + hatch;
  const double margin = isThin ? kThinMargin : kTextMargin - 3;
  paintFieldLabel(painter, item, room.adjusted(kEdge + margin, 0, -margin - hatch, 0), box.isOpen);
}

QString LayoutDiagramPainter::nameText(const LayoutItem& item) {
  const bool isField = item.part == LayoutPart::Field || item.part == LayoutPart::Element;
  return isField && item.kind == engine::FieldKind::Reference ? itemName(item) + u" →"_s : itemName(item);
}

double LayoutDiagramPainter::nameWidth(const LayoutItem& item, const QFontMetricsF& font) {
  const double mark = item.canOpen() ? font.horizontalAdvance(u"▸ "_s) : 0;
  return mark + font.horizontalAdvance(nameText(item)) + kEdge + 2 * kThinMargin + 2;
}

void LayoutDiagramPainter::paintCallout(QPainter& painter, const DiagramCallout& callout, const QRectF& exposed) const {
  if (!callout.label.united(QRectF(callout.from, QSizeF(1, 1))).adjusted(-8, -8, 8, 8).intersects(exposed)) return;
  const QColor text = m_look.palette.color(QPalette::Text);
  painter.setPen(QPen(m_colours.dimmedText(), 1));
  painter.drawLine(callout.from, callout.to);
  const bool isBeside = callout.label.left() > callout.to.x();
  if (isBeside) painter.drawLine(callout.to, QPointF(callout.label.left() - 1, callout.to.y()));
  painter.setPen(Qt::NoPen);
  painter.setBrush(text);
  painter.drawEllipse(callout.from, 1.8, 1.8);
  painter.setFont(m_look.font);
  painter.setPen(text);
  const QString name = nameText(m_items[callout.item]);
  painter.drawText(callout.label, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(m_look.font).elidedText(name, Qt::ElideRight, callout.label.width()));
}

void LayoutDiagramPainter::paintPaddingLabel(QPainter& painter, const LayoutItem& item, const QRectF& room) const {
  const QFontMetricsF metrics(m_small);
  const QString figure = countText(static_cast<std::uint64_t>(item.sizeBytes()));
  const QStringList candidates{u"%1 B padding"_s.arg(figure), u"%1 B"_s.arg(figure), figure};
  for (const QString& text : candidates) {
    const double width = metrics.horizontalAdvance(text) + 8;
    if (width > room.width() - 4) continue;
    QRectF pill(0, 0, width, std::min(room.height() - 2, metrics.height() + 2));
    pill.moveCenter(room.center());
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_colours.surface());
    painter.drawRoundedRect(pill, 3, 3);
    painter.setFont(m_small);
    painter.setPen(m_look.palette.color(QPalette::Text));
    painter.drawText(pill, Qt::AlignCenter, text);
    return;
  }
}

void LayoutDiagramPainter::paintFieldLabel(QPainter& painter, const LayoutItem& item, const QRectF& room,
                                           bool isOpen) const {
  const QFontMetricsF metrics(m_look.font);
  const QFontMetricsF smallMetrics(m_small);
  QString name = nameText(item);
  if (item.canOpen()) name.prepend(isOpen ? u"▾ "_s : u"▸ "_s);
  painter.setFont(m_look.font);
  painter.setPen(item.part == LayoutPart::Unused ? m_colours.dimmedText() : m_look.palette.color(QPalette::Text));
  const QString shown = metrics.elidedText(name, Qt::ElideRight, room.width());
  if (shown != name && shown.size() < 2) return;  // dots alone tell nothing
  painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, shown);

  const double left = metrics.horizontalAdvance(shown) + 10;
  const QString type = itemType(item);
  const double typeRoom = room.width() - left;
  constexpr double kLeastForType = 36;
  if (type.isEmpty() || typeRoom < kLeastForType) return;
  painter.setFont(m_small);
  painter.drawText(room.adjusted(left, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   smallMetrics.elidedText(type, Qt::ElideRight, typeRoom));
}

void LayoutDiagramPainter::paintOutline(QPainter& painter, const DiagramBox& box) const {
  QPainterPath path;
  // Without a gap between rows, so that they get one line around them.
  for (const QRectF& part : box.parts) path.addRect(part.adjusted(0, 0, -1, 0));
  painter.setPen(markPen(m_look.palette, m_look.hasFocus));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path.simplified());
}

}  // namespace heapscape::gui
