// SPDX-License-Identifier: MIT
#include "metadata/metadata.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <functional>
#include <mutex>

#include "base/limits.h"
#include "metadata/metadata_tables.h"
#include "metadata/signature.h"

namespace heapscape::engine {

std::string guidText(Bytes guid) {
  // The first three groups are little-endian numbers, the rest is plain bytes.
  BoundedReader reader(guid);
  const auto first = reader.read<std::uint32_t>();
  const auto second = reader.read<std::uint16_t>();
  const auto third = reader.read<std::uint16_t>();
  const auto rest = reader.read<std::array<std::uint8_t, 8>>();
  if (reader.failed()) return {};
  return fmt::format("{:08x}-{:04x}-{:04x}-{:02x}-{:02x}", first, second, third,
                     fmt::join(rest.begin(), rest.begin() + 2, ""), fmt::join(rest.begin() + 2, rest.end(), ""));
}

namespace {

/// Finds type definitions by full name. Keeps hashes only and asks the metadata again for names of the few that fit.
class NameIndex {
 public:
  /// The first definition of that name, or 0. Builds the index at the first call, from any thread.
  std::uint32_t find(const Metadata& metadata, std::string_view fullName) const;

 private:
  struct Entry {
    std::uint32_t hash = 0;
    std::uint32_t row = 0;
    auto operator<=>(const Entry&) const = default;
  };

  void build(const Metadata& metadata) const;

  mutable std::once_flag m_built;
  mutable std::vector<Entry> m_entries;
};

// Bytes of names that building may read, so that millions of rows of one long text cannot stall it. CoreLib: 0.1 MB.
constexpr std::size_t kMaxNameBytes = 512ull << 20;

std::uint32_t hashOf(std::string_view name) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>{}(name));
}

void NameIndex::build(const Metadata& metadata) const {
  std::vector<Entry> entries;
  const std::uint32_t count = metadata.rowCount(TableId::TypeDef);
  entries.reserve(count);
  std::size_t nameBytes = 0;
  for (std::uint32_t row = 1; row <= count && nameBytes < kMaxNameBytes; ++row) {
    const std::string name = metadata.typeDefName(row);
    nameBytes += name.size();
    entries.push_back({hashOf(name), row});
  }
  std::sort(entries.begin(), entries.end());
  m_entries = std::move(entries);
}

std::uint32_t NameIndex::find(const Metadata& metadata, std::string_view fullName) const {
  std::call_once(m_built, [&] { build(metadata); });
  for (const Entry& entry : std::ranges::equal_range(m_entries, hashOf(fullName), {}, &Entry::hash)) {
    if (metadata.typeDefName(entry.row) == fullName) return entry.row;
  }
  return 0;
}

}  // namespace

/// Parts of Metadata: the tables and the indices over them, each built when first asked.
struct Metadata::Parts {
  Parts(MetadataTables metadataTables, std::shared_ptr<const void> bytesOwner)
      : tables(std::move(metadataTables)), owner(std::move(bytesOwner)) {}

  MetadataTables tables;
  std::shared_ptr<const void> owner;
  RowIndex nestedClasses{tables, TableId::NestedClass, columns::nestedClass::Nested};
  RowIndex genericParams{tables, TableId::GenericParam, columns::genericParam::Owner};
  RowIndex classLayouts{tables, TableId::ClassLayout, columns::classLayout::Parent};
  RowIndex fieldLayouts{tables, TableId::FieldLayout, columns::fieldLayout::Field};
  RowIndex fieldMarshals{tables, TableId::FieldMarshal, columns::fieldMarshal::Parent};
  RowIndex constants{tables, TableId::Constant, columns::constant::Parent};
  RowIndex customAttributes{tables, TableId::CustomAttribute, columns::customAttribute::Parent};
  RowIndex methodRuns{tables, TableId::TypeDef, columns::typeDef::MethodList};
  RowIndex fieldRuns{tables, TableId::TypeDef, columns::typeDef::FieldList};
  RowIndex fieldPointers{tables, TableId::FieldPtr, columns::pointer::Target};
  RowIndex methodPointers{tables, TableId::MethodPtr, columns::pointer::Target};
  NameIndex names;
};

