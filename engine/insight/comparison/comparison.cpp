// SPDX-License-Identifier: MIT
#include "insight/comparison/comparison.h"

#include <algorithm>
#include <tuple>

namespace heapscape::engine {

Change objectsOf(const Comparison& comparison) {
  Change objects = comparison.objects;
  for (const TypeChange& type : comparison.types) {
    if (!type.isFree) continue;
    objects.before -= std::min(objects.before, type.count.before);
    objects.after -= std::min(objects.after, type.count.after);
  }
  return objects;
}

std::int64_t growthOf(const TypeChange& type, GrowthColumn column) {
  if (type.isFree) return 0;
  switch (column) {
    case GrowthColumn::Bytes:
      break;
    case GrowthColumn::Count:
      return type.count.difference();
    case GrowthColumn::Retained:
      return type.retained.difference();
  }
  return type.bytes.difference();
}

void sortByGrowth(std::vector<TypeChange>& types, GrowthColumn column) {
  std::sort(types.begin(), types.end(), [column](const TypeChange& left, const TypeChange& right) {
    const std::int64_t grownLeft = growthOf(left, column);
    const std::int64_t grownRight = growthOf(right, column);
    if (grownLeft != grownRight) return grownLeft > grownRight;
    return std::tie(left.name, left.assembly) < std::tie(right.name, right.assembly);
  });
}

}  // namespace heapscape::engine
