// SPDX-License-Identifier: MIT
#pragma once

#include <QHeaderView>

namespace heapscape::gui {

/// The headings of a table of types; the generations' heading names each cell of the miniature below it.
class TypeHeading : public QHeaderView {
  Q_OBJECT

 public:
  explicit TypeHeading(QWidget* parent = nullptr);

 protected:
  void paintSection(QPainter* painter, const QRect& rect, int section) const override;
};

}  // namespace heapscape::gui
