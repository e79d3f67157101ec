// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

namespace heapscape::gui {

class CutMarker;

/// How to read the graph, on one line.
class GraphLegend : public QWidget {
  Q_OBJECT

 public:
  explicit GraphLegend(CutMarker& marker, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void setHasCuts(bool hasCuts);

  bool m_hasCuts = false;  // else there is nothing to read of them
};

}  // namespace heapscape::gui
