// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>
#include <memory>

#include "app/desktop/desktop_settings.h"
#include "app/main_window.h"
#include "support/patience.h"

namespace heapscape::gui::test {

/// The real window, shown and with settings of its own.
class WindowDriver {
 public:
  explicit WindowDriver(const Settings& settings = Settings());

  MainWindow& window() { return *m_window; }
  /// Opens a dump and waits until it is all there, or has failed.
  bool openAndWait(const QString& path);
  /// Goes there and waits until nothing on it says that it is loading.
  bool show(PlaceId place);
  /// One of the opened dump, to be selected.
  Selection someObject() const;

 private:
  Settings m_settings;
  DesktopScheme m_scheme;
  std::unique_ptr<MainWindow> m_window;
};

/// As the window dresses itself, on a machine without .NET; once per test program.
void dressApplication();
/// True while a state panel that can be seen says that something is loading.
bool isLoading(const QWidget& part);
/// Every text that a label in this part shows.
QStringList visibleTexts(const QWidget& part);
/// Whether one of them contains this.
bool shows(const QWidget& part, const QString& text);

}  // namespace heapscape::gui::test
