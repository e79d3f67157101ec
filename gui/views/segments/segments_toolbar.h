// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <array>

#include "session/snapshot/snapshot.h"
#include "views/segments/segment_lane.h"

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QToolButton;

namespace heapscape::gui {

class FlowLayout;
class LegendChip;

/// The legend of the segment map, which is its filter as well, and its zoom buttons.
class SegmentsToolbar : public QWidget {
  Q_OBJECT

 public:
  explicit SegmentsToolbar(QWidget* parent = nullptr);

  /// Offers the heaps and generations that there are.
  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();
  const LaneFilter& filter() const { return m_filter; }
  /// Shows everything again.
  void resetFilter();
  void setCanFit(bool canFit);

 Q_SIGNALS:
  void filterChanged(const heapscape::gui::LaneFilter& filter);
  void fillsWidthChanged(bool fills);
  void zoomRequested(double factor);
  void fitRequested();

 private:
  void addLegend(FlowLayout* flow);
  void addFilters(FlowLayout* flow);
  void addZoom(QHBoxLayout* row);
  void readFilter();
  void writeFilter();

  LaneFilter m_filter;
  std::array<LegendChip*, engine::kGenerationCount> m_generations{};
  QComboBox* m_heap;
  QComboBox* m_order;
  QCheckBox* m_hideEmpty;
  QCheckBox* m_fillsWidth;
  QToolButton* m_fit = nullptr;
};

}  // namespace heapscape::gui
