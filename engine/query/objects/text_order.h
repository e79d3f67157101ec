// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>

namespace heapscape::engine {

/// A text among many that are put in order; it lies elsewhere.
struct PlacedText {
  const char* begin = nullptr;
  std::uint32_t bytes = 0;
  std::uint32_t place = 0;  // says whose text it is

  std::string_view text() const { return {begin, bytes}; }
};

/// Puts texts that are given in the order of their places in the order of their bytes, and leaves those that are equal
/// in the order of their places; on all cores. Looks at up to eight bytes at a time, behind what all that are still
/// alike have in common, and of these at the bits that are not the same in all. Leaves them in any order if it is
/// stopped.
void sortTexts(std::span<PlacedText> texts, const std::stop_token& stop);

/// Drops texts that are surely behind the first `wanted`, or surely before the last ones if `descending`, as a sample
/// of all tells, and leaves the others in their order at the beginning. How many these are.
std::size_t keepFirst(std::span<PlacedText> texts, std::size_t wanted, bool descending);

}  // namespace heapscape::engine
