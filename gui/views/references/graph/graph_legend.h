// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

namespace heapscape::gui {

/// How to read the graph, on one line.
class GraphLegend : public QWidget {
  Q_OBJECT

 public:
  explicit GraphLegend(QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace heapscape::gui
