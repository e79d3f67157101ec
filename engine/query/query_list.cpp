// SPDX-License-Identifier: MIT
#include "query/query_list.h"

#include "session/door/row_order.h"

namespace heapscape::engine {

Outcome<std::vector<std::uint32_t>> selectRows(const QueryList& list, const Query& query,
                                               const std::optional<QueryFieldReference>& sortBy, bool descending,
                                               std::stop_token stop) {
  const auto isKept = [&](std::uint32_t row) {
    return matches(query.root, [&](const QueryFieldReference& field) { return list.value(row, field.field); });
  };
  std::vector<QueryValue> keys;
  for (std::uint32_t row = 0; sortBy && row < list.rows; ++row) keys.push_back(list.value(row, sortBy->field));
  RowComparison isFirst;
  if (sortBy) {
    isFirst = [&](std::uint32_t left, std::uint32_t right) {
      if (keys[left].isThere() != keys[right].isThere()) return keys[left].isThere();
      return descending ? isBefore(keys[right], keys[left]) : isBefore(keys[left], keys[right]);
    };
  }
  return orderRows(list.rows, isKept, isFirst, std::move(stop));
}

}  // namespace heapscape::engine
