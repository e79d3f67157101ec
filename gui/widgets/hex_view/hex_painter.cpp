// SPDX-License-Identifier: MIT
#include "widgets/hex_view/hex_painter.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/drawing/marks.h"
#include "widgets/layout_diagram/layout_item_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr double kCellLetters = 3;      // two digits with half a letter on each side
constexpr double kAddressLetters = 14;  // 0x7f4c59812340
constexpr double kLetterCell = 1.25;    // letters of the right-hand column
constexpr int kGroup = 8;               // bytes, then a gap
constexpr double kGroupGap = 1;         // letters
constexpr double kColumnGap = 2;        // letters

}  // namespace

double HexGeometry::widthFor(int bytesPerRow, bool withAddress) const {
  const double gaps = (bytesPerRow / kGroup - 1) * kGroupGap;
  double letters =
      m_metrics.offsetLetters + kColumnGap + bytesPerRow * (kCellLetters + kLetterCell) + gaps + kColumnGap;
  if (withAddress) letters += kAddressLetters + kColumnGap;
  return letters * m_metrics.letterWidth + 2 * m_metrics.margin;
}

HexGeometry::HexGeometry(const HexMetrics& metrics, double width) : m_metrics(metrics) {
  constexpr int kWide = 16;
  m_bytesPerRow = widthFor(kWide, true) <= width ? kWide : kGroup;
  m_showsAddress = widthFor(m_bytesPerRow, true) <= width;
  const double letter = metrics.letterWidth;
  double letters = metrics.offsetLetters + kColumnGap;
  if (m_showsAddress) letters += kAddressLetters + kColumnGap;
  m_bytesLeft = metrics.margin + letters * letter;
  m_lettersLeft = byteLeft(m_bytesPerRow - 1) + (kCellLetters + kColumnGap) * letter;
  m_right = m_lettersLeft + m_bytesPerRow * kLetterCell * letter + metrics.margin;
}

std::int64_t HexGeometry::rows() const {
  const std::int64_t bytes = std::max<std::int64_t>(0, m_metrics.end - m_metrics.begin);
  return (bytes + m_bytesPerRow - 1) / m_bytesPerRow;
}

ByteSpan HexGeometry::spanOf(std::int64_t row) const {
  const std::int64_t begin = m_metrics.begin + row * m_bytesPerRow;
  return {begin, std::min(begin + m_bytesPerRow, m_metrics.end)};
}

int HexGeometry::rowsIn(double height) const {
  return std::max(0, static_cast<int>((height - m_metrics.rulerHeight) / m_metrics.rowHeight));
}

double HexGeometry::rowTop(std::int64_t row, std::int64_t top) const {
  return m_metrics.rulerHeight + static_cast<double>(row - top) * m_metrics.rowHeight;
}

QRectF HexGeometry::offsetRect(std::int64_t row, std::int64_t top) const {
  return {m_metrics.margin, rowTop(row, top), m_metrics.offsetLetters * m_metrics.letterWidth, m_metrics.rowHeight};
}

QRectF HexGeometry::addressRect(std::int64_t row, std::int64_t top) const {
  if (!m_showsAddress) return {};
  const double left = m_metrics.margin + (m_metrics.offsetLetters + kColumnGap) * m_metrics.letterWidth;
  return {left, rowTop(row, top), kAddressLetters * m_metrics.letterWidth, m_metrics.rowHeight};
}

double HexGeometry::byteLeft(int column) const {
  const double gaps = column / kGroup * kGroupGap;
  return m_bytesLeft + (column * kCellLetters + gaps) * m_metrics.letterWidth;
}

QRectF HexGeometry::byteRect(std::int64_t offset, std::int64_t top) const {
  const std::int64_t row = rowOf(offset);
  const int column = static_cast<int>((offset - m_metrics.begin) % m_bytesPerRow);
  return {byteLeft(column), rowTop(row, top), kCellLetters * m_metrics.letterWidth, m_metrics.rowHeight};
}

QRectF HexGeometry::letterRect(std::int64_t offset, std::int64_t top) const {
  const std::int64_t row = rowOf(offset);
  const auto column = static_cast<double>((offset - m_metrics.begin) % m_bytesPerRow);
  const double cell = kLetterCell * m_metrics.letterWidth;
  return {m_lettersLeft + column * cell, rowTop(row, top), cell, m_metrics.rowHeight};
}

QRectF HexGeometry::columnHeading(int column) const {
  return {byteLeft(column), 0, kCellLetters * m_metrics.letterWidth, m_metrics.rulerHeight};
}

