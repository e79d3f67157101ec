// SPDX-License-Identifier: MIT
#include "tables/retained_tables.h"

#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

template <class Listed, class Row>
auto ofRow(std::uint64_t Row::*figure) {
  return [figure](const Listed& listed) { return listed.row.*figure; };
}

}  // namespace

std::vector<ListedRetained> listRetained(const Snapshot& snapshot, const RetainedList& list) {
  std::vector<ListedRetained> rows;
  rows.reserve(list.objects.size());
  for (const RetainedRow& row : list.objects) rows.push_back({row, std::string(snapshot.typeName(row.type))});
  return rows;
}

const TableOf<ListedRetained>& retainedTable() {
  using Row = ListedRetained;
  static const TableOf<ListedRetained> table = TableOf<ListedRetained>{
      "retained",
      {addressColumn<Row>("object", "Address", "Where the object begins.", [](const Row& r) { return r.row.object; })
           .searched(),
       objectTypeColumn<Row>(&Row::type),
       bytesColumn<Row>("bytes", "Bytes", "What the object itself takes up.", ofRow<Row>(&RetainedRow::bytes))
           .additive(),
       bytesColumn<Row>("retained", "Retained", "What would be freed with it; 0 if nothing holds it.",
                        ofRow<Row>(&RetainedRow::retainedBytes))
           .inJsonAs("retainedBytes"),
       countColumn<Row>("retainedCount", "Objects", "How many objects would be freed with it, itself included.",
                        ofRow<Row>(&RetainedRow::retainedCount)),
       addressColumn<Row>("dominator", "Dominator",
                          "The nearest object that holds it alone; none if only roots together do.",
                          [](const Row& r) { return r.row.dominator; })},
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
  using Row = ListedRetainedType;
  static const TableOf<ListedRetainedType> table{
      "types",
      {typeNameColumn<Row>(&Row::type), methodTableColumn<Row>(&Row::methodTable),
       countColumn<Row>("count", "Objects", "Objects of the type that something holds.",
                        ofRow<Row>(&RetainedTypeRow::instances))
           .additive(),
       bytesColumn<Row>("bytes", "Bytes", "What these objects themselves take up.", ofRow<Row>(&RetainedTypeRow::bytes))
           .additive(),
       bytesColumn<Row>("retained", "Retained", "What would be freed with all of them.",
                        ofRow<Row>(&RetainedTypeRow::retainedBytes))
           .inJsonAs("retainedBytes")},
      {"retained", "count", "bytes", "type"},
      {"count", "bytes", "retained", "type"}};
  return table;
}

}  // namespace heapscape::engine
