// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "insight/insight.h"

namespace heapscape::engine {

/// Names who holds objects: going up the dominator tree past arrays, collections and other types of the framework to
/// the first object of the program's own, else to the root (a static by its field, a thread, a handle).
class Ownership {
 public:
  explicit Ownership(const Snapshot& snapshot);

  struct Share {
    std::uint32_t object = 0;  // ObjectId
    std::uint64_t bytes = 0;
  };
  /// Owners of the same name are added up: objects of one type as that type ("Shop.Order"), one alone as the object.
  /// The largest first, at most Insight::kMaximumOwners.
  std::vector<InsightOwner> ownersOf(std::span<const Share> shares) const;
  /// Whether the framework alone holds an object: no type or static of the program's own is above it.
  bool isHeldByFramework(std::uint32_t object) const;

 private:
  const Snapshot& m_snapshot;
};

}  // namespace heapscape::engine
