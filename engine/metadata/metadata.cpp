// SPDX-License-Identifier: MIT
#include "metadata/metadata.h"

#include <algorithm>

#include "base/limits.h"
#include "metadata/metadata_parts.h"
#include "metadata/names/guid_text.h"

namespace heapscape::engine {

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

}  // namespace heapscape::engine
