// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QStringList>

#include "app/theme.h"

namespace heapscape::gui {

/// What the window remembers from one run to the next.
struct Settings {
  static constexpr qsizetype kMostRecentDumps = 12;

  QStringList recentDumps;  // absolute paths, newest first
  Theme theme = Theme::System;
  bool isInspectorShown = true;
  QByteArray geometry;  // of QWidget::saveGeometry()
  QByteArray split;     // of the splitter's saveState()

  /// Moves a dump to the front.
  void remember(const QString& path);
};

/// Both take the file to use; empty means the user's own.
Settings loadSettings(const QString& file = QString());
void saveSettings(const Settings& settings, const QString& file = QString());

}  // namespace heapscape::gui
