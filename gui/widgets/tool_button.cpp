// SPDX-License-Identifier: MIT
#include "widgets/tool_button.h"

#include <QToolButton>
#include <algorithm>

#include "widgets/drawing/symbol_icon.h"

namespace heapscape::gui {

namespace {

void setUp(QToolButton* button, const QString& name, const QString& tip) {
  button->setObjectName(name);
  button->setToolTip(tip);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  // Large enough to be hit, however small the font is.
  const int side = std::max(26, button->fontMetrics().height() * 8 / 5);
  button->setMinimumSize(side, side);
}

}  // namespace

void setUpTextButton(QToolButton* button, const QString& name, const QString& text, const QString& tip) {
  setUp(button, name, tip);
  button->setText(text);
  button->setAccessibleName(text);
  button->setAccessibleDescription(tip);
}

void setUpSymbolButton(QToolButton* button, const QString& name, const QString& symbol, const QString& tip) {
  setUp(button, name, tip);
  button->setIcon(symbolIcon(symbol));
  button->setAccessibleName(tip);
}

}  // namespace heapscape::gui
