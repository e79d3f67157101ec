// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <vector>

#include "bridge/engine_bridge.h"

class QTableView;

namespace heapscape::gui {

class FoundObjectsModel;

/// Fetches the rows of found objects that a table shows, as they come into sight, and all that are copied.
class FoundObjectPages : public QObject {
  Q_OBJECT

 public:
  /// Takes over the table's action that copies rows. All three outlive this.
  FoundObjectPages(EngineBridge& bridge, FoundObjectsModel& model, QTableView& table);

 private:
  void fetchVisible();
  void copySelected();

  EngineBridge& m_bridge;
  FoundObjectsModel& m_model;
  QTableView& m_table;
  std::vector<int> m_asked;  // pages that are on their way
};

}  // namespace heapscape::gui
