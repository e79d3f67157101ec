// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/types/field_descs.h"

namespace heapscape::engine {

/// Where the static fields of one type lie, or its thread statics on one thread. Fields' offsets count from the starts
/// of two areas: one for references and boxed value types, one for all others.
struct StaticsArea {
  Address references;  // 0 if the area does not exist
  Address others;      // 0 if the area does not exist
  bool isInitialised = false;

  /// The field's slot; 0 if its area does not exist.
  Address slotOf(const FieldDesc& field) const {
    const Address start = isAmongReferences(field) ? references : others;
    return start ? start + field.offset : Address{};
  }
  /// Of a value type the slot holds a reference to a box.
  static bool isAmongReferences(const FieldDesc& field) {
    return field.elementType == ElementType::Class || field.elementType == ElementType::ValueType;
  }
};

}  // namespace heapscape::engine
