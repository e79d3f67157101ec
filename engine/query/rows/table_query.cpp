// SPDX-License-Identifier: MIT
#include "query/rows/table_query.h"

#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "query/objects/object_schema.h"
#include "session/snapshot/row_order.h"

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

namespace {

QueryValue ofNumber(long double number) {
  return {.state = QueryValue::State::There, .number = number};
}

QueryValue ofAddress(Address address) {
  return address ? QueryValue::ofAddress(address.value) : QueryValue::ofNull();
}

}  // namespace

QueryValue queryValueOf(const Cell& cell) {
  if (!cell.isThere()) return {};
  if (const bool* flag = cell.as<bool>()) return QueryValue::ofFlag(*flag);
  if (const Address* address = cell.as<Address>()) return ofAddress(*address);
  if (const AddressRange* range = cell.as<AddressRange>()) return ofAddress(range->start);
  if (const std::uint64_t* number = cell.as<std::uint64_t>()) return QueryValue::ofNumber(*number);
  if (const std::int64_t* number = cell.as<std::int64_t>()) return ofNumber(static_cast<long double>(*number));
  if (const double* number = cell.as<double>())
    return {.state = QueryValue::State::There, .number = *number, .width = QueryValue::Width::Double};
  return QueryValue::ofText(toString(cell));
}

Outcome<std::vector<std::uint32_t>> selectRows(const TableRows& rows, const Query& query,
                                               const std::optional<QueryFieldReference>& sortBy, bool descending,
                                               std::stop_token stop) {
  const auto isKept = [&](std::uint32_t row) {
    return matches(query.root, [&](const QueryFieldReference& field) { return rows.value(row, field); });
  };
  std::vector<QueryValue> keys;
  for (std::uint32_t row = 0; sortBy && row < rows.size(); ++row) keys.push_back(rows.value(row, *sortBy));
  RowComparison isFirst;
  if (sortBy) {
    isFirst = [&](std::uint32_t left, std::uint32_t right) {
      if (keys[left].isThere() != keys[right].isThere()) return keys[left].isThere();
      return descending ? isBefore(keys[right], keys[left]) : isBefore(keys[left], keys[right]);
    };
  }
  return orderRows(rows.size(), isKept, isFirst, std::move(stop));
}

std::uint64_t unreadableIn(const TableRows& rows, const Query& query) {
  std::uint64_t unreadable = 0;
  for (const QueryFieldReference& field : fieldsOf(query))
    for (std::uint32_t row = 0; row < rows.size(); ++row) unreadable += rows.value(row, field).isUnreadable;
  return unreadable;
}

std::vector<TableGroup> groupRows(const TableRows& rows, const std::vector<std::uint32_t>& among,
                                  const QueryFieldReference& field) {
  std::unordered_map<std::string, std::size_t> places;
  std::vector<TableGroup> groups;
  for (const std::uint32_t row : among) {
    QueryValue value = rows.value(row, field);
    // What is absent and what is null may read as a text does.
    const std::string key = static_cast<char>('0' + static_cast<int>(value.state)) + toString(value);
    const auto [place, isNew] = places.emplace(key, groups.size());
    if (isNew) groups.push_back({std::move(value)});
    ++groups[place->second].rows;
  }
  std::ranges::stable_sort(groups, std::greater(), &TableGroup::rows);
  return groups;
}

}  // namespace heapscape::engine
