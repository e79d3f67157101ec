// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <unordered_map>

#include "layout/declared/type_closer.h"
#include "metadata/names/parsed_type_name.h"

namespace heapscape::engine {

/// Finds closed types by name.
class NamedTypeFinder {
 public:
  NamedTypeFinder(AssemblyList& assemblies, DefinitionResolver& resolver, DefinitionTable& definitions,
                  TypeCloser& closer)
      : m_assemblies(assemblies), m_resolver(resolver), m_definitions(definitions), m_closer(closer) {}

  /// Fails as MetadataTypes::parse does.
  Result<ClosedTypeId> find(AssemblyId home, std::string_view name);

 private:
  Result<ClosedTypeId> close(AssemblyId home, const ParsedTypeName& name);
  Result<ClosedTypeId> closeDefinition(AssemblyId home, const ParsedTypeName& name);
  Result<TypeDefinition> findDefinition(AssemblyId home, const ParsedTypeName& name);
  std::optional<TypeDefinition> findAnywhere(AssemblyId home, const std::string& fullName);
  std::optional<TypeDefinition> findInOtherForm(AssemblyId home, std::string fullName);

  AssemblyList& m_assemblies;
  DefinitionResolver& m_resolver;
  DefinitionTable& m_definitions;
  TypeCloser& m_closer;
  std::unordered_map<std::string, TypeDefinition> m_found;  // by home and name
};

}  // namespace heapscape::engine
