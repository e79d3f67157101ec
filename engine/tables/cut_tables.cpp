// SPDX-License-Identifier: MIT
#include "tables/cut_tables.h"

#include "base/given_name.h"
#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

/// A text that may hold the name that the program gave a thread.
template <class Of>
ColumnOf<CutShare> cutText(std::string_view name, std::string_view title, std::string_view meaning, Of of) {
  return textColumn<CutShare>(name, title, meaning, of).redactedTo([of](const CutShare& row) {
    return withoutGivenName(of(row));
  });
}

}  // namespace

const TableOf<CutShare>& cutsTable() {
  using Row = CutShare;
  static const TableOf<Row> table{
      "without",
      {cutText("cut", "Cut", "What is assumed to be released, as --without takes it.",
               [](const Row& r) { return r.cut.text; }),
       choiceColumn<Row>(
           "kind", "Kind",
           "One object's references to another, roots, or all that refers to an object, or to each of several.",
           [](const Row& r) { return r.cut.kind; }),
       cutText("name", "What is cut", "The same in words.", [](const Row& r) { return r.name; }),
       countColumn<Row>("places", "Places", "How many references are cut, or roots or objects released.",
                        [](const Row& r) { return r.cut.places; }),
       countColumn<Row>("objects", "Objects",
                        "How many it would free by itself; none where something else holds the same.",
                        [](const Row& r) { return r.alone.objects; }),
       bytesColumn<Row>("bytes", "Frees by itself",
                        "What it would free by itself; nothing where something else holds the same.",
                        [](const Row& r) { return r.alone.bytes; })},
      {"bytes", "objects", "cut", "name"}};
  return table;
}

std::vector<ListedFreedType> listFreedTypes(const Snapshot& snapshot, const std::vector<FreedType>& types) {
  std::vector<ListedFreedType> rows;
  rows.reserve(types.size());
  for (const FreedType& row : types) {
    const bool isKnown = !row.type.isNone();
    rows.push_back({row, isKnown ? snapshot.typeName(row.type) : "?",
                    isKnown ? snapshot.types()[row.type.value].methodTable : Address{}});
  }
  return rows;
}

const TableOf<ListedFreedType>& freedTypesTable() {
  using Row = ListedFreedType;
  static const TableOf<Row> table{"types",
                                  {typeNameColumn<Row>(&Row::type), methodTableColumn<Row>(&Row::methodTable),
                                   countColumn<Row>("count", "Objects", "How many of the type would be freed.",
                                                    [](const Row& r) { return r.row.objects; })
                                       .additive(),
                                   bytesColumn<Row>("bytes", "Bytes", "What these objects themselves take up.",
                                                    [](const Row& r) { return r.row.bytes; })
                                       .additive()},
                                  {"bytes", "count", "type"},
                                  {"count", "bytes", "type"}};
  return table;
}

}  // namespace heapscape::engine
