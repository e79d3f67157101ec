// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <vector>

namespace heapscape::gui {

class CutMarker;

/// How to read the graph, on as many lines as the width asks for.
class GraphLegend : public QWidget {
  Q_OBJECT

 public:
  explicit GraphLegend(CutMarker& marker, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void setHasCuts(bool hasCuts);
  int lineHeight() const;
  /// Of each entry, in a legend of this width.
  std::vector<QRect> placesIn(int width) const;

  bool m_hasCuts = false;  // else there is nothing to read of them
};

}  // namespace heapscape::gui
