// SPDX-License-Identifier: MIT
#include "views/object/values/value_ranges.h"

#include <algorithm>

namespace heapscape::gui {

std::vector<ValueRange> divideValues(const ValueRange& all) {
  if (all.count <= kValuesShownAtOnce) return {};
  std::uint64_t step = kValuesShownAtOnce;
  while ((all.count - 1) / step >= kValuesShownAtOnce) step *= kValuesShownAtOnce;
  std::vector<ValueRange> ranges;
  std::uint64_t first = all.first;
  for (std::uint64_t left = all.count; left > 0; left -= ranges.back().count) {
    ranges.push_back({first, std::min(step, left)});
    first += step;
  }
  return ranges;
}

}  // namespace heapscape::gui
