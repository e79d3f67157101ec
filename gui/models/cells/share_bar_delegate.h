// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>

namespace heapscape::gui {

/// A figure with a bar behind it that says how much of the largest one it is (kShareRole). Dimmed
/// where there is nothing of it; less than nothing (kIsNegativeRole) is something.
class ShareBarDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  enum class Bar { Plain, Padding };  // hatched, as padding is everywhere

  explicit ShareBarDelegate(Bar bar, QObject* parent = nullptr) : QStyledItemDelegate(parent), m_bar(bar) {}
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  Bar m_bar;
};

}  // namespace heapscape::gui
