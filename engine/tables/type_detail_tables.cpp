// SPDX-License-Identifier: MIT
#include "tables/type_detail_tables.h"

#include <cstdlib>

#include "tables/common_columns.h"
#include "tables/value_cells.h"

namespace heapscape::engine {

namespace {

const TableOf<MethodCode>& versionsTable() {
  using Row = MethodCode;
  static const TableOf<Row> table = TableOf<Row>{
      "versions",
      {addressColumn<Row>("code", "Native code", "Where the code begins.", &Row::start),
       choiceColumn<Row>("state", "State", "Where the code came from.", &Row::state),
       textColumn<Row>("tier", "Tier", "How far it was optimised.", &Row::tier),
       bytesColumn<Row>("bytes", "Code size", "Bytes of the code; 0 if they are not known.", &Row::sizeBytes)
           .additive()
           .hidingZero(),
       flagColumn<Row>("active", "Active", "Calls run it now.",
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
      textColumn<Row>("name", "Method", "Its name with parameters.", &Row::name).searched(),
      typeColumn<Row>("declaringType", "Declared by", "The type, or one of its parents.", &Row::declaringType)
          .searched(),
      methodDescColumn<Row>(&Row::methodDesc),
      idColumn<Row>("token", "Token", "Metadata token of the method.", &Row::token).hex(),
      idColumn<Row>("slot", "Slot", "Number of its slot.", &Row::slot),
      textColumn<Row>("classification", "Classification", "What the runtime takes it for, as IL, FCall or P/Invoke.",
                      &Row::classification),
      flagColumn<Row>("virtual", "Virtual", "Its slot is one of the vtable.", &Row::isVirtual),
      flagColumn<Row>("inherited", "Inherited", "A parent declares it.", &Row::isInherited),
      flagColumn<Row>("static", "Static", "It has no this.", &Row::isStatic),
      addressColumn<Row>("entry", "Entry", "Where a call of the method jumps to.", &Row::entry).searched(),
      addressColumn<Row>("code", "Native code", "Where the code begins that calls run now.", &Row::code).searched(),
      choiceColumn<Row>("state", "Code", "Where that code came from.", &Row::state),
      textColumn<Row>("tier", "Tier", "How far it was optimised.", &Row::tier),
      bytesColumn<Row>("codeBytes", "Code size", "Bytes of that code; 0 if they are not known.", &Row::codeBytes)
          .additive()
          .hidingZero(),
      flagColumn<Row>("shared", "Shared", "Its code serves several instantiations.", &Row::isShared),
      choiceColumn<Row>("lookupSource", "Looks up by", "Where its code gets type arguments from.", &Row::lookupSource),
      countColumn<Row>("versionCount", "Versions", "How many versions of its code the runtime has.",
                       [](const Row& m) { return m.versions.size(); })
          .hidingZero()
          .notInJson(),
  };
}

}  // namespace

FieldHome homeOf(const TypeField& field) {
  if (field.isThreadStatic) return FieldHome::ThreadStatic;
  if (field.isRva) return FieldHome::Rva;
  return field.isStatic ? FieldHome::Static : FieldHome::Instance;
}

const TableOf<TypeField>& fieldsTable() {
  using Row = TypeField;
  static const TableOf<TypeField> table = TableOf<TypeField>{
      "fields",
      {
          idColumn<Row>("token", "Token", "Metadata token of the field.", &Row::token).searched().hex(),
          textColumn<Row>("name", "Field", "Name of the field.", &Row::name).searched(),
          typeColumn<Row>("type", "Type", "Type of the field, as instantiated.", &Row::typeName).searched(),
          typeColumn<Row>("declaredType", "Declared as", "As the definition has it, with its type parameters.",
                          &Row::declaredType)
              .searched(),
          addressColumn<Row>("typeMethodTable", "MT of the type",
                             "Method table of the field's type, where that is loaded.", &Row::typeMethodTable),
          idColumn<Row>("elementType", "Element type", "The runtime's number of the kind of its type.",
                        &Row::elementType)
              .hex(),
          countColumn<Row>("offset", "Inner",
                           "From the first field, behind the method table pointer, as layouts count.", &Row::offset),
          countColumn<Row>("objectOffset", "Offset",
                           "From the object's address, as SOS counts. Of a static: in its area.", &Row::objectOffset),
          bytesColumn<Row>("size", "Size", "What the field takes up.", &Row::sizeBytes).additive(),
          textColumn<Row>("attributes", "Attributes", "As C# writes them.", &Row::attributes),
          typeColumn<Row>("declaringType", "Declared by", "The type, or one of its parents.", &Row::declaringType)
              .searched(),
          addressColumn<Row>("declaringMethodTable", "MT declaring it", "Method table of the type that declares it.",
                             &Row::declaringMethodTable)
              .searched(),
          flagColumn<Row>("valueType", "VT", "A value lies in the field itself: a struct, an enum or a primitive.",
                          &Row::isValueType),
          flagColumn<Row>("static", "Static", "There is one for the type, not one in each object.", &Row::isStatic),
          flagColumn<Row>("threadStatic", "Thread static", "There is one for each thread.", &Row::isThreadStatic),
          flagColumn<Row>("rva", "RVA", "Data in the module's image.", &Row::isRva),
          addressColumn<Row>("fieldDesc", "FieldDesc", "Address of the runtime's FieldDesc.", &Row::fieldDesc),
          choiceColumn<Row>("place", "Place",
                            "In every object, once for the type or each thread, or in the module's image.", homeOf)
              .notInJson(),
          addressColumn<Row>("object", "Refers to", "The object that the value refers to.",
                             [](const Row& f) { return f.value ? f.value->object : Address{}; })
              .notInJson(),
          textColumn<Row>("value", "Value", "Of statics, and of the fields of an object that is picked.",
                          [](const Row& f) { return f.value ? valueLine(*f.value) : ""; })
              .searched()
              .contents()
              .notInJson()
              .redactedTo([](const Row& f) { return f.value ? redactedValueLine(*f.value) : Cell(""); }),
      },
      {"typeMethodTable", "token", "objectOffset", "offset", "size", "type", "declaredType", "valueType", "place",
       "object", "value", "name", "attributes", "declaringMethodTable",
       "declaringType"}}.about("object");
  return table;
}

const TableOf<TypeMethod>& methodInstantiationsTable() {
  using Row = TypeMethod;
  static const TableOf<Row> table = [] {
    std::vector<ColumnOf<Row>> columns = methodColumns();
    columns.push_back(wordsColumn<Row>("typeArguments", "Type arguments", "What its type parameters stand for.",
                                       [](const Row& m) { return Cell(Cell::Words(m.methodArguments)); }));
    columns.push_back(addressColumn<Row>(
        "sharedMethodDesc", "Runs the code of", "MethodDesc whose code it runs, where that serves several.",
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
      {idColumn<Row>("value", "Value", "Its value, with a sign where the enum has one.",
                     [](const Row& m) {
                       const bool isNegative = m.value.starts_with('-');
                       return isNegative ? Cell(std::strtoll(m.value.c_str(), nullptr, 10)) : Cell(m.bits);
                     }),
       idColumn<Row>("hex", "In hexadecimal", "The same as bits.", &Row::bits).hex().notInJson(),
       textColumn<Row>("name", "Member", "Its name.",
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
      {typeColumn<Row>("name", "Type", "Full name.", &Row::name).searched(),
       addressColumn<Row>("methodTable", "Method table", "Address of its method table, where it is loaded.",
                          &Row::methodTable)
           .searched()},
      {"methodTable", "name"}}.onOneLine();
  return table;
}

const TableOf<TypeArgument>& typeArgumentsTable() {
  using Row = TypeArgument;
  static const TableOf<Row> table = TableOf<Row>{
      "typeArguments",
      {textColumn<Row>("parameter", "Parameter", "Name of the type parameter.", &Row::parameter),
       typeColumn<Row>("name", "Argument", "The type that stands for it.", [](const Row& r) { return r.argument.name; })
           .searched(),
       addressColumn<Row>("methodTable", "Method table", "Address of the argument's method table, where it is loaded.",
                          [](const Row& r) { return r.argument.methodTable; }),
       typeColumn<Row>("canonical", "In shared code",
                       "References stand for one another as System.__Canon; value types do not.", &Row::canonicalName),
       flagColumn<Row>("shared", "Shared", "Instantiations that differ in this argument share code.", &Row::isShared)},
      {"parameter", "name",
       "canonical"}}.onOneLine();
  return table;
}

const TableOf<TypeDetails::Part>& typePartsTable() {
  using Row = TypeDetails::Part;
  static const TableOf<Row> table{
      "parts",
      {textColumn<Row>("name", "What", "The runtime's name of the part.", &Row::name),
       addressColumn<Row>("address", "Address", "Where the part begins.", &Row::address),
       bytesColumn<Row>("bytes", "Bytes", "What it takes up; 0 if that is not known.", &Row::sizeBytes)
           .additive()
           .hidingZero(),
       textColumn<Row>("note", "Note", "What is in it.", &Row::note)},
      {"address", "bytes", "name", "note"}};
  return table;
}

}  // namespace heapscape::engine
