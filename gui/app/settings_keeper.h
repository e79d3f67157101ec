// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QString>
#include <optional>

#include "app/theme.h"

namespace heapscape::gui {

class MainWindow;

/// Writes the window's settings as soon as one changes, so that a process that is killed loses none.
class SettingsKeeper : public QObject {
  Q_OBJECT

 public:
  /// `themeOfRun`: one that was asked for this time alone, and is not kept. `file`: empty for the user's own. `window`
  /// outlives this.
  explicit SettingsKeeper(const MainWindow& window, std::optional<Theme> themeOfRun = std::nullopt,
                          const QString& file = QString(), QObject* parent = nullptr);

  void save() const;

 private:
  const MainWindow& m_window;
  std::optional<Theme> m_themeOfRun;
  QString m_file;
};

}  // namespace heapscape::gui
