// SPDX-License-Identifier: MIT
#pragma once

#include <QLineEdit>
#include <QList>
#include <QListWidget>
#include <QPointer>
#include <QString>
#include <functional>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "models/address_target.h"
#include "session/details/go_to.h"
#include "session/layouts/declared_layouts.h"

class QAction;

namespace heapscape::gui {

class Bookmarks;

/// One line under the go-to box: what it is, and what picking it does.
struct GoToEntry {
  QString symbol;  // name of its icon
  QString title;
  QString detail;
  std::function<void()> run;  // empty for a line that only says something
  bool isType = false;        // the title is a type's name
};

/// The lines under the go-to box. Never takes the focus: the box passes the keys on.
class GoToPopup : public QListWidget {
  Q_OBJECT

 public:
  /// Lies over `window`, which owns it.
  explicit GoToPopup(QWidget* window);

  void setEntries(std::vector<GoToEntry> entries);
  const std::vector<GoToEntry>& entries() const { return m_entries; }
  /// Beside `box`, as wide as it or as its text needs, inside the window.
  void showUnder(const QWidget* box);
  void moveCurrent(int rows);
  /// Whether the current line leads anywhere rather than only says something.
  bool canRunCurrent() const;
  void runCurrent();

 Q_SIGNALS:
  /// A line was clicked.
  void picked();

 private:
  std::vector<GoToEntry> m_entries;
};

/// Takes one anywhere: to an address, a type, a file, or to what a command does.
class GoToBox : public QLineEdit {
  Q_OBJECT

 public:
  GoToBox(EngineBridge& bridge, Navigator& navigator, QWidget* window);

  void setCommands(const QList<QAction*>& commands) { m_commands = commands; }
  /// They outlive this.
  void setBookmarks(Bookmarks* bookmarks) { m_bookmarks = bookmarks; }
  /// Takes the focus, to be written in.
  void begin();
  /// Begins with the commands listed.
  void beginCommand();
  GoToPopup* popup() const { return m_popup; }

 Q_SIGNALS:
  /// A path was typed.
  void openRequested(const QString& path);
  /// A chapter of the manual was picked: "places.md#types".
  void manualRequested(const QString& link);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void complete();
  void leave();
  void askEngine(const QString& text);
  void askForTypes(const QString& text);
  void askForFile(const QString& text);
  void show(std::vector<GoToEntry> entries);
  void showFailure(const engine::Unfinished& why);
  void pick();

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  GoToPopup* m_popup;
  QList<QAction*> m_commands;
  Bookmarks* m_bookmarks = nullptr;
  QPointer<QWidget> m_cameFrom;  // what had the focus before; commands are about it
  QString m_answered;            // the text that what is offered answers
  bool m_picksFirst = false;     // Enter was pressed before the engine had answered
};

}  // namespace heapscape::gui
