// SPDX-License-Identifier: MIT
#include "models/query/query_menu.h"

#include <QInputDialog>
#include <QMenu>

#include "models/query/query_edit.h"
#include "models/query/query_help.h"
#include "models/query/saved_views.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/symbol_icon.h"

namespace heapscape::gui {
namespace {

constexpr int kLongestShown = 60;

// A menu takes an ampersand for the mark of a key.
QString menuText(const QString& text) {
  QString shown = text.size() <= kLongestShown ? text : text.left(kLongestShown - 1) + u"…"_s;
  return shown.replace(QLatin1Char('&'), QLatin1String("&&"));
}

QString askForName(QueryEdit& edit, const QString& title, const QString& name) {
  bool isGiven = false;
  const QString given =
      QInputDialog::getText(edit.window(), title, u"Name of the view:"_s, QLineEdit::Normal, name, &isGiven);
  return isGiven ? given.trimmed() : QString();
}

void addViews(QMenu& menu, QueryEdit& edit) {
  const std::vector<SavedView> views = savedViews(edit.list());
  if (!views.empty()) menu.addSection(u"Saved views"_s);
  for (const SavedView& view : views) {
    QAction* action = menu.addAction(menuText(view.name), &edit, [&edit, view] { edit.applyView(view); });
    action->setToolTip(view.query);
  }
  menu.addSeparator();
  menu.addAction(symbolIcon(u"save"_s), u"Save this view…"_s, &edit, [&edit] {
    const QString name = askForName(edit, u"Save view"_s, edit.text());
    if (!name.isEmpty()) edit.keepView(name);
  });
  if (views.empty()) return;
  QMenu* rename = menu.addMenu(u"Rename"_s);
  QMenu* forget = menu.addMenu(u"Delete"_s);
  for (const SavedView& view : views) {
    rename->addAction(menuText(view.name), &edit, [&edit, name = view.name] {
      const QString newName = askForName(edit, u"Rename view"_s, name);
      if (!newName.isEmpty()) renameView(edit.list(), name, newName);
    });
    forget->addAction(menuText(view.name), &edit, [&edit, name = view.name] { forgetView(edit.list(), name); });
  }
}

}  // namespace

void fillQueryMenu(QMenu& menu, QueryEdit& edit) {
  menu.setToolTipsVisible(true);
  addViews(menu, edit);
  const QStringList recent = recentQueries(edit.list());
  if (!recent.isEmpty()) menu.addSection(u"Recent queries"_s);
  for (const QString& query : recent) {
    QAction* action = menu.addAction(menuText(query), &edit, [&edit, query] { edit.setText(query); });
    action->setToolTip(query);
  }
  menu.addSeparator();
  menu.addAction(symbolIcon(u"info"_s), u"What can be asked…"_s, &edit, [&edit] { showQueryHelp(edit); });
}

void runQueryMenu(QueryEdit& edit, const QPoint& position) {
  const ContextMenu opened(&edit);
  QMenu& menu = *opened;
  fillQueryMenu(menu, edit);
  menu.exec(position);
}

}  // namespace heapscape::gui
