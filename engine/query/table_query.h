// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "query/query.h"
#include "query/query_value.h"
#include "query/schema.h"
#include "query/table_rows.h"
#include "session/snapshot/row_order.h"
#include "tables/table.h"

namespace heapscape::engine {

/// A list's columns as fields of queries, in their order; with field("…") where its rows are about objects.
QuerySchema schemaOf(const TableDescription& description);

/// What a cell is in a comparison. Words are one text with blanks between them, a range is where it begins; an address
/// of nothing is null.
QueryValue queryValueOf(const Cell& cell);

/// Which rows fit, sorted by a field if one is given; what is not there comes last. What both ask of objects has been
/// read.
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
