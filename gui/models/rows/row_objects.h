// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <vector>

#include "bridge/engine_bridge.h"
#include "models/rows/row_list.h"
#include "models/rows/row_question.h"

namespace heapscape::gui {

class FieldColumns;
class RowsTable;

/// Values in a table of the objects that its rows are about: their values, and any field("…"). Only what is shown, or
/// asked for, is read.
class RowObjects : public QObject {
  Q_OBJECT

 public:
  /// `columns`: of the table without those of field("…"). Lives as long as the table; the bridge outlives both.
  RowObjects(EngineBridge& bridge, RowsTable& table, const QString& name, std::vector<ColumnSetup> columns);
  /// These, and the columns of field("…") that were kept for that name.
  static std::vector<ColumnSetup> withKept(const QString& name, std::vector<ColumnSetup> columns);

  /// The rows with the columns that the table has now.
  std::shared_ptr<const RowList> fitted(const std::shared_ptr<const RowList>& rows) const;
  /// Orders rows, and reads before what that takes. A newer question replaces the older one.
  void order(const std::shared_ptr<const RowList>& rows, const RowQuestion& question,
             std::function<void(engine::Outcome<OrderedRows>)> done);
  /// Reads what the table shows of these rows; not done if all of it is there.
  void readShown(const std::shared_ptr<const RowList>& rows, std::function<void(std::shared_ptr<const RowList>)> done);
  /// Nothing that was asked is told any more.
  void stop();

 Q_SIGNALS:
  /// Progress of reading what an order takes, of many rows.
  void progressed(const heapscape::engine::Progress& progress);
  /// Other columns are shown: of what is read, or altogether, for which the table has dropped its rows.
  void shownChanged();
  void columnsChanged();

 private:
  /// Few rows go with the short questions, which do not wait for what takes long.
  template <class Query, class Done>
  void ask(const char* channel, const RowList& rows, Query query, std::function<void(const engine::Progress&)> told,
           Done done);
  void changeColumns();

  EngineBridge& m_bridge;
  RowsTable& m_table;
  const std::vector<ColumnSetup> m_columns;
  FieldColumns* m_fields;
};

}  // namespace heapscape::gui
