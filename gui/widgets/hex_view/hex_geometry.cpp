// SPDX-License-Identifier: MIT
#include "widgets/hex_view/hex_geometry.h"

#include <algorithm>
#include <cmath>

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

}  // namespace heapscape::gui
