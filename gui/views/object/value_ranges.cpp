// SPDX-License-Identifier: MIT
#include "views/object/value_ranges.h"

#include <algorithm>

namespace heapscape::gui {

std::vector<ValueRange> divideValues(const ValueRange& all) {
  if (all.count <= kValuesShownAtOnce) return {};
  std::uint64_t step = kValuesShownAtOnce;
  while ((all.count - 1) / step >= kValuesShownAtOnce) step *= kValuesShownAtOnce;
  std::vector<ValueRange> ranges;
  for (std::uint64_t done = 0; done < all.count; done += step) {
    ranges.push_back({all.first + done, std::min(step, all.count - done)});
  }
  return ranges;
}

}  // namespace heapscape::gui