Result<std::shared_ptr<const Metadata>> Metadata::parse(Bytes bytes, std::shared_ptr<const void> owner) {
  HEAPSCAPE_TRY(auto tables, MetadataTables::parse(bytes));
  auto parts = std::make_unique<const Parts>(std::move(tables), std::move(owner));
  return std::shared_ptr<const Metadata>(new Metadata(std::move(parts)));
}

Metadata::Metadata(std::unique_ptr<const Parts> parts) : m_parts(std::move(parts)) {}

Metadata::~Metadata() = default;

std::uint32_t Metadata::rowCount(TableId table) const {
  return m_parts->tables.rowCount(table);
}

std::optional<TypeDefRow> Metadata::typeDef(std::uint32_t row) const {
  namespace column = columns::typeDef;
  const auto read = m_parts->tables.row(TableId::TypeDef, row);
  if (!read) return std::nullopt;
  return TypeDefRow{.flags = read->value(column::Flags),
                    .name = read->text(column::Name),
                    .nameSpace = read->text(column::NameSpace),
                    .extends = read->token(column::Extends),
                    .firstField = read->value(column::FieldList),
                    .firstMethod = read->value(column::MethodList)};
}

std::optional<TypeRefRow> Metadata::typeRef(std::uint32_t row) const {
  namespace column = columns::typeRef;
  const auto read = m_parts->tables.row(TableId::TypeRef, row);
  if (!read) return std::nullopt;
  return TypeRefRow{.scope = read->token(column::ResolutionScope),
                    .name = read->text(column::Name),
                    .nameSpace = read->text(column::NameSpace)};
}

std::optional<FieldRow> Metadata::field(std::uint32_t row) const {
  namespace column = columns::field;
  const auto read = m_parts->tables.row(TableId::Field, row);
  if (!read) return std::nullopt;
  return FieldRow{.flags = read->value16(column::Flags),
                  .name = read->text(column::Name),
                  .signature = read->blob(column::Signature)};
}

std::optional<MethodDefRow> Metadata::methodDef(std::uint32_t row) const {
  namespace column = columns::methodDef;
  const auto read = m_parts->tables.row(TableId::MethodDef, row);
  if (!read) return std::nullopt;
  return MethodDefRow{.rva = read->value(column::Rva),
                      .implFlags = read->value16(column::ImplFlags),
                      .flags = read->value16(column::Flags),
                      .name = read->text(column::Name),
                      .signature = read->blob(column::Signature)};
}

std::optional<Bytes> Metadata::typeSpec(std::uint32_t row) const {
  const auto read = m_parts->tables.row(TableId::TypeSpec, row);
  if (!read) return std::nullopt;
  return read->blob(columns::typeSpec::Signature);
}

std::optional<Bytes> Metadata::standAloneSig(std::uint32_t row) const {
  const auto read = m_parts->tables.row(TableId::StandAloneSig, row);
  if (!read) return std::nullopt;
  return read->blob(columns::standAloneSig::Signature);
}

std::optional<MemberRefRow> Metadata::memberRef(std::uint32_t row) const {
  namespace column = columns::memberRef;
  const auto read = m_parts->tables.row(TableId::MemberRef, row);
  if (!read) return std::nullopt;
  return MemberRefRow{.parent = read->token(column::Parent),
                      .name = read->text(column::Name),
                      .signature = read->blob(column::Signature)};
}

std::optional<MethodSpecRow> Metadata::methodSpec(std::uint32_t row) const {
  namespace column = columns::methodSpec;
  const auto read = m_parts->tables.row(TableId::MethodSpec, row);
  if (!read) return std::nullopt;
  return MethodSpecRow{.method = read->token(column::Method), .instantiation = read->blob(column::Instantiation)};
}

