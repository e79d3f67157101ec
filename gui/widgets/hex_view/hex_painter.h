// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>
#include <QPalette>
#include <QPointF>
#include <QRectF>
#include <cstdint>
#include <optional>

#include "widgets/drawing/colours.h"
#include "widgets/hex_view/byte_window.h"
#include "widgets/hex_view/object_page.h"

class QPainter;

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

/// Draws the bytes in sight, each in the colour of what it belongs to.
class HexPainter {
 public:
  struct Look {
    QPalette palette;
    QFont font;   // of the headings
    QFont fixed;  // of the bytes
    std::int64_t top = 0;
    ByteSpan selected;
    ByteSpan hovered;
    bool hasFocus = false;
  };

  HexPainter(const ObjectPage& page, const ByteWindow& window, const HexGeometry& geometry, const Look& look);

  void paint(QPainter& painter, const QRectF& view) const;
  /// The brush of a byte's ground, at its fullest: for samples.
  QColor groundOf(const engine::ByteRun& run) const;
  QColor colourOf(const engine::ByteRun& run) const;

 private:
  void paintHeadings(QPainter& painter) const;
  void paintRow(QPainter& painter, std::int64_t row) const;
  void paintGround(QPainter& painter, std::int64_t row) const;
  void paintRun(QPainter& painter, const engine::ByteRun& run, const ByteSpan& part) const;
  void paintEdge(QPainter& painter, const engine::ByteRun& run, const QRectF& cells, const QColor& colour) const;
  void paintByte(QPainter& painter, std::int64_t offset) const;
  void paintOutline(QPainter& painter, const QRectF& view) const;
  /// The cells of neighbouring bytes of one row, as digits and as letters.
  QRectF digits(const ByteSpan& part) const;
  QRectF letters(const ByteSpan& part) const;

  const ObjectPage& m_page;
  const ByteWindow& m_window;
  const HexGeometry& m_geometry;
  Look m_look;
  Colours m_colours;
};

}  // namespace heapscape::gui
