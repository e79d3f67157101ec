// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"

class QLabel;
class QSplitter;
class QStackedLayout;

namespace heapscape::gui {

class ChoiceBar;
class DifferenceIcicle;
class ElidedText;
class GrowthChart;
class RowsPanel;
class Section;
class SideBySideDiagram;
struct ComparedDumps;

/// A comparison: types with a picture of their growth and their objects, owners and roots, the dominator trees laid
/// over each other, figures, insights, layouts.
class ComparisonBody : public QWidget {
 public:
  ComparisonBody(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void show(std::shared_ptr<const ComparedDumps> compared);
  void clear();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* buildTypes();
  QWidget* buildDominators();
  QWidget* buildLayouts();
  void showObjects(std::uint32_t row);
  void showWay(std::uint32_t row);
  void showLayouts(std::uint32_t row);
  void pickType(std::uint32_t row);
  void showAlive(bool isShown);
  void shareRoom();

  EngineBridge& m_bridge;
  std::shared_ptr<const ComparedDumps> m_compared;
  ChoiceBar* m_choice;
  QSplitter* m_split = nullptr;  // of the page of types
  QSplitter* m_side = nullptr;   // in it, of what stands beside or below them
  bool m_isSplitByHand = false;
  RowsPanel* m_types;
  GrowthChart* m_chart;
  RowsPanel* m_objects;
  RowsPanel* m_way;
  ElidedText* m_wayRoot;
  ElidedText* m_wayExpression;
  RowsPanel* m_owners;
  RowsPanel* m_roots;
  DifferenceIcicle* m_dominators;
  RowsPanel* m_figures;
  RowsPanel* m_insights;
  RowsPanel* m_layouts;
  SideBySideDiagram* m_diagram;
  Section* m_growth = nullptr;
  Section* m_alive = nullptr;
  Section* m_beforeAndAfter = nullptr;
  QStackedLayout* m_pages;
};

}  // namespace heapscape::gui
