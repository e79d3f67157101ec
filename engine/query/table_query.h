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
#include "tables/table.h"

namespace heapscape::engine {

/// A list's columns as fields of queries, in their order.
QuerySchema schemaOf(const TableDescription& description);

/// What a cell is in a comparison. Words are one text with blanks between them, a range is where it begins; an address
/// of nothing is null.
QueryValue queryValueOf(const Cell& cell);

/// Which rows fit, sorted by a column if one is given; what is not there comes last.
Outcome<std::vector<std::uint32_t>> selectRows(const Table& table, const Query& query,
                                               const std::optional<QueryFieldReference>& sortBy, bool descending,
                                               std::stop_token stop);

}  // namespace heapscape::engine
