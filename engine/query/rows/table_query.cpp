// SPDX-License-Identifier: MIT
#include "query/rows/table_query.h"

#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "query/objects/object_schema.h"

namespace heapscape::engine {

std::optional<QueryFieldReference> fieldOfObject(const TableDescription& description,
                                                 const QueryFieldReference& field) {
  if (field.field == QueryFieldReference::kObjectField) return field;
  if (field.field >= description.columns.size() || !description.columns[field.field].isOfObject) return std::nullopt;
  return referenceTo(ObjectField::Value);
}

namespace {

Address addressIn(const Cell& cell) {
  const Address* address = cell.as<Address>();
  return address ? *address : Address{};
}

}  // namespace

Address TableRows::object(std::uint32_t row) const {
  const auto column = m_table.description->find(m_table.description->object);
  return column ? addressIn(m_table.cell(row, *column)) : Address{};
}

std::vector<Address> TableRows::objects() const {
  std::vector<Address> objects(size());
  const auto column = m_table.description->find(m_table.description->object);
  for (std::uint32_t row = 0; column && row < size(); ++row) objects[row] = addressIn(m_table.cell(row, *column));
  return objects;
}

std::vector<QueryFieldReference> TableRows::missing(std::span<const QueryFieldReference> fields) const {
  std::vector<QueryFieldReference> missing;
  for (const QueryFieldReference& field : fields) {
    const auto ofObject = fieldOfObject(*m_table.description, field);
    if (ofObject && !m_objects.has(*ofObject)) missing.push_back(field);
  }
  return missing;
}

Outcome<TableRows> TableRows::with(const Snapshot& snapshot, std::span<const QueryFieldReference> fields,
                                   ProgressSink* progress, std::stop_token stop) const {
  TableRows rows = *this;
  std::vector<QueryFieldReference> asked;
  for (const QueryFieldReference& field : missing(fields)) asked.push_back(*fieldOfObject(*m_table.description, field));
  if (!m_table.description->isAboutObjects() || asked.empty()) return rows;
  HEAPSCAPE_TRY(rows.m_objects, m_objects.with(snapshot, objects(), asked, progress, std::move(stop)));
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
  if (!sortBy) return orderRows(rows.size(), isKept, {}, std::move(stop));
  const auto keyOf = [&](std::uint32_t row) { return rows.value(row, *sortBy); };
  return sortRows(rows.size(), isKept, keyOf, descending, std::move(stop));
}

Outcome<std::vector<std::uint32_t>> sortRows(std::uint32_t count, const RowTest& isKept,
                                             const std::function<QueryValue(std::uint32_t row)>& keyOf, bool descending,
                                             std::stop_token stop) {
  std::vector<QueryValue> keys;
  keys.reserve(count);
  for (std::uint32_t row = 0; row < count; ++row) keys.push_back(keyOf(row));
  const auto isFirst = [&](std::uint32_t left, std::uint32_t right) {
    if (keys[left].isThere() != keys[right].isThere()) return keys[left].isThere();
    return descending ? isBefore(keys[right], keys[left]) : isBefore(keys[left], keys[right]);
  };
  return orderRows(count, isKept, isFirst, std::move(stop));
}

std::uint64_t unreadableIn(const TableRows& rows, const Query& query) {
  std::uint64_t unreadable = 0;
  for (const QueryFieldReference& field : fieldsOf(query))
    for (std::uint32_t row = 0; row < rows.size(); ++row) unreadable += rows.value(row, field).isUnreadable;
  return unreadable;
}

Outcome<std::vector<TableGroup>> groupRows(const std::vector<std::uint32_t>& among,
                                           const std::function<QueryValue(std::size_t place)>& valueOf,
                                           std::stop_token stop) {
  std::unordered_map<std::string, std::size_t> places;
  std::vector<TableGroup> groups;
  for (std::size_t i = 0; i < among.size(); ++i) {
    if (i % kStopInterval == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    QueryValue value = valueOf(i);
    // What is absent and what is null may read as a text does.
    const std::string key = static_cast<char>('0' + static_cast<int>(value.state)) + toString(value);
    const auto [place, isNew] = places.emplace(key, groups.size());
    if (isNew) groups.push_back({std::move(value), {}});
    groups[place->second].rows.push_back(among[i]);
  }
  std::ranges::stable_sort(groups, std::greater(), [](const TableGroup& group) { return group.rows.size(); });
  return groups;
}

}  // namespace heapscape::engine
