// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>
#include <map>
#include <optional>

#include "app/theme.h"
#include "layout/code_owners.h"

namespace heapscape::gui {

/// The file that was open last, and where in it one was.
struct Session {
  QString path;      // absolute; empty if nothing was ever open
  QString identity;  // of the dump's memory, see identityOf(); empty for an assembly
  QString location;  // as keptText() writes it
  bool operator==(const Session&) const = default;
};

/// The things that the window remembers from one run to the next.
struct Settings {
  static constexpr qsizetype kMostRecentDumps = 12;

  QStringList recentDumps;                      // and assemblies: absolute paths, newest first
  std::map<QString, QStringList> searchPlaces;  // by an assembly's folder: where else its references may lie
  Theme theme = Theme::System;
  bool isInspectorShown = true;
  bool reopensLast = false;  // at a start without a file
  bool keepsAnswers = true;  // of dumps, in the user's cache
  engine::NamedCode namedCode;
  Session session;
  QByteArray geometry;  // of QWidget::saveGeometry()
  QByteArray split;     // of the splitter's saveState()

  /// Moves a dump to the front.
  void remember(const QString& path);
  void addSearchPlace(const QString& assembly, const QString& place);
  QStringList searchPlacesFor(const QString& assembly) const;
  void forgetSearchPlaces(const QString& assembly);
};

/// Gives the program's own settings their file, for those kept by lists as well, and moves there what earlier releases
/// kept elsewhere. Once, before any are read.
void nameSettings();

/// Both take the file to use; empty means the user's own.
Settings loadSettings(const QString& file = QString());
void saveSettings(const Settings& settings, const QString& file = QString());

class MainWindow;

/// Writes the window's settings as soon as one changes, so that a process that is killed loses none.
class SettingsKeeper : public QObject {
  Q_OBJECT

 public:
  /// `themeOfRun`: one for this run, which is not kept. `file`: empty for the user's own. `window` outlives this.
  explicit SettingsKeeper(const MainWindow& window, std::optional<Theme> themeOfRun = std::nullopt,
                          const QString& file = QString(), QObject* parent = nullptr);

  void save() const;

 private:
  const MainWindow& m_window;
  std::optional<Theme> m_themeOfRun;
  QString m_file;
};

}  // namespace heapscape::gui
