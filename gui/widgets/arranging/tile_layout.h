// SPDX-License-Identifier: MIT
#pragma once

#include "widgets/arranging/item_layout.h"

namespace heapscape::gui {

/// Widgets in columns of one width, as many as there is room for; the rest in rows below.
class TileLayout : public ItemLayout {
  Q_OBJECT

 public:
  explicit TileLayout(int spacing = 24);

  Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
  int heightForWidth(int width) const override;
  QSize minimumSize() const override;
  QSize sizeHint() const override;
  void setGeometry(const QRect& rect) override;

 private:
  int leastWidth() const;
  int columns(int width) const;
  int widthOf(int columns, int width) const;
  /// Of the row that begins with an item.
  int rowHeight(int first, int columns, int width) const;
};

}  // namespace heapscape::gui
