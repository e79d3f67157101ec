// SPDX-License-Identifier: MIT
#include "layout/declared/finders/named_type_finder.h"

#include <fmt/format.h>

#include <algorithm>

namespace heapscape::engine {

Result<ClosedTypeId> NamedTypeFinder::find(AssemblyId home, std::string_view name) {
  // Obfuscated and hand-made names may look like anything.
  if (const std::uint32_t row = m_assemblies.metadata(home).findTypeDef(name)) {
    HEAPSCAPE_TRY(const DefinitionFacts facts, m_definitions.factsOf({home, row}));
    if (facts.parameterCount == 0) return m_closer.instantiate({home, row}, {});
  }
  HEAPSCAPE_TRY(const ParsedTypeName parsed, parseTypeName(name));
  return close(home, parsed);
}

// Recursion ends with the name, whose nesting is bounded where it is parsed.
Result<ClosedTypeId> NamedTypeFinder::close(AssemblyId home, const ParsedTypeName& name) {
  HEAPSCAPE_TRY(ClosedTypeId type, closeDefinition(home, name));
  for (const ParsedTypeName::Suffix& suffix : name.suffixes) {
    const bool isArray = suffix.element == ElementType::SzArray || suffix.element == ElementType::Array;
    HEAPSCAPE_TRY(type, isArray ? m_closer.arrayOf(type, suffix.rank, suffix.element == ElementType::SzArray)
                                : m_closer.pointerTo(type, suffix.element));
  }
  return type;
}

Result<ClosedTypeId> NamedTypeFinder::closeDefinition(AssemblyId home, const ParsedTypeName& name) {
  std::vector<ClosedTypeId> arguments;
  arguments.reserve(name.arguments.size());
  for (const ParsedTypeName& argument : name.arguments) {
    HEAPSCAPE_TRY(const ClosedTypeId closed, close(home, argument));
    arguments.push_back(closed);
  }
  if (name.isFunctionPointer) return m_closer.functionPointer(std::move(arguments));
  HEAPSCAPE_TRY(const TypeDefinition definition, findDefinition(home, name));
  return m_closer.instantiate(definition, arguments);
}

Result<TypeDefinition> NamedTypeFinder::findDefinition(AssemblyId home, const ParsedTypeName& name) {
  const std::string key = fmt::format("{}:{}", home.value, name.definition);
  if (const auto known = m_found.find(key); known != m_found.end()) return known->second;
  auto found = findAnywhere(home, name.definition);
  if (!found && name.writtenDefinition != name.definition) found = findAnywhere(home, name.writtenDefinition);
  if (!found) found = findInOtherForm(home, name.definition);
  if (!found) {
    return failure(ErrorCode::NotFound, fmt::format("There is no type {} in {}, nor in what it references.",
                                                    name.definition, m_assemblies.at(home).name));
  }
  m_found.emplace(key, *found);
  return *found;
}

namespace {

/// Without namespaces, and with "." before a nested type, as C# has it: "List`1" is
/// "System.Collections.Generic.List`1", "Shop.Order.Line" is "Shop.Order+Line". 0 if none is named so.
std::uint32_t definitionInOtherForm(const Metadata& metadata, std::string_view wanted) {
  for (std::uint32_t row = 1; row <= metadata.rowCount(TableId::TypeDef); ++row) {
    std::string name = metadata.typeDefName(row);
    std::ranges::replace(name, '+', '.');
    const bool isEnd = name.size() > wanted.size() && name[name.size() - wanted.size() - 1] == '.';
    if (name.ends_with(wanted) && (isEnd || name.size() == wanted.size())) return row;
  }
  return 0;
}

}  // namespace

// In the assembly itself, then in those that it references, then in the framework's own.
std::optional<TypeDefinition> NamedTypeFinder::findInOtherForm(AssemblyId home, std::string fullName) {
  std::ranges::replace(fullName, '+', '.');
  const auto findIn = [&](AssemblyId assembly) -> std::optional<TypeDefinition> {
    const std::uint32_t row = definitionInOtherForm(m_assemblies.metadata(assembly), fullName);
    return row ? std::optional(TypeDefinition{assembly, row}) : std::nullopt;
  };
  if (const auto found = findIn(home)) return found;
  const Metadata& metadata = m_assemblies.metadata(home);
  for (std::uint32_t row = 1; row <= metadata.rowCount(TableId::AssemblyRef); ++row) {
    const auto reference = metadata.assemblyRef(row);
    const auto assembly = reference ? m_assemblies.findFrom(home, reference->name) : failure(ErrorCode::NotFound, {});
    if (!assembly) continue;
    if (const auto found = findIn(*assembly)) return found;
  }
  const auto core = m_assemblies.coreLibrary();
  return core ? findIn(*core) : std::nullopt;
}

std::optional<TypeDefinition> NamedTypeFinder::findAnywhere(AssemblyId home, const std::string& fullName) {
  const auto findIn = [&](const Result<AssemblyId>& assembly) -> std::optional<TypeDefinition> {
    const auto found = assembly ? m_resolver.findNamed(*assembly, fullName) : failure(ErrorCode::NotFound, {});
    return found ? std::optional(*found) : std::nullopt;
  };
  if (const auto found = findIn(home)) return found;
  const Metadata& metadata = m_assemblies.metadata(home);
  for (std::uint32_t row = 1; row <= metadata.rowCount(TableId::AssemblyRef); ++row) {
    const auto reference = metadata.assemblyRef(row);
    if (!reference) continue;
    if (const auto found = findIn(m_assemblies.findFrom(home, reference->name))) return found;
  }
  if (const auto found = findIn(m_assemblies.coreLibrary())) return found;
  for (std::uint32_t assembly = 0; assembly < m_assemblies.size(); ++assembly) {
    if (const auto found = findIn(AssemblyId{assembly})) return found;
  }
  return std::nullopt;
}

}  // namespace heapscape::engine
