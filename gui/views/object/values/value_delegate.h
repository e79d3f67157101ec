// SPDX-License-Identifier: MIT
#pragma once

#include "models/cells/name_delegate.h"

namespace heapscape::gui {

/// Draws names with a sample of the colour that their bytes have, values with the address they lead to, and what is
/// damaged with a sign.
class ValueDelegate : public NameDelegate {
  Q_OBJECT

 public:
  using NameDelegate::NameDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace heapscape::gui
