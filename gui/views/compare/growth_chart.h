// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include "views/compare/growth_bars.h"

namespace heapscape::gui {

/// The types that grew and shrunk most, as bars beside an axis. A click picks a type.
class GrowthChart : public QWidget {
  Q_OBJECT

 public:
  explicit GrowthChart(QWidget* parent = nullptr);

  void show(std::vector<GrowthBar> bars);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// By its row in the comparison's types.
  void picked(std::uint32_t row);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

 private:
  GrowthPicture layOut(QSize size) const;
  void paint(QPainter& painter, QSize size) const;
  double lineHeight() const;
  int barAt(QPointF point) const;  // -1 for none

  std::vector<GrowthBar> m_bars;
};

}  // namespace heapscape::gui
