// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>

namespace heapscape::gui {

/// Rows of the generations' table: a sample of the colour before the name, as the charts have it; what is empty is
/// dimmed.
class SwatchDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

}  // namespace heapscape::gui
