// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <optional>

#include "views/segments/lane_painter.h"
#include "views/segments/map_state.h"

namespace heapscape::gui {

/// The header's texts, about the lane that the pointer or the keyboard is on.
struct HeaderSubject {
  const MapState* state = nullptr;
  const MapLook* look = nullptr;
  std::optional<std::size_t> lane;
  const LaneContent* strip = nullptr;  // of the whole lane; null until it is read
  std::optional<engine::Address> pointer;
};

/// Over the lanes: the overview strip (the whole segment, and which part of it is in view) and the ruler of addresses.
class MapHeader : public QWidget {
  Q_OBJECT

 public:
  explicit MapHeader(QWidget* parent = nullptr);

  void setSubject(const HeaderSubject& subject);
  void paint(QPainter& painter) const;
  static int heightFor(const QFontMetrics& metrics);

 Q_SIGNALS:
  /// The strip was clicked or dragged: the byte at this share of the segment shall be in the middle.
  void moved(double share);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  QRect stripRect() const;
  QRect rulerRow() const;
  void paintStrip(QPainter& painter) const;
  void paintRuler(QPainter& painter) const;
  void paintCaptions(QPainter& painter) const;

  HeaderSubject m_subject;
};

}  // namespace heapscape::gui
