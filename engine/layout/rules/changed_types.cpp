// SPDX-License-Identifier: MIT
#include "layout/rules/changed_types.h"

#include <utility>

namespace heapscape::engine {
namespace {

TypeDeclaration apply(const DeclarationChange& change, TypeDeclaration declaration) {
  if (change.layoutKind) declaration.layoutKind = *change.layoutKind;
  if (change.pack) declaration.pack = *change.pack;
  if (change.size) declaration.size = *change.size;
  for (const auto& [index, element] : change.types) {
    FieldDeclaration& field = declaration.fields.at(index);
    field.element = element;
    field.type = {};
    field.nativeType.reset();
    field.isRetyped = true;
  }
  if (!change.order.empty()) {
    std::vector<FieldDeclaration> ordered;
    ordered.reserve(change.order.size());
    for (const std::uint32_t index : change.order) ordered.push_back(declaration.fields.at(index));
    declaration.fields = std::move(ordered);
  }
  if (declaration.layoutKind != LayoutKind::Explicit) {
    for (FieldDeclaration& field : declaration.fields) field.explicitOffset.reset();
  }
  for (std::size_t i = 0; i < change.explicitOffsets.size(); ++i)
    declaration.fields.at(i).explicitOffset = change.explicitOffsets[i];
  return declaration;
}

}  // namespace

ChangedTypes::ChangedTypes(DeclaredTypes& types, std::map<ClosedTypeId, DeclarationChange> changes)
    : m_types(types), m_changes(std::move(changes)) {}

std::vector<ClosedTypeId> ChangedTypes::changed() const {
  std::vector<ClosedTypeId> ids;
  for (const auto& [id, change] : m_changes) ids.push_back(id);
  return ids;
}

Result<const TypeDeclaration*> ChangedTypes::declarationOf(ClosedTypeId id) {
  const auto change = m_changes.find(id);
  if (change == m_changes.end()) return m_types.declarationOf(id);
  if (const auto known = m_declarations.find(id); known != m_declarations.end()) return &known->second;
  HEAPSCAPE_TRY(const TypeDeclaration* declared, m_types.declarationOf(id));
  return &m_declarations.emplace(id, apply(change->second, *declared)).first->second;
}

DeclarationChange changeFor(LayoutKind kind) {
  DeclarationChange change;
  change.layoutKind = kind;
  return change;
}

}  // namespace heapscape::engine
