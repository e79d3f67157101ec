// SPDX-License-Identifier: MIT
#include "insight/comparison/comparison_tables.h"

#include <array>
#include <string>

#include "insight/insight_tables.h"
#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

template <class Row>
auto sideOf(Change Row::*figure, std::uint64_t Change::*side) {
  return [figure, side](const Row& row) { return (row.*figure).*side; };
}

template <class Row>
auto growthOfMember(Change Row::*figure) {
  return [figure](const Row& row) { return (row.*figure).difference(); };
}

ColumnOf<InsightChange> changedContents() {
  using Row = InsightChange;
  ColumnOf<Row> contents = column<Row>(
      {.name = "contents", .title = "Text", .meaning = "Of equal strings.", .isSearched = true, .holdsContents = true},
      [](const Row& r) { return r.contents.empty() ? Cell() : Cell(r.contents); });
  contents.redacted = [](const Row&) { return Cell(); };
  return contents;
}

std::vector<ColumnOf<TypeChange>> typeChangeColumns() {
  using Row = TypeChange;
  return {
      typeNameColumn<Row>(&Row::name),
      assemblyColumn<Row>(&Row::assembly),
      column<Row>({.name = "loadContext",
                   .title = "Load context",
                   .meaning = "Where one of the dumps has the type in several AssemblyLoadContexts: which one."},
                  [](const Row& r) { return r.loadContext.empty() ? Cell() : Cell(r.loadContext); }),
      column<Row>({.name = "countBefore",
                   .title = "Objects",
                   .meaning = "Objects in the earlier dump.",
                   .kind = ColumnKind::Count,
                   .hidesZero = true},
                  sideOf(&Row::count, &Change::before)),
      column<Row>({.name = "countAfter",
                   .title = "→ after",
                   .meaning = "Objects in the later dump.",
                   .kind = ColumnKind::Count,
                   .hidesZero = true},
                  sideOf(&Row::count, &Change::after)),
      column<Row>({.name = "bytesBefore",
                   .title = "Before",
                   .meaning = "Bytes of its objects in the earlier dump.",
                   .kind = ColumnKind::Bytes,
                   .hidesZero = true},
                  sideOf(&Row::bytes, &Change::before)),
      column<Row>({.name = "bytesAfter",
                   .title = "After",
                   .meaning = "Bytes of its objects in the later dump.",
                   .kind = ColumnKind::Bytes,
                   .hidesZero = true},
                  sideOf(&Row::bytes, &Change::after)),
      column<Row>({.name = "retainedBefore",
                   .title = "Retained before",
                   .meaning = "What all its objects keep alive together in the earlier dump.",
                   .kind = ColumnKind::Bytes,
                   .hidesZero = true},
                  sideOf(&Row::retained, &Change::before)),
      column<Row>({.name = "retainedAfter",
                   .title = "Retained after",
                   .meaning = "What all its objects keep alive together in the later dump.",
                   .kind = ColumnKind::Bytes,
                   .hidesZero = true},
                  sideOf(&Row::retained, &Change::after)),
      column<Row>({.name = "paddingBefore",
                   .title = "Padding before",
                   .meaning = "Bytes that no field uses in the earlier dump.",
                   .kind = ColumnKind::Bytes,
                   .hidesZero = true},
                  sideOf(&Row::padding, &Change::before)),
      column<Row>({.name = "paddingAfter",
                   .title = "Padding after",
                   .meaning = "Bytes that no field uses in the later dump.",
                   .kind = ColumnKind::Bytes,
                   .hidesZero = true},
                  sideOf(&Row::padding, &Change::after)),
      column<Row>({.name = "sizeBefore",
                   .title = "Size before",
                   .meaning = "Bytes of one object; 0 without objects, and of arrays and strings in the earlier dump.",
                   .kind = ColumnKind::Bytes,
                   .hidesZero = true},
                  sideOf(&Row::instanceBytes, &Change::before)),
      column<Row>({.name = "sizeAfter",
                   .title = "Size after",
                   .meaning = "Bytes of one object; 0 without objects, and of arrays and strings in the later dump.",
                   .kind = ColumnKind::Bytes,
                   .hidesZero = true},
                  sideOf(&Row::instanceBytes, &Change::after)),
      column<Row>({.name = "new", .title = "New", .meaning = "Only in the later dump.", .kind = ColumnKind::Flag},
                  &Row::isNew),
      column<Row>({.name = "gone", .title = "Gone", .meaning = "Only in the earlier dump.", .kind = ColumnKind::Flag},
                  &Row::isGone),
      column<Row>(
          {.name = "free", .title = "Free", .meaning = "The free objects, not a type.", .kind = ColumnKind::Flag},
          &Row::isFree),
      column<Row>({.name = "perhapsWas",
                   .title = "Perhaps was",
                   .meaning = "Of a new type: the one that it may have been.",
                   .kind = ColumnKind::TypeName},
                  [](const Row& r) { return r.perhapsWas.empty() ? Cell() : Cell(r.perhapsWas); }),
      ownColumn<Row>(&Row::assembly),
      column<Row>({.name = "fate",
                   .title = "Change",
                   .meaning = "Whether there is more of it, or less, or whether it is new or gone.",
                   .kind = ColumnKind::Choice,
                   .choices = namesOf<TypeFate>(),
                   .isInJson = false},
                  fateOf),
      column<Row>({.name = "growth",
                   .title = "Growth",
                   .meaning = "Bytes of its objects: after less before.",
                   .kind = ColumnKind::GrownBytes,
                   .isInJson = false},
                  growthOfMember(&Row::bytes)),
      column<Row>({.name = "retainedGrowth",
                   .title = "Retained",
                   .meaning = "Growth of what all its objects keep alive together: after less before.",
                   .kind = ColumnKind::GrownBytes,
                   .isInJson = false},
                  growthOfMember(&Row::retained))};
}

}  // namespace

