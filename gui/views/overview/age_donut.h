// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <vector>

#include "views/overview/age_shares.h"

class QChart;
class QChartView;
class QPieSeries;
class QVBoxLayout;

namespace heapscape::gui {

/// The heap by generation: a ring with the whole in its middle, and a legend with the figures.
class AgeDonut : public QWidget {
  Q_OBJECT

 public:
  explicit AgeDonut(QWidget* parent = nullptr);

  void setShares(const std::vector<AgeShare>& shares);

 Q_SIGNALS:
  void generationPicked(heapscape::engine::Generation generation);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void buildChart();
  void fill();
  void colour();
  void emphasise(int slice, bool isHovered);
  void pick(std::size_t share);

  std::vector<AgeShare> m_shares;
  std::uint64_t m_wholeBytes = 0;
  QChart* m_chart;
  QPieSeries* m_series;
  class RingView;
  RingView* m_view;
  QWidget* m_legend;
  QVBoxLayout* m_legendLayout;
};

}  // namespace heapscape::gui
