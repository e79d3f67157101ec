// SPDX-License-Identifier: MIT
#pragma once

#include <QLineEdit>
#include <QList>
#include <QPointer>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"

class QAction;

namespace heapscape::gui {

class Bookmarks;
class GoToPopup;
struct GoToEntry;

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
  /// The same, with the commands listed.
  void beginCommand();
  GoToPopup* popup() const { return m_popup; }

 Q_SIGNALS:
  /// A path was typed.
  void openRequested(const QString& path);

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