TypeFate fateOf(const TypeChange& type) {
  if (type.isNew()) return TypeFate::New;
  if (type.isGone()) return TypeFate::Gone;
  if (type.bytes.difference() > 0) return TypeFate::Grown;
  return type.bytes.difference() < 0 ? TypeFate::Shrunk : TypeFate::Same;
}

const TableOf<TypeChange>& typeChangesTable() {
  static const TableOf<TypeChange> table{
      "types",
      typeChangeColumns(),
      {"growth", "bytesAfter", "countBefore", "countAfter", "retainedGrowth", "fate", "assembly", "type", "perhapsWas"},
      {"type", "assembly", "countBefore", "countAfter", "bytesBefore", "bytesAfter", "retainedBefore", "retainedAfter",
       "paddingBefore", "paddingAfter", "new", "gone", "perhapsWas"}};
  return table;
}

const TableOf<FigureChange>& figureChangesTable() {
  using Row = FigureChange;
  static const TableOf<Row> table{
      "figures",
      {column<Row>({.name = "group", .title = "Of", .meaning = "What the figure is about.", .isSearched = true},
                   &Row::group),
       column<Row>({.name = "name", .title = "Figure", .meaning = "Which one.", .isSearched = true}, &Row::name),
       column<Row>({.name = "unit",
                    .title = "Unit",
                    .meaning = "Bytes, or a count.",
                    .kind = ColumnKind::Choice,
                    .choices = std::array<std::string, 2>{"bytes", "count"}},
                   [](const Row& r) { return r.isBytes ? "bytes" : "count"; }),
       column<Row>({.name = "before", .title = "Before", .meaning = "In the earlier dump.", .kind = ColumnKind::Count},
                   [](const Row& r) { return r.value.before; }),
       column<Row>({.name = "after", .title = "After", .meaning = "In the later dump.", .kind = ColumnKind::Count},
                   [](const Row& r) { return r.value.after; }),
       column<Row>({.name = "difference",
                    .title = "Difference",
                    .meaning = "After less before.",
                    .kind = ColumnKind::GrownBytes,
                    .isInJson = false},
                   [](const Row& r) { return r.value.difference(); })}};
  return table;
}

