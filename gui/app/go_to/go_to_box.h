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

/// What the engine found, and for a type how much of it is on the heap.
struct FoundDestination {
  engine::Destination destination;
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
};
/// What a text may mean: an address or a thread first, then types and segments.
struct FoundForBox {
  engine::Address address = {};  // that the text is, if there is anything at it; 0 else
  std::vector<AddressTarget> targets;
  std::vector<FoundDestination> destinations;
};
/// On the engine thread. "@" stands before threads: their id, or part of their name.
engine::Outcome<FoundForBox> findForBox(const engine::Snapshot& snapshot, const std::string& text, std::size_t limit,
                                        std::stop_token stop);

/// The same in an assembly: its types with that text in their names, or else any type of that full name.
engine::Outcome<std::vector<engine::LayoutRow>> findTypesForBox(const engine::DeclaredLayouts& layouts,
                                                                const std::string& text, std::size_t limit,
                                                                std::stop_token stop);

/// "> command": after the sign come words that a command's text must hold, in any order and case.
bool isCommandText(const QString& text);
/// Those that cannot be used now stand at the end, and lead nowhere.
std::vector<GoToEntry> commandEntries(const QString& text, const QList<QAction*>& commands);

/// "? query": a question about the objects of the whole heap. One that cannot be understood leads nowhere; what is
/// wrong with it is said instead.
bool isQueryText(const QString& text);
std::vector<GoToEntry> queryEntries(const QString& text, Navigator& navigator);

/// "* bookmark": those of the open dump whose names hold the words behind the sign, in any order and case.
bool isBookmarkText(const QString& text);
std::vector<GoToEntry> bookmarkEntries(const QString& text, Bookmarks& bookmarks);

/// Where picking leads: objects to their own place, segments to the map, types to their table, all else to its list.
std::vector<GoToEntry> destinationEntries(const FoundForBox& found, Navigator& navigator);

/// In place of an answer.
std::vector<GoToEntry> failureEntries(const QString& what, const QString& help);

/// To the layout of each.
std::vector<GoToEntry> typeEntries(const std::vector<engine::LayoutRow>& types, Navigator& navigator);

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
