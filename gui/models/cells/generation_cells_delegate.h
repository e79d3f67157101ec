// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>

namespace heapscape::gui {

/// The generations in miniature: six cells that fill with each generation's share of the row's bytes.
class GenerationCellsDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  /// Where the miniature lies in a cell or a heading of the table.
  static QRectF pictureArea(const QRect& cell);
};

}  // namespace heapscape::gui
