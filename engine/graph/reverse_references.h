// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>

#include "base/large_array.h"
#include "base/progress.h"
#include "graph/dominators/dominator_tree.h"

namespace heapscape::engine {

/// The edges of a graph turned around: the referrers of each object. 4 bytes an object and 4 an edge.
class ReverseReferences {
 public:
  /// Returns nullopt if it was stopped.
  static std::optional<ReverseReferences> build(const EdgeRows& edges, StageProgress& progress, std::stop_token stop);

  /// The objects that refer to this one, ascending; one that does so several times is there as often, and so is the
  /// object itself if it refers to itself.
  std::span<const std::uint32_t> of(std::uint32_t object) const {
    return {m_sources.data() + m_rows[object], m_sources.data() + m_rows[object + 1]};
  }
  std::uint64_t memoryBytes() const { return m_rows.memoryBytes() + m_sources.memoryBytes(); }

 private:
  LargeArray<std::uint32_t> m_rows;     // by ObjectId, and one more
  LargeArray<std::uint32_t> m_sources;  // ObjectIds
};

}  // namespace heapscape::engine
