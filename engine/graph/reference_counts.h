// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "base/large_array.h"
#include "graph/edge_rows.h"

namespace heapscape::engine {

/// How many references lead to each object: a byte an object, where the references turned around take nine. Enough to
/// tell who alone refers to an object, together with the dominator tree.
class ReferenceCounts {
 public:
  static constexpr std::uint32_t kMany = 255;

  ReferenceCounts() = default;
  /// Counts on all cores. Returns nullopt if it was stopped.
  static std::optional<ReferenceCounts> count(const EdgeRows& edges, const std::stop_token& stop);

  /// kMany stands for as many or more. What an object refers to twice is counted twice.
  std::uint32_t of(std::uint32_t object) const { return m_counts[object]; }
  std::uint64_t memoryBytes() const { return m_counts.memoryBytes(); }

 private:
  LargeArray<std::uint8_t> m_counts;  // by ObjectId
};

/// How many references lead to an object, however many: a pass over all of them.
std::uint64_t countReferencesTo(const EdgeRows& edges, std::uint32_t object);

/// For each of some objects (ascending) the first one that refers to it, in address order: a pass over all references.
/// Itself where nothing does.
std::vector<std::uint32_t> firstReferrersOf(const EdgeRows& edges, std::span<const std::uint32_t> objects);

}  // namespace heapscape::engine
