// SPDX-License-Identifier: MIT
#include "query/table_rows.h"

#include <vector>

#include "query/objects/object_schema.h"
#include "query/table_query.h"

namespace heapscape::engine {

std::optional<QueryFieldReference> fieldOfObject(const TableDescription& description,
                                                 const QueryFieldReference& field) {
  if (field.field == QueryFieldReference::kObjectField) return field;
  if (field.field >= description.columns.size() || !description.columns[field.field].isOfObject) return std::nullopt;
  return referenceTo(ObjectField::Value);
}

Address TableRows::object(std::uint32_t row) const {
  const auto column = m_table.description->find(m_table.description->object);
  const Cell cell = column ? m_table.cell(row, *column) : Cell();
  return cell.as<Address>() ? *cell.as<Address>() : Address{};
}

std::vector<Address> TableRows::objects() const {
  std::vector<Address> objects(size());
  for (std::uint32_t row = 0; row < size() && m_table.description->isAboutObjects(); ++row) objects[row] = object(row);
  return objects;
}

std::vector<QueryFieldReference> TableRows::missing(std::span<const QueryFieldReference> fields) const {
  std::vector<QueryFieldReference> missing;
  for (const QueryFieldReference& field : fields) {
    auto ofObject = fieldOfObject(*m_table.description, field);
    if (ofObject && !m_objects.has(*ofObject)) missing.push_back(std::move(*ofObject));
  }
  return missing;
}

Outcome<TableRows> TableRows::with(const Snapshot& snapshot, std::span<const QueryFieldReference> fields,
                                   ProgressSink* progress, std::stop_token stop) const {
  TableRows rows = *this;
  const std::vector<QueryFieldReference> asked = missing(fields);
  if (!m_table.description->isAboutObjects() || asked.empty()) return rows;
  HEAPSCAPE_TRY(rows.m_objects, m_objects.with(snapshot, objects(), asked, progress, std::move(stop)));
  return rows;
}

QueryValue TableRows::value(std::uint32_t row, const QueryFieldReference& field) const {
  if (field.field == QueryFieldReference::kObjectField) return m_objects.value(row, field);
  const auto ofObject = fieldOfObject(*m_table.description, field);
  return ofObject ? m_objects.value(row, *ofObject) : queryValueOf(m_table.cell(row, field.field));
}

}  // namespace heapscape::engine
