// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>

namespace heapscape::gui {

/// Draws the item's text into a part of its cell: its first part dimmed, or what is shorter where there is no room for
/// that. Returns how much of the width it took.
int paintName(QPainter* painter, const QStyleOptionViewItem& item, const QRect& area, int dimmedPrefix,
              const QString& shorter = {});

/// Draws text whose first part (kDimmedPrefixRole: a namespace, the digits that all addresses share) is dimmed.
class NameDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace heapscape::gui
