// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "graph/paths/root_distances.h"
#include "graph/reverse_references.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

struct Contents;

/// What ways to the roots are found with, beside the graph: of one choice of roots.
struct PathIndex {
  struct RootOfObject {
    std::uint32_t object = 0;  // ObjectId
    std::uint32_t root = 0;    // index in Retention::roots
  };

  RootDistances distances;
  std::vector<RootOfObject> roots;  // by object; of several roots of one object the one that says most comes first

  /// The root that says most of an object with distance 1: a static before a handle, a word of a stack last.
  std::uint32_t rootOf(std::uint32_t object) const;
};

/// PathIndex::roots, which need no search. From the stage Retained on.
std::vector<PathIndex::RootOfObject> rootsByObject(const Contents& contents);

/// Both are made when first asked for, and kept. They fail with BadQuery before the stage Retained.
Outcome<std::shared_ptr<const ReverseReferences>> reverseReferencesOf(const Snapshot& snapshot, ProgressSink* progress,
                                                                      std::stop_token stop);
Outcome<std::shared_ptr<const PathIndex>> pathIndexOf(const Snapshot& snapshot, ProgressSink* progress,
                                                      std::stop_token stop);

}  // namespace heapscape::engine
