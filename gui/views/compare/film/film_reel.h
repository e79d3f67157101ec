// SPDX-License-Identifier: MIT
#pragma once

#include <QDateTime>
#include <QFrame>
#include <QObject>
#include <QStringList>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "bridge/engine_bridge.h"
#include "insight/trend/dump_sample.h"
#include "views/compare/film/film_rows.h"

class QMenu;
class QProgressBar;
class QToolButton;

namespace heapscape::gui {

/// The dumps of a film, in their order. Each is opened once, one after the other, and let go when its figures are
/// taken; the dump that is open in the window is read where it is.
class FilmReel : public QObject {
  Q_OBJECT

 public:
  explicit FilmReel(EngineBridge& bridge, QObject* parent = nullptr);

  struct Dump {
    QString path;
    std::optional<engine::SampledDump> filmed;  // none before it was read
  };
  const std::vector<Dump>& dumps() const { return m_dumps; }
  QStringList paths() const;
  bool isEmpty() const { return m_dumps.empty(); }
  bool isReading() const { return m_reading >= 0; }
  /// The one that is being read; -1 for none.
  int reading() const { return m_reading; }
  const engine::Progress& progress() const { return m_progress; }

  /// Those that are in it already are left out.
  void add(const QStringList& paths);
  void move(int from, int to);
  void remove(int index);
  /// Sorts by the time when their files were last written, once known; what is read with read() waits for it.
  void sortByTime();
  /// Reads what has not been read, and says what became of all when that is done: needs an open dump with retained
  /// sizes. All of them anew if these are seen from other roots than before.
  void read();
  /// Leaves the rest unread; what was read is shown.
  void stop();
  /// Reads on with the next read(): another dump is being opened, which drops what was asked.
  void pause();
  void clear();

 Q_SIGNALS:
  /// Dumps, their order, or which of them are read.
  void changed();
  void progressed();
  /// All that can be read are, or reading was stopped.
  void rowsReady(std::shared_ptr<const heapscape::gui::FilmRows> rows);

 private:
  int indexOf(const QString& path) const;
  void sort(const std::map<QString, QDateTime>& written);
  void readNext();
  void take(const QString& path, engine::SampledDump filmed);
  void makeRows();

  EngineBridge& m_bridge;
  std::vector<Dump> m_dumps;
  int m_reading = -1;
  int m_sortsAsked = 0;
  bool m_readsOnceSorted = false;
  engine::Progress m_progress;
  engine::RootOptions m_roots;  // that they are seen from
};

class ElidedText;

/// Bytes of the objects, free space left out.
std::uint64_t heapBytesOf(const engine::DumpSample& sample);

/// One dump of a film in three lines, with a menu.
class FilmDumpBox : public QFrame {
  Q_OBJECT

 public:
  explicit FilmDumpBox(QWidget* parent = nullptr);

  /// `largest`: bytes of the largest heap of the film, which has the longest bar.
  void show(const FilmReel::Dump& dump, bool isOpen, bool isReading, std::uint64_t largest);
  void showProgress(const engine::Progress& progress);
  const QString& path() const { return m_path; }
  /// Sets its place, and what can be done with it there.
  void setPlace(int index, int count);

 Q_SIGNALS:
  void moved(int to);
  /// It was dragged and let go with its middle there, in the parent's coordinates.
  void dropped(int middle);
  void removed();
  void opened();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  void showFigures(const engine::DumpSample& sample, std::uint64_t largest);

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
  int m_grip = 0;      // where the pointer holds it
  bool m_isDragged = false;
};

}  // namespace heapscape::gui
