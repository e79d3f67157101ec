// SPDX-License-Identifier: MIT
#pragma once

#include <QPalette>
#include <QString>

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

enum class Theme { System, Light, Dark, Contrast };

/// "system", "light", "dark", "contrast": for the settings and the command line.
QString themeName(Theme theme);
/// False if it is none of these names.
bool tryParseTheme(const QString& name, Theme& theme);

/// Dresses the whole application; `desktop`, which is one of the others, counts for Theme::System.
void applyTheme(Theme theme, Theme desktop = Theme::Light);

}  // namespace heapscape::gui
