// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "layout/declared/declared_types.h"

namespace heapscape::engine {

/// What C# needs beyond a layout, from the metadata of one type: the words before a name, how types are written there,
/// accessors of properties. Where there is no metadata, everything is public and type arguments stand for parameters.
class CSharpSource {
 public:
  CSharpSource(DeclaredTypes& types, ClosedTypeId type, const TypeDeclaration& declaration);

  /// "public sealed " and the like.
  std::string typeModifiers() const;
  /// "CharSet.Unicode" where it is not the default; or empty.
  std::string charSet() const;
  /// "Node<T>".
  std::string typeName() const;
  /// "Entity<T>"; empty for Object.
  std::string baseName() const;
  /// The declaration of one field, or of the property or event that it belongs to, from its attribute on:
  /// "[FieldOffset(8)] public readonly int id;".
  std::string member(const FieldDeclaration& field) const;
  /// Whether the field is that of an automatic property.
  static bool isOfProperty(const FieldDeclaration& field);

 private:
  std::string fieldTypeName(const FieldDeclaration& field) const;
  std::string parameterName(std::uint32_t number) const;
  std::string fixedBuffer(const FieldDeclaration& field, std::string_view access) const;
  std::string property(const FieldDeclaration& field) const;
  std::string fieldModifiers(const FieldDeclaration& field) const;
  const MethodDefRow* method(const std::string& name) const;
  void indexMethods();

  DeclaredTypes& m_types;
  ClosedTypeId m_type;
  const TypeDeclaration& m_declaration;
  const Metadata* m_metadata;
  std::vector<std::string_view> m_parameterNames;  // of outer types, too
  std::unordered_map<std::string_view, MethodDefRow> m_methods;
};

}  // namespace heapscape::engine
