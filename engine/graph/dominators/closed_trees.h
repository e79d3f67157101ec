// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/large_array.h"
#include "graph/edge_rows.h"
#include "graph/root_forest.h"

namespace heapscape::engine {

/// Objects that need no search for their dominators. Whatever a single reference leads to, and no root, is dominated by
/// whoever refers to it. A closed tree is of such objects alone, down to those that refer to nothing: what it holds
/// lies within it, and of its dominators no other object's depend.
class ClosedTrees {
 public:
  static constexpr std::uint32_t kWordBits = 64;

  /// On all cores. Not all of them are found, but nearly all; always the same ones. Returns nullopt if it was stopped.
  static std::optional<ClosedTrees> find(const EdgeRows& edges, const RootForest& roots, const std::stop_token& stop);

  /// A bit an object: whether it is in a closed tree.
  const std::vector<std::uint64_t>& members() const { return m_members; }
  /// A bit an object: whether a reference or a root leads to it, but it is in no closed tree.
  const std::vector<std::uint64_t>& searched() const { return m_searched; }

  /// By vertex of the forest behind the objects, too. How many objects each member has below it in its tree; whatever
  /// is written for others.
  LargeArray<std::uint32_t>& below() { return m_below; }

 private:
  std::vector<std::uint64_t> m_members;
  std::vector<std::uint64_t> m_searched;
  LargeArray<std::uint32_t> m_below;
};

}  // namespace heapscape::engine
