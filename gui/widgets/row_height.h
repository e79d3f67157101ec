// SPDX-License-Identifier: MIT
#pragma once

#include <QFontMetrics>
#include <QWidget>
#include <algorithm>

namespace heapscape::gui {

/// Of a row of a table: at least 1.6 times the font and 24 px, so that it can be hit.
inline int tableRowHeight(const QWidget& widget) {
  return std::max(24, widget.fontMetrics().height() * 8 / 5 + 1);
}

}  // namespace heapscape::gui
