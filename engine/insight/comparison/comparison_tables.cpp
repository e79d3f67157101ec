// SPDX-License-Identifier: MIT
#include "insight/comparison/comparison_tables.h"

#include <string>

#include "insight/insight_tables.h"
#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

template <class Row>
auto sideOf(Change Row::*figure, std::uint64_t Change::*side) {
  return [figure, side](const Row& row) { return (row.*figure).*side; };
}

/// Unknown of a recorded heap.
auto sideOfDump(Change TypeChange::*figure, std::uint64_t Change::*side, bool TypeChange::*isRecorded) {
  return [=](const TypeChange& row) { return row.*isRecorded ? Cell(Cell::Unknown{}) : Cell((row.*figure).*side); };
}

template <class Row>
auto growthOfMember(Change Row::*figure) {
  return [figure](const Row& row) { return (row.*figure).difference(); };
}

}  // namespace

TypeFate fateOf(const TypeChange& type) {
  if (type.isNew()) return TypeFate::New;
  if (type.isGone()) return TypeFate::Gone;
  if (type.bytes.difference() > 0) return TypeFate::Grown;
  return type.bytes.difference() < 0 ? TypeFate::Shrunk : TypeFate::Same;
}

const TableOf<TypeChange>& typeChangesTable() {
  using Row = TypeChange;
  static const TableOf<TypeChange> table{
      "types",
      {typeNameColumn<Row>(&Row::name),
       assemblyColumn<Row>(&Row::assembly),
       textColumn<Row>("loadContext", "Load context",
                       "Where one of the dumps has the type in several AssemblyLoadContexts: which one.",
                       [](const Row& r) { return r.loadContext.empty() ? Cell() : Cell(r.loadContext); }),
       countColumn<Row>("countBefore", "Objects before", "Objects in the earlier dump.",
                        sideOf(&Row::count, &Change::before))
           .hidingZero(),
       countColumn<Row>("countAfter", "Objects after", "Objects in the later dump.",
                        sideOf(&Row::count, &Change::after))
           .hidingZero(),
       bytesColumn<Row>("bytesBefore", "Before", "Bytes of its objects in the earlier dump.",
                        sideOf(&Row::bytes, &Change::before))
           .hidingZero(),
       bytesColumn<Row>("bytesAfter", "After", "Bytes of its objects in the later dump.",
                        sideOf(&Row::bytes, &Change::after))
           .hidingZero(),
       bytesColumn<Row>("retainedBefore", "Retained before",
                        "What all its objects keep alive together in the earlier dump.",
                        sideOf(&Row::retained, &Change::before))
           .hidingZero(),
       bytesColumn<Row>("retainedAfter", "Retained after",
                        "What all its objects keep alive together in the later dump.",
                        sideOf(&Row::retained, &Change::after))
           .hidingZero(),
       bytesColumn<Row>("paddingBefore", "Padding before", "Bytes that no field uses in the earlier dump.",
                        sideOfDump(&Row::padding, &Change::before, &Row::isRecordedBefore))
           .hidingZero(),
       bytesColumn<Row>("paddingAfter", "Padding after", "Bytes that no field uses in the later dump.",
                        sideOfDump(&Row::padding, &Change::after, &Row::isRecordedAfter))
           .hidingZero(),
       bytesColumn<Row>("sizeBefore", "Size before",
                        "Bytes of one object; 0 without objects, and of arrays and strings in the earlier dump.",
                        sideOfDump(&Row::instanceBytes, &Change::before, &Row::isRecordedBefore))
           .hidingZero(),
       bytesColumn<Row>("sizeAfter", "Size after",
                        "Bytes of one object; 0 without objects, and of arrays and strings in the later dump.",
                        sideOfDump(&Row::instanceBytes, &Change::after, &Row::isRecordedAfter))
           .hidingZero(),
       flagColumn<Row>("new", "New", "Only in the later dump.", &Row::isNew),
       flagColumn<Row>("gone", "Gone", "Only in the earlier dump.", &Row::isGone),
       flagColumn<Row>("free", "Free", "The free objects, not a type.", &Row::isFree),
       typeColumn<Row>("perhapsWas", "Perhaps was", "Of a new type: the one that it may have been.",
                       [](const Row& r) { return r.perhapsWas.empty() ? Cell() : Cell(r.perhapsWas); }),
       ownColumn<Row>(&Row::assembly),
       codeColumn<Row>(&Row::owner),
       choiceColumn<Row>("fate", "Change", "Whether there is more of it, or less, or whether it is new or gone.",
                         fateOf)
           .notInJson(),
       grownBytesColumn<Row>("growth", "Growth", "Bytes of its objects: after less before.",
                             growthOfMember(&Row::bytes))
           .notInJson(),
       grownBytesColumn<Row>("retainedGrowth", "Retained growth",
                             "Growth of what all its objects keep alive together: after less before.",
                             growthOfMember(&Row::retained))
           .notInJson()},
      {"growth", "bytesAfter", "countBefore", "countAfter", "retainedGrowth", "fate", "assembly", "type", "perhapsWas"},
      {"type", "assembly", "countBefore", "countAfter", "bytesBefore", "bytesAfter", "retainedBefore", "retainedAfter",
       "paddingBefore", "paddingAfter", "new", "gone", "perhapsWas"}};
  return table;
}

