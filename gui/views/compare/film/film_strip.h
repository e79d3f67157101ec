// SPDX-License-Identifier: MIT
#pragma once

#include <QScrollArea>
#include <vector>

#include "views/compare/film/film_reel.h"

class QHBoxLayout;

namespace heapscape::gui {

class FilmDumpBox;

/// A box for each dump of a film, from left to right: its name, when its file was written, its heap, and how far it has
/// been read. Its menu moves it, takes it out or opens it.
class FilmStrip : public QScrollArea {
  Q_OBJECT

 public:
  explicit FilmStrip(QWidget* parent = nullptr);

  /// `openPath`: of the dump that is open in the window.
  void show(const FilmReel& reel, const QString& openPath);
  void showProgress(const FilmReel& reel);

 Q_SIGNALS:
  void moveWanted(int from, int to);
  void removeWanted(int index);
  void openWanted(const QString& path);

 private:
  QHBoxLayout* m_line;
  std::vector<FilmDumpBox*> m_boxes;
};

}  // namespace heapscape::gui
