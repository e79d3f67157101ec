// SPDX-License-Identifier: MIT
#pragma once

#include <QTableView>
#include <vector>

#include "models/rows/rows_model.h"

namespace heapscape::gui {

/// The one table of rows: the columns of a RowsModel with their delegates and widths. A click on a heading only asks
/// for another order; who answers says so by showSorting().
class RowsTable : public QTableView {
  Q_OBJECT

 public:
  /// `name` for tests, `title` for those who cannot see. With `key`, widths are kept in the user's settings.
  RowsTable(const QString& name, const QString& title, std::vector<ColumnSetup> columns, const QString& key = {},
            QWidget* parent = nullptr, QHeaderView* heading = nullptr);

  RowsModel& rows() const { return *m_rows; }
  /// -1 if the list has no such column.
  int sectionOf(const std::string& field) const;
  /// Of the lines that are picked, from above; as many as there are.
  std::vector<std::uint32_t> pickedLines() const;
  void showSorting(int section, bool descending);
  /// Picks a line and brings it into sight; none for -1.
  void pickLine(int line);

 Q_SIGNALS:
  void sortWanted(int section, bool descending);

 private:
  int wantedWidth(const ColumnSetup& column) const;
  void setUpColumns(const QString& key);

  RowsModel* m_rows;
  int m_sorted = -1;
  bool m_isDescending = false;
};

}  // namespace heapscape::gui
