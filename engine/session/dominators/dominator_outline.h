// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>

#include "base/result.h"
#include "session/dominators/dominators_query.h"

namespace heapscape::engine {

/// A node of the dominator tree in an outline.
struct DominatorOutlineRow {
  DominatorNode node;
  std::uint32_t depth = 0;        // below the top
  std::uint64_t childNodes = 0;   // in all, in this grouping; 0 at the last level, where nobody looks
  std::uint64_t shownNodes = 0;   // of these, as rows that follow
  std::uint64_t hiddenBytes = 0;  // that the others retain
};

struct DominatorOutlineOptions {
  std::uint32_t depth = 3;  // levels below the top
  std::size_t top = 20;     // children of each node, those that retain most
};

/// Calls `visit` for a node and what is below it, each node before its children, until it returns false. Holds no more
/// than the way down to the node that it is at.
Outcome<void> outlineDominators(const Snapshot& snapshot, DominatorGrouping grouping, const DominatorNode& top,
                                const DominatorOutlineOptions& options,
                                const std::function<bool(const DominatorOutlineRow&)>& visit, std::stop_token stop);

/// The node that stands for all that is reachable.
Outcome<DominatorNode> wholeOf(const Snapshot& snapshot, DominatorGrouping grouping, std::stop_token stop);

}  // namespace heapscape::engine
