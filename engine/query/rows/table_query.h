// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
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
#include "tables/table.h"

namespace heapscape::engine {

/// A field of a list as one of objectSchema(), if it asks for what the row's object holds; nothing for a column of the
/// list's own.
std::optional<QueryFieldReference> fieldOfObject(const TableDescription& description, const QueryFieldReference& field);

/// A table's rows as queries see them. Immutable and cheap to copy.
class TableRows {
 public:
  /// Rows of which nothing is asked of their objects.
  TableRows(Table table) : m_table(std::move(table)) {}
  /// With what these fields need of the objects that the rows are about.
  static Outcome<TableRows> read(const Snapshot& snapshot, Table table, std::span<const QueryFieldReference> fields,
                                 ProgressSink* progress, std::stop_token stop);

  std::uint32_t size() const { return m_table.rows; }
  QueryValue value(std::uint32_t row, const QueryFieldReference& field) const;

 private:
  Table m_table;
  ObjectCells m_objects;
};

/// The value of a cell in a comparison. Words are one text with blanks between them, a range is where it begins; an
/// address of nothing is null.
QueryValue queryValueOf(const Cell& cell);

/// Which rows fit, sorted by a field if one is given; what is not there comes last. What both ask of objects has been
/// read.
Outcome<std::vector<std::uint32_t>> selectRows(const TableRows& rows, const Query& query,
                                               const std::optional<QueryFieldReference>& sortBy, bool descending,
                                               std::stop_token stop);

/// Values that the query asks for and that could not be read, for they are damaged or not in the dump.
std::uint64_t unreadableIn(const TableRows& rows, const Query& query);

/// Rows in which a field holds the same.
struct TableGroup {
  QueryValue value;
  std::uint64_t rows = 0;
};
/// The groups of these rows, those with the most rows first. What it asks of objects has been read.
std::vector<TableGroup> groupRows(const TableRows& rows, const std::vector<std::uint32_t>& among,
                                  const QueryFieldReference& field);

}  // namespace heapscape::engine
