// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>
#include <QPalette>

namespace heapscape::gui {

/// Everything but the data is grey, and one accent says what is picked.
struct Tones {
  QRgb window, base, alternate, text, dimmed, disabled, button, hover, pressed, selected, edge, line, handleHover;
  QRgb boxEdge;  // of a box that is not checked: a line that is all of it
  QRgb accent, accentHover, onAccent, tip;
  int ring = 1;  // how wide the line around what has the focus is
};

extern const Tones kLightTones;
extern const Tones kDarkTones;
/// Light on black; every line is seen.
extern const Tones kContrastTones;

QPalette paletteOf(const Tones& tones);

}  // namespace heapscape::gui
