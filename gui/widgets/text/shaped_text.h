// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>
#include <QStaticText>
#include <QString>

class QPainter;
class QRect;

namespace heapscape::gui {

/// A line of text whose letters have their places. Finding those is most of what drawing a list costs.
class ShapedText {
 public:
  ShapedText(const QFont& font, const QString& text);

  /// Width in pixels that do not know of the screen's scale, as QFontMetrics::horizontalAdvance of one line.
  int width() const { return m_width; }
  /// Draws it in the painter's pen. What is wider than the area is cut at its edge.
  void draw(QPainter* painter, const QRect& area, Qt::Alignment alignment) const;

 private:
  QFont m_font;
  QStaticText m_text;
  int m_width = 0;
};

/// Shaped now or not long ago: what lists show is drawn again with every frame. For the GUI thread; what is given is
/// good until the next call.
const ShapedText& shapedText(const QFont& font, const QString& text);

}  // namespace heapscape::gui
