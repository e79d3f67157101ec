// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace heapscape::gui {

enum class Theme { System, Light, Dark };

/// "system", "light", "dark": for the settings and the command line.
QString themeName(Theme theme);
/// False if it is none of the three names.
bool tryParseTheme(const QString& name, Theme& theme);

/// Dresses the whole application; `isDesktopDark` counts for Theme::System.
void applyTheme(Theme theme, bool isDesktopDark);

}  // namespace heapscape::gui
