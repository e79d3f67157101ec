// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "graph/reference_graph.h"

namespace heapscape::engine {

/// An object that a root refers to, and the group that the root is put into.
struct GroupedRoot {
  std::uint32_t object = 0;  // ObjectId
  std::uint32_t group = 0;
};

/// What only the roots of one group lead to.
struct HeldByGroup {
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;  // aligned
};

/// For each of `groups` groups, however the roots are put together: each object is looked at for the first group that
/// leads to it, and once more where another one does. 4 bytes an object meanwhile. `reachable`: how many objects can be
/// reached, for the progress. Nothing if it was stopped.
std::optional<std::vector<HeldByGroup>> heldByGroups(const ReferenceGraph& graph, std::span<const GroupedRoot> roots,
                                                     std::uint32_t groups, std::uint64_t reachable,
                                                     StageProgress& progress, const std::stop_token& stop);

}  // namespace heapscape::engine