std::string_view Metadata::moduleRefName(std::uint32_t row) const {
  const auto read = m_parts->tables.row(TableId::ModuleRef, row);
  return read ? read->text(columns::moduleRef::Name) : std::string_view{};
}

std::optional<Bytes> Metadata::userString(std::uint32_t offset) const {
  return m_parts->tables.userString(offset);
}

std::optional<ExportedTypeRow> Metadata::exportedType(std::uint32_t row) const {
  namespace column = columns::exportedType;
  const auto read = m_parts->tables.row(TableId::ExportedType, row);
  if (!read) return std::nullopt;
  return ExportedTypeRow{.name = read->text(column::Name),
                         .nameSpace = read->text(column::NameSpace),
                         .implementation = read->token(column::Implementation)};
}

std::optional<GenericParamRow> Metadata::genericParam(std::uint32_t row) const {
  namespace column = columns::genericParam;
  const auto read = m_parts->tables.row(TableId::GenericParam, row);
  if (!read) return std::nullopt;
  return GenericParamRow{
      .number = read->value16(column::Number), .owner = read->token(column::Owner), .name = read->text(column::Name)};
}

std::optional<AssemblyIdentity> Metadata::assembly() const {
  namespace column = columns::assembly;
  const auto read = m_parts->tables.row(TableId::Assembly, 1);
  if (!read) return std::nullopt;
  return AssemblyIdentity{.name = read->text(column::Name),
                          .version = {read->value16(column::Major), read->value16(column::Minor),
                                      read->value16(column::Build), read->value16(column::Revision)}};
}

std::optional<AssemblyIdentity> Metadata::assemblyRef(std::uint32_t row) const {
  namespace column = columns::assemblyRef;
  const auto read = m_parts->tables.row(TableId::AssemblyRef, row);
  if (!read) return std::nullopt;
  return AssemblyIdentity{.name = read->text(column::Name),
                          .version = {read->value16(column::Major), read->value16(column::Minor),
                                      read->value16(column::Build), read->value16(column::Revision)}};
}

std::optional<ClassLayoutRow> Metadata::classLayout(std::uint32_t typeDefRow) const {
  namespace column = columns::classLayout;
  const std::uint32_t row = m_parts->classLayouts.firstRowOf({TableId::TypeDef, typeDefRow});
  const auto read = m_parts->tables.row(TableId::ClassLayout, row);
  if (!read) return std::nullopt;
  return ClassLayoutRow{.packingSize = read->value16(column::PackingSize), .classSize = read->value(column::ClassSize)};
}

std::optional<std::uint32_t> Metadata::fieldOffset(std::uint32_t fieldRow) const {
  const std::uint32_t row = m_parts->fieldLayouts.firstRowOf({TableId::Field, fieldRow});
  const auto read = m_parts->tables.row(TableId::FieldLayout, row);
  if (!read) return std::nullopt;
  return read->value(columns::fieldLayout::Offset);
}

std::optional<std::uint8_t> Metadata::nativeTypeOf(std::uint32_t fieldRow) const {
  const std::uint32_t row = m_parts->fieldMarshals.firstRowOf({TableId::Field, fieldRow});
  const auto read = m_parts->tables.row(TableId::FieldMarshal, row);
  if (!read) return std::nullopt;
  const Bytes descriptor = read->blob(columns::fieldMarshal::NativeType);
  if (descriptor.empty()) return std::nullopt;
  return static_cast<std::uint8_t>(descriptor.front());
}

std::optional<ConstantRow> Metadata::constantOf(Token parent) const {
  namespace column = columns::constant;
  const auto read = m_parts->tables.row(TableId::Constant, m_parts->constants.firstRowOf(parent));
  if (!read) return std::nullopt;
  // The type has one byte; the other is padding.
  return ConstantRow{.elementType = static_cast<std::uint8_t>(read->value(column::Type)),
                     .value = read->blob(column::Value)};
}

