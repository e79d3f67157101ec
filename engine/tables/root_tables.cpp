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

}  // namespace

const TableOf<HeldRoot>& rootsTable() {
  using Row = HeldRoot;
  static const TableOf<Row> table = TableOf<Row>{
      "roots",
      {rootKindColumn<Row>([](const Row& r) { return r.root.kind; }),
       addressColumn<Row>("address", "Slot", "Address of the slot; none for a register.",
                          [](const Row& r) { return r.root.address; })
           .searched(),
       addressColumn<Row>("object", "Object", "What the root leads to.", [](const Row& r) { return r.root.object; })
           .searched(),

       // Names of threads are the program's own words.
       textColumn<Row>("name", "Root", "Name of the root.", [](const Row& r) { return r.root.name; })
           .searched()
           .contents()
           .redactedTo([](const Row& r) { return r.root.kind == RootKind::Stack ? Cell("stack") : Cell(r.root.name); }),
       flagColumn<Row>("exact", "Exact", "Surely a reference, not a word that may be one by chance.",
                       [](const Row& r) { return r.root.isExact; }),
       bytesColumn<Row>("alone", "Retained by this root only", "What would be freed if only this root went away.",
                        [](const Row& r) { return r.alone.bytes; })
           .inJsonAs("retainedBytes")
           .hidingZero(),
       bytesColumn<Row>("retained", "Object retains", "What the object retains, however many roots lead to it.",
                        &Row::objectRetainedBytes)
           .inJsonAs("objectRetainedBytes")
           .hidingZero(),
       typeColumn<Row>("type", "Type", "Type of the object.", &Row::typeName).searched().notInJson()},
      {"kind", "address", "object", "alone", "exact", "type", "name"},
      {"kind", "address", "object", "name", "exact",
       "alone"}}.about("object");
  return table;
}

