// SPDX-License-Identifier: MIT
#include "tables/generic_tables.h"

#include "tables/common_columns.h"

namespace heapscape::engine {

namespace {

const TableOf<GenericInstantiation>& instantiationsTable() {
  using Row = GenericInstantiation;
  static const TableOf<Row> table{
      "instantiations",
      {typeColumn<Row>("name", "Instantiation", "Full name.", &Row::name).searched(),
       addressColumn<Row>("methodTable", "Method table", "Address of its method table.", &Row::methodTable).searched(),
       addressColumn<Row>("canonical", "Canonical at", "The method table whose code it runs.", &Row::canonical),
       typeColumn<Row>("canonicalName", "Code of", "Name of the instantiation whose code it runs.",
                       &Row::canonicalName),
       flagColumn<Row>("sharesCode", "Shares code", "Other instantiations run the same code.", &Row::sharesCode),
       countColumn<Row>("objects", "Objects", "Objects on the heap.", &Row::objects),
       bytesColumn<Row>("bytes", "Bytes", "What these take up.", &Row::bytes).additive()},
      {"methodTable", "objects", "bytes", "name", "canonicalName"}};
  return table;
}

std::vector<ColumnOf<DictionaryFigures>> figureColumns() {
  using Row = DictionaryFigures;
  return {
      addressColumn<Row>("address", "Dictionary", "Where the dictionary lies.", &Row::address).searched(),
      addressColumn<Row>("layout", "Layout", "Where its layout lies; nowhere if code looks nothing up.", &Row::layout),
      countColumn<Row>("room", "Room", "Slots that the dictionary has.", &Row::room),
      countColumn<Row>("layoutSlots", "In the layout", "Slots that the layout has.", &Row::layoutSlots),
      countColumn<Row>("initialSlots", "At first",
                       "Slots that the layout had at first: behind them code compares the size.", &Row::initialSlots),
      countColumn<Row>("used", "Used", "Slots that code looks up.", &Row::used),
      countColumn<Row>("filled", "Filled", "Read when they are looked up next.", &Row::filled),
      countColumn<Row>("empty", "Empty", "The next lookup asks the runtime, once.", &Row::empty),
      countColumn<Row>("beyond", "Beyond", "Behind the end: the next lookup makes a larger dictionary.", &Row::beyond),
      flagColumn<Row>("layoutFull", "Layout full",
                      "What more code looks up has no slot and asks the runtime every time.", &Row::isLayoutFull)};
}

std::vector<ColumnOf<MethodLookups>> methodLookupColumns() {
  using Row = MethodLookups;
  std::vector<ColumnOf<Row>> columns{
      textColumn<Row>("name", "Method", "Its name with type arguments.", &Row::name).searched(),
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
  using Row = GenericDefinition;
  static const TableOf<GenericDefinition> table = TableOf<GenericDefinition>{
      "generics",
      {typeColumn<Row>("definition", "Generic type", "Its name with type parameters.", &Row::name).searched(),
       textColumn<Row>("assembly", "Assembly", "File name of the assembly that defines it.", &Row::assembly),
       wordsColumn<Row>("parameters", "Parameters", "Names of its type parameters.", &Row::parameters),
       countColumn<Row>("methodTables", "Instantiations", "Method tables that the runtime has made of it.",
                        &Row::methodTables),
       bytesColumn<Row>("methodTableBytes", "Tables", "What method tables and dictionaries take up.",
                        &Row::methodTableBytes)
           .additive(),
       countColumn<Row>("openForms", "Open forms",
                        "Method tables over type parameters, which have no objects; not among the instantiations.",
                        &Row::openForms),
       countColumn<Row>("codeSets", "Code sets", "Canonical method tables: how many times its code may exist.",
                        &Row::codeSets),
       countColumn<Row>("methods", "Methods", "MethodDescs of all its instantiations.", &Row::methods),
       countColumn<Row>("methodsWithCode", "With code", "Methods that have native code.", &Row::methodsWithCode),
       bytesColumn<Row>("codeBytes", "Code", "Native code of all its methods, as far as its size is known.",
                        &Row::codeBytes)
           .additive(),
       bytesColumn<Row>("jittedBytes", "Jitted", "The part of the code that was compiled at run time.",
                        &Row::jittedBytes)
           .additive(),
       countColumn<Row>("codeSizeUnknown", "Size unknown", "Methods whose code has a size that is not known.",
                        &Row::codeSizeUnknown)
           .hidingZero()},
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
      {choiceColumn<Row>("source", "Source", "Where shared code gets type arguments from.", &Row::source),
       wordsColumn<Row>("steps", "Steps", "From there to a slot.", &Row::steps).between(" → "),
       countColumn<Row>("reads", "Reads", "Reads of memory on the way.",
                        &Row::reads)}}.onOneLine();
  return table;
}

const TableOf<DictionarySlot>& dictionaryTable() {
  using Row = DictionarySlot;
  static const TableOf<DictionarySlot> table{
      "slots",
      {idColumn<Row>("index", "Slot", "Number of the slot.", &Row::index),
       addressColumn<Row>("address", "Address", "Where the slot lies; nowhere if the dictionary ends before it.",
                          &Row::address)
           .searched(),
       addressColumn<Row>("value", "Value", "What is in the slot.", &Row::value).searched(),
       textColumn<Row>("meaning", "Meaning", "What the value names.", &Row::meaning).searched(),
       choiceColumn<Row>("state", "State", "How far the slot has come.", &Row::state),
       textColumn<Row>("kind", "Kind", "What kind of thing code looks up.", &Row::kind),
       textColumn<Row>("wanted", "Looked up", "What the shared code asks for, in its own words.", &Row::wanted)
           .searched(),
       flagColumn<Row>("readyToRun", "ReadyToRun", "Code that was compiled ahead of time looks it up.",
                       &Row::isOfReadyToRun),
       flagColumn<Row>("checksSize", "Checks size",
                       "Code compares the size of the dictionary before it reads the slot.", &Row::checksSize),
       textColumn<Row>("next", "Next lookup", "What the next one costs, on top of the way to the dictionary.",
                       nextLookupText)},
      {"index", "state", "kind", "wanted", "value", "meaning", "next"}};
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
      {typeColumn<Row>("owner", "Parent", "The generic parent.", &Row::owner).searched(),
       addressColumn<Row>("methodTable", "Method table", "Address of the parent's method table.",
                          &Row::ownerMethodTable),
       addressColumn<Row>("dictionary", "Dictionary", "The one that this type uses.", &Row::dictionary).searched(),
       addressColumn<Row>("current", "The parent's", "The one that the parent uses.", &Row::current).searched(),
       countColumn<Row>("room", "Room", "Slots of the dictionary that this type uses.", &Row::room),
       countColumn<Row>("used", "Used", "Slots that code looks up.", &Row::used),
       countColumn<Row>("missed", "Missed", "Used slots that it lacks, or that are empty.", &Row::missed),
       flagColumn<Row>("outdated", "Older than the parent's",
                       "The parent's dictionary has grown since the type was made, which keeps the old one "
                       "until a lookup misses.",
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
