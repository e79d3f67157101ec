// SPDX-License-Identifier: MIT
#include "tables/cut_tables.h"

#include <array>

#include "base/given_name.h"
#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

/// A text that may hold the name that the program gave a thread.
template <class Of>
ColumnOf<CutShare> cutText(const ColumnWords& words, Of of) {
  ColumnOf<CutShare> made = column<CutShare>(words, of);
  made.redacted = [of](const CutShare& row) { return Cell(withoutGivenName(of(row))); };
  return made;
}

}  // namespace

const TableOf<CutShare>& cutsTable() {
  using Row = CutShare;
  static const TableOf<Row> table{
      "without",
      {cutText({.name = "cut", .title = "Cut", .meaning = "What is thought to let go, as --without takes it."},
               [](const Row& r) { return r.cut.text; }),
       column<Row>(
           {.name = "kind",
            .title = "Kind",
            .meaning =
                "One object's references to another, roots, or all that refers to an object, or to each of several.",
            .kind = ColumnKind::Choice,
            .choices = namesOf<CutKind>()},
           [](const Row& r) { return toString(r.cut.kind); }),
       cutText({.name = "name", .title = "What lets go", .meaning = "The same in words."},
               [](const Row& r) { return r.name; }),
       column<Row>({.name = "places",
                    .title = "Places",
                    .meaning = "How many fields and elements, or roots, let go, or how many objects go.",
                    .kind = ColumnKind::Count},
                   [](const Row& r) { return r.cut.places; }),
       column<Row>({.name = "objects",
                    .title = "Objects",
                    .meaning = "How many it would free by itself; none where something else holds the same.",
                    .kind = ColumnKind::Count},
                   [](const Row& r) { return r.alone.objects; }),
       column<Row>({.name = "bytes",
                    .title = "Frees alone",
                    .meaning = "What it would free by itself; nothing where something else holds the same.",
                    .kind = ColumnKind::Bytes},
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
                                   column<Row>({.name = "count",
                                                .title = "Objects",
                                                .meaning = "How many of the type would be freed.",
                                                .kind = ColumnKind::Count,
                                                .isAdditive = true},
                                               [](const Row& r) { return r.row.objects; }),
                                   column<Row>({.name = "bytes",
                                                .title = "Bytes",
                                                .meaning = "What these objects themselves take up.",
                                                .kind = ColumnKind::Bytes,
                                                .isAdditive = true},
                                               [](const Row& r) { return r.row.bytes; })},
                                  {"bytes", "count", "type"},
                                  {"count", "bytes", "type"}};
  return table;
}

}  // namespace heapscape::engine
