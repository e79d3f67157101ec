// SPDX-License-Identifier: MIT
#include "tables/local_value_tables.h"

#include "tables/common_columns.h"

namespace heapscape::engine {

const TableOf<LocalValueRow>& localsTable() {
  using Row = LocalValueRow;
  static const TableOf<LocalValueRow> table = TableOf<LocalValueRow>{
      "locals",
      {
          choiceColumn<Row>("kind", "Kind", "A value for each thread, or for each flow of async methods.", &Row::kind)
              .searched(),
          textColumn<Row>("name", "Name", "A static field that refers to the ThreadLocal or AsyncLocal.", &Row::name)
              .searched(),
          wordsColumn<Row>("threads", "Threads",
                           "Managed ids: of the thread that has the value, or of those that run in the context.",
                           &Row::threads),
          flagColumn<Row>("ended", "Ended",
                          "The thread that had the value has ended; the ThreadLocal tracks all values.",
                          &Row::hasThreadEnded),
          wordsColumn<Row>("holders", "Goes on in",
                           "What keeps the context of an AsyncLocal to go on in it: async methods, else types.",
                           &Row::holders)
              .searched()
              .between(", "),
          textColumn<Row>("value", "Value", "What it holds there.",
                          [](const Row& r) { return r.damage.empty() ? r.value : "? " + r.damage; })
              .searched()
              .contents(),
          typeColumn<Row>("valueType", "Type of the value", "Type of the object that the value refers to.",
                          [](const Row& r) { return r.valueObject ? Cell(r.valueType) : Cell(); }),
          addressColumn<Row>("valueObject", "Value's object", "What the value refers to, or is boxed in.",
                             [](const Row& r) { return r.valueObject ? Cell(r.valueObject) : Cell(); })
              .searched(),
          addressColumn<Row>("object", "Object", "The ThreadLocal or AsyncLocal.", &Row::object).searched(),
          objectTypeColumn<Row>(&Row::typeName),
          addressColumn<Row>("context", "Context", "Of an AsyncLocal: the ExecutionContext that has the value.",
                             [](const Row& r) { return r.context ? Cell(r.context) : Cell(); })
              .searched(),
          methodTableColumn<Row>(&Row::methodTable),
      },
      {"kind", "name", "threads", "ended", "holders", "value", "valueObject", "object", "type"},
      {"kind", "name", "threads", "ended", "holders", "value", "valueType", "valueObject", "object", "type",
       "context"}}.about("valueObject", "valueType");
  return table;
}

}  // namespace heapscape::engine
