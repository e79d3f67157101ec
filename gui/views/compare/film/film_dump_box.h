// SPDX-License-Identifier: MIT
#pragma once

#include <QFrame>

#include "views/compare/film/film_reel.h"

class QLabel;
class QMenu;
class QProgressBar;
class QToolButton;

namespace heapscape::gui {

class ElidedText;

/// Bytes of the objects, free space left out.
std::uint64_t heapBytesOf(const engine::DumpFrame& frame);

/// One dump of a film in three lines, with a menu.
class FilmDumpBox : public QFrame {
  Q_OBJECT

 public:
  explicit FilmDumpBox(QWidget* parent = nullptr);

  /// `largest`: bytes of the largest heap of the film, which has the longest bar.
  void show(const FilmReel::Dump& dump, bool isOpen, bool isReading, std::uint64_t largest);
  void showProgress(const engine::Progress& progress);
  const QString& path() const { return m_path; }
  /// What can be done with it at its place.
  void setPlace(int index, int count);

 Q_SIGNALS:
  void moved(int to);
  void removed();
  void opened();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void showFigures(const engine::DumpFrame& frame, std::uint64_t largest);

  ElidedText* m_name;
  ElidedText* m_time;
  ElidedText* m_heap;
  QProgressBar* m_progress;
  QToolButton* m_more;
  QMenu* m_menu;
  QAction* m_open;
  QAction* m_left;
  QAction* m_right;
  QAction* m_remove;
  QString m_path;
  int m_index = 0;
  double m_share = 0;  // of the largest heap
};

}  // namespace heapscape::gui
