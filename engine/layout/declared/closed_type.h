// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "metadata/signature.h"

namespace heapscape::engine {

/// An assembly of a MetadataTypes, from 0.
using AssemblyId = Id<struct AssemblyTag>;
/// A type without open parameters that a MetadataTypes has met, from 0; the same type always has the same number.
using ClosedTypeId = Id<struct ClosedTypeTag>;

/// What a closed type is made of.
struct ClosedType {
  /// Boolean to R8, I, U (also for the structs of CoreLib that bear these names), Class (every reference type that is
  /// no array: String and Object, too), ValueType (enums, too), SzArray, Array, Ptr, ByRef, FnPtr, Void or TypedByRef.
  ElementType element = ElementType::End;
  AssemblyId assembly = {};                  // of Class, ValueType and primitives
  std::uint32_t typeDefRow = 0;              // of the same
  std::uint32_t rank = 0;                    // of Array
  std::vector<ClosedTypeId> arguments = {};  // of a generic type, outer ones first; element type of arrays and pointers
};

}  // namespace heapscape::engine
