// SPDX-License-Identifier: MIT
#pragma once

#include <QPointF>
#include <QRectF>
#include <cstdint>
#include <optional>

#include "widgets/hex_view/byte_span.h"

namespace heapscape::gui {

/// Sizes in device-independent pixels that bytes are laid out with.
struct HexMetrics {
  double letterWidth = 8;  // of the monospaced font
  double rowHeight = 24;
  double rulerHeight = 24;  // the line of column headings
  double margin = 12;
  std::int64_t begin = -8;  // offset of the first byte shown
  std::int64_t end = 0;
  int offsetLetters = 5;  // room for the longest offset
};

/// Where the bytes of an object lie in its hex view: rows of 8 or 16, of which only those in sight are looked at. Rows
/// count from 0; `top` is the row at the top of the view.
class HexGeometry {
 public:
  HexGeometry() = default;
  /// As many bytes a row as the width has room for, and the address where there is room for it too.
  HexGeometry(const HexMetrics& metrics, double width);

  int bytesPerRow() const { return m_bytesPerRow; }
  bool showsAddress() const { return m_showsAddress; }
  std::int64_t rows() const;
  std::int64_t rowOf(std::int64_t offset) const { return (offset - m_metrics.begin) / m_bytesPerRow; }
  /// The bytes of a row.
  ByteSpan spanOf(std::int64_t row) const;
  int rowsIn(double height) const;

  double rowTop(std::int64_t row, std::int64_t top) const;
  QRectF offsetRect(std::int64_t row, std::int64_t top) const;
  QRectF addressRect(std::int64_t row, std::int64_t top) const;
  /// The cell of a byte's two digits; those of neighbours touch.
  QRectF byteRect(std::int64_t offset, std::int64_t top) const;
  QRectF letterRect(std::int64_t offset, std::int64_t top) const;
  QRectF columnHeading(int column) const;
  std::optional<std::int64_t> byteAt(const QPointF& point, std::int64_t top) const;
  double width() const { return m_right; }

 private:
  double byteLeft(int column) const;
  double widthFor(int bytesPerRow, bool withAddress) const;

  HexMetrics m_metrics;
  int m_bytesPerRow = 8;
  bool m_showsAddress = true;
  double m_bytesLeft = 0;
  double m_lettersLeft = 0;
  double m_right = 0;
};

}  // namespace heapscape::gui
