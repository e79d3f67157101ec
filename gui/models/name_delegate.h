// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>

namespace heapscape::gui {

/// Draws text whose first part (kDimmedPrefixRole: a namespace, the digits that all addresses share) is dimmed.
class NameDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace heapscape::gui
