// SPDX-License-Identifier: MIT
#pragma once

#include <Qt>

#include "models/cells/name_delegate.h"

namespace heapscape::gui {

/// Roles that ValueDelegate asks a model for, beside what is in models/roles.h.
enum ValueRole : int {
  kValueSuffixRole = Qt::UserRole + 100,  // QString: drawn dimmed behind the text
  kIsWarningRole,                         // bool: drawn with the sign of warnings
  kIsDimmedRole,                          // bool: says that nothing is there
  kFieldKindRole,                         // int: engine::FieldKind, where the line is bytes of the object shown
  kIsNameRole,                            // bool: a name that may have a sample of its bytes' colour
};

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
