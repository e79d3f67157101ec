// SPDX-License-Identifier: MIT
#include "app/help_dialogs.h"

#include <QAction>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QVBoxLayout>
#include <vector>

#include "widgets/drawing/symbol_icon.h"
#include "widgets/fact_list.h"
#include "widgets/section.h"

namespace heapscape::gui {

namespace {

QDialog* makeDialog(QWidget* window, const QString& title, const QList<QWidget*>& parts) {
  auto* dialog = new QDialog(window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  auto* layout = new QVBoxLayout(dialog);
  layout->setContentsMargins(24, 24, 24, 16);
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
  icon->setPixmap(symbolPixmap(QStringLiteral("heapscape"), Qt::black, 72, window->devicePixelRatioF()));
  auto* text =
      makeNote(QStringLiteral("Shows a .NET program's memory from a Linux core dump, with no .NET needed.\n\n"
                              "Version %1, built with Qt %2. MIT licence.\n\n"
                              "A dump holds what the program had in memory, secrets too: mind whom you show it to.")
                   .arg(QStringLiteral(HEAPSCAPE_VERSION), QString::fromLatin1(qVersion())),
               nullptr);
  text->setMinimumWidth(window->fontMetrics().averageCharWidth() * 56);
  makeDialog(window, QStringLiteral("About Heapscape"),
             {icon, makeHeading(QStringLiteral("Heapscape"), nullptr, 1.5), text})
      ->open();
}

void showShortcuts(QWidget* window, const QList<QAction*>& actions) {
  std::vector<Fact> facts;
  for (const QAction* action : actions) {
    if (action->shortcut().isEmpty()) continue;
    facts.push_back({.label = action->text().remove(QLatin1Char('&')),
                     .value = action->shortcut().toString(QKeySequence::NativeText)});
  }
  facts.push_back(
      {.label = QStringLiteral("Copy the picture or rows"), .value = QKeySequence(QKeySequence::Copy).toString()});
  facts.push_back({.label = QStringLiteral("Zoom a picture"), .value = QStringLiteral("wheel")});
  facts.push_back({.label = QStringLiteral("Move a picture"), .value = QStringLiteral("drag")});
  auto* list = new FactList;
  list->setFacts(facts);
  list->setMinimumWidth(window->fontMetrics().averageCharWidth() * 48);
  makeDialog(window, QStringLiteral("Keyboard shortcuts"), {list})->open();
}

}  // namespace heapscape::gui
