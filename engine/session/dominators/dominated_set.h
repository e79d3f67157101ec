// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "base/result.h"

namespace heapscape::engine {

struct Contents;

/// What would be freed with some objects together, as parts of the dominator tree.
struct DominatedSet {
  std::vector<std::uint32_t> numbers = {};  // of the parts' tops in the tree: those that retain most first
  std::uint64_t objects = 0;                // of the set, those that can be reached
  std::uint64_t bytes = 0;                  // of these
  std::uint64_t retainedObjects = 0;
  std::uint64_t retainedBytes = 0;
  bool operator==(const DominatedSet&) const = default;
};

/// One pass over the part of the heap that they have in common. `objects`: ObjectIds. Contents: those with the tree.
Outcome<DominatedSet> dominatedSet(const Contents& contents, std::span<const std::uint32_t> objects,
                                   ProgressSink* progress, std::stop_token stop);

}  // namespace heapscape::engine
