// SPDX-License-Identifier: MIT
#include "app/help_dialogs.h"

#include <QAction>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/window_actions.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/fact_list.h"
#include "widgets/section.h"

namespace heapscape::gui {

namespace {

constexpr int kDialogMargin = 24;
constexpr std::size_t kLinesInColumn = 22;
constexpr std::size_t kLinesOfHeading = 2;
constexpr int kScrollBarRoom = 16;

std::vector<Fact> shortcutFacts(const QList<QAction*>& actions) {
  std::vector<Fact> facts;
  for (const QAction* action : actions) {
    if (!action || action->shortcut().isEmpty()) continue;
    QStringList keys;
    for (const QKeySequence& key : action->shortcuts()) keys << key.toString(QKeySequence::NativeText);
    Fact fact{.label = plainText(*action), .value = keys.join(u", "_s)};
    const bool isTold = std::ranges::any_of(
        facts, [&](const Fact& told) { return told.label == fact.label && told.value == fact.value; });
    if (!isTold) facts.push_back(std::move(fact));
  }
  return facts;
}

// Actions of the parts of a page while they have the focus.
QList<QAction*> actionsIn(const QWidget& page) {
  QList<QAction*> actions;
  for (const QWidget* part : page.findChildren<QWidget*>()) {
    if (part->isVisible()) actions << part->actions();
  }
  return actions;
}

QDialog* makeDialog(QWidget* window, const QString& title, const QList<QWidget*>& parts) {
  auto* dialog = new QDialog(window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  auto* layout = new QVBoxLayout(dialog);
  layout->setContentsMargins(kDialogMargin, kDialogMargin, kDialogMargin, 16);
  layout->setSpacing(12);
  for (QWidget* part : parts) layout->addWidget(part);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  layout->addWidget(buttons);
  return dialog;
}

}  // namespace

void showAbout(QWidget* window) {
  auto* icon = new QLabel;
  icon->setPixmap(symbolPixmap(u"heapscape"_s, Qt::black, 72, window->devicePixelRatioF()));
  auto* text = makeNote(
      u"Shows a .NET program's memory from a Linux core dump, with no .NET needed.\n\n"
      "Version %1, built with Qt %2. MIT licence.\n\n"
      "A dump holds what the program had in memory, secrets too: mind whom you show it to."_s.arg(
          QStringLiteral(HEAPSCAPE_VERSION), QString::fromLatin1(qVersion())),
      nullptr);
  text->setMinimumWidth(window->fontMetrics().averageCharWidth() * 56);
  makeDialog(window, u"About Heapscape"_s, {icon, makeHeading(u"Heapscape"_s, nullptr, 1.5), text})->open();
}

void showShortcuts(QWidget* window, const std::vector<ActionSection>& sections, const QString& title,
                   const QWidget& page) {
  auto* list = new QWidget;
  auto* columns = new QHBoxLayout(list);
  columns->setContentsMargins(0, 0, 0, 0);
  columns->setSpacing(32);
  struct Column {
    QVBoxLayout* layout;
    std::size_t lines;
  };
  std::vector<Column> filled;
  const auto add = [&](const QString& heading, const std::vector<Fact>& facts) {
    if (facts.empty()) return;
    const std::size_t lines = facts.size() + kLinesOfHeading;
    auto column = std::ranges::find_if(filled, [&](const Column& one) { return one.lines + lines <= kLinesInColumn; });
    if (column == filled.end()) {
      column = filled.insert(filled.end(), Column{new QVBoxLayout, 0});
      column->layout->setSpacing(20);
      columns->addLayout(column->layout);
    }
    column->lines += lines;
    auto* part = new FactList;
    part->setFacts(facts);
    column->layout->addWidget(new Section(heading, part), 0, Qt::AlignTop);
  };
  for (const ActionSection& section : sections) {
    add(QString(section.title).remove(QLatin1Char('&')), shortcutFacts(section.actions));
  }
  std::vector<Fact> here = shortcutFacts(actionsIn(page));
  here.insert(here.end(), {{.label = u"Zoom a picture"_s, .value = u"wheel"_s},
                           {.label = u"Move a picture"_s, .value = u"drag"_s}});
  add(u"In %1"_s.arg(title), here);
  for (const Column& column : filled) column.layout->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setWidget(list);
  scroll->setWidgetResizable(true);
  scroll->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
  QDialog* dialog = makeDialog(window, u"Keyboard shortcuts"_s, {scroll});
  dialog->setObjectName(u"shortcutSheet"_s);
  dialog->resize(QSize(list->sizeHint().width() + 2 * kDialogMargin + kScrollBarRoom, list->sizeHint().height() + 96)
                     .boundedTo(window->size() - QSize(24, 24)));
  dialog->open();
}

}  // namespace heapscape::gui