std::optional<std::int64_t> HexGeometry::byteAt(const QPointF& point, std::int64_t top) const {
  const double down = point.y() - m_metrics.rulerHeight;
  if (down < 0) return std::nullopt;
  const std::int64_t row = top + static_cast<std::int64_t>(std::floor(down / m_metrics.rowHeight));
  const ByteSpan span = spanOf(row);
  for (std::int64_t offset = span.begin; offset < span.end; ++offset) {
    if (byteRect(offset, top).contains(point) || letterRect(offset, top).contains(point)) return offset;
  }
  return std::nullopt;
}

namespace {

using engine::ByteOwner;
using engine::ByteRun;

constexpr double kEdge = 2.5;         // the strip of full colour at a run's start
constexpr double kReferenceEdge = 3;  // ends before the first digit
constexpr double kInset = 1.5;        // between rows
constexpr double kPointedAt = 0.12;
constexpr double kOfTerminator = 0.3;
constexpr double kZeroDigits = 0.9;  // of the colour of text

QRectF inner(const QRectF& cell) {
  return cell.adjusted(0, kInset, 0, -kInset);
}

bool isPlain(ByteOwner owner) {
  return owner == ByteOwner::Alignment || owner == ByteOwner::Missing;
}

bool isPadding(ByteOwner owner) {
  return owner == ByteOwner::Padding;
}

// Behind digits on a hatch, which could not be read; the hatch is seen between them.
QRectF plateOf(const QPainter& painter, const QRectF& cell, const QString& digits) {
  QRectF plate(0, 0, QFontMetricsF(painter.font()).horizontalAdvance(digits) + 2, cell.height() - 4 * kInset);
  plate.moveCenter(cell.center());
  return plate;
}

bool hasEdge(ByteOwner owner) {
  return owner == ByteOwner::Field || owner == ByteOwner::Element || owner == ByteOwner::Length ||
         owner == ByteOwner::Bounds || owner == ByteOwner::Terminator;
}

}  // namespace

HexPainter::HexPainter(const ObjectPage& page, const ByteWindow& window, const HexGeometry& geometry, const Look& look)
    : m_page(page), m_window(window), m_geometry(geometry), m_look(look), m_colours(look.palette) {}

// Ground as in the picture of the layout beside it.
QColor HexPainter::groundOf(const ByteRun& run) const {
  switch (run.owner) {
    case ByteOwner::Header:
      return headerGround(m_colours);
    case ByteOwner::MethodTable:
      return methodTableGround(m_colours);
    case ByteOwner::Terminator:
      return mixed(m_colours.outline(), m_colours.surface(), kOfTerminator);
    case ByteOwner::Padding:
    case ByteOwner::Alignment:
    case ByteOwner::Missing:
      return m_colours.freeSpace();
    default:
      return fieldGround(kindAt(m_page, run.offset), m_colours);
  }
}

QColor HexPainter::colourOf(const ByteRun& run) const {
  switch (run.owner) {
    case ByteOwner::Header:
      return m_colours.header();
    case ByteOwner::MethodTable:
      return m_colours.methodTable();
    case ByteOwner::Padding:
      return m_colours.padding();
    case ByteOwner::Alignment:
    case ByteOwner::Missing:
    case ByteOwner::Terminator:
      return m_colours.outline();
    default:
      break;
  }
  QColor colour = m_colours.of(kindAt(m_page, run.offset));
  colour.setAlpha(255);
  return colour;
}

void HexPainter::paint(QPainter& painter, const QRectF& view) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  paintHeadings(painter);
  const std::int64_t last = std::min(m_geometry.rows(), m_look.top + m_geometry.rowsIn(view.height()) + 2);
  for (std::int64_t row = m_look.top; row < last; ++row) paintRow(painter, row);
  if (!m_look.selected.isEmpty()) paintOutline(painter, view);
  painter.restore();
}

void HexPainter::paintHeadings(QPainter& painter) const {
  painter.setFont(m_look.font);
  painter.setPen(m_colours.dimmedText());
  for (int column = 0; column < m_geometry.bytesPerRow(); ++column) {
    painter.drawText(m_geometry.columnHeading(column), Qt::AlignCenter, QString::number(column));
  }
}

void HexPainter::paintRow(QPainter& painter, std::int64_t row) const {
  const ByteSpan span = m_geometry.spanOf(row);
  painter.setFont(m_look.fixed);
  painter.setPen(m_colours.dimmedText());
  painter.drawText(m_geometry.offsetRect(row, m_look.top), Qt::AlignRight | Qt::AlignVCenter, offsetText(span.begin));
  if (m_geometry.showsAddress()) {
    const engine::Address address{m_page.address().value + static_cast<std::uint64_t>(span.begin)};
    painter.drawText(m_geometry.addressRect(row, m_look.top), Qt::AlignLeft | Qt::AlignVCenter, addressText(address));
  }
  paintGround(painter, row);
  for (std::int64_t offset = span.begin; offset < span.end; ++offset) paintByte(painter, offset);
}

