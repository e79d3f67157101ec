// SPDX-License-Identifier: MIT
#include "query/rows/table_query.h"

#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/progress.h"

namespace heapscape::engine {

namespace {

QueryKind queryKindOf(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::Text:
    case ColumnKind::TypeName:
    case ColumnKind::Words:
      break;
    case ColumnKind::Choice:
      return QueryKind::Choice;
    case ColumnKind::Flag:
      return QueryKind::Flag;
    case ColumnKind::Count:
    case ColumnKind::Id:
    case ColumnKind::Share:
    case ColumnKind::Percent:
      return QueryKind::Number;
    case ColumnKind::Bytes:
    case ColumnKind::SavedBytes:
    case ColumnKind::GrownBytes:
      return QueryKind::Bytes;
    case ColumnKind::Address:
    case ColumnKind::Range:
      return QueryKind::Address;
  }
  return QueryKind::Text;
}

QueryValue ofNumber(long double number) {
  return {.state = QueryValue::State::There, .number = number};
}

QueryValue ofAddress(Address address) {
  return address ? QueryValue::ofAddress(address.value) : QueryValue::ofNull();
}

}  // namespace

QuerySchema schemaOf(const TableDescription& description) {
  QuerySchema schema{.noun = description.noun, .fields = {}, .hasObjectFields = description.isAboutObjects()};
  if (schema.hasObjectFields) schema.objectType = description.objectType;
  for (const ListColumn& column : description.columns) {
    QueryField& field = schema.fields.emplace_back(QueryField{.name = column.name,
                                                              .kind = queryKindOf(column.kind),
                                                              .help = column.meaning,
                                                              .choices = column.choices,
                                                              .isPlain = column.isSearched,
                                                              .isTypeName = column.kind == ColumnKind::TypeName,
                                                              .holdsContents = column.holdsContents});
    if (column.kind == ColumnKind::Share) field.share = column.name;
    if (!column.share.empty()) field.share = column.share;
    const auto own = description.find(column.jsonName);
    if (!column.jsonName.empty() && own == schema.fields.size() - 1) field.aliases.push_back(column.jsonName);
  }
  return schema;
}

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
