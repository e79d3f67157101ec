// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "views/layouts/compare/compared_layouts.h"

class QStackedLayout;

namespace heapscape::gui {

class CompareHead;
class RowsPanel;
class SideBySideDiagram;
class StatePanel;

/// The layouts of what is open against those of another dump, assembly or runtime: the types that differ, and of the
/// one picked both layouts side by side and its fields.
class LayoutCompareView : public QWidget {
  Q_OBJECT

 public:
  LayoutCompareView(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void showSnapshot(const engine::Snapshot& snapshot);
  void showAssembly();
  void clear();
  void compareWith(const ComparisonPartner& partner);

 private:
  QWidget* buildBody();
  void invite();
  void stop();
  void showProgress(const engine::Progress& progress);
  void take(std::shared_ptr<const ComparedLayouts> compared);
  void release();
  void showType(std::uint32_t row);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  CompareHead* m_head;
  RowsPanel* m_types;
  SideBySideDiagram* m_diagram;
  RowsPanel* m_fields;
  StatePanel* m_state;
  StatePanel* m_typeState;
  QStackedLayout* m_pages;
  QStackedLayout* m_typePages;
  std::shared_ptr<const ComparedLayouts> m_compared;
  ComparisonPartner m_partner;
  bool m_isReady = false;
};

}  // namespace heapscape::gui
