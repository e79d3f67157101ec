// SPDX-License-Identifier: MIT
#pragma once

#include <QTableView>
#include <vector>

#include "models/rows/rows_model.h"

namespace heapscape::gui {

class HeaderColumns;
class TableHeading;

/// Lines that stand below each other.
struct LineRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};
/// Each of them. Of millions that takes longer than a frame.
std::vector<std::uint32_t> linesIn(const std::vector<LineRange>& ranges);

/// The one table of rows: the columns of a RowsModel with their delegates and widths, chosen by the person from all
/// that the list has (HeaderColumns). A click on a heading only asks for another order; who answers says so by
/// showSorting().
class RowsTable : public QTableView {
  Q_OBJECT

 public:
  /// `name` for tests, `title` for those who cannot see. With `key`, widths are kept in the user's settings.
  RowsTable(const QString& name, const QString& title, std::vector<ColumnSetup> columns, const QString& key = {},
            QWidget* parent = nullptr, TableHeading* heading = nullptr);

  RowsModel& rows() const { return *m_rows; }
  HeaderColumns& columns() const { return *m_columns; }
  /// Other columns, and no rows; those that were there stay as they are.
  void setColumns(std::vector<ColumnSetup> columns);
  /// -1 if the list has no such column.
  int sectionOf(const std::string& field) const;
  /// Width below which it scrolls sideways, the scroll bar beside the rows included.
  int leastWidth() const;
  /// The lines that are picked, from above; none twice.
  std::vector<LineRange> pickedRanges() const;
  /// How many these are.
  std::uint64_t pickedCount() const;
  void showSorting(int section, bool descending);
  /// Picks a line and brings it into sight; none for -1.
  void pickLine(int line);

  QModelIndex indexAt(const QPoint& position) const override;
  QRect visualRect(const QModelIndex& index) const override;
  void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
  void keyboardSearch(const QString& typed) override;
  void doItemsLayout() override;

 Q_SIGNALS:
  void sortWanted(int section, bool descending);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;

 private:
  int wantedWidth(const ColumnSetup& column) const;
  void setUpColumns(const QString& key);
  void setUpColumn(int section);
  void paintPinned();
  void noteNewRows(int first);

  RowsModel* m_rows;
  TableHeading* m_heading;
  HeaderColumns* m_columns = nullptr;
  int m_sorted = -1;
  bool m_isDescending = false;
  bool m_hasGrownBelow = false;  // by rows below those in sight, since it was laid out
  bool m_isStale = true;         // and what is in sight has changed as well
};

}  // namespace heapscape::gui
