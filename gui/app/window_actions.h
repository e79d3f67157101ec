// SPDX-License-Identifier: MIT
#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <map>

#include "app/theme.h"
#include "bridge/navigator.h"

class QAction;
class QMenu;
class QMenuBar;

namespace heapscape::gui {

/// Everything the window can be told to do, each with its word, icon and keys; the menus are made of it, and the go-to
/// box finds it as commands.
class WindowActions : public QObject {
 public:
  explicit WindowActions(QWidget* window);

  void fillMenuBar(QMenuBar* bar);
  QList<QAction*> all() const;

  QAction* open;
  QAction* openAssembly;
  QAction* openSample;
  QAction* openReview;
  QAction* close;
  QAction* quit;
  QAction* back;
  QAction* forward;
  QAction* goTo;
  QAction* filter;
  QAction* inspector;
  QAction* pin;
  QAction* shortcuts;
  QAction* about;
  QMenu* recent;
  std::map<PlaceId, QAction*> places;
  std::map<Theme, QAction*> themes;

 private:
  QAction* add(const QString& symbol, const QString& text, const QKeySequence& keys = {}, const QString& tip = {});
  void addPlaces();
  void addThemes();

  QWidget* m_window;
};

}  // namespace heapscape::gui
