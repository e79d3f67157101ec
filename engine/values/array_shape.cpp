// SPDX-License-Identifier: MIT
#include "values/array_shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "heap/object_head.h"

namespace heapscape::engine {
namespace {

constexpr std::uint32_t kMaximumRank = 32;          // MAX_RANK in src/coreclr/vm/array.h
constexpr std::uint32_t kBoundsOffset = 16;         // behind the count and its padding
constexpr std::uint32_t kElementsBeforeHeader = 8;  // the base size counts the header, which lies before the address

Result<void> readBounds(const RuntimeReaders& readers, const MethodTable& type, Address array, ArrayShape& shape) {
  const AddressSpace& memory = readers.runtime.memory();
  HEAPSCAPE_TRY(const std::uint32_t rank, readers.methodTables.arrayRank(type));
  if (rank == 0 || rank > kMaximumRank)
    return failure(ErrorCode::Damaged, fmt::format("The array has {} dimensions, which none can have.", rank));
  shape.boundsOffset = kBoundsOffset;
  std::uint64_t product = 1;
  for (std::uint32_t dimension = 0; dimension < rank; ++dimension) {
    const Address bounds = array + kBoundsOffset + 4ull * dimension;
    HEAPSCAPE_TRY(const std::uint32_t length, memory.read<std::uint32_t>(bounds));
    HEAPSCAPE_TRY(const std::int32_t lowest, memory.read<std::int32_t>(bounds + 4ull * rank));
    shape.lengths.push_back(length);
    shape.lowerBounds.push_back(lowest);
    // Saturates far above any real count, so that no product of absurd lengths looks right.
    product = length && product > UINT32_MAX / length ? std::uint64_t{1} << 32 : product * length;
  }
  if (product != shape.count) {
    shape.damage = fmt::format("The lengths [{}] make another number of elements than the {} that the array counts.",
                               fmt::join(shape.lengths, ", "), shape.count);
  }
  return {};
}

}  // namespace

Result<ArrayShape> readArrayShape(const RuntimeReaders& readers, const MethodTable& type, Address array) {
  ArrayShape shape;
  HEAPSCAPE_TRY(const std::uint32_t count, readers.runtime.memory().read<std::uint32_t>(array + kComponentsOffset));
  HEAPSCAPE_TRY(shape.elementType, readers.methodTables.arrayElementType(type));
  shape.count = count;
  shape.elementTypeName = readers.names.nameOf(shape.elementType);
  shape.elementSize = type.componentSize;
  shape.elementOffset = type.baseSize - std::min(type.baseSize, kElementsBeforeHeader);
  shape.isVector = type.isSzArray;
  if (shape.isVector) {
    shape.lengths = {count};
    shape.lowerBounds = {0};
    return shape;
  }
  HEAPSCAPE_CHECK(readBounds(readers, type, array, shape));
  return shape;
}

ArrayBrackets bracketsOf(const std::string& elementTypeName) {
  // The lengths belong to the first brackets: in C# they are those of the outermost array.
  std::size_t end = elementTypeName.size();
  while (end > 0 && elementTypeName[end - 1] == ']') {
    const std::size_t open = elementTypeName.rfind('[', end - 1);
    if (open == std::string::npos) break;
    end = open;
  }
  return {elementTypeName.substr(0, end) + "[", "]" + elementTypeName.substr(end)};
}

std::string arrayText(const ArrayShape& array) {
  const ArrayBrackets brackets = bracketsOf(array.elementTypeName);
  return fmt::format("{}{}{}", brackets.before, fmt::join(array.lengths, ", "), brackets.behind);
}

std::string elementLabel(const ArrayShape& array, std::uint64_t number) {
  std::vector<std::int64_t> indices(array.lengths.size());
  for (std::size_t dimension = indices.size(); dimension-- > 0;) {
    const std::uint64_t length = std::max<std::uint64_t>(array.lengths[dimension], 1);
    indices[dimension] = static_cast<std::int64_t>(number % length) + array.lowerBounds[dimension];
    number /= length;
  }
  return fmt::format("[{}]", fmt::join(indices, ", "));
}

}  // namespace heapscape::engine
