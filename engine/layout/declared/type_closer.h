// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "layout/declared/declared_types.h"
#include "layout/declared/definition_table.h"

namespace heapscape::engine {

/// Gives every closed type its number.
class ClosedTypeTable {
 public:
  /// The type's number, a new one if it has not been met. Fails with Damaged where types are nested deeper, or are
  /// more, than any program has: crafted generics expand without end.
  Result<ClosedTypeId> intern(ClosedType type);
  const ClosedType& at(ClosedTypeId id) const { return m_types[id.value]; }
  std::size_t size() const { return m_types.size(); }

 private:
  std::size_t depthOf(const ClosedType& type) const;

  std::deque<ClosedType> m_types;  // references to them stay valid
  std::vector<std::uint8_t> m_depths;
  std::unordered_multimap<std::size_t, ClosedTypeId> m_byHash;
};

/// Makes closed types of definitions and of signatures.
class TypeCloser {
 public:
  TypeCloser(AssemblyList& assemblies, DefinitionResolver& resolver, DefinitionTable& definitions,
             ClosedTypeTable& types)
      : m_assemblies(assemblies), m_resolver(resolver), m_definitions(definitions), m_types(types) {}

  /// Fails with BadQuery where the number of arguments is not the definition's.
  Result<ClosedTypeId> instantiate(TypeDefinition definition, std::span<const ClosedTypeId> arguments);
  Result<ClosedTypeId> arrayOf(ClosedTypeId element, std::uint32_t rank, bool isSzArray);
  /// Ptr or ByRef.
  Result<ClosedTypeId> pointerTo(ClosedTypeId target, ElementType kind);
  /// `parts`: what it returns, then its parameters.
  Result<ClosedTypeId> functionPointer(std::vector<ClosedTypeId> parts);
  /// Also String and Object, which are classes.
  Result<ClosedTypeId> primitive(ElementType element);
  Result<ClosedTypeId> close(AssemblyId assembly, const SignatureType& signature,
                             std::span<const ClosedTypeId> arguments);

 private:
  Result<std::vector<ClosedTypeId>> closeParts(AssemblyId assembly, const SignatureType& signature,
                                               std::span<const ClosedTypeId> arguments);

  AssemblyList& m_assemblies;
  DefinitionResolver& m_resolver;
  DefinitionTable& m_definitions;
  ClosedTypeTable& m_types;
  std::map<ElementType, ClosedTypeId> m_primitives;
};

}  // namespace heapscape::engine
