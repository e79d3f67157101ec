// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/large_array.h"
#include "graph/dominators/semidominators.h"

namespace heapscape::engine {

/// Turns semidominators into dominators (semi-NCA): each is the nearest dominator above that is not behind the
/// semidominator. `spare`: the links of the search, whose memory is used.
void findDominators(LargeArray<Candidate>& candidates, LargeArray<SearchTree::Link>& spare, std::uint32_t reached);

}  // namespace heapscape::engine
