// SPDX-License-Identifier: MIT
#include "values/reading/array_details.h"

#include <fmt/format.h>

#include <algorithm>

namespace heapscape::engine {

std::uint64_t elementsInSegment(const WalkedHeap& heap, const ArrayShape& shape, Address array) {
  const SegmentId segment = heap.index.segmentOf(array);
  if (segment.isNone() || shape.elementSize == 0) return shape.count;
  // The segment's end is found by the last byte that belongs to it; counts are 32 bits, so the search is short.
  const Address first = array + shape.elementOffset;
  std::uint64_t fitting = 0;
  for (std::uint64_t step = std::uint64_t{1} << 32; step > 0; step /= 2) {
    const std::uint64_t tried = std::min(fitting + step, shape.count);
    if (tried > fitting && heap.index.segmentOf(first + tried * shape.elementSize - 1) == segment) fitting = tried;
  }
  return fitting;
}

std::vector<FieldValue> readArrayElements(const ValueReader& reader, const ArrayShape& shape, Address array,
                                          std::uint64_t first, std::size_t count) {
  if (first >= shape.count) return {};
  const auto shown = static_cast<std::size_t>(std::min<std::uint64_t>(count, shape.count - first));
  const std::uint64_t offset = shape.elementOffset + first * shape.elementSize;
  auto elements = reader.readElements(shape.elementType, array + offset, shape.elementSize, shown, offset);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements[i].name = elementLabel(shape, first + i);
    // Many characters are a text: builders and buffers hold theirs so.
    elements[i].value.isString |= elements[i].value.kind == ValueKind::Character;
  }
  return elements;
}

ArrayDetails readArrayDetails(const ValueReader& reader, const MethodTable& type, Address array, std::size_t limit) {
  ArrayDetails details;
  auto shape = readArrayShape(reader.sources().readers, type, array);
  if (!shape) {
    details.damage = shape.error().what;
    return details;
  }
  details.rank = static_cast<std::uint32_t>(shape->lengths.size());
  details.lengths = shape->lengths;
  details.lowerBounds = shape->lowerBounds;
  details.count = shape->count;
  details.elementType = shape->elementTypeName;
  details.elementSize = shape->elementSize;
  details.elementOffset = shape->elementOffset;
  details.damage = shape->damage;
  if (reader.sources().heap) {
    const std::uint64_t fitting = elementsInSegment(*reader.sources().heap, *shape, array);
    if (fitting < shape->count) {
      details.damage =
          fmt::format("Of the array's {} elements at most {} can lie in its segment.", shape->count, fitting);
      shape->count = fitting;
    }
  }
  details.elements = readArrayElements(reader, *shape, array, 0, limit);
  return details;
}

}  // namespace heapscape::engine
