// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "values/type_shapes.h"

namespace heapscape::engine {

/// Bytes that one innermost field takes up, or several that lie over each other.
struct LeafField {
  std::string name;          // "Total.m_lo", "Items[2].Key"; of overlapping ones "A | B"
  std::string typeName;      // empty for overlapping ones
  std::uint64_t offset = 0;  // from the start of the fields
  std::uint32_t sizeBytes = 0;
};

/// The innermost fields of a slot that lies at 0, by offset; none overlaps another. `name` is that of the slot.
std::vector<LeafField> leavesOf(const TypeShapes& shapes, const Slot& slot, const std::string& name);

/// Those of all instance fields of an object of a type, parents' too.
std::vector<LeafField> leavesOfObject(const TypeShapes& shapes, const MethodTable& type);

}  // namespace heapscape::engine
