// SPDX-License-Identifier: MIT
#include "tables/local_value_tables.h"

#include <array>

#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

std::vector<ColumnOf<LocalValueRow>> localColumns() {
  using Row = LocalValueRow;
  return {
      column<Row>({.name = "kind",
                   .title = "Kind",
                   .meaning = "A value for each thread, or for each flow of async methods.",
                   .kind = ColumnKind::Choice,
                   .choices = namesOf<LocalKind>(),
                   .isSearched = true},
                  &Row::kind),
      column<Row>({.name = "name",
                   .title = "Name",
                   .meaning = "A static field that refers to the ThreadLocal or AsyncLocal.",
                   .isSearched = true},
                  &Row::name),
      column<Row>({.name = "threads",
                   .title = "Threads",
                   .meaning = "Managed ids: of the thread that has the value, or of those that run in the context.",
                   .kind = ColumnKind::Words},
                  &Row::threads),
      column<Row>({.name = "ended",
                   .title = "Ended",
                   .meaning = "The thread that had the value has ended; the ThreadLocal tracks all values.",
                   .kind = ColumnKind::Flag},
                  &Row::hasThreadEnded),
      column<Row>({.name = "holders",
                   .title = "Goes on in",
                   .meaning = "What keeps the context of an AsyncLocal to go on in it: async methods, else types.",
                   .kind = ColumnKind::Words,
                   .isSearched = true,
                   .between = ", "},
                  &Row::holders),
      column<Row>({.name = "value",
                   .title = "Value",
                   .meaning = "What it holds there.",
                   .isSearched = true,
                   .holdsContents = true},
                  [](const Row& r) { return r.damage.empty() ? r.value : "? " + r.damage; }),
      column<Row>({.name = "valueType",
                   .title = "Type of the value",
                   .meaning = "Type of the object that the value refers to.",
                   .kind = ColumnKind::TypeName},
                  [](const Row& r) { return r.valueObject ? Cell(r.valueType) : Cell(); }),
      column<Row>({.name = "valueObject",
                   .title = "Value's object",
                   .meaning = "What the value refers to, or is boxed in.",
                   .kind = ColumnKind::Address,
                   .isSearched = true},
                  [](const Row& r) { return r.valueObject ? Cell(r.valueObject) : Cell(); }),
      column<Row>({.name = "object",
                   .title = "Object",
                   .meaning = "The ThreadLocal or AsyncLocal.",
                   .kind = ColumnKind::Address,
                   .isSearched = true},
                  &Row::object),
      objectTypeColumn<Row>(&Row::typeName),
      column<Row>({.name = "context",
                   .title = "Context",
                   .meaning = "Of an AsyncLocal: the ExecutionContext that has the value.",
                   .kind = ColumnKind::Address,
                   .isSearched = true},
                  [](const Row& r) { return r.context ? Cell(r.context) : Cell(); }),
      methodTableColumn<Row>(&Row::methodTable),
  };
}

}  // namespace

const TableOf<LocalValueRow>& localsTable() {
  static const TableOf<LocalValueRow> table = TableOf<LocalValueRow>{
      "locals",
      localColumns(),
      {"kind", "name", "threads", "ended", "holders", "value", "valueObject", "object", "type"},
      {"kind", "name", "threads", "ended", "holders", "value", "valueType", "valueObject", "object", "type",
       "context"}}.about("valueObject", "valueType");
  return table;
}

}  // namespace heapscape::engine
