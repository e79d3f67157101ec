// SPDX-License-Identifier: MIT
#include "widgets/motion.h"

#include <QStyle>
#include <QWidget>
#include <algorithm>

namespace heapscape::gui {

int motionMs(const QWidget& widget) {
  constexpr int kLongest = 150;
  return std::min(kLongest, widget.style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, &widget));
}

}  // namespace heapscape::gui
