// SPDX-License-Identifier: MIT
#include "app/files/file_opener.h"
#include "bridge/literals.h"
#include "session/open/open_assembly.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QWidget>
#include <algorithm>
#include <utility>

#include "bridge/file_work.h"
#include "bridge/sample_dump.h"
#include "models/dump_file_patterns.h"
#include "models/names/assembly_name.h"
#include "review/board.h"
#include "views/review/review_model.h"

namespace heapscape::gui {

namespace {

// Folder of the newest.
QString folderOf(const QStringList& recent, bool isAssembly) {
  const auto last =
      std::ranges::find_if(recent, [&](const QString& path) { return hasAssemblyName(path) == isAssembly; });
  return last == recent.end() ? QDir::homePath() : QFileInfo(*last).absolutePath();
}

enum class FileKind { Dump, Assembly, Review };

// By its name, or else by how it begins.
FileKind kindOf(const QString& file) {
  const std::filesystem::path onDisk = QFile::encodeName(file).toStdString();
  if (hasReviewName(file) || engine::looksLikeBoard(onDisk)) return FileKind::Review;
  return engine::looksLikeAssembly(onDisk) ? FileKind::Assembly : FileKind::Dump;
}

}  // namespace

FileOpener::FileOpener(EngineBridge& bridge, Settings& settings, QWidget* window)
    : QObject(window), m_bridge(bridge), m_settings(settings), m_window(window), m_sample(sampleDumpPath()) {}

void FileOpener::openThen(const QString& path, std::function<void()> begun) {
  const QString file = QFileInfo(path).absoluteFilePath();
  const int asked = ++m_asked;
  workWithFiles(
      FileDesk::Files, this, [file] { return kindOf(file); },
      [this, file, asked, begun = std::move(begun)](FileKind kind) {
        if (asked != m_asked) return;
        if (kind == FileKind::Review) {
          Q_EMIT reviewWanted(file);
          return;
        }
        kind == FileKind::Assembly ? openAssembly(file) : m_bridge.open(file, m_settings.searchPlacesFor(file));
        begun();
      });
}

void FileOpener::openAssembly(const QString& path) {
  engine::AssemblyOptions options;
  for (const QString& place : m_settings.searchPlacesFor(path)) {
    options.search.emplace_back(QFile::encodeName(place).toStdString());
  }
  m_bridge.openAssembly(path, options);
}

void FileOpener::chooseDump() {
  const QString path =
      QFileDialog::getOpenFileName(m_window, u"Open a core dump"_s, folderOf(m_settings.recentDumps, false),
                                   u"Core dumps (%1);;All files (*)"_s.arg(dumpFilePatterns()));
  if (!path.isEmpty()) open(path);
}

void FileOpener::chooseAssembly() {
  const QString path =
      QFileDialog::getOpenFileName(m_window, u"Open an assembly"_s, folderOf(m_settings.recentDumps, true),
                                   u"Assemblies (*.dll *.exe);;All files (*)"_s);
  if (!path.isEmpty()) open(path);
}

void FileOpener::chooseReview() {
  const QString path = QFileDialog::getOpenFileName(
      m_window, u"Open a review"_s, folderOf(m_settings.recentDumps, false), u"Reviews (*.json);;All files (*)"_s);
  if (path.isEmpty()) return;
  ++m_asked;
  Q_EMIT reviewWanted(path);
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
  ++m_asked;
  const QString path = m_bridge.path();
  if (m_bridge.isAssembly()) {
    openAssembly(path);
  } else {
    m_bridge.open(path, m_settings.searchPlacesFor(path));
  }
}

}  // namespace heapscape::gui
