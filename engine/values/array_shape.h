// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/runtime_readers.h"

namespace heapscape::engine {

/// Bounds and elements of an array of any rank (src/coreclr/vm/object.h, ArrayBase).
struct ArrayShape {
  std::vector<std::uint32_t> lengths;     // by dimension
  std::vector<std::int32_t> lowerBounds;  // by dimension
  std::uint64_t count = 0;                // of all elements, as the object itself counts them
  TypeHandle elementType;
  std::string elementTypeName;
  std::uint32_t elementSize = 0;    // stride in bytes
  std::uint32_t elementOffset = 0;  // of the first from the object's address
  std::uint32_t boundsOffset = 0;   // of the lengths, then the lower bounds; 0 for an SZ array
  bool isVector = true;             // one dimension from 0
  std::string damage;               // bounds that contradict the count
};

/// Fails with NotInDump, or Damaged for a rank that no array has.
Result<ArrayShape> readArrayShape(const RuntimeReaders& readers, const MethodTable& type, Address array);

/// The text before and behind the lengths of an array where it is told: "System.Int32[" and "]".
struct ArrayBrackets {
  std::string before, behind;
};
ArrayBrackets bracketsOf(const std::string& elementTypeName);

/// "System.Int32[3, 4]", of an array of arrays "System.Int32[5][]".
std::string arrayText(const ArrayShape& array);

/// "[1, 2]": the indices of the element with this number in memory order, lower bounds counted in.
std::string elementLabel(const ArrayShape& array, std::uint64_t number);

}  // namespace heapscape::engine
