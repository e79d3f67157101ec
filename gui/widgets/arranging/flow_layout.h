// SPDX-License-Identifier: MIT
#pragma once

#include "widgets/arranging/item_layout.h"

namespace heapscape::gui {

/// Widgets side by side, on as many lines as the width asks for. A QSpacerItem parts two groups of them that stand on
/// one line.
class FlowLayout : public ItemLayout {
  Q_OBJECT

 public:
  explicit FlowLayout(QWidget* parent = nullptr, int spacing = 8);

  Qt::Orientations expandingDirections() const override { return {}; }
  int heightForWidth(int width) const override;
  QSize minimumSize() const override;
  QSize sizeHint() const override;
  void setGeometry(const QRect& rect) override;

 private:
  int arrange(const QRect& rect, bool moves) const;
};

}  // namespace heapscape::gui
