// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <vector>

#include "bridge/engine_bridge.h"
#include "models/rows/rows_as_text.h"

namespace heapscape::gui {

class RowsTable;

/// Fetches the pages of a table with PagedRows as they come into sight, and all that are copied.
class RowPages : public QObject {
  Q_OBJECT

 public:
  /// Takes over the table's actions that copy rows. Lives as long as the table; the bridge outlives both.
  RowPages(EngineBridge& bridge, RowsTable& table);

 private:
  void fetchVisible();
  void copyPicked(RowsFormat format);

  EngineBridge& m_bridge;
  RowsTable& m_table;
  std::vector<std::uint32_t> m_asked;  // pages that are on their way
};

}  // namespace heapscape::gui
