// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "graph/retained/retained_of_type.h"
#include "graph/retained/retained_sizes.h"
#include "heap/object_types.h"

namespace heapscape::engine {

/// By TypeId, on all cores.
std::vector<RetainedOfType> addUpRetainedByType(const DominatorTree& tree, const RetainedSizes& sizes,
                                                const ReferenceGraph& graph, const ObjectTypes& typeOf,
                                                std::size_t typeCount);

}  // namespace heapscape::engine
