// SPDX-License-Identifier: MIT
#pragma once

class QWidget;

namespace heapscape::gui {

/// How long something moves that tells where it went, in milliseconds; 0 where the desktop asks for less motion.
int motionMs(const QWidget& widget);

}  // namespace heapscape::gui
