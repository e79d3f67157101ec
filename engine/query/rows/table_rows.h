// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>

#include "base/progress.h"
#include "base/result.h"
#include "query/objects/object_cells.h"
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
  /// As long as nothing is asked of their objects.
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

}  // namespace heapscape::engine
