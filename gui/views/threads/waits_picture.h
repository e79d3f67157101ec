// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "views/threads/waits_geometry.h"

class QPainter;

namespace heapscape::gui {

struct Colours;
class HoverBubble;
struct BubbleText;

/// Who waits for whom: threads as boxes with the frame that they are in and the locks that they hold, what else is
/// waited for as boxes with a dashed edge, arrows from those who wait. A deadlock is drawn in the colour of warnings,
/// and says so.
class WaitsPicture : public QWidget {
  Q_OBJECT

 public:
  explicit WaitsPicture(QWidget* parent = nullptr);

  void show(Waits waits);
  /// What can be seen of it at once.
  void setRoom(const QSize& room);
  const Waits& waits() const { return m_waits; }
  const WaitsGeometry& geometry() const { return m_geometry; }

  QSize sizeHint() const override;

 Q_SIGNALS:
  void threadPicked(heapscape::engine::Address thread);
  /// By what identifies it in the list of locks.
  void lockPicked(heapscape::engine::Address lock);
  /// A task, event, lock …
  void objectPicked(heapscape::engine::Address object);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void layOut();
  void paint(QPainter& painter) const;
  void paintArrow(QPainter& painter, const Colours& colours, const WaitArrow& arrow) const;
  void paintBox(QPainter& painter, const Colours& colours, std::size_t index) const;
  void paintLock(QPainter& painter, const Colours& colours, const WaitLock& lock, const QRectF& area) const;
  void paintCycleTitle(QPainter& painter, const Colours& colours, std::size_t cycle) const;
  double widthOf(const WaitNode& node) const;
  QString cycleText(std::size_t cycle, std::size_t most) const;
  QString wholeText(std::size_t cycle) const { return cycleText(cycle, m_waits.cycles[cycle].size()); }
  BubbleText bubbleText(const WaitSpot& spot) const;

  Waits m_waits;
  QSize m_room;
  WaitsGeometry m_geometry;
  std::optional<WaitSpot> m_hovered;
  HoverBubble* m_bubble;
};

}  // namespace heapscape::gui
