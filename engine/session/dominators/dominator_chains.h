// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "session/dominators/dominators_query.h"

namespace heapscape::engine {

/// The same picture with chains as one shape each: three or more objects, or types, of which each retains nearly all
/// that the one before does. The first one's shape stands for all of them (`folded` has the others), and what the last
/// one dominates stands right below it, beside the little that the others dominate besides. Every shape keeps its bytes
/// and where they begin. Siblings stay side by side.
std::vector<DominatorShape> foldChains(const std::vector<DominatorShape>& shapes);

}  // namespace heapscape::engine
