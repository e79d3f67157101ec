// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>
#include <QPalette>

#include "widgets/drawing/colours.h"
#include "widgets/hex_view/byte_window.h"
#include "widgets/hex_view/hex_geometry.h"
#include "widgets/hex_view/object_page.h"

class QPainter;

namespace heapscape::gui {

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
  /// What a byte's ground is drawn with, at its fullest: for samples.
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
