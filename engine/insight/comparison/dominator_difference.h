// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "insight/comparison/comparison.h"
#include "session/dominators/dominators_query.h"

namespace heapscape::engine {

/// A part of the dominator trees of two dumps, laid over each other: what stands at the same place by kind and name,
/// siblings of one type together.
struct DifferenceShape {
  DominatorKind kind = DominatorKind::Whole;
  std::string name;  // of the type or root; of the rest empty
  Change retained, objects;
  std::uint32_t parent = 0;     // index; parents stand before their children, the whole is its own
  std::uint32_t depth = 0;      // 0 for the whole
  std::uint64_t firstByte = 0;  // where it begins; children stand side by side within their parent
  /// As wide as the larger of both sides, or as all that is drawn below it.
  std::uint64_t bytes = 0;
  bool isRest = false;  // siblings too small to be drawn; only `retained` says something of them
};

struct DifferenceOptions {
  double smallestShare = 0.003;  // of the whole, on either side
  std::uint32_t depth = 12;      // levels below the whole
  std::size_t shapes = 2000;     // at most so many
};

/// Needs the stage Retained of both.
Outcome<std::vector<DifferenceShape>> dominatorDifference(const Snapshot& before, const Snapshot& after,
                                                          const DifferenceOptions& options, std::stop_token stop);

}  // namespace heapscape::engine
