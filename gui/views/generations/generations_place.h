// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "session/heap/size_histogram.h"
#include "views/generations/generation_stacks.h"
#include "views/place.h"

class QBoxLayout;
class QButtonGroup;
class QLabel;
class QStackedWidget;
class QTabWidget;
class QTableView;

namespace heapscape::gui {

class GcPage;
class RowsTable;
class LegendChip;
class Section;
class StackedChart;
class StatePanel;

/// How old memory is and whether the heaps are balanced: bytes by heap and generation, objects by size, and the
/// figures. On a page of its own, what the GC was doing.
class GenerationsPlace : public Place {
  Q_OBJECT

 public:
  GenerationsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);
  ~GenerationsPlace() override;

  PlaceId id() const override { return PlaceId::Generations; }
  QString title() const override { return u"Generations"_s; }
  void showSnapshot(const engine::Snapshot& snapshot) override;
  void clear() override;
  void follow(const Location& location) override;

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makePage();
  QWidget* makeTopRow();
  QWidget* makeCharts();
  RowsTable* makeTable();
  void setupConnections();
  void askForSizes();
  void showCharts();
  void showSizes();
  void showBalance(const engine::Snapshot& snapshot);
  void fitTable();
  void arrange();
  Measure measure() const;

  QTabWidget* m_tabs;
  GcPage* m_gc;
  QStackedWidget* m_pages;
  StatePanel* m_state;
  QButtonGroup* m_measure;
  QLabel* m_balance;
  Section* m_generationsSection;
  Section* m_sizesSection;
  QBoxLayout* m_charts = nullptr;
  StackedChart* m_generations;
  StackedChart* m_sizes;
  std::vector<LegendChip*> m_legend;  // by generation, then free space
  RowsTable* m_table;
  std::vector<engine::GenerationRow> m_rows;
  std::vector<engine::SizeBucket> m_buckets;
};

}  // namespace heapscape::gui
