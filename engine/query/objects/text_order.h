// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>

namespace heapscape::engine {

/// A text among many that are put in order; it lies elsewhere.
struct PlacedText {
  const char* begin = nullptr;
  std::uint32_t bytes = 0;
  std::uint32_t place = 0;   // says whose text it is
  std::uint64_t window = 0;  // of the text, what it is just being compared by

  std::string_view text() const { return {begin, bytes}; }
};

/// Puts texts in the order of their bytes, and those that are equal in the order of their places, on all cores. Looks
/// at eight bytes at a time, behind what all that are still alike have in common. Leaves them in any order if it is
/// stopped.
void sortTexts(std::span<PlacedText> texts, const std::stop_token& stop);

}  // namespace heapscape::engine
