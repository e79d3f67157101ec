// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/address.h"
#include "layout/declared/type_declaration.h"
#include "layout/rules/field_placement.h"
#include "layout/rules/rule_set.h"

namespace heapscape::engine {

/// FIELD_OFFSET_LAST_REAL_OFFSET (src/coreclr/vm/field.h): offsets have 27 bits, of which the last values mean
/// something.
inline constexpr std::uint64_t kLargestFieldOffset = (1u << 27) - 1 - 6;

inline bool isValueType(const TypeDeclaration& declaration) {
  return declaration.kind == TypeKind::Struct || declaration.kind == TypeKind::Enum;
}

/// A field as the rules see it: its size and alignment, and what lies in it.
struct PlacedField {
  const FieldDeclaration* declaration = nullptr;
  const FieldPlacement* value = nullptr;  // of a value type; null for all others
  std::uint32_t sizeBytes = 0;
  std::uint32_t alignment = 1;

  bool isReference() const { return declaration->element == ElementType::Class; }
  bool holdsReferences() const { return isReference() || (value && !value->references.empty()); }
};

/// What a type inherits.
struct InheritedPart {
  const FieldPlacement* placement = nullptr;     // of the base; null for Object's children and value types
  const TypeDeclaration* declaration = nullptr;  // of the base
  bool isInOtherBubble = false;                  // the base's own assembly is not of the type's version bubble

  /// Whether the base was declared sequential or explicit (MethodTable::HasLayout).
  bool hasLayout() const { return declaration && declaration->layoutKind != LayoutKind::Auto; }
  bool hasReferences() const { return placement && !placement->references.empty(); }
  /// Bytes behind which a derived class goes on.
  std::uint32_t fieldBytes() const { return placement ? placement->fieldBytes : 0; }
  /// The same, nothing for a base with layout that only has the byte of an empty one.
  std::uint32_t usedBytes() const {
    return placement && !(hasLayout() && placement->isZeroSized) ? placement->fieldBytes : 0;
  }
};

/// All that placing the fields of one type needs.
struct PlacementInput {
  const TypeDeclaration& declaration;
  std::vector<PlacedField> fields;
  InheritedPart base;
  LayoutRuntime runtime;
  bool alignsBase = false;  // ReadyToRun, see MethodTableBuilder::NeedsAlignedBaseOffset
};

}  // namespace heapscape::engine
