// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace heapscape::gui {

enum class Theme { System, Light, Dark, Contrast };

/// "system", "light", "dark", "contrast": for the settings and the command line.
QString themeName(Theme theme);
/// False if it is none of these names.
bool tryParseTheme(const QString& name, Theme& theme);

/// Dresses the whole application; `desktop`, which is one of the others, counts for Theme::System.
void applyTheme(Theme theme, Theme desktop = Theme::Light);

}  // namespace heapscape::gui
