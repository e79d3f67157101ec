// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <array>
#include <vector>

#include "session/heap/map_colours.h"
#include "session/snapshot/snapshot.h"
#include "views/segments/segment_lane.h"

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QToolButton;

namespace heapscape::gui {

class FlowLayout;
class LegendChip;

/// What the colours of the segment map tell and its legend, which segments it shows, and its zoom buttons.
class SegmentsToolbar : public QWidget {
  Q_OBJECT

 public:
  explicit SegmentsToolbar(QWidget* parent = nullptr);

  /// Offers the heaps and generations that there are, and the colourings that are known by now.
  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();
  engine::MapColouring colouring() const;
  /// The legend of what the map is painted with; null for the generations, whose legend is the filter.
  void showLegend(const std::shared_ptr<const engine::MapColours>& colours, const engine::Snapshot& snapshot);
  const LaneFilter& filter() const { return m_filter; }
  /// Shows everything again.
  void resetFilter();
  void setCanFit(bool canFit);

 Q_SIGNALS:
  void colouringChanged(heapscape::engine::MapColouring colouring);
  void filterChanged(const heapscape::gui::LaneFilter& filter);
  void fillsWidthChanged(bool fills);
  void zoomRequested(double factor);
  void fitRequested();

 private:
  void clearLegend();
  void addColouring();
  void addGenerations();
  void addSigns();
  void addFilters();
  void addZoom(QHBoxLayout* row);
  /// Puts the parts in their order: the filter by generation is the legend where the colours are the generations'.
  void arrange(bool isByGeneration);
  void readFilter();
  void writeFilter();

  LaneFilter m_filter;
  FlowLayout* m_flow;
  QWidget* m_colouringGroup;
  QComboBox* m_colouring;
  std::vector<QWidget*> m_shades;  // the legend of all colourings but the generations
  std::vector<LegendChip*> m_signs;
  std::array<LegendChip*, engine::kGenerationCount> m_generations{};
  QWidget* m_filters;
  QComboBox* m_heap;
  QComboBox* m_order;
  QCheckBox* m_hideEmpty;
  QCheckBox* m_fillsWidth;
  QToolButton* m_fit = nullptr;
  bool m_isByGeneration = true;
};

}  // namespace heapscape::gui
