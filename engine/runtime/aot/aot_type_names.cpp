// SPDX-License-Identifier: MIT
#include "runtime/aot/aot_type_names.h"

#include <fmt/format.h>

#include "metadata/names/type_name.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kAotObjectOverhead = 2 * kPointerBytes;  // header and MethodTable pointer

}  // namespace

AotModules::AotModules(const AddressSpace& memory, const AotLayout& layout, std::span<const Address> typeManagers,
                       FindingList& findings) {
  for (const Address typeManager : typeManagers) {
    const auto missing = [&](const Error& error) {
      findings.add(FindingKind::MetadataMissing, typeManager,
                   fmt::format("The names of a compiled module's types are missing. {}", error.message()));
    };
    auto sections = AotSections::read(memory, typeManager);
    if (!sections) {
      missing(sections.error());
      continue;
    }
    const auto section = sections->find(AotSectionKind::EmbeddedMetadata);
    if (!section) continue;  // compiled without reflection
    auto metadata = AotMetadata::read(memory, layout, *section);
    if (!metadata) {
      missing(metadata.error());
      continue;
    }
    m_modules.push_back({typeManager, std::move(*sections), std::move(*metadata)});
    readTypeMap(memory, static_cast<std::uint32_t>(m_modules.size() - 1), findings);
  }
}

// Entries: the place of the MethodTable's relative pointer among the common fixups, and the metadata's handle.
void AotModules::readTypeMap(const AddressSpace& memory, std::uint32_t module, FindingList& findings) {
  const AotSections& sections = m_modules[module].sections;
  const auto section = sections.find(AotSectionKind::TypeMap);
  if (!section) return;
  const auto map = memory.view(*section);
  const AotFixups fixups(memory, sections);
  if (!map || !fixups.areThere()) {
    findings.add(FindingKind::MetadataMissing, section->start,
                 "What names the types of a compiled module is not in the dump.");
    return;
  }
  NativeHashtable table(map->bytes);
  bool isDamaged = false;
  while (const auto entry = table.next()) {
    NativeFormatReader reader(map->bytes, *entry);
    const Address methodTable = fixups.target(reader.readUnsigned());
    const AotHandle type = m_modules[module].metadata.handle(reader.readUnsigned());
    isDamaged = reader.failed() || !methodTable || m_definitions.size() >= kLimits.typesPerModule;
    if (isDamaged) break;
    const auto [known, isNew] = m_definitions.try_emplace(methodTable, Definition{module, type});
    // Where there is a definition it tells more than a reference, which was kept for stack traces.
    if (!isNew && known->second.type.kind != AotRecord::TypeDefinition) known->second = {module, type};
  }
  if (isDamaged || table.isDamaged()) {
    findings.add(FindingKind::RuntimeDataDamaged, section->start,
                 "A part of what names the types of a compiled module is damaged.");
  }
}

std::string AotModules::definitionName(Address methodTable) const {
  const auto found = m_definitions.find(methodTable);
  if (found == m_definitions.end()) return {};
  return m_modules[found->second.module].metadata.typeName(found->second.type);
}

std::vector<std::string> AotModules::typeParameters(Address methodTable) const {
  const auto found = m_definitions.find(methodTable);
  if (found == m_definitions.end()) return {};
  return m_modules[found->second.module].metadata.typeParameters(found->second.type);
}

std::optional<AotMetadata::Declared> AotModules::declared(Address methodTable) const {
  const auto found = m_definitions.find(methodTable);
  if (found == m_definitions.end()) return std::nullopt;
  return m_modules[found->second.module].metadata.declared(found->second.type);
}

std::optional<bool> AotModules::hasAttribute(Address methodTable, std::string_view fullName) const {
  const auto found = m_definitions.find(methodTable);
  if (found == m_definitions.end()) return std::nullopt;
  return m_modules[found->second.module].metadata.hasAttribute(found->second.type, fullName);
}

Address AotModules::methodTableNamed(std::string_view name) const {
  for (const auto& [methodTable, definition] : m_definitions) {
    if (m_modules[definition.module].metadata.typeName(definition.type) == name) return methodTable;
  }
  return {};
}

const std::string& AotTypeNames::nameOf(Address methodTable) const {
  {
    const std::shared_lock lock(m_mutex);
    if (const std::string* known = m_names.find(methodTable)) return *known;
  }
  const std::unique_lock lock(m_mutex);
  return nameOfNested(methodTable, 0);
}

std::size_t AotTypeNames::cutNames() const {
  const std::shared_lock lock(m_mutex);
  return m_names.cutNames();
}

const std::string& AotTypeNames::nameOfNested(Address methodTable, std::size_t depth) const {
  if (!methodTable || depth > kLimits.nestingDepth) return m_names.unknown(methodTable);
  if (const std::string* known = m_names.find(methodTable)) return *known;
  std::string name = m_modules.definitionName(methodTable);
  if (name.empty())
    name = composedName(methodTable, depth);
  else if (name.find('`') != std::string::npos)
    name = withTypeArguments(name, m_modules.typeParameters(methodTable));
  if (name.empty()) name = unknownTypeName(methodTable);
  return m_names.keep(methodTable, std::move(name));
}

std::string AotTypeNames::composedName(Address methodTable, std::size_t depth) const {
  const auto type = m_methodTables.read(methodTable);
  if (!type) return {};
  if (type->isStaticsBase && type->baseSize >= kAotObjectOverhead)
    return fmt::format("<static fields of {} bytes>", type->baseSize - kAotObjectOverhead);
  if (type->isGenericInstance) return instanceName(*type, depth);
  if (type->kind == AotTypeKind::FunctionPointer) return functionPointerName(*type, depth);
  if (type->kind != AotTypeKind::Parameterised) return {};
  const std::string of = nameOfNested(type->parameter, depth + 1);
  switch (type->elementType) {
    case ElementType::SzArray:
      return of + "[]";
    case ElementType::Array:
      return of + arraySuffix(type->arrayRank);
    case ElementType::Ptr:
      return of + "*";
    case ElementType::ByRef:
      return of + "&";
    default:
      return {};
  }
}

std::string AotTypeNames::instanceName(const AotMethodTable& type, std::size_t depth) const {
  const auto definition = m_methodTables.genericDefinition(type);
  const auto arguments = m_methodTables.typeArguments(type);
  if (!definition || !arguments) return {};
  std::vector<std::string> names;
  names.reserve(arguments->size());
  for (const Address argument : *arguments) names.push_back(nameOfNested(argument, depth + 1));
  const std::string name = m_modules.definitionName(*definition);
  return withTypeArguments(name.empty() ? unknownTypeName(*definition) : name, names);
}

std::string AotTypeNames::functionPointerName(const AotMethodTable& type, std::size_t depth) const {
  const auto parameters = m_methodTables.functionParameters(type);
  if (!parameters) return {};
  std::string name = nameOfNested(type.parameter, depth + 1) + " (";
  for (std::size_t i = 0; i < parameters->size(); ++i)
    name += (i > 0 ? ", " : "") + nameOfNested((*parameters)[i], depth + 1);
  return name + ")";
}

}  // namespace heapscape::engine
