// SPDX-License-Identifier: MIT
#include "layout/declared/definition_table.h"

#include <fmt/format.h>
#include <array>
#include <utility>

#include "base/limits.h"
#include "layout/declared/metadata_flags.h"

namespace heapscape::engine {
namespace {

// Forwarders of forwarders occur (netstandard → System.Runtime → System.Private.CoreLib); a longer chain is damage.
constexpr std::size_t kMaximumForwards = 8;
constexpr std::uint32_t kVisibilityMask = 0x07;  // TypeAttributes, ECMA-335 II.23.1.15
constexpr std::uint32_t kPublic = 0x01;

tl::unexpected<Error> noSuchType(const AssemblySource& assembly, std::string_view fullName) {
  return failure(ErrorCode::NotFound, fmt::format("The assembly {} has no type {}.", assembly.name, fullName),
                 "It may be of another version than the one that was referenced.");
}

std::string withNameSpace(std::string_view nameSpace, std::string_view name) {
  return nameSpace.empty() ? std::string(name) : fmt::format("{}.{}", nameSpace, name);
}

std::string_view outermostName(std::string_view fullName) {
  return fullName.substr(0, fullName.find('+'));
}

}  // namespace

Result<TypeDefinition> DefinitionResolver::definitionOf(AssemblyId assembly, Token token) {
  const Metadata& metadata = m_assemblies.metadata(assembly);
  if (token.table == TableId::TypeDef && !token.isNil() && token.row <= metadata.rowCount(TableId::TypeDef)) {
    return TypeDefinition{assembly, token.row};
  }
  if (token.table != TableId::TypeRef || token.isNil() || token.row > metadata.rowCount(TableId::TypeRef)) {
    return failure(ErrorCode::Damaged, fmt::format("{} names a type by a token that cannot name one ({:#010x}).",
                                                   m_assemblies.at(assembly).name, token.value()));
  }
  const std::uint64_t key = TypeDefinition{assembly, token.row}.key();
  if (const auto known = m_references.find(key); known != m_references.end()) return known->second;
  HEAPSCAPE_TRY(const TypeDefinition definition, resolveReference(assembly, token.row));
  m_references.emplace(key, definition);
  return definition;
}

Result<Token> DefinitionResolver::outermostScope(const Metadata& metadata, std::uint32_t typeRefRow) const {
  for (std::size_t depth = 0; depth < kLimits.nestingDepth; ++depth) {
    const auto reference = metadata.typeRef(typeRefRow);
    if (!reference) break;
    if (reference->scope.table != TableId::TypeRef || reference->scope.isNil()) return reference->scope;
    typeRefRow = reference->scope.row;
  }
  return failure(ErrorCode::Damaged, "A reference to a nested type leads nowhere.");
}

Result<TypeDefinition> DefinitionResolver::resolveReference(AssemblyId assembly, std::uint32_t typeRefRow) {
  const Metadata& metadata = m_assemblies.metadata(assembly);
  HEAPSCAPE_TRY(const Token scope, outermostScope(metadata, typeRefRow));
  const std::string fullName = metadata.typeRefName(typeRefRow);
  // All modules of an assembly are one file on .NET Core; a nil scope means an exported type of the own assembly.
  if (scope.table != TableId::AssemblyRef || scope.isNil()) return findNamed(assembly, fullName);
  const auto target = metadata.assemblyRef(scope.row);
  if (!target) return failure(ErrorCode::Damaged, "A type is referenced in an assembly that is not named.");
  return findIn(target->name, assembly, fullName);
}

Result<TypeDefinition> DefinitionResolver::findIn(std::string_view assemblyName, AssemblyId from,
                                                  std::string_view fullName) {
  const auto assembly = m_assemblies.findFrom(from, assemblyName);
  if (assembly) return findNamed(*assembly, fullName);
  // A façade that is not there forwards to CoreLib more often than not; a public type of that name can be no other.
  const bool isFacade = assemblyName.starts_with("System.") || assemblyName == "netstandard" ||
                        assemblyName == "mscorlib" || assemblyName == "System";
  if (isFacade) {
    const auto core = m_assemblies.coreLibrary();
    const std::uint32_t row = core ? m_assemblies.metadata(*core).findTypeDef(fullName) : 0;
    const auto outermost =
        row ? m_assemblies.metadata(*core).typeDef(m_assemblies.metadata(*core).findTypeDef(outermostName(fullName)))
            : std::nullopt;
    if (outermost && (outermost->flags & kVisibilityMask) == kPublic) return TypeDefinition{*core, row};
  }
  return m_assemblies.reportMissing(assemblyName, assembly.error());
}

Result<TypeDefinition> DefinitionResolver::findNamed(AssemblyId assembly, std::string_view fullName) {
  const std::string outermost(outermostName(fullName));
  for (std::size_t forwards = 0; forwards <= kMaximumForwards; ++forwards) {
    const Metadata& metadata = m_assemblies.metadata(assembly);
    if (const std::uint32_t row = metadata.findTypeDef(fullName)) return TypeDefinition{assembly, row};
    const Forwarders& forwarders = forwardersOf(assembly);
    const auto forwarder = forwarders.find(outermost);
    if (forwarder == forwarders.end()) return noSuchType(m_assemblies.at(assembly), fullName);
    const auto target = metadata.assemblyRef(forwarder->second);
    if (!target) return failure(ErrorCode::Damaged, "A type is forwarded to an assembly that is not named.");
    const auto next = m_assemblies.findFrom(assembly, target->name);
    if (!next) return m_assemblies.reportMissing(target->name, next.error());
    assembly = *next;
  }
  return failure(ErrorCode::Damaged, fmt::format("The type {} is forwarded in a circle.", fullName));
}

const DefinitionResolver::Forwarders& DefinitionResolver::forwardersOf(AssemblyId assembly) {
  const auto known = m_forwarders.find(assembly);
  if (known != m_forwarders.end()) return known->second;
  Forwarders forwarders;
  const Metadata& metadata = m_assemblies.metadata(assembly);
  const std::uint32_t rows = metadata.rowCount(TableId::ExportedType);
  for (std::uint32_t row = 1; row <= rows; ++row) {
    const auto exported = metadata.exportedType(row);
    // Nested types go where the type around them goes.
    if (!exported || exported->implementation.table != TableId::AssemblyRef) continue;
    if (exported->name.size() + exported->nameSpace.size() > kLimits.nameBytes) continue;
    forwarders.emplace(withNameSpace(exported->nameSpace, exported->name), exported->implementation.row);
  }
  return m_forwarders.emplace(assembly, std::move(forwarders)).first->second;
}

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

ElementType primitiveNamed(std::string_view fullName) {
  for (const ElementType element : kPrimitives) {
    if (primitiveName(element) == fullName) return element;
  }
  return ElementType::ValueType;
}

}  // namespace

WellKnownType wellKnownNamed(std::string_view fullName) {
  for (const auto& [name, type] : kWellKnown) {
    if (name == fullName) return type;
  }
  return WellKnownType::None;
}

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
