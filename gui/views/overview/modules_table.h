// SPDX-License-Identifier: MIT
#pragma once

#include "bridge/engine_bridge.h"
#include "models/rows/row_question.h"
#include "models/rows/rows_table.h"

namespace heapscape::gui {

/// Loaded modules, one a row; what is most asked for of the modules' page.
class ModulesTable : public RowsTable {
  Q_OBJECT

 public:
  explicit ModulesTable(EngineBridge& bridge, QWidget* parent = nullptr);

  /// Reads them on the engine's thread.
  void load();
  void clear();

 Q_SIGNALS:
  /// Other rows are shown, or the same in another order.
  void shown();

 private:
  void order();
  void show(std::vector<std::uint32_t> order);

  EngineBridge& m_bridge;
  std::shared_ptr<const RowList> m_list;
  RowQuestion m_question;
};

}  // namespace heapscape::gui
