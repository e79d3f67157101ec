// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

#include "bridge/literals.h"

namespace heapscape::gui {

/// An icon of resources/icons in one colour: that of the palette's text at the moment it is painted, so that it follows
/// the theme by itself.
QIcon symbolIcon(const QString& name);

/// A symbol's drawing in a colour of one's own, `side` device-independent pixels square.
QPixmap symbolPixmap(const QString& name, const QColor& colour, int side, qreal pixelRatio);

}  // namespace heapscape::gui
