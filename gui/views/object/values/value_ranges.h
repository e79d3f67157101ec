// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace heapscape::gui {

/// Neighbouring elements that the tree shows as one line until it is opened.
struct ValueRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  bool operator==(const ValueRange&) const = default;
};

inline constexpr std::uint64_t kValuesShownAtOnce = 100;

/// Divides elements into at most a hundred ranges of equal length, a power of a hundred; nothing if they are few enough
/// to be shown themselves. So four steps lead to each of a hundred million.
std::vector<ValueRange> divideValues(const ValueRange& all);

}  // namespace heapscape::gui
