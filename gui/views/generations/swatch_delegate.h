// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>

namespace heapscape::gui {

/// A generation's name with a sample of its colour in front, as the charts have it.
class SwatchDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace heapscape::gui
