// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <functional>
#include <utility>

#include "app/main_window.h"
#include "frames/frame_meter.h"

class QAbstractScrollArea;
class QLineEdit;
class QTabBar;
class QTreeView;

namespace heapscape::bench {

/// What was done, and the frames that it took.
struct FrameRow {
  QString where;
  QString what;
  gui::FrameTimes times;
};

/// Does to a window what people do, one small step at a time with the event loop running in between, and takes the
/// frames of each thing that was done.
class FrameDriver {
 public:
  /// `told` gets each thing that was done as soon as it is.
  FrameDriver(gui::MainWindow& window, gui::FrameMeter& meter, std::function<void(const FrameRow&)> told)
      : m_window(window), m_meter(meter), m_told(std::move(told)) {}

  /// Opens the dump, looks for insights, goes to every place twice and does in each all that can be done: on every tab
  /// of it the pointer is led over everything, lists and pictures are scrolled and zoomed, filters typed into.
  /// Only in this place, if one is named. `other` is a dump to compare with. Closes the dump at the end.
  void run(const QString& dump, const QString& place = {}, const QString& other = {});
  /// From opening the dump until the overview had everything, insights included.
  double openedMs() const { return m_openedMs; }

 private:
  void open(const QString& dump);
  void visit(const gui::Location& location, const QString& where);
  void useTabs(QWidget& page, const QString& where, int depth);
  void use(QWidget& page, const QString& where);
  void typeInto(QLineEdit& line);
  void scroll(QAbstractScrollArea& area);
  void zoom(QWidget& picture);
  void leadPointerOver(QWidget& page);
  void drag(QWidget& picture, Qt::KeyboardModifiers modifiers = {});
  void dragZoomed(QWidget& picture);
  void resize();
  void sortLists(QWidget& page, const QString& where);
  /// All that can be chosen and switched, one after the other, and back again.
  void choose(QWidget& page);
  void open(QTreeView& tree);
  /// Brushes a range, follows what stands in the middle, pulls at it.
  void work(QWidget& picture);
  void compare(const QString& other);
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {});

  void wheel(QWidget& target, QPoint point, int steps, Qt::KeyboardModifiers modifiers = {});
  void wait(int milliseconds);
  /// Until nothing is asked of the engine any more, and for a while after.
  void settle();
  /// What follows is measured as this.
  void measure(const QString& where, const QString& what, const std::function<void()>& act);

  gui::MainWindow& m_window;
  gui::FrameMeter& m_meter;
  std::function<void(const FrameRow&)> m_told;
  double m_openedMs = 0;
};

}  // namespace heapscape::bench
