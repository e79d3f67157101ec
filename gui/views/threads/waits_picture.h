// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "views/threads/waits_geometry.h"

class QPainter;

namespace heapscape::gui {

struct Colours;
class HoverBubble;

/// Who waits for whom: threads as boxes with the locks that they hold, arrows from those who wait. A deadlock is drawn
/// in the colour of warnings, and says so.
class WaitsPicture : public QWidget {
  Q_OBJECT

 public:
  explicit WaitsPicture(QWidget* parent = nullptr);

  void show(Waits waits);
  const Waits& waits() const { return m_waits; }
  const WaitsGeometry& geometry() const { return m_geometry; }

  QSize sizeHint() const override;

 Q_SIGNALS:
  void threadPicked(heapscape::engine::Address thread);
  /// By what identifies it in the list of locks.
  void lockPicked(heapscape::engine::Address lock);

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
  void paintBox(QPainter& painter, const Colours& colours, std::size_t thread) const;
  void paintCycleTitle(QPainter& painter, const Colours& colours, std::size_t cycle) const;
  QString cycleText(std::size_t cycle) const;

  Waits m_waits;
  WaitsGeometry m_geometry;
  std::optional<WaitSpot> m_hovered;
  HoverBubble* m_bubble;
};

}  // namespace heapscape::gui
