// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>

#include "base/large_array.h"
#include "base/progress.h"
#include "graph/edge_rows.h"
#include "graph/reverse_references.h"

namespace heapscape::engine {

/// How far each object is from what holds it from outside: the number of objects on the shortest way, both ends
/// included. 4 bytes an object.
class RootDistances {
 public:
  /// `roots`: the objects that roots refer to, in any order and number. `reachable` is how many can be reached, which
  /// is all that is kept in line meanwhile. Nothing if it was stopped.
  static std::optional<RootDistances> measure(const EdgeRows& edges, std::span<const std::uint32_t> roots,
                                              std::uint32_t reachable, StageProgress& progress, std::stop_token stop);

  /// 1 for an object that a root refers to; 0 for one that cannot be reached.
  std::uint32_t of(std::uint32_t object) const { return m_distances[object]; }
  void prefetch(std::uint32_t object) const { __builtin_prefetch(&m_distances[object]); }
  std::uint64_t memoryBytes() const { return m_distances.memoryBytes(); }

 private:
  LargeArray<std::uint32_t> m_distances;  // by ObjectId
};

/// The object one step nearer to the roots: of those that refer to this one the first by address. Only for an object
/// with a distance beyond 1.
std::uint32_t nearerHolder(const RootDistances& distances, const ReverseReferences& reverse, std::uint32_t object);

}  // namespace heapscape::engine
