// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "views/threads/waits_geometry.h"
#include "widgets/accessible/picture_items.h"

class QPainter;
class QScrollArea;
class QStackedLayout;

namespace heapscape::gui {

struct Colours;

/// Wait chains: threads as boxes with the frame that they are in and the locks that they hold, what else is waited for
/// as boxes with a dashed edge, arrows from those who wait. A deadlock is drawn in the colour of warnings, and says so.
class WaitsPicture : public QWidget, public PictureItems {
  Q_OBJECT

 public:
  explicit WaitsPicture(QWidget* parent = nullptr);

  void show(Waits waits);
  /// Sets the size that can be seen at once.
  void setRoom(const QSize& room);
  const Waits& waits() const { return m_waits; }
  const WaitsGeometry& geometry() const { return m_geometry; }

  // The nodes, each followed by its locks.
  std::size_t itemCount() const override { return m_spots.size(); }
  BubbleText itemText(std::size_t item) const override { return bubbleText(m_spots[item]); }
  QRectF itemRect(std::size_t item) const override { return rectOf(m_spots[item]); }
  std::optional<std::size_t> currentItem() const override { return m_current; }
  void goToItem(std::size_t item) override;
  void pressItem(std::size_t item) override { press(m_spots[item]); }

  QSize sizeHint() const override;

 Q_SIGNALS:
  void threadPicked(heapscape::engine::Address thread);
  /// A lock was picked, by what identifies it in the list of locks.
  void lockPicked(heapscape::engine::Address lock);
  /// A task, event, lock …
  void objectPicked(heapscape::engine::Address object);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
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
  QRectF rectOf(const WaitSpot& spot) const;
  void press(const WaitSpot& spot);

  Waits m_waits;
  QSize m_room;
  WaitsGeometry m_geometry;
  std::vector<WaitSpot> m_spots;
  std::optional<WaitSpot> m_hovered;
  std::optional<std::size_t> m_current;
  HoverBubble* m_bubble;
};

class StatePanel;

/// The picture of who waits for whom, as large as it has to be, or why there is none.
class WaitsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit WaitsPanel(QWidget* parent = nullptr);

  void show(Waits waits);
  /// Something is still to come, and nobody waits for a monitor.
  void showWaiting(const QString& text);
  void clear();
  WaitsPicture* picture() const { return m_picture; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  WaitsPicture* m_picture;
  QScrollArea* m_scroll;
  StatePanel* m_state;
  QStackedLayout* m_pages;
};

}  // namespace heapscape::gui
