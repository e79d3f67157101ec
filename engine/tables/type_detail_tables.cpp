// SPDX-License-Identifier: MIT
#include "tables/type_detail_tables.h"

#include <array>
#include <cstdlib>

#include "tables/common_columns.h"
#include "tables/value_cells.h"

namespace heapscape::engine {

namespace {

ColumnOf<TypeField> fieldValue() {
  ColumnOf<TypeField> value =
      column<TypeField>({.name = "value",
                         .title = "Value",
                         .meaning = "Of statics, and of the fields of an object that is picked.",
                         .isSearched = true,
                         .holdsContents = true,
                         .isInJson = false},
                        [](const TypeField& f) { return f.value ? valueLine(*f.value) : ""; });
  value.redacted = [](const TypeField& f) { return f.value ? redactedValueLine(*f.value) : Cell(""); };
  return value;
}

std::vector<ColumnOf<TypeField>> fieldColumns() {
  using Row = TypeField;
  return {
      column<Row>({.name = "token",
                   .title = "Token",
                   .meaning = "Metadata token of the field.",
                   .kind = ColumnKind::Id,
                   .isSearched = true,
                   .isHex = true},
                  &Row::token),
      column<Row>({.name = "name", .title = "Field", .meaning = "Name of the field.", .isSearched = true}, &Row::name),
      column<Row>({.name = "type",
                   .title = "Type",
                   .meaning = "Type of the field, as instantiated.",
                   .kind = ColumnKind::TypeName,
                   .isSearched = true},
                  &Row::typeName),
      column<Row>({.name = "declaredType",
                   .title = "Declared as",
                   .meaning = "As the definition has it, with its type parameters.",
                   .kind = ColumnKind::TypeName,
                   .isSearched = true},
                  &Row::declaredType),
      column<Row>({.name = "typeMethodTable",
                   .title = "MT of the type",
                   .meaning = "Method table of the field's type, where that is loaded.",
                   .kind = ColumnKind::Address},
                  &Row::typeMethodTable),
      column<Row>({.name = "elementType",
                   .title = "Element type",
                   .meaning = "The runtime's number of the kind of its type.",
                   .kind = ColumnKind::Id,
                   .isHex = true},
                  &Row::elementType),
      column<Row>({.name = "offset",
                   .title = "Inner",
                   .meaning = "From the first field, behind the method table pointer, as layouts count.",
                   .kind = ColumnKind::Count},
                  &Row::offset),
      column<Row>({.name = "objectOffset",
                   .title = "Offset",
                   .meaning = "From the object's address, as SOS counts. Of a static: in its area.",
                   .kind = ColumnKind::Count},
                  &Row::objectOffset),
      column<Row>({.name = "size",
                   .title = "Size",
                   .meaning = "What the field takes up.",
                   .kind = ColumnKind::Bytes,
                   .isAdditive = true},
                  &Row::sizeBytes),
      column<Row>({.name = "attributes", .title = "Attributes", .meaning = "As C# writes them."}, &Row::attributes),
      column<Row>({.name = "declaringType",
                   .title = "Declared by",
                   .meaning = "The type, or one of its parents.",
                   .kind = ColumnKind::TypeName,
                   .isSearched = true},
                  &Row::declaringType),
      column<Row>({.name = "declaringMethodTable",
                   .title = "MT declaring it",
                   .meaning = "Method table of the type that declares it.",
                   .kind = ColumnKind::Address,
                   .isSearched = true},
                  &Row::declaringMethodTable),
      column<Row>({.name = "valueType",
                   .title = "VT",
                   .meaning = "A value lies in the field itself: a struct, an enum or a primitive.",
                   .kind = ColumnKind::Flag},
                  &Row::isValueType),
      column<Row>({.name = "static",
                   .title = "Static",
                   .meaning = "There is one for the type, not one in each object.",
                   .kind = ColumnKind::Flag},
                  &Row::isStatic),
      column<Row>({.name = "threadStatic",
                   .title = "Thread static",
                   .meaning = "There is one for each thread.",
                   .kind = ColumnKind::Flag},
                  &Row::isThreadStatic),
      column<Row>({.name = "rva", .title = "RVA", .meaning = "Data in the module's image.", .kind = ColumnKind::Flag},
                  &Row::isRva),
      column<Row>({.name = "fieldDesc",
                   .title = "FieldDesc",
                   .meaning = "Address of the runtime's FieldDesc.",
                   .kind = ColumnKind::Address},
                  &Row::fieldDesc),
      column<Row>({.name = "place",
                   .title = "Place",
                   .meaning = "In every object, once for the type or each thread, or in the module's image.",
                   .kind = ColumnKind::Choice,
                   .choices = namesOf<FieldHome>(),
                   .isInJson = false},
                  homeOf),
      column<Row>({.name = "object",
                   .title = "Refers to",
                   .meaning = "The object that the value refers to.",
                   .kind = ColumnKind::Address,
                   .isInJson = false},
                  [](const Row& f) { return f.value ? f.value->object : Address{}; }),
      fieldValue(),
  };
}

const TableOf<MethodCode>& versionsTable() {
  using Row = MethodCode;
  static const TableOf<Row> table = TableOf<Row>{
      "versions",
      {column<Row>(
           {.name = "code", .title = "Native code", .meaning = "Where the code begins.", .kind = ColumnKind::Address},
           &Row::start),
       column<Row>({.name = "state",
                    .title = "State",
                    .meaning = "Where the code came from.",
                    .kind = ColumnKind::Choice,
                    .choices = namesOf<MethodState>()},
                   &Row::state),
       column<Row>({.name = "tier", .title = "Tier", .meaning = "How far it was optimised."}, &Row::tier),
       column<Row>({.name = "bytes",
                    .title = "Code size",
                    .meaning = "Bytes of the code; 0 if they are not known.",
                    .kind = ColumnKind::Bytes,
                    .isAdditive = true,
                    .hidesZero = true},
                   &Row::sizeBytes),
       column<Row>({.name = "active", .title = "Active", .meaning = "Calls run it now.", .kind = ColumnKind::Flag},
                   &Row::isActive)}}.onOneLine();
  return table;
}

std::vector<Table> versionsOf(const TypeMethod& method) {
  if (method.versions.size() < 2) return {};
  return {versionsTable().with(method.versions)};
}

std::vector<ColumnOf<TypeMethod>> methodColumns() {
  using Row = TypeMethod;
  return {
      column<Row>({.name = "name", .title = "Method", .meaning = "Its name with parameters.", .isSearched = true},
                  &Row::name),
      column<Row>({.name = "declaringType",
                   .title = "Declared by",
                   .meaning = "The type, or one of its parents.",
                   .kind = ColumnKind::TypeName,
                   .isSearched = true},
                  &Row::declaringType),
      methodDescColumn<Row>(&Row::methodDesc),
      column<Row>({.name = "token",
                   .title = "Token",
                   .meaning = "Metadata token of the method.",
                   .kind = ColumnKind::Id,
                   .isHex = true},
                  &Row::token),
      column<Row>({.name = "slot", .title = "Slot", .meaning = "Number of its slot.", .kind = ColumnKind::Id},
                  &Row::slot),
      column<Row>({.name = "classification",
                   .title = "Classification",
                   .meaning = "What the runtime takes it for, as IL, FCall or P/Invoke."},
                  &Row::classification),
      column<Row>({.name = "virtual",
                   .title = "Virtual",
                   .meaning = "Its slot is one of the vtable.",
                   .kind = ColumnKind::Flag},
                  &Row::isVirtual),
      column<Row>(
          {.name = "inherited", .title = "Inherited", .meaning = "A parent declares it.", .kind = ColumnKind::Flag},
          &Row::isInherited),
      column<Row>({.name = "static", .title = "Static", .meaning = "It has no this.", .kind = ColumnKind::Flag},
                  &Row::isStatic),
      column<Row>({.name = "entry",
                   .title = "Entry",
                   .meaning = "Where a call of the method jumps to.",
                   .kind = ColumnKind::Address,
                   .isSearched = true},
                  &Row::entry),
      column<Row>({.name = "code",
                   .title = "Native code",
                   .meaning = "Where the code begins that calls run now.",
                   .kind = ColumnKind::Address,
                   .isSearched = true},
                  &Row::code),
      column<Row>({.name = "state",
                   .title = "Code",
                   .meaning = "Where that code came from.",
                   .kind = ColumnKind::Choice,
                   .choices = namesOf<MethodState>()},
                  &Row::state),
      column<Row>({.name = "tier", .title = "Tier", .meaning = "How far it was optimised."}, &Row::tier),
      column<Row>({.name = "codeBytes",
                   .title = "Code size",
                   .meaning = "Bytes of that code; 0 if they are not known.",
                   .kind = ColumnKind::Bytes,
                   .isAdditive = true,
                   .hidesZero = true},
                  &Row::codeBytes),
      column<Row>({.name = "shared",
                   .title = "Shared",
                   .meaning = "Its code serves several instantiations.",
                   .kind = ColumnKind::Flag},
                  &Row::isShared),
      column<Row>({.name = "lookupSource",
                   .title = "Looks up by",
                   .meaning = "Where its code gets type arguments from.",
                   .kind = ColumnKind::Choice,
                   .choices = namesOf<LookupSource>()},
                  &Row::lookupSource),
      column<Row>({.name = "versionCount",
                   .title = "Versions",
                   .meaning = "How many versions of its code the runtime has.",
                   .kind = ColumnKind::Count,
                   .hidesZero = true,
                   .isInJson = false},
                  [](const Row& m) { return m.versions.size(); }),
  };
}

}  // namespace

FieldHome homeOf(const TypeField& field) {
  if (field.isThreadStatic) return FieldHome::ThreadStatic;
  if (field.isRva) return FieldHome::Rva;
  return field.isStatic ? FieldHome::Static : FieldHome::Instance;
}

const TableOf<TypeField>& fieldsTable() {
  static const TableOf<TypeField> table = TableOf<TypeField>{
      "fields",
      fieldColumns(),
      {"typeMethodTable", "token", "objectOffset", "offset", "size", "type", "declaredType", "valueType", "place",
       "object", "value", "name", "attributes", "declaringMethodTable",
       "declaringType"}}.about("object");
  return table;
}

const TableOf<TypeMethod>& methodInstantiationsTable() {
  using Row = TypeMethod;
  static const TableOf<Row> table = [] {
    std::vector<ColumnOf<Row>> columns = methodColumns();
    columns.push_back(column<Row>({.name = "typeArguments",
                                   .title = "Type arguments",
                                   .meaning = "What its type parameters stand for.",
                                   .kind = ColumnKind::Words},
                                  [](const Row& m) { return Cell(Cell::Words(m.methodArguments)); }));
    columns.push_back(column<Row>({.name = "sharedMethodDesc",
                                   .title = "Runs the code of",
                                   .meaning = "MethodDesc whose code it runs, where that serves several.",
                                   .kind = ColumnKind::Address},
                                  [](const Row& m) { return m.sharedMethodDesc ? Cell(m.sharedMethodDesc) : Cell(); }));
    return TableOf<Row>("instantiations", std::move(columns)).having(versionsOf);
  }();
  return table;
}

const TableOf<TypeMethod>& asyncFormsTable() {
  static const TableOf<TypeMethod> table = TableOf<TypeMethod>("asyncForms", methodColumns()).having(versionsOf);
  return table;
}

const TableOf<TypeEnumMember>& enumMembersTable() {
  using Row = TypeEnumMember;
  static const TableOf<Row> table = TableOf<Row>{
      "members",
      {column<Row>({.name = "value",
                    .title = "Value",
                    .meaning = "Its value, with a sign where the enum has one.",
                    .kind = ColumnKind::Id},
                   [](const Row& m) {
                     const bool isNegative = m.value.starts_with('-');
                     return isNegative ? Cell(std::strtoll(m.value.c_str(), nullptr, 10)) : Cell(m.bits);
                   }),
       column<Row>({.name = "hex",
                    .title = "In hexadecimal",
                    .meaning = "The same as bits.",
                    .kind = ColumnKind::Id,
                    .isHex = true,
                    .isInJson = false},
                   &Row::bits),
       column<Row>({.name = "name", .title = "Member", .meaning = "Its name."},
                   &Row::name)}}.onOneLine();
  return table;
}

const TableOf<TypeMethod>& methodsTable() {
  static const TableOf<TypeMethod> table = TableOf<TypeMethod>{
      "methods",
      methodColumns(),
      {"slot", "virtual", "methodDesc", "entry", "code", "codeBytes", "state", "tier", "versionCount", "shared",
       "declaringType", "name"}}.having([](const TypeMethod& method) {
    std::vector<Table> inner = versionsOf(method);
    if (!method.instantiations.empty()) inner.push_back(methodInstantiationsTable().with(method.instantiations));
    if (!method.asyncForms.empty()) inner.push_back(asyncFormsTable().with(method.asyncForms));
    return inner;
  });
  return table;
}

const TableOf<TypeLink>& typeLinksTable() {
  using Row = TypeLink;
  static const TableOf<Row> table = TableOf<Row>{
      "types",
      {column<Row>(
           {.name = "name", .title = "Type", .meaning = "Full name.", .kind = ColumnKind::TypeName, .isSearched = true},
           &Row::name),
       column<Row>({.name = "methodTable",
                    .title = "Method table",
                    .meaning = "Address of its method table, where it is loaded.",
                    .kind = ColumnKind::Address,
                    .isSearched = true},
                   &Row::methodTable)},
      {"methodTable", "name"}}.onOneLine();
  return table;
}

const TableOf<TypeArgument>& typeArgumentsTable() {
  using Row = TypeArgument;
  static const TableOf<Row> table = TableOf<Row>{
      "typeArguments",
      {column<Row>({.name = "parameter", .title = "Parameter", .meaning = "Name of the type parameter."},
                   &Row::parameter),
       column<Row>({.name = "name",
                    .title = "Argument",
                    .meaning = "The type that stands for it.",
                    .kind = ColumnKind::TypeName,
                    .isSearched = true},
                   [](const Row& r) { return r.argument.name; }),
       column<Row>({.name = "methodTable",
                    .title = "Method table",
                    .meaning = "Address of the argument's method table, where it is loaded.",
                    .kind = ColumnKind::Address},
                   [](const Row& r) { return r.argument.methodTable; }),
       column<Row>({.name = "canonical",
                    .title = "In shared code",
                    .meaning = "References stand for one another as System.__Canon; value types do not.",
                    .kind = ColumnKind::TypeName},
                   &Row::canonicalName),
       column<Row>({.name = "shared",
                    .title = "Shared",
                    .meaning = "Instantiations that differ in this argument share code.",
                    .kind = ColumnKind::Flag},
                   &Row::isShared)},
      {"parameter", "name",
       "canonical"}}.onOneLine();
  return table;
}

const TableOf<TypeDetails::Part>& typePartsTable() {
  using Row = TypeDetails::Part;
  static const TableOf<Row> table{
      "parts",
      {column<Row>({.name = "name", .title = "What", .meaning = "The runtime's name of the part."}, &Row::name),
       column<Row>(
           {.name = "address", .title = "Address", .meaning = "Where the part begins.", .kind = ColumnKind::Address},
           &Row::address),
       column<Row>({.name = "bytes",
                    .title = "Bytes",
                    .meaning = "What it takes up; 0 if that is not known.",
                    .kind = ColumnKind::Bytes,
                    .isAdditive = true,
                    .hidesZero = true},
                   &Row::sizeBytes),
       column<Row>({.name = "note", .title = "Note", .meaning = "What is in it."}, &Row::note)},
      {"address", "bytes", "name", "note"}};
  return table;
}

}  // namespace heapscape::engine
