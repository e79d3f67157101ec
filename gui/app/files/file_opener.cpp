// SPDX-License-Identifier: MIT
#include "app/files/file_opener.h"

#include <QFile>
#include <QFileInfo>
#include <QWidget>

#include "app/files/file_choice.h"
#include "app/files/sample_dump.h"
#include "review/board_file.h"
#include "views/review/review_file.h"

namespace heapscape::gui {

FileOpener::FileOpener(EngineBridge& bridge, Settings& settings, QWidget* window)
    : QObject(window), m_bridge(bridge), m_settings(settings), m_window(window), m_sample(sampleDumpPath()) {}

void FileOpener::open(const QString& path) {
  const QString file = QFileInfo(path).absoluteFilePath();
  const std::filesystem::path onDisk = QFile::encodeName(file).toStdString();
  if (hasReviewName(file) || engine::looksLikeBoard(onDisk)) {
    Q_EMIT reviewWanted(file);
  } else if (engine::LayoutLaboratory::looksLikeAssembly(onDisk)) {
    openAssembly(file);
  } else {
    m_bridge.open(file, m_settings.searchPlacesFor(file));
  }
}

void FileOpener::openAssembly(const QString& path) {
  engine::LaboratoryOptions options;
  for (const QString& place : m_settings.searchPlacesFor(path)) {
    options.search.emplace_back(QFile::encodeName(place).toStdString());
  }
  m_bridge.openAssembly(path, options);
}

void FileOpener::chooseDump() {
  const QString path = gui::chooseDump(m_window, m_settings.recentDumps);
  if (!path.isEmpty()) open(path);
}

void FileOpener::chooseAssembly() {
  const QString path = gui::chooseAssembly(m_window, m_settings.recentDumps);
  if (!path.isEmpty()) open(path);
}

void FileOpener::chooseReview() {
  const QString path = gui::chooseReview(m_window, m_settings.recentDumps);
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
