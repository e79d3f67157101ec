// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "values/array_shape.h"
#include "values/reading/value_reader.h"

namespace heapscape::engine {

struct ArrayDetails {
  std::uint32_t rank = 1;
  std::vector<std::uint32_t> lengths;     // by dimension
  std::vector<std::int32_t> lowerBounds;  // by dimension
  std::uint64_t count = 0;                // of all elements
  std::string elementType;
  std::uint32_t elementSize = 0;     // stride in bytes
  std::uint32_t elementOffset = 0;   // of the first from the object's address
  std::vector<FieldValue> elements;  // the first ones; more through arrayElements()
  std::string damage;                // bounds that contradict the count or reach beyond the segment
};

/// About an array of any rank; `limit`: elements. Never fails: what is wrong is told in `damage`.
ArrayDetails readArrayDetails(const ValueReader& reader, const MethodTable& type, Address array, std::size_t limit);

/// Elements [first, first + count) in memory order, as far as there are so many. Offsets are from the array's address.
std::vector<FieldValue> readArrayElements(const ValueReader& reader, const ArrayShape& shape, Address array,
                                          std::uint64_t first, std::size_t count);

/// How many of its elements can lie in the array's segment; all of them, unless the array is damaged.
std::uint64_t elementsInSegment(const WalkedHeap& heap, const ArrayShape& shape, Address array);

}  // namespace heapscape::engine
