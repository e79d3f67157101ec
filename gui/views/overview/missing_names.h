// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "session/missing_metadata.h"

namespace heapscape::gui {

/// Which modules have no names, and a place to drop the folder that has their files; or that names came from files.
/// Hidden where all names are in the dump.
class MissingNames : public QWidget {
  Q_OBJECT

 public:
  explicit MissingNames(QWidget* parent = nullptr);

  /// `fromFiles`: modules whose names were read from files on this machine.
  void setModules(std::vector<engine::MissingMetadata> missing, std::size_t fromFiles);
  /// Folders that were looked through beside the usual places.
  void setSearchPlaces(const QStringList& places);
  void clear();

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
  void addHead(const QString& symbol, const QColor& colour, const QString& title, const QString& note);
  void addModules();
  void addSearch();
  void setHovered(bool isHovered);
  void pickFolder();

  std::vector<engine::MissingMetadata> m_missing;
  std::size_t m_fromFiles = 0;
  QStringList m_places;
  QWidget* m_body = nullptr;
  bool m_isHovered = false;
};

}  // namespace heapscape::gui
