// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "query/objects/object_cells.h"
#include "query/query.h"
#include "query/query_value.h"
#include "query/schema.h"
#include "session/snapshot/row_order.h"
#include "tables/table.h"

namespace heapscape::engine {

/// A field of a list as one of objectSchema(), if it asks for what the row's object holds; nothing for a column of the
/// list's own.
std::optional<QueryFieldReference> fieldOfObject(const TableDescription& description, const QueryFieldReference& field);

/// A table's rows as queries see them. Immutable and cheap to copy.
class TableRows {
 public:
  /// As long as nothing is asked of their objects.
  TableRows(Table table) : m_table(std::move(table)) {}
  /// With what these fields need of the objects that the rows are about.
  static Outcome<TableRows> read(const Snapshot& snapshot, Table table, std::span<const QueryFieldReference> fields,
                                 ProgressSink* progress, std::stop_token stop) {
    return TableRows(std::move(table)).with(snapshot, fields, progress, std::move(stop));
  }
  /// These rows with what these fields need as well; what was read before is not read again.
  Outcome<TableRows> with(const Snapshot& snapshot, std::span<const QueryFieldReference> fields, ProgressSink* progress,
                          std::stop_token stop) const;
  /// Those of these fields that ask for what was not read yet.
  std::vector<QueryFieldReference> missing(std::span<const QueryFieldReference> fields) const;

  const Table& table() const { return m_table; }
  std::uint32_t size() const { return m_table.rows; }
  QueryValue value(std::uint32_t row, const QueryFieldReference& field) const;
  /// The object that each row is about; 0 where it is about none.
  std::vector<Address> objects() const;
  Address object(std::uint32_t row) const;

 private:
  Table m_table;
  ObjectCells m_objects;
};

/// The value of a cell in a comparison. Words are one text with blanks between them, a range is where it begins; an
/// address of nothing is null.
QueryValue queryValueOf(const Cell& cell);

/// Which rows fit, sorted by a field if one is given; missing ones come last. What both ask of objects has been read.
Outcome<std::vector<std::uint32_t>> selectRows(const TableRows& rows, const Query& query,
                                               const std::optional<QueryFieldReference>& sortBy, bool descending,
                                               std::stop_token stop);

/// Rows that `isKept`, sorted by what `keyOf` says of each; in their order without it. What is not there comes last.
Outcome<std::vector<std::uint32_t>> sortRows(std::uint32_t count, const RowTest& isKept,
                                             const std::function<QueryValue(std::uint32_t row)>& keyOf, bool descending,
                                             std::stop_token stop);

/// Values that the query asks for and that could not be read, for they are damaged or not in the dump.
std::uint64_t unreadableIn(const TableRows& rows, const Query& query);

/// Rows for which a field holds the same.
struct TableGroup {
  QueryValue value;
  std::vector<std::uint32_t> rows;  // in the order in which they were given
};
/// Those with the most rows first; `valueOf` says what the row at that place of `among` holds.
Outcome<std::vector<TableGroup>> groupRows(const std::vector<std::uint32_t>& among,
                                           const std::function<QueryValue(std::size_t place)>& valueOf,
                                           std::stop_token stop);

}  // namespace heapscape::engine
