// SPDX-License-Identifier: MIT
#pragma once

#include <QStyleOption>

#include "app/style/tones.h"

class QPainter;
class QStyle;

namespace heapscape::gui {

/// An item of a menu: check mark, icon, text, shortcut, arrow of a submenu.
QSize menuItemSize(const QStyleOptionMenuItem& item, const QSize& contents);
void drawMenuItem(const QStyleOptionMenuItem& item, const QStyle& style, const Tones& tones, QPainter& painter);

}  // namespace heapscape::gui
