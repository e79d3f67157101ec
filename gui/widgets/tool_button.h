// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

class QToolButton;

namespace heapscape::gui {

/// Dresses a flat button with a word on it. `name` is the object's name; the tip says what the button does.
void setUpTextButton(QToolButton* button, const QString& name, const QString& text, const QString& tip);

/// Dresses a flat, square button with a symbol alone (`drawing/symbol_icon`), of which the tip is the name.
void setUpSymbolButton(QToolButton* button, const QString& name, const QString& symbol, const QString& tip);

}  // namespace heapscape::gui