void HexPainter::paintGround(QPainter& painter, std::int64_t row) const {
  const ByteSpan span = m_geometry.spanOf(row);
  for (std::int64_t offset = span.begin; offset < span.end;) {
    const ByteRun* run = m_window.runAt(offset);
    if (!run) {
      ++offset;
      continue;
    }
    const ByteSpan part{offset, std::min(span.end, spanOf(*run).end)};
    paintRun(painter, *run, part);
    offset = part.end;
  }
}

QRectF HexPainter::digits(const ByteSpan& part) const {
  return m_geometry.byteRect(part.begin, m_look.top).united(m_geometry.byteRect(part.end - 1, m_look.top));
}

QRectF HexPainter::letters(const ByteSpan& part) const {
  return m_geometry.letterRect(part.begin, m_look.top).united(m_geometry.letterRect(part.end - 1, m_look.top));
}

void HexPainter::paintRun(QPainter& painter, const ByteRun& run, const ByteSpan& part) const {
  const bool isHovered = m_look.hovered == spanOf(run);
  const QColor colour = colourOf(run);
  const QColor ground = groundOf(run);
  for (const bool isDigits : {true, false}) {
    const QRectF cells = inner(isDigits ? digits(part) : letters(part)).adjusted(0.5, 0, -0.5, 0);
    if (isPadding(run.owner)) {
      paintHatch(painter, cells, m_colours);
    } else {
      painter.fillRect(cells, isHovered && !isPlain(run.owner) ? mixed(colour, ground, kPointedAt) : ground);
    }
    const bool isStart = part.begin == run.offset;
    if (isDigits && isStart && hasEdge(run.owner)) paintEdge(painter, run, cells, colour);
  }
}

// A reference points to where it leads.
void HexPainter::paintEdge(QPainter& painter, const ByteRun& run, const QRectF& cells, const QColor& colour) const {
  const bool isValue = run.owner == ByteOwner::Field || run.owner == ByteOwner::Element;
  if (!isValue || kindAt(m_page, run.offset) != engine::FieldKind::Reference) {
    painter.fillRect(QRectF(cells.left(), cells.top(), kEdge, cells.height()), colour);
    return;
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawPolygon(
      QPolygonF({cells.topLeft(), QPointF(cells.left() + kReferenceEdge, cells.center().y()), cells.bottomLeft()}));
}

void HexPainter::paintByte(QPainter& painter, std::int64_t offset) const {
  const std::optional<std::uint8_t> byte = m_window.byteAt(offset);
  const QRectF cell = m_geometry.byteRect(offset, m_look.top);
  const QRectF letterCell = m_geometry.letterRect(offset, m_look.top);
  if (!byte) {
    painter.setPen(m_window.read().contains(offset) ? m_colours.warning() : m_colours.dimmedText());
    painter.drawText(cell, Qt::AlignCenter, m_window.read().contains(offset) ? u"??"_s : u"··"_s);
    return;
  }
  const ByteRun* run = m_window.runAt(offset);
  const QString text = u"%1"_s.arg(*byte, 2, 16, QLatin1Char('0'));
  const QColor strong = m_look.palette.color(QPalette::Text);
  const QColor weak = run ? mixed(strong, groundOf(*run), kZeroDigits) : m_colours.dimmedText();
  const bool isOnHatch = run && isPadding(run->owner);
  if (isOnHatch) painter.fillRect(plateOf(painter, cell, text), m_colours.surface());
  painter.setPen(*byte == 0 && !isOnHatch ? weak : strong);
  painter.drawText(cell, Qt::AlignCenter, text);
  const bool isPrintable = *byte >= 0x20 && *byte < 0x7f;
  if (isOnHatch && !isPrintable) return;
  painter.setPen(isPrintable ? strong : weak);
  painter.drawText(letterCell, Qt::AlignCenter, isPrintable ? QString(QLatin1Char(static_cast<char>(*byte))) : u"·"_s);
}

void HexPainter::paintOutline(QPainter& painter, const QRectF& view) const {
  QPainterPath path;
  const std::int64_t first = std::max(m_look.top, m_geometry.rowOf(m_look.selected.begin));
  const std::int64_t last =
      std::min(m_geometry.rowOf(m_look.selected.end - 1), m_look.top + m_geometry.rowsIn(view.height()) + 2);
  for (std::int64_t row = first; row <= last; ++row) {
    const ByteSpan span = m_geometry.spanOf(row);
    const ByteSpan part{std::max(span.begin, m_look.selected.begin), std::min(span.end, m_look.selected.end)};
    if (part.isEmpty()) continue;
    path.addRect(digits(part));
    path.addRect(letters(part));
  }
  painter.setPen(markPen(m_look.palette, m_look.hasFocus));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path.simplified());
}

}  // namespace heapscape::gui
