// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "query/query.h"
#include "query/query_value.h"
#include "query/schema.h"

namespace heapscape::engine {

/// Rows of whatever, that queries are asked of. Safe to read from any thread.
struct QueryList {
  QuerySchema schema;
  std::uint32_t rows = 0;
  std::function<QueryValue(std::uint32_t row, std::uint32_t field)> value;
  FindingList findings = {};  // met when the rows were read
};

/// A field of rows of one type.
template <class Row>
struct ListColumn {
  QueryField field;
  std::function<QueryValue(const Row&)> value;
};

template <class Row>
QueryList makeQueryList(std::string noun, std::vector<Row> rows, std::vector<ListColumn<Row>> columns,
                        FindingList findings = {}) {
  QueryList list{.schema = {.noun = std::move(noun), .fields = {}}, .value = {}};
  for (const ListColumn<Row>& column : columns) list.schema.fields.push_back(column.field);
  list.rows = static_cast<std::uint32_t>(rows.size());
  list.findings = std::move(findings);
  list.value = [rows = std::make_shared<const std::vector<Row>>(std::move(rows)), columns = std::move(columns)](
                   std::uint32_t row, std::uint32_t field) { return columns[field].value((*rows)[row]); };
  return list;
}

/// Which rows fit, sorted by a field if one is given; what is not there comes last.
Outcome<std::vector<std::uint32_t>> selectRows(const QueryList& list, const Query& query,
                                               const std::optional<QueryFieldReference>& sortBy, bool descending,
                                               std::stop_token stop);

}  // namespace heapscape::engine
