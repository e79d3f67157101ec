// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "session/heap/map_highlight.h"

namespace heapscape::gui {

/// The whole heap in one line: how dense the objects are that the map shows in full colour. A click tells where.
class HeapStrip : public QWidget {
  Q_OBJECT

 public:
  explicit HeapStrip(QWidget* parent = nullptr);

  void show(std::shared_ptr<const engine::MapHighlight> highlight);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// At a share of the heap, 0 to 1.
  void clicked(double place);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  std::shared_ptr<const engine::MapHighlight> m_highlight;
};

/// Heights of the columns of a strip, 0 to 1: each the densest slice that falls on it.
std::vector<double> stripHeights(const std::vector<float>& density, int columns);

}  // namespace heapscape::gui
