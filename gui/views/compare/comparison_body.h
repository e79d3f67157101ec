// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"

class QStackedLayout;

namespace heapscape::gui {

class ChoiceBar;
class GrowthChart;
class RowsPanel;
class Section;
struct ComparedDumps;

/// A comparison: types with a picture of their growth and their objects, figures, insights, layouts.
class ComparisonBody : public QWidget {
  Q_OBJECT

 public:
  ComparisonBody(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void show(std::shared_ptr<const ComparedDumps> compared);
  void clear();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* buildTypes();
  void showObjects(std::uint32_t row);
  void pickType(std::uint32_t row);

  EngineBridge& m_bridge;
  std::shared_ptr<const ComparedDumps> m_compared;
  ChoiceBar* m_choice;
  RowsPanel* m_types;
  GrowthChart* m_chart;
  RowsPanel* m_objects;
  RowsPanel* m_figures;
  RowsPanel* m_insights;
  RowsPanel* m_layouts;
  Section* m_growth = nullptr;
  QStackedLayout* m_pages;
};

}  // namespace heapscape::gui