const TableOf<HandleRow>& handlesTable() {
  using Row = HandleRow;
  static const TableOf<Row> table = TableOf<Row>{
      "handles",
      {addressColumn<Row>("address", "Handle", "Address of the handle's slot.", &Row::address).searched(),
       choiceColumn<Row>("kind", "Kind", "What the handle does for its object.", &Row::kind).searched(),
       addressColumn<Row>("object", "Object", "What the handle refers to.", &Row::object).searched(),
       objectTypeColumn<Row>(&Row::typeName),
       addressColumn<Row>("dependent", "Secondary", "What a dependent handle keeps alive as long as its object lives.",
                          dependentOf)
           .searched(),
       typeColumn<Row>("dependentType", "Secondary's type", "Type of what a dependent handle keeps alive.",
                       dependentTypeOf)
           .searched(),
       countColumn<Row>("referenceCount", "References",
                        "How often native code holds the object of a reference-counted handle, as COM counts it. "
                        "With none a collection may free the object.",
                        referencesOf),
       idColumn<Row>("heap", "Heap", "Number of the GC's heap that has it.", &Row::heap),
       addressColumn<Row>("methodTable", "Method table", "Address of the method table of the object's type.",
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
      {addressColumn<Row>("object", "Object", "An object with a finalizer that has not run.", &Row::object).searched(),
       objectTypeColumn<Row>(&Row::typeName),
       choiceColumn<Row>("queue", "Queue", "Ready to be finalized, or registered for the day when nothing holds it.",
                         &Row::queue)
           .choices(namesOf<FinalizerQueueKind>(kFinalizerQueues)),
       flagColumn<Row>("suppressed", "Suppressed",
                       "Its finalizer will not run: it was disposed of, or has been finalized.", &Row::isSuppressed),
       flagColumn<Row>("critical", "Critical", "Ready, and finalized after all others: a CriticalFinalizerObject.",
                       [](const Row& r) { return r.queue == FinalizerQueueKind::ReadyCritical; }),
       choiceColumn<Row>("generation", "Generation", "Where the object lies.", &Row::generation),
       idColumn<Row>("heap", "Heap", "Number of the GC's heap that has it.", &Row::heap),
       methodTableColumn<Row>(&Row::methodTable), retainedColumn<Row>(&Row::retainedBytes)},
      {"object", "queue", "critical", "generation", "heap", "suppressed", "retained",
       "type"}}.about("object");
  return table;
}

const TableOf<StaticRow>& staticsTable() {
  using Row = StaticRow;
  static const TableOf<Row> table = TableOf<Row>{
      "statics",
      {typeColumn<Row>("type", "Type", "The type that declares the field.", &Row::typeName).searched(),
       textColumn<Row>("field", "Field", "Name of the field.", &Row::field).searched(),
       choiceColumn<Row>("kind", "Kind", "One for the program, one for each thread, or data in the assembly's image.",
                         &Row::kind)
           .searched(),
       typeColumn<Row>("fieldType", "Declared as", "The field's own type.", &Row::fieldType),
       idColumn<Row>("threadId", "Thread", "Managed id of the thread that a thread static is of.",
                     [](const Row& r) { return r.kind == StaticKind::Thread ? Cell(r.threadId) : Cell(); })
           .hidingZero(),
       addressColumn<Row>("address", "Slot", "Where the field lies; nowhere before its type is used.", &Row::address)
           .searched(),
       textColumn<Row>("value", "Bare value", "What it holds, and nothing about it.", valueOf)
           .searched()
           .contents()
           .redactedTo(redactedValueOf),
       textColumn<Row>("method", "Method", "The method that a pointer in the field leads to.", pointedMethod)
           .searched(),
       textColumn<Row>("leadsTo", "Leads to",
                       "What a pointer, a handle or a native integer is known to lead to, as a type or an object.",
                       pointedThing)
           .inJsonAs("meaning")
           .searched()
           .contents(),
       addressColumn<Row>("object", "Object", "What the field refers to.",
                          [](const Row& r) { return r.value.value.object; })
           .searched(),
       flagColumn<Row>("initialised", "Initialised", "The type's constructor has run, or a value is stored.",
                       &Row::isInitialised),
       flagColumn<Row>("boxed", "Boxed", "A value type: the slot refers to a box that holds it.", &Row::isBoxed),
       textColumn<Row>("assembly", "Assembly", "File name of the type's assembly.", &Row::assembly),
       loadContextColumn<Row>(&Row::loadContext),
       methodTableColumn<Row>(&Row::methodTable),
       textColumn<Row>("valueKind", "Kind of value", "What the field holds, in one word.",
                       [](const Row& r) { return r.value.value.kind; }),
       typeColumn<Row>(
           "objectType", "Type of the object", "Type of what the field refers to.",
           [](const Row& r) { return r.value.value.objectType.empty() ? Cell() : Cell(r.value.value.objectType); }),
       textColumn<Row>("damage", "Damage", "Why the field's value cannot be read.",
                       [](const Row& r) { return r.value.value.damage.empty() ? Cell() : Cell(r.value.value.damage); }),
       bytesColumn<Row>("retained", "Retained", "What would be freed with the object that the field refers to.",
                        &Row::retainedBytes)
           .inJsonAs("retainedBytes")
           .hidingZero(),
       textColumn<Row>("text", "Value",
                       "What it holds, with the method that a pointer leads to, or why it cannot be read.",
                       [](const Row& row) { return valueLine(row.value.value); })
           .inJsonAs("value")
           .searched()
           .contents()
           .notInJson()
           .redactedTo([](const Row& row) { return redactedValueLine(row.value.value); })},
      {"type", "field", "kind", "threadId", "retained", "address", "fieldType", "initialised", "text"},
      {"type", "field", "kind", "fieldType", "threadId", "address", "text", "object", "initialised",
       "retained"}}.about("object", "objectType");
  return table;
}

}  // namespace heapscape::engine
