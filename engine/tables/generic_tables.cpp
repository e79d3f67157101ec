// SPDX-License-Identifier: MIT
#include "tables/generic_tables.h"

#include <array>
#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

std::vector<ColumnOf<GenericDefinition>> definitionColumns() {
  using Row = GenericDefinition;
  return {
      column<Row>({.name = "definition",
                   .title = "Generic type",
                   .meaning = "Its name with type parameters.",
                   .kind = ColumnKind::TypeName,
                   .isSearched = true},
                  &Row::name),
      column<Row>({.name = "assembly", .title = "Assembly", .meaning = "File name of the assembly that defines it."},
                  &Row::assembly),
      column<Row>({.name = "parameters",
                   .title = "Parameters",
                   .meaning = "Names of its type parameters.",
                   .kind = ColumnKind::Words},
                  &Row::parameters),
      column<Row>({.name = "methodTables",
                   .title = "Instantiations",
                   .meaning = "Method tables that the runtime has made of it.",
                   .kind = ColumnKind::Count},
                  &Row::methodTables),
      column<Row>({.name = "methodTableBytes",
                   .title = "Tables",
                   .meaning = "What method tables and dictionaries take up.",
                   .kind = ColumnKind::Bytes,
                   .isAdditive = true},
                  &Row::methodTableBytes),
      column<Row>(
          {.name = "openForms",
           .title = "Open forms",
           .meaning = "Method tables over type parameters, which have no objects; not among the instantiations.",
           .kind = ColumnKind::Count},
          &Row::openForms),
      column<Row>({.name = "codeSets",
                   .title = "Code sets",
                   .meaning = "Canonical method tables: how many times its code may exist.",
                   .kind = ColumnKind::Count},
                  &Row::codeSets),
      column<Row>({.name = "methods",
                   .title = "Methods",
                   .meaning = "MethodDescs of all its instantiations.",
                   .kind = ColumnKind::Count},
                  &Row::methods),
      column<Row>({.name = "methodsWithCode",
                   .title = "With code",
                   .meaning = "Methods that have native code.",
                   .kind = ColumnKind::Count},
                  &Row::methodsWithCode),
      column<Row>({.name = "codeBytes",
                   .title = "Code",
                   .meaning = "Native code of all its methods, as far as its size is known.",
                   .kind = ColumnKind::Bytes,
                   .isAdditive = true},
                  &Row::codeBytes),
      column<Row>({.name = "jittedBytes",
                   .title = "Jitted",
                   .meaning = "The part of the code that was compiled at run time.",
                   .kind = ColumnKind::Bytes,
                   .isAdditive = true},
                  &Row::jittedBytes),
      column<Row>({.name = "codeSizeUnknown",
                   .title = "Size unknown",
                   .meaning = "Methods whose code has a size that is not known.",
                   .kind = ColumnKind::Count,
                   .hidesZero = true},
                  &Row::codeSizeUnknown)};
}

const TableOf<GenericInstantiation>& instantiationsTable() {
  using Row = GenericInstantiation;
  static const TableOf<Row> table{
      "instantiations",
      {column<Row>({.name = "name",
                    .title = "Instantiation",
                    .meaning = "Full name.",
                    .kind = ColumnKind::TypeName,
                    .isSearched = true},
                   &Row::name),
       column<Row>({.name = "methodTable",
                    .title = "Method table",
                    .meaning = "Address of its method table.",
                    .kind = ColumnKind::Address,
                    .isSearched = true},
                   &Row::methodTable),
       column<Row>({.name = "canonical",
                    .title = "Canonical at",
                    .meaning = "The method table whose code it runs.",
                    .kind = ColumnKind::Address},
                   &Row::canonical),
       column<Row>({.name = "canonicalName",
                    .title = "Code of",
                    .meaning = "Name of the instantiation whose code it runs.",
                    .kind = ColumnKind::TypeName},
                   &Row::canonicalName),
       column<Row>({.name = "sharesCode",
                    .title = "Shares code",
                    .meaning = "Other instantiations run the same code.",
                    .kind = ColumnKind::Flag},
                   &Row::sharesCode),
       column<Row>(
           {.name = "objects", .title = "Objects", .meaning = "Objects on the heap.", .kind = ColumnKind::Count},
           &Row::objects),
       column<Row>({.name = "bytes",
                    .title = "Bytes",
                    .meaning = "What these take up.",
                    .kind = ColumnKind::Bytes,
                    .isAdditive = true},
                   &Row::bytes)},
      {"methodTable", "objects", "bytes", "name", "canonicalName"}};
  return table;
}

