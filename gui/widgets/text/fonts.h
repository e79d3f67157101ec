// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>
#include <QFontMetrics>
#include <QWidget>
#include <algorithm>

namespace heapscape::gui {

/// The desktop's monospaced font at the size of `base`; for addresses.
QFont fixedFont(const QFont& base);
/// `base`, larger by a factor, whether its size is in points or in pixels.
QFont scaledFont(const QFont& base, double factor, QFont::Weight weight = QFont::Normal);

/// Height of a row of a table: at least 1.6 times the font and 24 px, so that it can be hit.
inline int tableRowHeight(const QWidget& widget) {
  return std::max(24, widget.fontMetrics().height() * 8 / 5 + 1);
}

}  // namespace heapscape::gui
