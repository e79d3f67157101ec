// SPDX-License-Identifier: MIT
#include "query/rows/table_rows.h"

#include <vector>

#include "query/objects/object_schema.h"
#include "query/rows/table_query.h"

namespace heapscape::engine {

std::optional<QueryFieldReference> fieldOfObject(const TableDescription& description,
                                                 const QueryFieldReference& field) {
  if (field.field == QueryFieldReference::kObjectField) return field;
  if (field.field >= description.columns.size() || !description.columns[field.field].isOfObject) return std::nullopt;
  return referenceTo(ObjectField::Value);
}

Outcome<TableRows> TableRows::read(const Snapshot& snapshot, Table table, std::span<const QueryFieldReference> fields,
                                   ProgressSink* progress, std::stop_token stop) {
  TableRows rows(std::move(table));
  const TableDescription& description = *rows.m_table.description;
  const auto column = description.find(description.object);
  std::vector<QueryFieldReference> asked;
  for (const QueryFieldReference& field : fields)
    if (auto ofObject = fieldOfObject(description, field)) asked.push_back(std::move(*ofObject));
  if (!column || asked.empty()) return rows;
  std::vector<Address> objects(rows.size());
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    const Cell cell = rows.m_table.cell(row, *column);
    if (const Address* object = cell.as<Address>()) objects[row] = *object;
  }
  HEAPSCAPE_TRY(rows.m_objects, ObjectCells().with(snapshot, objects, asked, progress, std::move(stop)));
  return rows;
}

QueryValue TableRows::value(std::uint32_t row, const QueryFieldReference& field) const {
  if (field.field == QueryFieldReference::kObjectField) return m_objects.value(row, field);
  const auto ofObject = fieldOfObject(*m_table.description, field);
  return ofObject ? m_objects.value(row, *ofObject) : queryValueOf(m_table.cell(row, field.field));
}

}  // namespace heapscape::engine