std::vector<ColumnOf<DictionarySlot>> slotColumns() {
  using Row = DictionarySlot;
  return {column<Row>({.name = "index", .title = "Slot", .meaning = "Number of the slot.", .kind = ColumnKind::Id},
                      &Row::index),
          column<Row>({.name = "address",
                       .title = "Address",
                       .meaning = "Where the slot lies; nowhere if the dictionary ends before it.",
                       .kind = ColumnKind::Address,
                       .isSearched = true},
                      &Row::address),
          column<Row>({.name = "value",
                       .title = "Value",
                       .meaning = "What is in the slot.",
                       .kind = ColumnKind::Address,
                       .isSearched = true},
                      &Row::value),
          column<Row>({.name = "meaning", .title = "Meaning", .meaning = "What the value names.", .isSearched = true},
                      &Row::meaning),
          column<Row>({.name = "state",
                       .title = "State",
                       .meaning = "How far the slot has come.",
                       .kind = ColumnKind::Choice,
                       .choices = namesOf<SlotState>()},
                      &Row::state),
          column<Row>({.name = "kind", .title = "Kind", .meaning = "What kind of thing code looks up."}, &Row::kind),
          column<Row>({.name = "wanted",
                       .title = "Looked up",
                       .meaning = "What the shared code asks for, in its own words.",
                       .isSearched = true},
                      &Row::wanted),
          column<Row>({.name = "readyToRun",
                       .title = "ReadyToRun",
                       .meaning = "Code that was compiled ahead of time looks it up.",
                       .kind = ColumnKind::Flag},
                      &Row::isOfReadyToRun),
          column<Row>({.name = "checksSize",
                       .title = "Checks size",
                       .meaning = "Code compares the size of the dictionary before it reads the slot.",
                       .kind = ColumnKind::Flag},
                      &Row::checksSize),
          column<Row>({.name = "next",
                       .title = "Next lookup",
                       .meaning = "What the next one costs, on top of the way to the dictionary."},
                      nextLookupText)};
}

std::vector<ColumnOf<DictionaryFigures>> figureColumns() {
  using Row = DictionaryFigures;
  return {
      column<Row>({.name = "address",
                   .title = "Dictionary",
                   .meaning = "Where the dictionary lies.",
                   .kind = ColumnKind::Address,
                   .isSearched = true},
                  &Row::address),
      column<Row>({.name = "layout",
                   .title = "Layout",
                   .meaning = "Where its layout lies; nowhere if code looks nothing up.",
                   .kind = ColumnKind::Address},
                  &Row::layout),
      column<Row>(
          {.name = "room", .title = "Room", .meaning = "Slots that the dictionary has.", .kind = ColumnKind::Count},
          &Row::room),
      column<Row>({.name = "layoutSlots",
                   .title = "In the layout",
                   .meaning = "Slots that the layout has.",
                   .kind = ColumnKind::Count},
                  &Row::layoutSlots),
      column<Row>({.name = "initialSlots",
                   .title = "At first",
                   .meaning = "Slots that the layout had at first: behind them code compares the size.",
                   .kind = ColumnKind::Count},
                  &Row::initialSlots),
      column<Row>({.name = "used", .title = "Used", .meaning = "Slots that code looks up.", .kind = ColumnKind::Count},
                  &Row::used),
      column<Row>({.name = "filled",
                   .title = "Filled",
                   .meaning = "Read when they are looked up next.",
                   .kind = ColumnKind::Count},
                  &Row::filled),
      column<Row>({.name = "empty",
                   .title = "Empty",
                   .meaning = "The next lookup asks the runtime, once.",
                   .kind = ColumnKind::Count},
                  &Row::empty),
      column<Row>({.name = "beyond",
                   .title = "Beyond",
                   .meaning = "Behind the end: the next lookup makes a larger dictionary.",
                   .kind = ColumnKind::Count},
                  &Row::beyond),
      column<Row>({.name = "layoutFull",
                   .title = "Layout full",
                   .meaning = "What more code looks up has no slot and asks the runtime every time.",
                   .kind = ColumnKind::Flag},
                  &Row::isLayoutFull)};
}

std::vector<ColumnOf<MethodLookups>> methodLookupColumns() {
  using Row = MethodLookups;
  std::vector<ColumnOf<Row>> columns{
      column<Row>({.name = "name", .title = "Method", .meaning = "Its name with type arguments.", .isSearched = true},
                  &Row::name),
      methodDescColumn<Row>(&Row::methodDesc)};
  for (ColumnOf<Row>& figure : columnsOfPart(figureColumns(), &Row::figures, "figures"))
    columns.push_back(std::move(figure));
  return columns;
}

}  // namespace

