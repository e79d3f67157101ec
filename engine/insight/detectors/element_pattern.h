// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/bounded_reader.h"

namespace heapscape::engine {

/// What the elements of an array have in common.
struct ElementPattern {
  bool isUniform = false;   // all have the same bits
  bool isZero = false;      // and these are all zero
  std::uint64_t other = 0;  // elements that are not all zero; as far as counted if there are too many of them
};

/// Looks at elements of one size that lie side by side; stops as soon as more than `mostOthers` are not zero and two
/// differ.
ElementPattern patternOf(Bytes elements, std::uint32_t elementBytes, std::uint64_t mostOthers);

}  // namespace heapscape::engine
