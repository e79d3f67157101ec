// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

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
  /// is all that is kept in line meanwhile. Returns nullopt if it was stopped.
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

/// The shortest ways from the roots to a few objects, the same as those that distances and reverse references lead to,
/// but without either: looks at no more of the heap than lies as near to the roots. 4 bytes for each object there and a
/// bit for every object.
class NearRoots {
 public:
  /// `rooted`: the objects that roots refer to.
  NearRoots(const EdgeRows& edges, const std::vector<std::uint32_t>& rooted);

  /// From an object that a root refers to down to this one, both included; of those who are equally near the first by
  /// address. Empty for what cannot be reached. Returns nullopt if it was stopped.
  std::optional<std::vector<std::uint32_t>> shortestTo(std::uint32_t object, const std::stop_token& stop);

  /// References followed so far. Many questions cost more than distances of all objects would.
  std::uint64_t followed() const { return m_followed; }

 private:
  std::size_t levelOf(std::uint32_t object) const;
  std::uint32_t nearerThan(std::uint32_t object, std::size_t level);
  void reach(std::uint32_t object);
  bool addLevel(const std::stop_token& stop);

  EdgeRows m_edges;
  std::vector<bool> m_isMet;        // by ObjectId
  LargeArray<std::uint32_t> m_met;  // ObjectIds, nearest first
  std::size_t m_metCount = 0;
  std::vector<std::size_t> m_levels{0};  // where each distance begins in m_met; the last one is still to be followed
  std::uint64_t m_followed = 0;
};

}  // namespace heapscape::engine
