// SPDX-License-Identifier: MIT
#pragma once

#include "layout/declared/type_closer.h"

namespace heapscape::engine {

/// Reads what a type declares, type parameters replaced by its arguments. Fails as DeclaredTypes::declarationOf does.
class DeclarationReader {
 public:
  DeclarationReader(AssemblyList& assemblies, DefinitionTable& definitions, TypeCloser& closer,
                    const ClosedTypeTable& types)
      : m_assemblies(assemblies), m_definitions(definitions), m_closer(closer), m_types(types) {}

  Result<TypeDeclaration> read(const ClosedType& type);

 private:
  Result<ClosedTypeId> readBase(const ClosedType& type, Token extends);
  Result<void> countField(const FieldRow& field);
  Result<void> readFields(const ClosedType& type, std::uint32_t typeAttributes, TypeDeclaration& declaration);
  Result<void> readFieldType(const ClosedType& type, const SignatureType& signature, FieldDeclaration& field);
  Result<ElementType> elementOf(ClosedTypeId type);
  bool isGeneric(const Metadata& metadata, std::uint32_t typeDefRow) const;

  AssemblyList& m_assemblies;
  DefinitionTable& m_definitions;
  TypeCloser& m_closer;
  const ClosedTypeTable& m_types;
  std::size_t m_bytesRead = 0;  // see Limits::declarationBytes
};

}  // namespace heapscape::engine
