// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "query/query.h"
#include "query/query_value.h"
#include "query/schema.h"
#include "query/rows/table_rows.h"
#include "tables/table.h"

namespace heapscape::engine {

/// What a cell is in a comparison. Words are one text with blanks between them, a range is where it begins; an address
/// of nothing is null.
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
/// Those with the most rows first. What it asks of objects has been read.
std::vector<TableGroup> groupRows(const TableRows& rows, const std::vector<std::uint32_t>& among,
                                  const QueryFieldReference& field);

}  // namespace heapscape::engine
