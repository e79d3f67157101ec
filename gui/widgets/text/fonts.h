// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>

namespace heapscape::gui {

/// The desktop's monospaced font at the size of `base`; for addresses.
QFont fixedFont(const QFont& base);
/// `base`, larger by a factor, whether its size is in points or in pixels.
QFont scaledFont(const QFont& base, double factor, QFont::Weight weight = QFont::Normal);

}  // namespace heapscape::gui
