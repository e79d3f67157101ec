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
                                 ProgressSink* progress, std::stop_token stop) {
    return TableRows(std::move(table)).with(snapshot, fields, progress, std::move(stop));
  }
  /// The same rows with what these fields need as well; what was read before is not read again.
  Outcome<TableRows> with(const Snapshot& snapshot, std::span<const QueryFieldReference> fields, ProgressSink* progress,
                          std::stop_token stop) const;
  /// Of these fields those that ask for what was not read yet.
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

}  // namespace heapscape::engine
