// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <optional>
#include <vector>

#include "app/settings.h"

namespace heapscape::gui {

class DesktopScheme;
class MainWindow;

/// The windows of the program, each with its own dump; all share the settings. One that is closed is deleted.
class Windows : public QObject {
  Q_OBJECT

 public:
  /// `scheme` outlives this. `settingsFile`: where the settings are kept as soon as a window changes them; nothing to
  /// keep none. `themeOfRun` is not kept.
  Windows(const Settings& settings, DesktopScheme& scheme, std::optional<QString> settingsFile = QString(),
          std::optional<Theme> themeOfRun = std::nullopt);
  ~Windows() override;

  /// One more, not shown yet.
  MainWindow& add();
  std::vector<MainWindow*> all() const;

 private:
  void share(const MainWindow& changed);

  Settings m_settings;
  DesktopScheme& m_scheme;
  std::optional<QString> m_settingsFile;
  std::optional<Theme> m_themeOfRun;
  std::vector<QPointer<MainWindow>> m_windows;
  bool m_isSharing = false;
};

}  // namespace heapscape::gui
