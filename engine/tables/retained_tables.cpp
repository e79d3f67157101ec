// SPDX-License-Identifier: MIT
#include "tables/retained_tables.h"

#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

template <class Listed, class Row>
auto ofRow(std::uint64_t Row::*figure) {
  return [figure](const Listed& listed) { return listed.row.*figure; };
}

std::vector<ColumnOf<ListedRetained>> retainedColumns() {
  using Row = ListedRetained;
  return {column<Row>({.name = "object",
                       .title = "Address",
                       .meaning = "Where the object begins.",
                       .kind = ColumnKind::Address,
                       .isSearched = true},
                      [](const Row& r) { return r.row.object; }),
          objectTypeColumn<Row>(&Row::type),
          column<Row>({.name = "bytes",
                       .title = "Bytes",
                       .meaning = "What the object itself takes up.",
                       .kind = ColumnKind::Bytes,
                       .isAdditive = true},
                      ofRow<Row>(&RetainedRow::bytes)),
          column<Row>({.name = "retained",
                       .title = "Retained",
                       .meaning = "What would be freed with it; 0 if nothing holds it.",
                       .kind = ColumnKind::Bytes,
                       .jsonName = "retainedBytes"},
                      ofRow<Row>(&RetainedRow::retainedBytes)),
          column<Row>({.name = "retainedCount",
                       .title = "Objects",
                       .meaning = "How many objects would be freed with it, itself included.",
                       .kind = ColumnKind::Count},
                      ofRow<Row>(&RetainedRow::retainedCount)),
          column<Row>({.name = "dominator",
                       .title = "Dominator",
                       .meaning = "The nearest object that holds it alone; none if only roots together do.",
                       .kind = ColumnKind::Address},
                      [](const Row& r) { return r.row.dominator; })};
}

std::vector<ColumnOf<ListedRetainedType>> retainedTypeColumns() {
  using Row = ListedRetainedType;
  return {typeNameColumn<Row>(&Row::type), methodTableColumn<Row>(&Row::methodTable),
          column<Row>({.name = "count",
                       .title = "Objects",
                       .meaning = "Objects of the type that something holds.",
                       .kind = ColumnKind::Count,
                       .isAdditive = true},
                      ofRow<Row>(&RetainedTypeRow::instances)),
          column<Row>({.name = "bytes",
                       .title = "Bytes",
                       .meaning = "What these objects themselves take up.",
                       .kind = ColumnKind::Bytes,
                       .isAdditive = true},
                      ofRow<Row>(&RetainedTypeRow::bytes)),
          column<Row>({.name = "retained",
                       .title = "Retained",
                       .meaning = "What would be freed with all of them.",
                       .kind = ColumnKind::Bytes,
                       .jsonName = "retainedBytes"},
                      ofRow<Row>(&RetainedTypeRow::retainedBytes))};
}

}  // namespace

std::vector<ListedRetained> listRetained(const Snapshot& snapshot, const RetainedList& list) {
  std::vector<ListedRetained> rows;
  rows.reserve(list.objects.size());
  for (const RetainedRow& row : list.objects) rows.push_back({row, std::string(snapshot.typeName(row.type))});
  return rows;
}

const TableOf<ListedRetained>& retainedTable() {
  static const TableOf<ListedRetained> table = TableOf<ListedRetained>{
      "retained",
      retainedColumns(),
      {"retained", "retainedCount", "bytes", "object", "type"},
      {"object", "bytes", "retained", "retainedCount", "dominator",
       "type"}}.about("object");
  return table;
}

std::vector<ListedRetainedType> listRetainedTypes(const Snapshot& snapshot, const RetainedList& list) {
  std::vector<ListedRetainedType> rows;
  rows.reserve(list.types.size());
  for (const RetainedTypeRow& row : list.types)
    rows.push_back({row, std::string(snapshot.typeName(row.type)), snapshot.types()[row.type.value].methodTable});
  return rows;
}

const TableOf<ListedRetainedType>& retainedTypesTable() {
  static const TableOf<ListedRetainedType> table{
      "types", retainedTypeColumns(), {"retained", "count", "bytes", "type"}, {"count", "bytes", "retained", "type"}};
  return table;
}

}  // namespace heapscape::engine
