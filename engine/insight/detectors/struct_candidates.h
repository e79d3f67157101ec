// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "insight/insight_input.h"
#include "values/type_shapes.h"

namespace heapscape::engine {

/// Bytes of a type's fields as those of a struct: as they lie in a class.
struct StructSize {
  std::uint32_t bytes = 0;  // 0 for what could not be a struct
  std::uint32_t alignment = 1;

  /// Bytes of a Nullable of it: a Boolean in front, with the same alignment.
  std::uint32_t nullableBytes() const { return bytes + alignment; }
};

StructSize structSizeOf(const TypeShapes& shapes, const TypeShape& shape);

/// By TypeId, those with so many objects of the classes of the program's own that could be structs: directly below
/// System.Object, with 64 bytes of fields at most, no finalizer, no class derived from them on the heap, and no bytes
/// that are left empty on purpose.
std::vector<StructSize> structCandidates(const InsightInput& input, std::uint64_t fewestObjects);

/// Whether an object has a lock, an identity hash or the like, so that it is more than its fields. Also if unreadable.
bool hasIdentity(const InsightInput& input, Address object);

}  // namespace heapscape::engine