std::string_view Metadata::moduleName() const {
  const auto read = m_parts->tables.row(TableId::Module, 1);
  return read ? read->text(columns::module::Name) : std::string_view{};
}

std::string Metadata::mvid() const {
  const auto module = m_parts->tables.row(TableId::Module, 1);
  if (!module) return {};
  return guidText(m_parts->tables.guid(module->value(columns::module::Mvid)));
}

std::pair<std::uint32_t, std::uint32_t> Metadata::fieldRowsOf(std::uint32_t typeDefRow) const {
  namespace column = columns::typeDef;
  const auto read = m_parts->tables.row(TableId::TypeDef, typeDefRow);
  if (!read) return {0, 0};
  const std::uint32_t end = rowCount(fieldsAreIndirect() ? TableId::FieldPtr : TableId::Field) + 1;
  const auto next = m_parts->tables.row(TableId::TypeDef, typeDefRow + 1);
  const std::uint32_t first = read->value(column::FieldList);
  const std::uint32_t last = next ? std::min(next->value(column::FieldList), end) : end;
  if (first == 0 || first >= last) return {0, 0};
  return {first, last};
}

std::uint32_t Metadata::fieldRowAt(std::uint32_t place) const {
  if (!fieldsAreIndirect()) return place <= rowCount(TableId::Field) ? place : 0;
  const auto read = m_parts->tables.row(TableId::FieldPtr, place);
  const std::uint32_t row = read ? read->value(columns::pointer::Target) : 0;
  return row <= rowCount(TableId::Field) ? row : 0;
}

std::vector<std::string_view> Metadata::genericParamNames(Token owner) const {
  std::vector<std::string_view> names;
  for (const RowIndex::Entry& entry : m_parts->genericParams.rowsOf(owner)) {
    const auto param = genericParam(entry.row);
    if (!param || param->number >= kLimits.typeArguments) continue;
    if (param->number >= names.size()) names.resize(param->number + std::size_t{1});
    names[param->number] = param->name;
  }
  return names;
}

namespace {

constexpr std::uint32_t kMostParameters = 0x10000;  // their numbers have 16 bits

/// Names of a type and of those it is nested in, collected from the inside out.
class NestedName {
 public:
  /// False if there are more levels than any real type has, as in a cycle.
  bool tryAdd(std::string_view name) {
    if (m_count == m_levels.size()) return false;
    m_levels[m_count++] = name;
    return true;
  }

  std::string join(std::string_view nameSpace) const {
    std::string joined(nameSpace);
    if (!joined.empty()) joined += '.';
    for (std::size_t level = m_count; level > 0; --level) {
      if (joined.size() + m_levels[level - 1].size() > kLimits.nameBytes) break;
      joined += m_levels[level - 1];
      if (level > 1) joined += '+';
    }
    return joined;
  }

 private:
  std::array<std::string_view, kLimits.nestingDepth> m_levels{};
  std::size_t m_count = 0;
};

std::string withNameSpace(std::string_view nameSpace, std::string_view name) {
  NestedName single;
  (void)single.tryAdd(name);
  return single.join(nameSpace);
}

}  // namespace

std::uint32_t Metadata::enclosingTypeDef(std::uint32_t typeDefRow) const {
  const std::uint32_t row = m_parts->nestedClasses.firstRowOf({TableId::TypeDef, typeDefRow});
  const auto read = m_parts->tables.row(TableId::NestedClass, row);
  if (!read) return 0;
  const std::uint32_t enclosing = read->value(columns::nestedClass::Enclosing);
  return enclosing <= rowCount(TableId::TypeDef) ? enclosing : 0;
}

