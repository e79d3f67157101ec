// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "layout/declared/assembly_list.h"
#include "layout/declared/declared_types.h"

namespace heapscape::engine {

/// A row of an assembly's TypeDef table.
struct TypeDefinition {
  AssemblyId assembly;
  std::uint32_t row = 0;

  constexpr bool operator==(const TypeDefinition&) const = default;
  constexpr std::uint64_t key() const { return std::uint64_t{assembly.value} << 32 | row; }
};

/// By metadata's full name of a type of the core library.
WellKnownType wellKnownNamed(std::string_view fullName);

/// Facts of a definition, whatever its type arguments.
struct DefinitionFacts {
  TypeKind kind = TypeKind::Class;
  WellKnownType wellKnown = WellKnownType::None;
  /// How a closed type of it is marked: Class, ValueType, a primitive, Void or TypedByRef.
  ElementType element = ElementType::Class;
  ElementType underlying = ElementType::End;  // of an enum; End if it has no field
  std::uint32_t parameterCount = 0;           // type parameters, those of outer types included

  bool isValueType() const { return element != ElementType::Class; }
};

/// Finds the definitions that references mean, through assemblies and type forwarders.
class DefinitionResolver {
 public:
  explicit DefinitionResolver(AssemblyList& assemblies) : m_assemblies(assemblies) {}

  /// The definition that a TypeDef or TypeRef token means. Fails with NotFound or Damaged.
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

/// Kinds of definitions: classes, structs, enums, the framework's special types.
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
