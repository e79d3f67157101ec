// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "layout/declared/declared_types.h"

namespace heapscape::engine {

/// How a declaration would be written otherwise. What is empty stays as declared.
struct DeclarationChange {
  std::optional<LayoutKind> layoutKind;
  std::optional<std::uint32_t> pack;
  std::optional<std::uint32_t> size;
  std::vector<std::uint32_t> order;            // indices of the fields as declared, in their new order; others are gone
  std::vector<std::uint32_t> explicitOffsets;  // by the new order, for LayoutKind::Explicit
  std::map<std::uint32_t, ElementType> types;  // primitives that fields become, by their indices as declared
};

/// Types as they are, but for some whose declaration is changed.
class ChangedTypes : public DeclaredTypes {
 public:
  ChangedTypes(DeclaredTypes& types, std::map<ClosedTypeId, DeclarationChange> changes);

  std::vector<ClosedTypeId> changed() const;

  const ClosedType& type(ClosedTypeId id) const override { return m_types.type(id); }
  Result<const TypeDeclaration*> declarationOf(ClosedTypeId id) override;
  const std::string& nameOf(ClosedTypeId id) override { return m_types.nameOf(id); }
  std::string fieldTypeName(ClosedTypeId owner, const FieldDeclaration& field) override {
    return field.isRetyped ? std::string(primitiveName(field.element)) : m_types.fieldTypeName(owner, field);
  }
  const std::string& assemblyName(AssemblyId assembly) const override { return m_types.assemblyName(assembly); }
  bool sharesVersionBubble(AssemblyId assembly, AssemblyId other) const override {
    return m_types.sharesVersionBubble(assembly, other);
  }
  bool isReadyToRun(AssemblyId assembly) const override { return m_types.isReadyToRun(assembly); }
  const Metadata* metadataOf(AssemblyId assembly) const override { return m_types.metadataOf(assembly); }

 private:
  DeclaredTypes& m_types;
  std::map<ClosedTypeId, DeclarationChange> m_changes;
  std::map<ClosedTypeId, TypeDeclaration> m_declarations;  // changed, made when first asked for
};

/// The change that makes a type follow a rule set: Declared none, Auto and Sequential their kind.
DeclarationChange changeFor(LayoutKind kind);

}  // namespace heapscape::engine
