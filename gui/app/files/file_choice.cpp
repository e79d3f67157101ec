// SPDX-License-Identifier: MIT
#include "app/files/file_choice.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <algorithm>

#include "models/dump_file_patterns.h"
#include "models/names/assembly_name.h"

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
                                      QObject::tr("Core dumps (%1);;All files (*)").arg(dumpFilePatterns()));
}

QString chooseReview(QWidget* window, const QStringList& recent) {
  return QFileDialog::getOpenFileName(window, QObject::tr("Open a review"), folderOf(recent, false),
                                      QObject::tr("Reviews (*.json);;All files (*)"));
}

QString chooseAssembly(QWidget* window, const QStringList& recent) {
  return QFileDialog::getOpenFileName(window, QObject::tr("Open an assembly"), folderOf(recent, true),
                                      QObject::tr("Assemblies (*.dll *.exe);;All files (*)"));
}

}  // namespace heapscape::gui
