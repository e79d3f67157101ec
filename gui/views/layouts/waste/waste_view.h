// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>
#include <memory>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "models/rows/row_list.h"
#include "session/layouts/waste_query.h"

class QStackedLayout;

namespace heapscape::gui {

class ChoiceBar;
class RowsPanel;
class StatePanel;
class WasteHead;

/// The kinds of rows of wasteSchema().
enum class WasteKind : std::size_t { Own, Package, Framework, Minimal };

/// How the types that waste memory are shown; `waste` tells of what a share is.
RowSchema<engine::WasteRow> wasteSchema(const engine::Waste& waste);
/// Columns of namespaces or assemblies.
RowSchema<engine::WasteGroup> wasteGroupSchema(engine::WasteGrouping grouping);

/// An answer ready to be listed; made on the engine thread.
struct WasteTables {
  engine::Waste waste;        // without its rows, which are in `types`
  bool isNothingWon = false;  // no type of the program would be smaller
  std::shared_ptr<const RowList> types;
  std::shared_ptr<const RowList> nameSpaces;
  std::shared_ptr<const RowList> assemblies;
};
WasteTables wasteTables(engine::Waste waste);

/// Cost of layouts in this heap, by type, namespace and assembly. Measured when it is first looked at.
class WasteView : public QWidget {
  Q_OBJECT

 public:
  WasteView(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* buildPage();
  RowsPanel* buildGroups(engine::WasteGrouping grouping);
  void measure();
  void stop();
  void take(WasteTables tables);
  void showProgress(const engine::Progress& progress);
  void showList(int grouping);
  void showTypesOf(const QString& group);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  bool m_isReady = false;  // the dump is far enough
  bool m_isBegun = false;  // measured, being measured, or stopped
  WasteHead* m_head;
  ChoiceBar* m_groupings;
  RowsPanel* m_types;
  RowsPanel* m_nameSpaces;
  RowsPanel* m_assemblies;
  StatePanel* m_nothing;  // in place of the types, where none would be smaller
  bool m_isNothingWon = false;
  StatePanel* m_state;
  QStackedLayout* m_lists;
  QStackedLayout* m_pages;
};

}  // namespace heapscape::gui
