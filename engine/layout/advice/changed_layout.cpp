// SPDX-License-Identifier: MIT
#include "layout/advice/changed_layout.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "layout/rules/placed_field.h"

namespace heapscape::engine {

Result<ChangedLayout> layOutChanged(LayoutRules& rules, ClosedTypeId type, const DeclarationChange& change) {
  ChangedTypes types(rules.types(), {{type, change}});
  LayoutRules changed(types, rules, types.changed());
  ChangedLayout layout;
  HEAPSCAPE_TRY(layout.instanceBytes, instanceBytesOf(changed, type));
  HEAPSCAPE_TRY(const FieldPlacement* placement, changed.placementOf(type));
  layout.placement = *placement;
  return layout;
}

Result<std::uint32_t> instanceBytesOf(LayoutRules& rules, ClosedTypeId type) {
  HEAPSCAPE_TRY(const TypeDeclaration* declaration, rules.types().declarationOf(type));
  if (declaration->kind != TypeKind::Struct && declaration->kind != TypeKind::Enum) return rules.baseSizeOf(type);
  HEAPSCAPE_TRY(const FieldPlacement* placement, rules.placementOf(type));
  return placement->fieldBytes;
}

Result<std::uint32_t> alignmentOfField(LayoutRules& rules, const FieldDeclaration& field) {
  if (!isPlacedAsValueType(field)) {
    const std::uint32_t size = primitiveSize(field.element);
    return size ? size : kPointerBytes;
  }
  HEAPSCAPE_TRY(const FieldPlacement* value, rules.placementOf(field.type));
  return value->references.empty() ? value->alignment : kPointerBytes;
}

bool fieldsOverlap(const FieldPlacement& placement) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> parts;
  for (std::size_t i = 0; i < placement.offsets.size(); ++i)
    parts.emplace_back(placement.offsets[i], std::uint64_t{placement.offsets[i]} + placement.sizes[i]);
  std::sort(parts.begin(), parts.end());
  const auto overlap = [](const auto& a, const auto& b) { return b.first < a.second; };
  return std::ranges::adjacent_find(parts, overlap) != parts.end();
}

bool isPlacedAsValueType(const FieldDeclaration& field) {
  return field.element == ElementType::ValueType || field.element == ElementType::TypedByRef;
}

}  // namespace heapscape::engine
