// SPDX-License-Identifier: MIT
#include "app/file_choice.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <algorithm>

#include "models/assembly_name.h"
#include "widgets/symbol_icon.h"

namespace heapscape::gui {

namespace {

QString folderOf(const QStringList& recent, bool isAssembly) {
  const auto last =
      std::ranges::find_if(recent, [&](const QString& path) { return hasAssemblyName(path) == isAssembly; });
  return last == recent.end() ? QDir::homePath() : QFileInfo(*last).absolutePath();
}

}  // namespace

QString chooseDump(QWidget* window, const QStringList& recent) {
  return QFileDialog::getOpenFileName(window, QObject::tr("Open a core dump"), folderOf(recent, false),
                                      QObject::tr("Core dumps (*core* *.dmp *.zst *.dump);;All files (*)"));
}

QString chooseReview(QWidget* window, const QStringList& recent) {
  return QFileDialog::getOpenFileName(window, QObject::tr("Open a review"), folderOf(recent, false),
                                      QObject::tr("Reviews (*.heapscape-review.json);;All files (*)"));
}

QString chooseAssembly(QWidget* window, const QStringList& recent) {
  return QFileDialog::getOpenFileName(window, QObject::tr("Open an assembly"), folderOf(recent, true),
                                      QObject::tr("Assemblies (*.dll *.exe);;All files (*)"));
}

void fillRecentMenu(QMenu* menu, const QStringList& recent, const std::function<void(const QString&)>& open) {
  menu->clear();
  for (const QString& path : recent) {
    // A lone & would be taken for the mark of a key.
    const QString name = QFileInfo(path).fileName().replace(QLatin1Char('&'), QStringLiteral("&&"));
    const QString symbol = hasAssemblyName(path) ? QStringLiteral("assembly") : QStringLiteral("dump");
    QAction* action = menu->addAction(symbolIcon(symbol), name, menu, [open, path] { open(path); });
    action->setEnabled(QFileInfo(path).isFile());
    action->setToolTip(QDir::toNativeSeparators(path));
  }
  if (recent.isEmpty()) menu->addAction(QObject::tr("None yet"))->setEnabled(false);
}

}  // namespace heapscape::gui
