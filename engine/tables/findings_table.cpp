// SPDX-License-Identifier: MIT
#include "tables/findings_table.h"

namespace heapscape::engine {

const TableOf<Finding>& findingsTable() {
  using Row = Finding;
  static const TableOf<Row> table{
      "findings",
      {choiceColumn<Row>("kind", "Kind", "What is wrong.", &Row::kind).searched(),
       addressColumn<Row>("address", "Address", "Where it is; nowhere if it is about the whole dump.", &Row::address)
           .searched(),
       textColumn<Row>("message", "What it is", "A sentence.", &Row::message).searched()}};
  return table;
}

}  // namespace heapscape::engine
