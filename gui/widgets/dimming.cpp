// SPDX-License-Identifier: MIT
#include "widgets/dimming.h"

#include <QGraphicsOpacityEffect>
#include <QWidget>

namespace heapscape::gui {

void setDimmed(QWidget* widget, bool isDimmed) {
  constexpr double kOpacity = 0.5;
  if (isDimmed == (widget->graphicsEffect() != nullptr)) return;
  if (!isDimmed) return widget->setGraphicsEffect(nullptr);
  auto* effect = new QGraphicsOpacityEffect(widget);
  effect->setOpacity(kOpacity);
  widget->setGraphicsEffect(effect);
}

}  // namespace heapscape::gui
