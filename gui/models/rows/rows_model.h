// SPDX-License-Identifier: MIT
#pragma once

#include <QAbstractTableModel>
#include <QTimer>
#include <map>
#include <memory>
#include <vector>

#include "models/rows/row_list.h"

namespace heapscape::gui {

/// Rows of which only what is looked at is read: millions of objects. Immutable.
struct PagedRows {
  static constexpr std::uint32_t kPageRows = 1000;

  std::uint32_t size = 0;
  /// Identity of a row, before it was read.
  std::function<engine::Address(std::uint32_t row)> identity;
  /// As many rows from that one on; reads the dump, on the engine's thread.
  std::function<engine::Outcome<std::shared_ptr<const RowList>>(std::uint32_t first, std::uint32_t count,
                                                                std::stop_token stop)>
      read;
  int commonDigits = 0;  // characters that all their addresses begin with

  std::uint32_t pageCount() const { return size / kPageRows + (size % kPageRows != 0); }
};

/// Rows as a table: a RowList in an order that the engine has made, or PagedRows whose pages are added as they are
/// looked at; a row whose page is not there yet is blank. Sorting and filtering is a new question, not the model's
/// work.
class RowsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  /// The columns of every list that is going to be shown.
  explicit RowsModel(std::vector<ColumnSetup> columns, QObject* parent = nullptr);

  /// Other columns, and no rows.
  void setColumns(std::vector<ColumnSetup> columns);
  const std::vector<ColumnSetup>& columns() const { return m_columns; }

  void show(std::shared_ptr<const RowList> list, std::vector<std::uint32_t> order);
  /// Takes the same rows with more columns; their order stays.
  void update(std::shared_ptr<const RowList> list);
  /// All rows in the order of the list.
  void show(std::shared_ptr<const RowList> list);
  /// A table notes the place of every row, which takes longer than a frame for millions of them: beyond kRowsAtOnce,
  /// and beyond those that are there already, rows follow by as many a turn of the event loop, unless they are wanted
  /// at once.
  void show(std::shared_ptr<const PagedRows> rows, bool atOnce = false);
  static constexpr int kRowsAtOnce = 250'000;
  /// A table adds up the heights of rows that go, but not if none is left: from millions to fewer, this comes first.
  void clear();

  /// Null where rows are paged, or none.
  const std::shared_ptr<const RowList>& list() const { return m_list; }
  /// The list's row that a line of the table shows.
  std::uint32_t rowAt(int line) const { return m_order[static_cast<std::size_t>(line)]; }
  int lineOf(std::uint32_t row) const;  // -1 if it is not shown
  /// Identity of the row of a line.
  engine::Address identityAt(int line) const;
  /// The line whose row is about this; -1 if none is. Not of paged rows.
  int lineAbout(engine::Address identity) const;

  /// Null where they are not paged.
  const std::shared_ptr<const PagedRows>& paged() const { return m_paged; }
  bool hasPage(std::uint32_t page) const { return m_pages.contains(page); }
  /// Pages stay; where there are very many, those that came first make way.
  void addPage(std::uint32_t page, std::shared_ptr<const RowList> rows);

  /// Where the row of a line leads; to what it is about, as long as its page is not there.
  RowLink targetAt(int line) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  /// Where the row of a line is; no list if its page is not there.
  struct Place {
    const RowList* list = nullptr;
    std::uint32_t row = 0;
  };
  Place placeOf(int line) const;
  void growPaged();
  QVariant cellData(const Place& place, std::size_t column, int role) const;

  std::vector<ColumnSetup> m_columns;
  std::shared_ptr<const RowList> m_list;
  std::vector<std::uint32_t> m_order;  // of the list's rows
  std::shared_ptr<const PagedRows> m_paged;
  int m_pagedLines = 0;  // of its rows, that the table knows of
  QTimer m_growing;
  std::map<std::uint32_t, std::shared_ptr<const RowList>> m_pages;
  std::vector<std::uint32_t> m_arrived;  // of these, the oldest first
};

}  // namespace heapscape::gui
