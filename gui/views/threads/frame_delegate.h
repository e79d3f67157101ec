// SPDX-License-Identifier: MIT
#pragma once

#include "models/cells/name_delegate.h"

namespace heapscape::gui {

/// Draws frames and locals: the name, and behind it as chips what is special about it. Frames of neither the program
/// nor .NET are slanted and dimmed.
class FrameDelegate : public NameDelegate {
  Q_OBJECT

 public:
  using NameDelegate::NameDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace heapscape::gui