std::string Metadata::typeDefName(std::uint32_t row) const {
  const auto own = typeDef(row);
  if (!own) return {};
  NestedName name;
  std::string_view nameSpace;
  for (std::uint32_t level = row; level != 0; level = enclosingTypeDef(level)) {
    const auto type = typeDef(level);
    if (!type || !name.tryAdd(type->name)) return withNameSpace(own->nameSpace, own->name);
    nameSpace = type->nameSpace;
  }
  return name.join(nameSpace);
}

std::string Metadata::typeRefName(std::uint32_t row) const {
  const auto own = typeRef(row);
  if (!own) return {};
  NestedName name;
  auto type = own;
  while (name.tryAdd(type->name)) {
    if (type->scope.table != TableId::TypeRef || type->scope.isNil()) return name.join(type->nameSpace);
    type = typeRef(type->scope.row);
    if (!type) break;
  }
  return withNameSpace(own->nameSpace, own->name);
}

std::string_view Metadata::parameterName(std::uint32_t methodRow, std::uint32_t number) const {
  const MetadataTables& tables = m_parts->tables;
  const auto method = tables.row(TableId::MethodDef, methodRow);
  if (!method) return {};
  const bool isIndirect = tables.rowCount(TableId::ParamPtr) != 0;
  const auto next = tables.row(TableId::MethodDef, methodRow + 1);
  const std::uint32_t count = tables.rowCount(isIndirect ? TableId::ParamPtr : TableId::Param);
  const std::uint32_t first = method->value(columns::methodDef::ParamList);
  const std::uint32_t end = next ? std::min(next->value(columns::methodDef::ParamList), count + 1) : count + 1;
  for (std::uint32_t place = first; place < end && place - first <= kMostParameters; ++place) {
    const auto pointer = isIndirect ? tables.row(TableId::ParamPtr, place) : std::nullopt;
    const auto param = tables.row(TableId::Param, pointer ? pointer->value(columns::pointer::Target) : place);
    if (param && param->value(columns::param::Sequence) == number) return param->text(columns::param::Name);
  }
  return {};
}

std::uint32_t Metadata::findTypeDef(std::string_view fullName) const {
  return fullName.empty() ? 0 : m_parts->names.find(*this, fullName);
}

namespace {

// No thing has more attributes than this; a cap on how many names one look-up may compare.
constexpr std::size_t kMaxAttributesOfOne = 4096;

// II.23.2.1: whether a constructor's first parameter is a string.
bool takesText(Bytes signature) {
  BoundedReader reader(signature);
  reader.skip(1);  // calling convention
  const auto parameterCount = readCompressed(reader);
  const auto returned = reader.read<ElementType>();
  const auto first = reader.read<ElementType>();
  if (reader.failed() || !parameterCount || *parameterCount == 0) return false;
  return returned == ElementType::Void && first == ElementType::String;
}

// II.23.3: the first fixed argument, a SerString.
std::optional<std::string> firstText(Bytes value) {
  constexpr std::uint16_t kProlog = 1;
  constexpr std::byte kNullText{0xff};
  BoundedReader reader(value);
  if (reader.read<std::uint16_t>() != kProlog || reader.atEnd()) return std::nullopt;
  if (value[reader.position()] == kNullText) return std::nullopt;
  const auto length = readCompressed(reader);
  const Bytes text = length ? reader.readBytes(*length) : Bytes{};
  if (!length || reader.failed() || text.size() > kLimits.nameBytes) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(text.data()), text.size());
}

}  // namespace

std::uint32_t Metadata::typeDefOfMethod(std::uint32_t methodRow) const {
  Token place{TableId::MethodDef, methodRow};
  // Lists of methods name rows of MethodPtr where there is one; the key stays a MethodDef by the column's schema.
  if (rowCount(TableId::MethodPtr) != 0) place.row = m_parts->methodPointers.firstRowOf(place);
  return place.isNil() ? 0 : m_parts->methodRuns.rowStartingAtOrBefore(place);
}

