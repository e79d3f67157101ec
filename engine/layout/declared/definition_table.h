// SPDX-License-Identifier: MIT
#pragma once

#include <unordered_map>

#include "layout/declared/definition_resolver.h"

namespace heapscape::engine {

/// What definitions are: classes, structs, enums, the framework's special types.
class DefinitionTable {
 public:
  DefinitionTable(AssemblyList& assemblies, DefinitionResolver& resolver)
      : m_assemblies(assemblies), m_resolver(resolver) {}

  /// Fails with Damaged if there is no such row.
  Result<DefinitionFacts> factsOf(TypeDefinition definition);

 private:
  Result<DefinitionFacts> read(TypeDefinition definition);
  bool derivesFrom(TypeDefinition definition, const TypeDefRow& row, std::string_view nameSpace, std::string_view name);
  ElementType underlyingOf(TypeDefinition definition) const;

  AssemblyList& m_assemblies;
  DefinitionResolver& m_resolver;
  std::unordered_map<std::uint64_t, DefinitionFacts> m_facts;
};

}  // namespace heapscape::engine
