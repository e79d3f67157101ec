// SPDX-License-Identifier: MIT
#include "app/settings_keeper.h"

#include "app/main_window.h"

namespace heapscape::gui {

SettingsKeeper::SettingsKeeper(const MainWindow& window, std::optional<Theme> themeOfRun, const QString& file,
                               QObject* parent)
    : QObject(parent), m_window(window), m_themeOfRun(themeOfRun), m_file(file) {
  connect(&window, &MainWindow::settingsChanged, this, &SettingsKeeper::save);
}

void SettingsKeeper::save() const {
  Settings kept = m_window.settings();
  if (kept.theme == m_themeOfRun) kept.theme = loadSettings(m_file).theme;
  saveSettings(kept, m_file);
}

}  // namespace heapscape::gui
