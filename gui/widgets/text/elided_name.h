// SPDX-License-Identifier: MIT
#pragma once

#include <QFontMetrics>
#include <QString>

namespace heapscape::gui {

/// A name cut to fit: the prefix gives way first, from its left, then the rest in its middle.
struct ElidedName {
  QString prefix;
  QString rest;
};

ElidedName elideName(const QString& name, int prefixLength, int width, const QFontMetrics& metrics);

}  // namespace heapscape::gui
