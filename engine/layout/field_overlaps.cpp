// SPDX-License-Identifier: MIT
#include "layout/field_overlaps.h"

#include <algorithm>

namespace heapscape::engine {

std::vector<bool> overlappingFields(std::span<const LayoutField> fields) {
  std::vector<bool> overlaps(fields.size());
  std::uint64_t reached = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::uint64_t end = fields[i].offset + std::uint64_t{fields[i].sizeBytes} * fields[i].repeat;
    const bool holdsNext = i + 1 < fields.size() && fields[i + 1].offset < end;
    overlaps[i] = fields[i].offset < reached || holdsNext;
    reached = std::max(reached, end);
  }
  return overlaps;
}

}  // namespace heapscape::engine