const TableOf<FigureChange>& figureChangesTable() {
  using Row = FigureChange;
  static const TableOf<Row> table{
      "figures",
      {textColumn<Row>("group", "Of", "What the figure is about.", &Row::group).searched(),
       textColumn<Row>("name", "Figure", "Which one.", &Row::name).searched(),
       choiceColumn<Row>("unit", "Unit", "Bytes, or a count.",
                         [](const Row& r) { return r.isBytes ? "bytes" : "count"; })
           .choices({"bytes", "count"}),
       countColumn<Row>("before", "Before", "In the earlier dump.", [](const Row& r) { return r.value.before; }),
       countColumn<Row>("after", "After", "In the later dump.", [](const Row& r) { return r.value.after; }),
       grownBytesColumn<Row>("difference", "Difference", "After less before.", [](const Row& r) {
         return r.value.difference();
       }).notInJson()}};
  return table;
}

const TableOf<InsightChange>& insightChangesTable() {
  using Row = InsightChange;
  static const TableOf<Row> table{
      "insights",
      {insightKindColumn<Row>(&Row::kind), insightMeaningColumn<Row>(&Row::meaning),
       insightTitleColumn<Row>("Insight", &Row::title), insightSubjectColumn<Row>(&Row::subject),
       textColumn<Row>("contents", "Text", "Of equal strings.",
                       [](const Row& r) { return r.contents.empty() ? Cell() : Cell(r.contents); })
           .searched()
           .contents()
           .redactedTo([](const Row&) { return Cell(); }),
       bytesColumn<Row>("bytesBefore", "Before", "Bytes that it is about in the earlier dump.",
                        sideOf(&Row::bytes, &Change::before))
           .hidingZero(),
       bytesColumn<Row>("bytesAfter", "After", "Bytes that it is about in the later dump.",
                        sideOf(&Row::bytes, &Change::after))
           .hidingZero(),
       countColumn<Row>("objectsBefore", "Objects before", "Objects that it is about in the earlier dump.",
                        sideOf(&Row::objects, &Change::before))
           .hidingZero(),
       countColumn<Row>("objectsAfter", "Objects after", "Objects that it is about in the later dump.",
                        sideOf(&Row::objects, &Change::after))
           .hidingZero(),
       grownBytesColumn<Row>("growth", "Growth", "Bytes that it is about: after less before.",
                             growthOfMember(&Row::bytes))
           .notInJson(),
       titleWithContents<Row>("The insight, with what a string holds.", &Row::title, &Row::contents)},
      {"growth", "bytesBefore", "bytesAfter", "what"}};
  return table;
}

const TableOf<LayoutChange>& layoutChangesTable() {
  using Row = LayoutChange;
  static const TableOf<Row> table{
      "layouts",
      {typeColumn<Row>("type", "Type", "Full name.", &Row::type).searched(), assemblyColumn<Row>(&Row::assembly),
       addressColumn<Row>("methodTableBefore", "Method table before",
                          "Address of its method table in the earlier dump.", &Row::methodTableBefore),
       addressColumn<Row>("methodTableAfter", "Method table after", "Address of its method table in the later dump.",
                          &Row::methodTableAfter),
       bytesColumn<Row>("sizeBefore", "Before", "Bytes of one object, or of an element, in the earlier dump.",
                        sideOf(&Row::instanceBytes, &Change::before)),
       bytesColumn<Row>("sizeAfter", "After", "Bytes of one object, or of an element, in the later dump.",
                        sideOf(&Row::instanceBytes, &Change::after)),
       bytesColumn<Row>("paddingBefore", "Padding before", "Bytes of one that no field uses in the earlier dump.",
                        sideOf(&Row::paddingBytes, &Change::before)),
       bytesColumn<Row>("paddingAfter", "Padding after", "Bytes of one that no field uses in the later dump.",
                        sideOf(&Row::paddingBytes, &Change::after)),
       countColumn<Row>("objects", "Objects", "Of the type in the later dump.", &Row::objects),
       wordsColumn<Row>("fields", "Fields", "+ new, - gone, ~ moved or of another type.", &Row::fields)
           .searched()
           .between("; "),
       grownBytesColumn<Row>("growth", "Growth", "Bytes of one object, or of an element: after less before.",
                             growthOfMember(&Row::instanceBytes))
           .notInJson()},
      {"sizeBefore", "sizeAfter", "paddingBefore", "paddingAfter", "type", "fields"}};
  return table;
}

}  // namespace heapscape::engine
