// SPDX-License-Identifier: MIT
#pragma once

#include "widgets/arranging/item_layout.h"

namespace heapscape::gui {

/// The line over a list. Its first item takes the room that there is; the second stands behind it or, where not all fit
/// beside each other, on a line of its own below; the others end the first line.
class HeadLayout : public ItemLayout {
  Q_OBJECT

 public:
  explicit HeadLayout(QWidget* parent = nullptr, int spacing = 12);

  Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
  int heightForWidth(int width) const override;
  QSize minimumSize() const override;
  QSize sizeHint() const override;
  void setGeometry(const QRect& rect) override;

 private:
  int arrange(const QRect& rect, bool moves) const;
  /// Widths of what ends the first line, with the spaces before each.
  int endWidth() const;
};

}  // namespace heapscape::gui
