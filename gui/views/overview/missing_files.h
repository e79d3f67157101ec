// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>
#include <QWidget>
#include <optional>
#include <vector>

#include "session/open/missing_files.h"

namespace heapscape::gui {

/// Files that would tell more: of modules without names, of the runtime's library, PDBs of the program; a group each,
/// and a place to drop the folder that has them. Or that names came from files. Hidden where nothing would.
class MissingFiles : public QWidget {
  Q_OBJECT

 public:
  explicit MissingFiles(QWidget* parent = nullptr);

  /// `fromFiles`: modules whose names were read from files on this machine.
  void setModules(std::vector<engine::MissingMetadata> missing, std::size_t fromFiles);
  void setSymbols(engine::MissingSymbols missing);
  void setDebugFile(std::optional<engine::MissingDebugFile> missing);
  /// Folders that were looked through beside the usual places.
  void setSearchPlaces(const QStringList& places);
  void clear();
  bool isAnythingMissing() const;

 Q_SIGNALS:
  void folderPicked(const QString& folder);
  void forgetWanted();

 protected:
  void changeEvent(QEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void build();
  int iconSize() const;
  void addHead(const QString& symbol, const QColor& colour, const QString& title, const QString& note);
  void addNames();
  void addDebugFile();
  void addLibrary();
  void addSources();
  /// The first of them a line each, the others as their number.
  void addLines(const QStringList& lines, const QStringList& tips, const QString& last = {});
  void addSearch();
  void setHovered(bool isHovered);
  void pickFolder();

  std::vector<engine::MissingMetadata> m_missing;
  engine::MissingSymbols m_symbols;
  std::optional<engine::MissingDebugFile> m_debugFile;
  std::size_t m_fromFiles = 0;
  QStringList m_places;
  QWidget* m_body = nullptr;
  bool m_isHovered = false;
};

}  // namespace heapscape::gui
