// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "layout/declared/assembly_list.h"
#include "layout/declared/type_definition.h"

namespace heapscape::engine {

/// Finds the definitions that references mean, through assemblies and type forwarders.
class DefinitionResolver {
 public:
  explicit DefinitionResolver(AssemblyList& assemblies) : m_assemblies(assemblies) {}

  /// Of a TypeDef or TypeRef token. Fails with NotFound or Damaged.
  Result<TypeDefinition> definitionOf(AssemblyId assembly, Token token);
  /// By metadata's full name, defined in the assembly or forwarded by it.
  Result<TypeDefinition> findNamed(AssemblyId assembly, std::string_view fullName);

 private:
  using Forwarders = std::unordered_map<std::string, std::uint32_t>;  // full name to AssemblyRef row

  Result<TypeDefinition> resolveReference(AssemblyId assembly, std::uint32_t typeRefRow);
  Result<Token> outermostScope(const Metadata& metadata, std::uint32_t typeRefRow) const;
  Result<TypeDefinition> findIn(std::string_view assemblyName, AssemblyId from, std::string_view fullName);
  const Forwarders& forwardersOf(AssemblyId assembly);

  AssemblyList& m_assemblies;
  std::unordered_map<std::uint64_t, TypeDefinition> m_references;  // by assembly and TypeRef row
  std::unordered_map<AssemblyId, Forwarders> m_forwarders;
};

}  // namespace heapscape::engine
