// SPDX-License-Identifier: MIT
#include "tables/findings_table.h"

#include <array>

namespace heapscape::engine {

namespace {}  // namespace

const TableOf<Finding>& findingsTable() {
  using Row = Finding;
  static const TableOf<Row> table{
      "findings",
      {column<Row>({.name = "kind",
                    .title = "Kind",
                    .meaning = "What is wrong.",
                    .kind = ColumnKind::Choice,
                    .choices = namesOf<FindingKind>(),
                    .isSearched = true},
                   &Row::kind),
       column<Row>({.name = "address",
                    .title = "Address",
                    .meaning = "Where it is; nowhere if it is about the whole dump.",
                    .kind = ColumnKind::Address,
                    .isSearched = true},
                   &Row::address),
       column<Row>({.name = "message", .title = "What it is", .meaning = "A sentence.", .isSearched = true},
                   &Row::message)}};
  return table;
}

}  // namespace heapscape::engine
