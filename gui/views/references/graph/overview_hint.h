// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <QWidget>
#include <vector>

namespace heapscape::gui {

/// A small picture of the whole at an edge, where no node is if there is such a spot, with a frame around what the view
/// shows; there only while the view does not show all. A click goes there.
class OverviewHint : public QWidget {
  Q_OBJECT

 public:
  explicit OverviewHint(QWidget* view);

  /// Nodes and what is seen of them, both in the scene's coordinates; `room`: of the view.
  void show(std::vector<QRectF> nodes, const QRectF& seen, const QRect& room);

 Q_SIGNALS:
  void placePicked(QPointF place);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  void place(const QRect& room);
  void pickAt(QPointF position);

  std::vector<QRectF> m_nodes;
  QRectF m_bounds, m_seen;
  double m_scale = 1;
  bool m_isHeld = false;  // by the mouse
};

}  // namespace heapscape::gui
