// SPDX-License-Identifier: MIT
#include "app/files/file_opener.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QWidget>
#include <algorithm>

#include "app/files/sample_dump.h"
#include "models/dump_file_patterns.h"
#include "models/names/assembly_name.h"
#include "review/board_file.h"
#include "views/review/review_file.h"

namespace heapscape::gui {

namespace {

// Of the newest.
QString folderOf(const QStringList& recent, bool isAssembly) {
  const auto last =
      std::ranges::find_if(recent, [&](const QString& path) { return hasAssemblyName(path) == isAssembly; });
  return last == recent.end() ? QDir::homePath() : QFileInfo(*last).absolutePath();
}

}  // namespace

FileOpener::FileOpener(EngineBridge& bridge, Settings& settings, QWidget* window)
    : QObject(window), m_bridge(bridge), m_settings(settings), m_window(window), m_sample(sampleDumpPath()) {}

void FileOpener::open(const QString& path) {
  const QString file = QFileInfo(path).absoluteFilePath();
  const std::filesystem::path onDisk = QFile::encodeName(file).toStdString();
  if (hasReviewName(file) || engine::looksLikeBoard(onDisk)) {
    Q_EMIT reviewWanted(file);
  } else if (engine::DeclaredLayouts::looksLikeAssembly(onDisk)) {
    openAssembly(file);
  } else {
    m_bridge.open(file, m_settings.searchPlacesFor(file));
  }
}

void FileOpener::openAssembly(const QString& path) {
  engine::AssemblyOptions options;
  for (const QString& place : m_settings.searchPlacesFor(path)) {
    options.search.emplace_back(QFile::encodeName(place).toStdString());
  }
  m_bridge.openAssembly(path, options);
}

void FileOpener::chooseDump() {
  const QString path = QFileDialog::getOpenFileName(
      m_window, QStringLiteral("Open a core dump"), folderOf(m_settings.recentDumps, false),
      QStringLiteral("Core dumps (%1);;All files (*)").arg(dumpFilePatterns()));
  if (!path.isEmpty()) open(path);
}

void FileOpener::chooseAssembly() {
  const QString path =
      QFileDialog::getOpenFileName(m_window, QStringLiteral("Open an assembly"), folderOf(m_settings.recentDumps, true),
                                   QStringLiteral("Assemblies (*.dll *.exe);;All files (*)"));
  if (!path.isEmpty()) open(path);
}

void FileOpener::chooseReview() {
  const QString path =
      QFileDialog::getOpenFileName(m_window, QStringLiteral("Open a review"), folderOf(m_settings.recentDumps, false),
                                   QStringLiteral("Reviews (*.json);;All files (*)"));
  if (!path.isEmpty()) Q_EMIT reviewWanted(path);
}

void FileOpener::remember() {
  if (m_bridge.path() != m_sample) m_settings.remember(m_bridge.path());
  Q_EMIT recentChanged();
  Q_EMIT settingsChanged();
}

void FileOpener::lookElsewhere(const QString& place) {
  m_settings.addSearchPlace(m_bridge.path(), place);
  Q_EMIT settingsChanged();
  openAgain();
}

void FileOpener::forgetSearchPlaces() {
  m_settings.forgetSearchPlaces(m_bridge.path());
  Q_EMIT settingsChanged();
  openAgain();
}

void FileOpener::openAgain() {
  const QString path = m_bridge.path();
  if (m_bridge.isAssembly()) {
    openAssembly(path);
  } else {
    m_bridge.open(path, m_settings.searchPlacesFor(path));
  }
}

}  // namespace heapscape::gui
