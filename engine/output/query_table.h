// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "output/json_writer.h"
#include "output/output.h"
#include "query/query_value.h"
#include "query/schema.h"
#include "tables/table.h"

namespace heapscape::engine {

struct QueryColumn {
  std::string name;
  QueryKind kind = QueryKind::Text;
};

/// The answer to a query, ready to be written: rows, and figures of all that fits.
struct QueryTable {
  std::string noun;  // "objects"
  std::vector<QueryColumn> columns;
  std::vector<std::vector<QueryValue>> rows;  // each as long as the columns
  std::uint64_t rowsInAll = 0;                // more than there are rows if these were limited
  std::vector<TableTotal> totals;
  std::vector<std::string> notes = {};  // for people, why the answer may not be what was meant
};

/// Member "query", an object a row, and "totals".
void writeQuery(JsonWriter& json, const QueryTable& table);
void writeQueryTsv(Output& output, const QueryTable& table);
void writeQueryText(Output& output, const QueryTable& table);

/// The query with a line below that marks the wrong place, for a fixed-width font; ends with a line break.
std::string markedQuery(std::string_view query, const QueryError& error);

}  // namespace heapscape::engine
