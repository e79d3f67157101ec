// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <optional>

namespace heapscape::gui {

/// The text of a hover bubble: a name, and under it short facts in the order given.
struct BubbleText {
  QColor swatch;  // invalid for none
  QString title;
  QStringList facts;  // one line each
  bool operator==(const BubbleText&) const = default;
};

/// A label that follows the pointer over a picture, without delay and without ever being in the way of the mouse.
class HoverBubble : public QWidget {
  Q_OBJECT

 public:
  explicit HoverBubble(QWidget* picture);

  /// Shows it beside a point of the picture, inside the picture's bounds.
  void showAt(QPoint point, const BubbleText& text);
  /// Shows the text of a picture whose shapes can be clicked: the pointer says so, too. Nothing where no shape is.
  void showOrHide(std::optional<QPointF> point, const std::optional<BubbleText>& text);
  const BubbleText& text() const { return m_text; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QSize wantedSize() const;

  BubbleText m_text;
};

/// Where a bubble goes: right below the point, on its other side where it would not fit.
QPoint bubblePosition(QPoint point, QSize bubble, QRect bounds);

}  // namespace heapscape::gui
