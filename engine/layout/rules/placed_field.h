// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/address.h"
#include "layout/declared/declared_types.h"
#include "layout/rules/rule_set.h"
#include "layout/type_layout.h"

namespace heapscape::engine {

/// Why a type that asks for sequential layout does not get it.
enum class SequentialObstacle : std::uint8_t {
  None,
  Reference,  // an own field is a reference, or a value type that holds one
  InheritedReference,
  BaseNotSequential,
  AutoField,  // a value type with auto layout; by classic rules alone
};

/// Where the runtime puts the fields of a type, and what it needs to know of it to place it inside others. All offsets
/// and sizes in bytes from the start of the fields.
struct FieldPlacement {
  std::vector<std::uint32_t> offsets;  // of the own instance fields, in metadata's order
  std::vector<std::uint32_t> sizes;    // of the same, of one element
  std::uint32_t start = 0;             // where own fields may begin: the end of the base
  std::uint32_t fieldBytes = 0;        // the end, base included: of a value type its size; of a class not rounded
  std::uint32_t alignment = 1;         // of a value type inside another
  std::uint32_t repeat = 1;            // of the only field of an inline array or fixed buffer
  LayoutKind effective = LayoutKind::Auto;
  SequentialObstacle obstacle = SequentialObstacle::None;
  std::uint32_t obstacleField = 0;  // its index, for Reference and AutoField
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      references;  // [offset, bytes], base included, as the GCDesc has them
  bool isAllReferences = false;

  // Facts for derived and surrounding types.
  bool isZeroSized = false;          // has layout and nothing in it; a derived class begins at 0
  bool isManagedSequential = false;  // a class below keeps its declared order
  bool isBlittable = false;
  bool dependsOnOtherBubbles = false;  // ReadyToRun code of its own assembly cannot rely on it
};

/// FIELD_OFFSET_LAST_REAL_OFFSET (src/coreclr/vm/field.h): offsets have 27 bits; the last values have meanings.
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

/// Part that a type inherits.
struct InheritedPart {
  const FieldPlacement* placement = nullptr;     // of the base; null for Object's children and value types
  const TypeDeclaration* declaration = nullptr;  // of the base
  bool isInOtherBubble = false;                  // the base's own assembly is not of the type's version bubble

  /// Whether the base was declared sequential or explicit (MethodTable::HasLayout).
  bool hasLayout() const { return declaration && declaration->layoutKind != LayoutKind::Auto; }
  bool hasReferences() const { return placement && !placement->references.empty(); }
  /// Bytes behind which a derived class goes on.
  std::uint32_t fieldBytes() const { return placement ? placement->fieldBytes : 0; }
  /// fieldBytes(), but 0 for a base with layout that only has the byte of an empty one.
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