std::uint32_t Metadata::typeDefOfField(std::uint32_t fieldRow) const {
  Token place{TableId::Field, fieldRow};
  if (fieldsAreIndirect()) place.row = m_parts->fieldPointers.firstRowOf(place);
  return place.isNil() ? 0 : m_parts->fieldRuns.rowStartingAtOrBefore(place);
}

std::string Metadata::attributeTypeName(Token constructor) const {
  Token type;
  if (constructor.table == TableId::MethodDef) {
    type = {TableId::TypeDef, typeDefOfMethod(constructor.row)};
  } else if (const auto member = m_parts->tables.row(constructor.table, constructor.row)) {
    type = constructor.table == TableId::MemberRef ? member->token(columns::memberRef::Parent) : Token{};
  }
  if (type.table == TableId::TypeDef) return typeDefName(type.row);
  if (type.table == TableId::TypeRef) return typeRefName(type.row);
  return {};
}

std::uint32_t Metadata::findAttribute(Token parent, std::string_view attributeTypeName) const {
  if (parent == Token{TableId::Assembly, 1}) return findAssemblyAttribute(attributeTypeName);
  auto rows = m_parts->customAttributes.rowsOf(parent);
  rows = rows.first(std::min(rows.size(), kMaxAttributesOfOne));
  for (const RowIndex::Entry& entry : rows)
    if (isAttribute(entry.row, attributeTypeName)) return entry.row;
  return 0;
}

// All rows, since few ask for these, and everybody opens the assembly: an index takes ten times as long.
std::uint32_t Metadata::findAssemblyAttribute(std::string_view attributeTypeName) const {
  const std::uint32_t count = rowCount(TableId::CustomAttribute);
  std::size_t seen = 0;
  for (std::uint32_t row = 1; row <= count && seen < kMaxAttributesOfOne; ++row) {
    const auto attribute = m_parts->tables.row(TableId::CustomAttribute, row);
    if (!attribute || attribute->token(columns::customAttribute::Parent) != Token{TableId::Assembly, 1}) continue;
    ++seen;
    if (isAttribute(row, attributeTypeName)) return row;
  }
  return 0;
}

bool Metadata::isAttribute(std::uint32_t row, std::string_view attributeTypeName) const {
  const auto attribute = m_parts->tables.row(TableId::CustomAttribute, row);
  return attribute &&
         this->attributeTypeName(attribute->token(columns::customAttribute::Constructor)) == attributeTypeName;
}

std::optional<std::string> Metadata::assemblyAttributeText(std::string_view attributeTypeName) const {
  namespace column = columns::customAttribute;
  const std::uint32_t row = findAttribute({TableId::Assembly, 1}, attributeTypeName);
  const auto attribute = m_parts->tables.row(TableId::CustomAttribute, row);
  if (!attribute) return std::nullopt;
  const Token constructor = attribute->token(column::Constructor);
  const auto method = m_parts->tables.row(constructor.table, constructor.row);
  if (!method) return std::nullopt;
  std::uint8_t signatureColumn = columns::methodDef::Signature;
  if (constructor.table == TableId::MemberRef) signatureColumn = columns::memberRef::Signature;
  if (!takesText(method->blob(signatureColumn))) return std::nullopt;
  return firstText(attribute->blob(column::Value));
}

bool Metadata::hasAssemblyAttribute(std::string_view attributeTypeName) const {
  return findAttribute({TableId::Assembly, 1}, attributeTypeName) != 0;
}

std::optional<Bytes> Metadata::typeAttribute(std::uint32_t typeDefRow, std::string_view attributeTypeName) const {
  const std::uint32_t row = findAttribute({TableId::TypeDef, typeDefRow}, attributeTypeName);
  const auto attribute = m_parts->tables.row(TableId::CustomAttribute, row);
  if (!attribute) return std::nullopt;
  return attribute->blob(columns::customAttribute::Value);
}

}  // namespace heapscape::engine
