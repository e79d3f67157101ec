// SPDX-License-Identifier: MIT
#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <map>
#include <vector>

#include "app/theme.h"
#include "bridge/navigator.h"

class QAction;
class QMenu;
class QMenuBar;

namespace heapscape::gui {

/// A menu: its title with the mark of its key, and what is in it. Null stands for a line between two groups.
struct ActionSection {
  QString title;
  QList<QAction*> actions;
};

/// Everything the window can be told to do, each with its word, icon and keys. The one list of it: menus, the commands
/// of the go-to box and the sheet of shortcuts are made of the sections.
class WindowActions : public QObject {
 public:
  explicit WindowActions(QWidget* window);

  const std::vector<ActionSection>& sections() const { return m_sections; }
  void fillMenuBar(QMenuBar* bar) const;
  /// All that can be triggered, without the lines between.
  QList<QAction*> all() const;

  QAction* newWindow;
  QAction* open;
  QAction* openAssembly;
  QAction* openSample;
  QAction* openReview;
  QAction* continueSession;
  QAction* reopensLast;
  QAction* keepsAnswers;
  QAction* emptyCache;
  QAction* code;
  QAction* running;
  QAction* saveCopy;
  QAction* close;
  QAction* closeWindow;
  QAction* quit;
  QAction* placeWindow;
  QAction* back;
  QAction* forward;
  QAction* goTo;
  QAction* commands;
  QAction* filter;
  QAction* bookmark;
  QAction* inspector;
  QAction* pin;
  QAction* fullScreen;
  QAction* sourceEditor;
  std::vector<QAction*> guides;  // in the order of guidedQuestions()
  QAction* manual;
  QAction* shortcuts;
  QAction* about;
  QMenu* recent;
  QMenu* bookmarks;
  std::map<PlaceId, QAction*> places;
  std::map<Theme, QAction*> themes;

 private:
  QAction* add(const QString& symbol, const QString& text, const QKeySequence& keys = {}, const QString& tip = {});
  void addFiles();
  void addPlaces();
  void addViews();
  void addWays();
  void addHelp();
  void addThemes();

  QWidget* m_window;
  std::vector<ActionSection> m_sections;
};

/// Its words without the mark of a key and without the dots that announce a question.
QString plainText(const QAction& action);

}  // namespace heapscape::gui