std::string nextLookupText(const DictionarySlot& slot) {
  switch (slot.state) {
    case SlotState::Argument:
      return "read";
    case SlotState::Size:
    case SlotState::Free:
      return "";
    case SlotState::Filled:
      return slot.checksSize ? "size and slot read" : "read";
    case SlotState::Empty:
      return "a call of the runtime, once, which fills it";
    case SlotState::Beyond:
      return "a call of the runtime, once, which makes a larger dictionary";
  }
  return "";
}

const TableOf<GenericDefinition>& genericsTable() {
  static const TableOf<GenericDefinition> table = TableOf<GenericDefinition>{
      "generics",
      definitionColumns(),
      {"methodTables", "methodTableBytes", "codeSets", "methods", "methodsWithCode", "codeBytes", "jittedBytes",
       "codeSizeUnknown", "definition"}}.having([](const GenericDefinition& definition) {
    return std::vector{instantiationsTable().with(definition.instantiations)};
  });
  return table;
}

const TableOf<LookupPath>& lookupPathsTable() {
  using Row = LookupPath;
  static const TableOf<Row> table = TableOf<Row>{
      "paths",
      {column<Row>({.name = "source",
                    .title = "Source",
                    .meaning = "Where shared code gets type arguments from.",
                    .kind = ColumnKind::Choice,
                    .choices = namesOf<LookupSource>()},
                   &Row::source),
       column<Row>({.name = "steps",
                    .title = "Steps",
                    .meaning = "From there to a slot.",
                    .kind = ColumnKind::Words,
                    .between = " → "},
                   &Row::steps),
       column<Row>(
           {.name = "reads", .title = "Reads", .meaning = "Reads of memory on the way.", .kind = ColumnKind::Count},
           &Row::reads)}}.onOneLine();
  return table;
}

const TableOf<DictionarySlot>& dictionaryTable() {
  static const TableOf<DictionarySlot> table{
      "slots", slotColumns(), {"index", "state", "kind", "wanted", "value", "meaning", "next"}};
  return table;
}

const TableOf<DictionaryFigures>& dictionaryFiguresTable() {
  static const TableOf<DictionaryFigures> table{"figures", figureColumns()};
  return table;
}

const TableOf<InheritedLookups>& inheritedLookupsTable() {
  using Row = InheritedLookups;
  static const TableOf<Row> table = TableOf<Row>{
      "inherited",
      {column<Row>({.name = "owner",
                    .title = "Parent",
                    .meaning = "The generic parent.",
                    .kind = ColumnKind::TypeName,
                    .isSearched = true},
                   &Row::owner),
       column<Row>({.name = "methodTable",
                    .title = "Method table",
                    .meaning = "Address of the parent's method table.",
                    .kind = ColumnKind::Address},
                   &Row::ownerMethodTable),
       column<Row>({.name = "dictionary",
                    .title = "Dictionary",
                    .meaning = "The one that this type uses.",
                    .kind = ColumnKind::Address,
                    .isSearched = true},
                   &Row::dictionary),
       column<Row>({.name = "current",
                    .title = "The parent's",
                    .meaning = "The one that the parent uses.",
                    .kind = ColumnKind::Address,
                    .isSearched = true},
                   &Row::current),
       column<Row>({.name = "room",
                    .title = "Room",
                    .meaning = "Slots of the dictionary that this type uses.",
                    .kind = ColumnKind::Count},
                   &Row::room),
       column<Row>({.name = "used", .title = "Used", .meaning = "Slots that code looks up.", .kind = ColumnKind::Count},
                   &Row::used),
       column<Row>({.name = "missed",
                    .title = "Missed",
                    .meaning = "Used slots that it lacks, or that are empty.",
                    .kind = ColumnKind::Count},
                   &Row::missed),
       column<Row>({.name = "outdated",
                    .title = "Older than the parent's",
                    .meaning = "The parent's dictionary has grown since the type was made, which keeps the old one "
                               "until a lookup misses.",
                    .kind = ColumnKind::Flag},
                   &Row::isOutdated)},
      {"dictionary", "room", "used", "missed", "owner", "outdated",
       "current"}}.onOneLine();
  return table;
}

const TableOf<MethodLookups>& methodLookupsTable() {
  static const TableOf<MethodLookups> table = TableOf<MethodLookups>{
      "methods",
      methodLookupColumns(),
      {"methodDesc", "used", "filled", "empty", "beyond",
       "name"}}.having([](const MethodLookups& method) { return std::vector{dictionaryTable().with(method.slots)}; });
  return table;
}

}  // namespace heapscape::engine
