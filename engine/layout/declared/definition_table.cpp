// SPDX-License-Identifier: MIT
#include "layout/declared/definition_table.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "layout/declared/metadata_flags.h"

namespace heapscape::engine {
namespace {

constexpr std::array kPrimitives = {
    ElementType::Void, ElementType::Boolean, ElementType::Char, ElementType::I1,
    ElementType::U1,   ElementType::I2,      ElementType::U2,   ElementType::I4,
    ElementType::U4,   ElementType::I8,      ElementType::U8,   ElementType::R4,
    ElementType::R8,   ElementType::I,       ElementType::U,    ElementType::TypedByRef};

constexpr std::array<std::pair<std::string_view, WellKnownType>, 12> kWellKnown = {{
    {"System.Object", WellKnownType::Object},
    {"System.ValueType", WellKnownType::ValueType},
    {"System.Enum", WellKnownType::Enum},
    {"System.String", WellKnownType::String},
    {"System.Decimal", WellKnownType::Decimal},
    {"System.Int128", WellKnownType::Int128},
    {"System.UInt128", WellKnownType::Int128},
    {"System.Runtime.Intrinsics.Vector64`1", WellKnownType::Vector64},
    {"System.Runtime.Intrinsics.Vector128`1", WellKnownType::Vector128},
    {"System.Runtime.Intrinsics.Vector256`1", WellKnownType::Vector256},
    {"System.Runtime.Intrinsics.Vector512`1", WellKnownType::Vector512},
    {"System.Numerics.Vector`1", WellKnownType::VectorOfT},
}};

WellKnownType wellKnownNamed(std::string_view fullName) {
  for (const auto& [name, type] : kWellKnown) {
    if (name == fullName) return type;
  }
  return WellKnownType::None;
}

ElementType primitiveNamed(std::string_view fullName) {
  for (const ElementType element : kPrimitives) {
    if (primitiveName(element) == fullName) return element;
  }
  return ElementType::ValueType;
}

}  // namespace

Result<DefinitionFacts> DefinitionTable::factsOf(TypeDefinition definition) {
  const auto known = m_facts.find(definition.key());
  if (known != m_facts.end()) return known->second;
  HEAPSCAPE_TRY(const DefinitionFacts facts, read(definition));
  m_facts.emplace(definition.key(), facts);
  return facts;
}

// The runtime asks whether the base is CoreLib's; where CoreLib cannot be found its name has to do.
bool DefinitionTable::derivesFrom(TypeDefinition definition, const TypeDefRow& row, std::string_view nameSpace,
                                  std::string_view name) {
  const Metadata& metadata = m_assemblies.metadata(definition.assembly);
  if (row.extends.table == TableId::TypeDef) {
    const auto base = metadata.typeDef(row.extends.row);
    return m_assemblies.isCoreLibrary(definition.assembly) && base && base->name == name &&
           base->nameSpace == nameSpace;
  }
  if (row.extends.table != TableId::TypeRef) return false;
  const auto base = metadata.typeRef(row.extends.row);
  if (!base || base->name != name || base->nameSpace != nameSpace) return false;
  const auto resolved = m_resolver.definitionOf(definition.assembly, row.extends);
  return !resolved || m_assemblies.isCoreLibrary(resolved->assembly);
}

ElementType DefinitionTable::underlyingOf(TypeDefinition definition) const {
  const Metadata& metadata = m_assemblies.metadata(definition.assembly);
  const auto [first, last] = metadata.fieldRowsOf(definition.row);
  for (std::uint32_t place = first; place < last; ++place) {
    const auto field = metadata.field(metadata.fieldRowAt(place));
    if (!field || !isInstanceField(*field)) continue;
    const auto signature = decodeFieldSignature(field->signature);
    return signature && primitiveSize(signature->element) != 0 && signature->parts.empty() ? signature->element
                                                                                           : ElementType::End;
  }
  return ElementType::End;
}

Result<DefinitionFacts> DefinitionTable::read(TypeDefinition definition) {
  const Metadata& metadata = m_assemblies.metadata(definition.assembly);
  const auto row = metadata.typeDef(definition.row);
  if (!row) {
    return failure(ErrorCode::Damaged, fmt::format("{} has no type definition {}.",
                                                   m_assemblies.at(definition.assembly).name, definition.row));
  }
  DefinitionFacts facts;
  facts.parameterCount =
      static_cast<std::uint32_t>(metadata.genericParamNames({TableId::TypeDef, definition.row}).size());
  const bool isOfCoreLibrary = m_assemblies.isCoreLibrary(definition.assembly);
  if (isOfCoreLibrary) facts.wellKnown = wellKnownNamed(metadata.typeDefName(definition.row));
  if (row->flags & typeFlags::kInterface) {
    facts.kind = TypeKind::Interface;
  } else if (facts.wellKnown == WellKnownType::String) {
    facts.kind = TypeKind::String;
  } else if (derivesFrom(definition, *row, "System", "Enum")) {
    facts.kind = TypeKind::Enum;
    facts.element = ElementType::ValueType;
    facts.underlying = underlyingOf(definition);
  } else if (facts.wellKnown != WellKnownType::Enum && derivesFrom(definition, *row, "System", "ValueType")) {
    facts.kind = TypeKind::Struct;
    facts.element = isOfCoreLibrary ? primitiveNamed(metadata.typeDefName(definition.row)) : ElementType::ValueType;
  } else if (derivesFrom(definition, *row, "System", "MulticastDelegate")) {
    facts.kind = TypeKind::Delegate;
  }
  return facts;
}

}  // namespace heapscape::engine
