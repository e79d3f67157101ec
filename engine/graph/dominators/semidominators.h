// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <stop_token>

#include "graph/dominators/search_tree.h"

namespace heapscape::engine {

/// Finds the semidominators of all vertices that the search has reached, among its candidates. Uses up its links and
/// arcs. `told` gets the shares that are done, up to 1. False if it was stopped.
bool findSemidominators(SearchTree& search, const std::function<void(double)>& told, const std::stop_token& stop);

}  // namespace heapscape::engine
