// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "widgets/accessible/picture_items.h"

namespace heapscape::engine {
struct LayoutItems;
}

namespace heapscape::gui {

/// What pictures of layouts at their full size have in common: their form, their zoom, and the room they are seen in.
class DiagramCanvas : public QWidget, public PictureItems {
  Q_OBJECT

 public:
  void setBar(bool isBar);  // else rows of eight bytes
  void setZoom(double zoom);
  void setRoom(int width);  // what there is to see at once

 protected:
  explicit DiagramCanvas(QWidget* parent);

  bool isBar() const { return m_isBar; }
  double zoom() const { return m_zoom; }
  int room() const { return m_room; }
  QFont zoomedFont() const;
  /// Of the names of the inheritance levels beside the rows.
  double widthOfLevels(const engine::LayoutItems& items) const;

  /// Computes the geometry anew and takes its size.
  virtual void layOut() = 0;
  /// Asks for what is current to be opened or closed, if it can be.
  virtual void wantOpen(bool isOpen) = 0;
  void changeEvent(QEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  double m_zoom = 1;
  int m_room = 0;
  bool m_isBar = false;
};

/// Pixels; a bar of many kilobytes gets narrower bytes.
inline constexpr double kMostDiagramWidth = 4'000'000;

}  // namespace heapscape::gui
