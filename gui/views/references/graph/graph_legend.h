// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

namespace heapscape::gui {

/// How to read the graph, on one line.
class GraphLegend : public QWidget {
  Q_OBJECT

 public:
  explicit GraphLegend(QWidget* parent = nullptr);

  /// Whether something is cut: only then there is something to read of it.
  void setHasCuts(bool hasCuts);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  bool m_hasCuts = false;
};

}  // namespace heapscape::gui
