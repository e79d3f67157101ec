// SPDX-License-Identifier: MIT
#include "layout/rules/blittable.h"

#include <algorithm>

namespace heapscape::engine {
namespace {

bool isBlittable(const PlacedField& field, bool isAnsi) {
  if (field.declaration->hasMarshalAs) return false;
  switch (field.declaration->element) {
    case ElementType::Boolean:
    case ElementType::Class:
    case ElementType::ByRef:
    case ElementType::TypedByRef:
      return false;
    case ElementType::Char:
      return !isAnsi;
    case ElementType::ValueType:
      return field.value && field.value->isBlittable;
    default:
      return true;
  }
}

}  // namespace

bool isBlittable(const PlacementInput& input) {
  const TypeDeclaration& type = input.declaration;
  if (type.layoutKind == LayoutKind::Auto || type.isGeneric) return false;
  if (input.base.placement && !input.base.placement->isBlittable) return false;
  return std::ranges::all_of(input.fields, [&](const PlacedField& field) { return isBlittable(field, type.isAnsi); });
}

}  // namespace heapscape::engine
