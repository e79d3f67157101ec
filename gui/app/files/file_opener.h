// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QString>
#include <functional>

#include "app/settings.h"
#include "bridge/engine_bridge.h"

namespace heapscape::gui {

/// Opens what a path or a dialog names: a dump or an assembly through the bridge, a review by whoever shows it; and
/// remembers what was opened.
class FileOpener : public QObject {
  Q_OBJECT

 public:
  /// `settings` outlives this; dialogs belong to `window`.
  FileOpener(EngineBridge& bridge, Settings& settings, QWidget* window);

  /// Opens a file. Its kind is read first, on another thread; opening something else in the meantime wins.
  void open(const QString& path) {
    openThen(path, [] {});
  }
  /// As open(); `begun` is called once a dump or an assembly is being opened.
  void openThen(const QString& path, std::function<void()> begun);
  void chooseDump();
  void chooseAssembly();
  void chooseReview();

  /// The dump that comes with the program; empty if it is not there.
  QString sample() const { return m_sample; }
  /// Makes the open file the newest of the recent ones; not the sample.
  void remember();

  /// Opens the dump or the assembly again, to find what it lacks or refers to in one more file or folder.
  void lookElsewhere(const QString& place);
  /// Opens it again without those.
  void forgetSearchPlaces();
  /// Opens it again with what the settings say now.
  void openAgain();

 Q_SIGNALS:
  void reviewWanted(const QString& path);
  void recentChanged();
  /// Any of the settings that this remembers.
  void settingsChanged();

 private:
  void openAssembly(const QString& path);

  EngineBridge& m_bridge;
  Settings& m_settings;
  QWidget* m_window;
  QString m_sample;
  int m_asked = 0;  // how often something was to be opened
};

}  // namespace heapscape::gui