const TableOf<InsightChange>& insightChangesTable() {
  using Row = InsightChange;
  static const TableOf<Row> table{
      "insights",
      {insightKindColumn<Row>(&Row::kind), insightMeaningColumn<Row>(&Row::meaning),
       insightTitleColumn<Row>("Insight", &Row::title), insightSubjectColumn<Row>(&Row::subject), changedContents(),
       column<Row>({.name = "bytesBefore",
                    .title = "Before",
                    .meaning = "Bytes that it is about in the earlier dump.",
                    .kind = ColumnKind::Bytes,
                    .hidesZero = true},
                   sideOf(&Row::bytes, &Change::before)),
       column<Row>({.name = "bytesAfter",
                    .title = "After",
                    .meaning = "Bytes that it is about in the later dump.",
                    .kind = ColumnKind::Bytes,
                    .hidesZero = true},
                   sideOf(&Row::bytes, &Change::after)),
       column<Row>({.name = "objectsBefore",
                    .title = "Objects before",
                    .meaning = "Objects that it is about in the earlier dump.",
                    .kind = ColumnKind::Count,
                    .hidesZero = true},
                   sideOf(&Row::objects, &Change::before)),
       column<Row>({.name = "objectsAfter",
                    .title = "Objects after",
                    .meaning = "Objects that it is about in the later dump.",
                    .kind = ColumnKind::Count,
                    .hidesZero = true},
                   sideOf(&Row::objects, &Change::after)),
       column<Row>({.name = "growth",
                    .title = "Growth",
                    .meaning = "Bytes that it is about: after less before.",
                    .kind = ColumnKind::GrownBytes,
                    .isInJson = false},
                   growthOfMember(&Row::bytes)),
       titleWithContents<Row>({.name = "what",
                               .title = "What",
                               .meaning = "The insight, with what a string holds.",
                               .holdsContents = true,
                               .isInJson = false},
                              &Row::title, &Row::contents)},
      {"growth", "bytesBefore", "bytesAfter", "what"}};
  return table;
}

const TableOf<LayoutChange>& layoutChangesTable() {
  using Row = LayoutChange;
  static const TableOf<Row> table{
      "layouts",
      {column<Row>(
           {.name = "type", .title = "Type", .meaning = "Full name.", .kind = ColumnKind::TypeName, .isSearched = true},
           &Row::type),
       assemblyColumn<Row>(&Row::assembly),
       column<Row>({.name = "methodTableBefore",
                    .title = "Method table before",
                    .meaning = "Address of its method table in the earlier dump.",
                    .kind = ColumnKind::Address},
                   &Row::methodTableBefore),
       column<Row>({.name = "methodTableAfter",
                    .title = "Method table after",
                    .meaning = "Address of its method table in the later dump.",
                    .kind = ColumnKind::Address},
                   &Row::methodTableAfter),
       column<Row>({.name = "sizeBefore",
                    .title = "Before",
                    .meaning = "Bytes of one object, or of an element, in the earlier dump.",
                    .kind = ColumnKind::Bytes},
                   sideOf(&Row::instanceBytes, &Change::before)),
       column<Row>({.name = "sizeAfter",
                    .title = "After",
                    .meaning = "Bytes of one object, or of an element, in the later dump.",
                    .kind = ColumnKind::Bytes},
                   sideOf(&Row::instanceBytes, &Change::after)),
       column<Row>({.name = "paddingBefore",
                    .title = "Padding",
                    .meaning = "Bytes of one that no field uses in the earlier dump.",
                    .kind = ColumnKind::Bytes},
                   sideOf(&Row::paddingBytes, &Change::before)),
       column<Row>({.name = "paddingAfter",
                    .title = "→ after",
                    .meaning = "Bytes of one that no field uses in the later dump.",
                    .kind = ColumnKind::Bytes},
                   sideOf(&Row::paddingBytes, &Change::after)),
       column<Row>({.name = "objects",
                    .title = "Objects",
                    .meaning = "Of the type in the later dump.",
                    .kind = ColumnKind::Count},
                   &Row::objects),
       column<Row>({.name = "fields",
                    .title = "Fields",
                    .meaning = "+ new, - gone, ~ moved or of another type.",
                    .kind = ColumnKind::Words,
                    .isSearched = true,
                    .between = "; "},
                   &Row::fields),
       column<Row>({.name = "growth",
                    .title = "Growth",
                    .meaning = "Bytes of one object, or of an element: after less before.",
                    .kind = ColumnKind::GrownBytes,
                    .isInJson = false},
                   growthOfMember(&Row::instanceBytes))},
      {"sizeBefore", "sizeAfter", "paddingBefore", "paddingAfter", "type", "fields"}};
  return table;
}

}  // namespace heapscape::engine
