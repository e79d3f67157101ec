// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "graph/retained/retained_sizes.h"
#include "heap/object_types.h"

namespace heapscape::engine {

/// Retained size of all reachable instances of a type together.
struct RetainedOfType {
  std::uint64_t instances = 0;      // reachable ones
  std::uint64_t bytes = 0;          // of the instances themselves
  std::uint64_t retainedBytes = 0;  // an instance that another one of the type dominates is in that one's share
};

/// By TypeId, on all cores.
std::vector<RetainedOfType> addUpRetainedByType(const DominatorTree& tree, const RetainedSizes& sizes,
                                                const ReferenceGraph& graph, const ObjectTypes& typeOf,
                                                std::size_t typeCount);

}  // namespace heapscape::engine
