// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>

#include "base/large_array.h"
#include "graph/dominators/search_tree.h"

namespace heapscape::engine {

/// What the dominator of a vertex is found from.
struct Candidate {
  std::uint32_t dominator;  // at first the parent in the search tree
  std::uint32_t semidominator;
};

/// Finds the semidominators of all vertices that the search has reached; candidates: by number. Uses up the links and
/// arcs of the search. `told` gets the shares that are done, up to 1. False if it was stopped.
bool findSemidominators(SearchTree& search, LargeArray<Candidate>& candidates, const std::function<void(double)>& told,
                        const std::stop_token& stop);

}  // namespace heapscape::engine
