// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "graph/dominators/dominator_tree.h"
#include "graph/edge_rows.h"
#include "graph/graph_cuts.h"
#include "graph/paths/root_distances.h"
#include "graph/reverse_references.h"

namespace heapscape::engine {

/// Roots and references that paths may not use.
struct PathCuts {
  const GraphCuts& cuts;
  std::function<bool(std::uint32_t object)> isFreed;  // that no way is left to, with these cuts
};

/// Input of the search for GC root paths. All of one graph and one choice of roots.
struct RootPathSources {
  const DominatorTree& tree;
  std::uint32_t firstRoot = 0;  // vertices of the tree from here on are roots
  const ReverseReferences& reverse;
  const RootDistances& distances;  // without cuts
  const PathCuts* without = nullptr;
};

struct RootPathLimits {
  std::size_t paths = 10;
  std::size_t references = 0;  // followed back in search of more than the first path
};

/// Ways from objects that roots refer to down to one object; its ends included.
struct FoundPaths {
  std::vector<std::vector<std::uint32_t>> paths;  // ObjectIds; shortest first, each beginning with another object
  bool isExhausted = true;                        // false if there may be more
};

/// The shortest of all paths to an object that can be reached, then the shortest one from each further object that
/// roots refer to. The first one costs its length and the references to what lies on it; with cuts it may cost a search
/// through all that can be reached. Returns nullopt if it was stopped.
std::optional<FoundPaths> findRootPaths(const RootPathSources& sources, std::uint32_t object,
                                        const RootPathLimits& limits, std::stop_token stop);

/// The shortest way from one object to another by ObjectId, both included; empty if there is none. Searched from both
/// ends at once, always on the side with fewer objects to go on from. Returns nullopt if it was stopped.
std::optional<std::vector<std::uint32_t>> findPathBetween(const EdgeRows& edges, const ReverseReferences& reverse,
                                                          std::uint32_t from, std::uint32_t to, StageProgress& progress,
                                                          std::stop_token stop);

}  // namespace heapscape::engine
