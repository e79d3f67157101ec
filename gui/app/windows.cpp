// SPDX-License-Identifier: MIT
#include "app/windows.h"

#include <QScopedValueRollback>
#include <utility>

#include "app/main_window.h"

namespace heapscape::gui {

namespace {

constexpr QPoint kBesideLast(32, 32);

}  // namespace

Windows::Windows(const Settings& settings, DesktopScheme& scheme, std::optional<QString> settingsFile,
                 std::optional<Theme> themeOfRun)
    : m_settings(settings), m_scheme(scheme), m_settingsFile(std::move(settingsFile)), m_themeOfRun(themeOfRun) {}

Windows::~Windows() {
  for (const QPointer<MainWindow>& window : m_windows) delete window.data();
}

MainWindow& Windows::add() {
  const MainWindow* last = all().empty() ? nullptr : all().back();
  auto* window = new MainWindow(m_settings, m_scheme);
  window->setAttribute(Qt::WA_DeleteOnClose);
  if (last) window->setGeometry(last->geometry().translated(kBesideLast));
  if (m_settingsFile) new SettingsKeeper(*window, m_themeOfRun, *m_settingsFile, window);
  connect(window, &MainWindow::windowWanted, this, [this] { add().show(); });
  connect(window, &MainWindow::settingsChanged, this, [this, window] { share(*window); });
  m_windows.emplace_back(window);
  return *window;
}

std::vector<MainWindow*> Windows::all() const {
  std::vector<MainWindow*> windows;
  for (const QPointer<MainWindow>& window : m_windows) {
    if (window) windows.push_back(window);
  }
  return windows;
}

// The next window begins as the last one was.
void Windows::share(const MainWindow& changed) {
  if (m_isSharing) return;
  const QScopedValueRollback sharing(m_isSharing, true);
  m_settings = changed.settings();
  for (MainWindow* window : all()) {
    if (window != &changed) window->takeSettings();
  }
}

}  // namespace heapscape::gui
