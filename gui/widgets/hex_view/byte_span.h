// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace heapscape::gui {

/// Some bytes of the object shown. Offsets count from the object's address, so that the header lies at −8; half open.
struct ByteSpan {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  bool isEmpty() const { return end <= begin; }
  bool contains(std::int64_t offset) const { return offset >= begin && offset < end; }
  bool contains(const ByteSpan& other) const { return begin <= other.begin && other.end <= end && !isEmpty(); }
  std::int64_t sizeBytes() const { return end - begin; }
  bool operator==(const ByteSpan&) const = default;
};

}  // namespace heapscape::gui
