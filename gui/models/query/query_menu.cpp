// SPDX-License-Identifier: MIT
#include "models/query/query_menu.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QInputDialog>
#include <QMenu>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "models/query/query_edit.h"
#include "models/query/saved_views.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

using engine::QueryKind;

QString exampleFor(const engine::QueryField& field) {
  const QString name = fromEngine(field.name);
  switch (field.kind) {
    case QueryKind::Text:
      return name + u" ~ \"Order\""_s;
    case QueryKind::Number:
      return name + u" > 10"_s;
    case QueryKind::Bytes:
      return name + u" >= 64 KB"_s;
    case QueryKind::Address:
      return name + u" = 0x7f0012345678"_s;
    case QueryKind::Flag:
      return u"not "_s + name;
    case QueryKind::Choice:
      break;
  }
  return field.choices.empty() ? name : name + u" = "_s + fromEngine(field.choices.back());
}

QString row(const QString& first, const QString& second, const QString& third) {
  return u"<tr><td><b>%1</b></td><td>%2</td><td><code>%3</code></td></tr>"_s.arg(
      first.toHtmlEscaped(), second.toHtmlEscaped(), third.toHtmlEscaped());
}

constexpr int kLongestShown = 60;

// A menu takes an ampersand for the mark of a key.
QString menuText(const QString& text) {
  QString shown = text.size() <= kLongestShown ? text : text.left(kLongestShown - 1) + u"…"_s;
  return shown.replace(QLatin1Char('&'), QLatin1String("&&"));
}

QString askForName(QueryEdit& edit, const QString& title, const QString& name) {
  bool isGiven = false;
  const QString given =
      QInputDialog::getText(edit.window(), title, u"Save view as:"_s, QLineEdit::Normal, name, &isGiven);
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

QString queryHelpText(const engine::QuerySchema& schema) {
  QString text = u"<p>%1</p><p>%2</p>"_s.arg(
      u"Text without operators is looked for in names. A query compares fields, and joins "
      "comparisons by <b>and</b>, <b>or</b>, <b>not</b> and parentheses."_s,
      u"<code>= != &lt; &lt;= &gt; &gt;=</code> compare, <code>~</code> and <code>!~</code> look "
      "for text in any case, or for a <code>/regular expression/</code>; <code>in (1, 2)</code> "
      "is one of several. KB, MB and GB are steps of 1024."_s);
  text += u"<table cellpadding=\"4\">"_s;
  for (const engine::QueryField& field : schema.fields)
    text += row(fromEngine(field.name), fromEngine(field.help), exampleFor(field));
  if (schema.hasObjectFields) {
    text += row(u"field(\"…\")"_s, u"A field of the object, or of what it refers to."_s,
                u"field(\"Customer.Name\") = \"Ada\""_s);
  }
  return text + u"</table>"_s;
}

void showQueryHelp(QueryEdit& edit) {
  auto* dialog = new QDialog(edit.window());
  dialog->setObjectName(u"queryHelp"_s);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(u"Query help: %1"_s.arg(fromEngine(edit.schema().noun)));
  auto* text = new QTextBrowser(dialog);
  text->setHtml(queryHelpText(edit.schema()));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  auto* column = new QVBoxLayout(dialog);
  column->addWidget(text);
  column->addWidget(buttons);
  const int letter = dialog->fontMetrics().averageCharWidth();
  dialog->resize(letter * 100, letter * 70);
  dialog->show();
}

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
  menu.addAction(symbolIcon(u"info"_s), u"Query help…"_s, &edit, [&edit] { showQueryHelp(edit); });
}

void runQueryMenu(QueryEdit& edit, const QPoint& position) {
  const ContextMenu opened(&edit);
  QMenu& menu = *opened;
  fillQueryMenu(menu, edit);
  menu.exec(position);
}

}  // namespace heapscape::gui
