// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "insight/insight_input.h"

namespace heapscape::engine {

/// By TypeId: bytes of the value in a boxed object; 0 for types that are not boxes.
std::vector<std::uint32_t> boxTypes(const InsightInput& input);

/// Boxes in arrays and collections of nothing but boxes of one type, which a typed one would hold without them.
struct BoxCollections {
  /// By ObjectId of a box that nothing but one such collection refers to: its share in what is won back, which is
  /// the bytes of all of them less what the slots would grow by where the value is larger than a reference.
  std::vector<std::pair<std::uint32_t, std::uint64_t>> savedBytes;  // ascending
  std::uint64_t collections = 0;

  /// Nothing for a box that is in none.
  std::optional<std::uint64_t> savedOf(std::uint32_t box) const;
};

Outcome<BoxCollections> findBoxCollections(const InsightInput& input, const std::vector<std::uint32_t>& valueBytes,
                                           const std::stop_token& stop);

}  // namespace heapscape::engine
