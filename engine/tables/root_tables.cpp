// SPDX-License-Identifier: MIT
#include "tables/root_tables.h"

#include <array>

#include "tables/common_columns.h"
#include "tables/value_cells.h"
#include "values/code_address.h"
#include "values/string_object.h"

namespace heapscape::engine {

namespace {

constexpr std::array kFinalizerQueues{FinalizerQueueKind::Ready, FinalizerQueueKind::Registered};

// Only dependent handles have a secondary object.
Cell dependentOf(const HandleRow& row) {
  return row.kind == HandleKind::Dependent ? Cell(row.dependent) : Cell();
}
Cell referencesOf(const HandleRow& row) {
  return row.kind == HandleKind::RefCounted ? Cell(row.referenceCount) : Cell();
}
Cell dependentTypeOf(const HandleRow& row) {
  return row.kind == HandleKind::Dependent ? Cell(row.dependentType) : Cell();
}

Cell valueOf(const StaticRow& row) {
  const Value& value = row.value.value;
  if (value.kind == ValueKind::Null || value.text.empty()) return Cell::Unknown{};
  return isStringObject(value) ? std::string_view(value.characters) : codeAddressOf(value).address;
}
Cell pointedMethod(const StaticRow& row) {
  const std::string_view method = codeAddressOf(row.value.value).method;
  return method.empty() ? Cell() : Cell(method);
}
Cell pointedThing(const StaticRow& row) {
  const std::string_view thing = codeAddressOf(row.value.value).thing;
  return thing.empty() ? Cell() : Cell(thing);
}
// Cell without contents: a reference is no content of its object.
Cell redactedValueOf(const StaticRow& row) {
  return isContents(row.value.value) ? Cell(Cell::Unknown{}) : valueOf(row);
}

ColumnOf<StaticRow> staticText() {
  ColumnOf<StaticRow> text =
      column<StaticRow>({.name = "text",
                         .title = "Value",
                         .meaning = "What it holds, with the method that a pointer leads to, or why it cannot be read.",
                         .jsonName = "value",
                         .isSearched = true,
                         .holdsContents = true,
                         .isInJson = false},
                        [](const StaticRow& row) { return valueLine(row.value.value); });
  text.redacted = [](const StaticRow& row) { return redactedValueLine(row.value.value); };
  return text;
}

ColumnOf<StaticRow> staticValue() {
  ColumnOf<StaticRow> value = column<StaticRow>({.name = "value",
                                                 .title = "Bare value",
                                                 .meaning = "What it holds, and nothing about it.",
                                                 .isSearched = true,
                                                 .holdsContents = true},
                                                valueOf);
  value.redacted = redactedValueOf;
  return value;
}

ColumnOf<HeldRoot> rootName() {
  ColumnOf<HeldRoot> name = column<HeldRoot>(
      {.name = "name", .title = "Root", .meaning = "Name of the root.", .isSearched = true, .holdsContents = true},
      [](const HeldRoot& r) { return r.root.name; });
  // Names of threads are the program's own words.
  name.redacted = [](const HeldRoot& r) { return r.root.kind == RootKind::Stack ? Cell("stack") : Cell(r.root.name); };
  return name;
}

}  // namespace

std::vector<std::string> namesOfRootKinds() {
  return namesOf<RootKind>();
}

const TableOf<HeldRoot>& rootsTable() {
  using Row = HeldRoot;
  static const TableOf<Row> table = TableOf<Row>{
      "roots",
      {rootKindColumn<Row>([](const Row& r) { return r.root.kind; }),
       column<Row>({.name = "address",
                    .title = "Slot",
                    .meaning = "Address of the slot; none for a register.",
                    .kind = ColumnKind::Address,
                    .isSearched = true},
                   [](const Row& r) { return r.root.address; }),
       column<Row>({.name = "object",
                    .title = "Object",
                    .meaning = "What the root leads to.",
                    .kind = ColumnKind::Address,
                    .isSearched = true},
                   [](const Row& r) { return r.root.object; }),
       rootName(),
       column<Row>({.name = "exact",
                    .title = "Exact",
                    .meaning = "Surely a reference, not a word that may be one by chance.",
                    .kind = ColumnKind::Flag},
                   [](const Row& r) { return r.root.isExact; }),
       column<Row>({.name = "alone",
                    .title = "Retained alone",
                    .meaning = "What would be freed if only this root went away.",
                    .kind = ColumnKind::Bytes,
                    .jsonName = "retainedBytes",
                    .hidesZero = true},
                   [](const Row& r) { return r.alone.bytes; }),
       column<Row>({.name = "retained",
                    .title = "Object retains",
                    .meaning = "What the object retains, however many roots lead to it.",
                    .kind = ColumnKind::Bytes,
                    .jsonName = "objectRetainedBytes",
                    .hidesZero = true},
                   &Row::objectRetainedBytes),
       column<Row>({.name = "type",
                    .title = "Type",
                    .meaning = "Type of the object.",
                    .kind = ColumnKind::TypeName,
                    .isSearched = true,
                    .isInJson = false},
                   &Row::typeName)},
      {"kind", "address", "object", "alone", "exact", "type", "name"},
      {"kind", "address", "object", "name", "exact",
       "alone"}}.about("object");
  return table;
}

const TableOf<HandleRow>& handlesTable() {
  using Row = HandleRow;
  static const TableOf<Row> table = TableOf<Row>{
      "handles",
      {column<Row>({.name = "address",
                    .title = "Handle",
                    .meaning = "Address of the handle's slot.",
                    .kind = ColumnKind::Address,
                    .isSearched = true},
                   &Row::address),
       column<Row>({.name = "kind",
                    .title = "Kind",
                    .meaning = "What the handle does for its object.",
                    .kind = ColumnKind::Choice,
                    .choices = namesOf<HandleKind>(),
                    .isSearched = true},
                   &Row::kind),
       column<Row>({.name = "object",
                    .title = "Object",
                    .meaning = "What the handle refers to.",
                    .kind = ColumnKind::Address,
                    .isSearched = true},
                   &Row::object),
       objectTypeColumn<Row>(&Row::typeName),
       column<Row>({.name = "dependent",
                    .title = "Secondary",
                    .meaning = "What a dependent handle keeps alive as long as its object lives.",
                    .kind = ColumnKind::Address,
                    .isSearched = true},
                   dependentOf),
       column<Row>({.name = "dependentType",
                    .title = "Secondary's type",
                    .meaning = "Type of what a dependent handle keeps alive.",
                    .kind = ColumnKind::TypeName,
                    .isSearched = true},
                   dependentTypeOf),
       column<Row>(
           {.name = "referenceCount",
            .title = "References",
            .meaning = "How often native code holds the object of a reference-counted handle, as COM counts it. "
                       "With none a collection lets go of the object.",
            .kind = ColumnKind::Count},
           referencesOf),
       column<Row>(
           {.name = "heap", .title = "Heap", .meaning = "Number of the GC's heap that has it.", .kind = ColumnKind::Id},
           &Row::heap),
       column<Row>({.name = "methodTable",
                    .title = "Method table",
                    .meaning = "Address of the method table of the object's type.",
                    .kind = ColumnKind::Address},
                   &Row::methodTable),
       retainedColumn<Row>(&Row::retainedBytes)},
      {"address", "kind", "heap", "object", "retained", "referenceCount", "type", "dependent", "dependentType"},
      {"address", "kind", "object", "type", "dependent", "heap",
       "retained"}}.about("object");
  return table;
}

const TableOf<FinalizerRow>& finalizersTable() {
  using Row = FinalizerRow;
  static const TableOf<Row> table = TableOf<Row>{
      "finalizers",
      {column<Row>({.name = "object",
                    .title = "Object",
                    .meaning = "An object with a finalizer that has not run.",
                    .kind = ColumnKind::Address,
                    .isSearched = true},
                   &Row::object),
       objectTypeColumn<Row>(&Row::typeName),
       column<Row>({.name = "queue",
                    .title = "Queue",
                    .meaning = "Ready to be finalized, or registered for the day when nothing holds it.",
                    .kind = ColumnKind::Choice,
                    .choices = namesOf<FinalizerQueueKind>(kFinalizerQueues)},
                   &Row::queue),
       column<Row>({.name = "suppressed",
                    .title = "Suppressed",
                    .meaning = "Its finalizer will not run: it was disposed of, or has been finalized.",
                    .kind = ColumnKind::Flag},
                   &Row::isSuppressed),
       column<Row>({.name = "critical",
                    .title = "Critical",
                    .meaning = "Ready, and finalized after all others: a CriticalFinalizerObject.",
                    .kind = ColumnKind::Flag},
                   [](const Row& r) { return r.queue == FinalizerQueueKind::ReadyCritical; }),
       column<Row>({.name = "generation",
                    .title = "Generation",
                    .meaning = "Where the object lies.",
                    .kind = ColumnKind::Choice,
                    .choices = namesOf<Generation>()},
                   &Row::generation),
       column<Row>(
           {.name = "heap", .title = "Heap", .meaning = "Number of the GC's heap that has it.", .kind = ColumnKind::Id},
           &Row::heap),
       methodTableColumn<Row>(&Row::methodTable), retainedColumn<Row>(&Row::retainedBytes)},
      {"object", "queue", "critical", "generation", "heap", "suppressed", "retained",
       "type"}}.about("object");
  return table;
}

const TableOf<StaticRow>& staticsTable() {
  using Row = StaticRow;
  static const TableOf<Row> table = TableOf<Row>{
      "statics",
      {column<Row>({.name = "type",
                    .title = "Type",
                    .meaning = "The type that declares the field.",
                    .kind = ColumnKind::TypeName,
                    .isSearched = true},
                   &Row::typeName),
       column<Row>({.name = "field", .title = "Field", .meaning = "Name of the field.", .isSearched = true},
                   &Row::field),
       column<Row>({.name = "kind",
                    .title = "Kind",
                    .meaning = "One for the program, one for each thread, or data in the assembly's image.",
                    .kind = ColumnKind::Choice,
                    .choices = namesOf<StaticKind>(),
                    .isSearched = true},
                   &Row::kind),
       column<Row>({.name = "fieldType",
                    .title = "Declared as",
                    .meaning = "The field's own type.",
                    .kind = ColumnKind::TypeName},
                   &Row::fieldType),
       column<Row>({.name = "threadId",
                    .title = "Thread",
                    .meaning = "Managed id of the thread that a thread static is of.",
                    .kind = ColumnKind::Id,
                    .hidesZero = true},
                   [](const Row& r) { return r.kind == StaticKind::Thread ? Cell(r.threadId) : Cell(); }),
       column<Row>({.name = "address",
                    .title = "Slot",
                    .meaning = "Where the field lies; nowhere before its type is used.",
                    .kind = ColumnKind::Address,
                    .isSearched = true},
                   &Row::address),
       staticValue(),
       column<Row>({.name = "method",
                    .title = "Method",
                    .meaning = "The method that a pointer in the field leads to.",
                    .isSearched = true},
                   pointedMethod),
       column<Row>(
           {.name = "leadsTo",
            .title = "Leads to",
            .meaning = "What a pointer, a handle or a native integer is known to lead to, as a type or an object.",
            .jsonName = "meaning",
            .isSearched = true,
            .holdsContents = true},
           pointedThing),
       column<Row>({.name = "object",
                    .title = "Object",
                    .meaning = "What the field refers to.",
                    .kind = ColumnKind::Address,
                    .isSearched = true},
                   [](const Row& r) { return r.value.value.object; }),
       column<Row>({.name = "initialised",
                    .title = "Initialised",
                    .meaning = "The type's constructor has run, or a value is stored.",
                    .kind = ColumnKind::Flag},
                   &Row::isInitialised),
       column<Row>({.name = "boxed",
                    .title = "Boxed",
                    .meaning = "A value type: the slot refers to a box that holds it.",
                    .kind = ColumnKind::Flag},
                   &Row::isBoxed),
       column<Row>({.name = "assembly", .title = "Assembly", .meaning = "File name of the type's assembly."},
                   &Row::assembly),
       loadContextColumn<Row>(&Row::loadContext),
       methodTableColumn<Row>(&Row::methodTable),
       column<Row>({.name = "valueKind", .title = "Kind of value", .meaning = "What the field holds, in one word."},
                   [](const Row& r) { return r.value.value.kind; }),
       column<Row>(
           {.name = "objectType",
            .title = "Type of the object",
            .meaning = "Type of what the field refers to.",
            .kind = ColumnKind::TypeName},
           [](const Row& r) { return r.value.value.objectType.empty() ? Cell() : Cell(r.value.value.objectType); }),
       column<Row>({.name = "damage", .title = "Damage", .meaning = "Why the field's value cannot be read."},
                   [](const Row& r) { return r.value.value.damage.empty() ? Cell() : Cell(r.value.value.damage); }),
       column<Row>({.name = "retained",
                    .title = "Retained",
                    .meaning = "What would be freed with the object that the field refers to.",
                    .kind = ColumnKind::Bytes,
                    .jsonName = "retainedBytes",
                    .hidesZero = true},
                   &Row::retainedBytes),
       staticText()},
      {"type", "field", "kind", "threadId", "retained", "address", "fieldType", "initialised", "text"},
      {"type", "field", "kind", "fieldType", "threadId", "address", "text", "object", "initialised",
       "retained"}}.about("object", "objectType");
  return table;
}

}  // namespace heapscape::engine
