// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>

#include "base/large_array.h"
#include "graph/dominators/dominator_tree.h"
#include "graph/retained/retained_sizes.h"

namespace heapscape::engine {

/// Who is dominated directly by whom: the dominator tree downwards, by number. 8 bytes an object.
class DominatorChildren {
 public:
  DominatorChildren() = default;
  /// Siblings in the order of their numbers.
  explicit DominatorChildren(const DominatorTree& tree);

  /// Puts the siblings that retain most first; those that retain the same keep their order. False if it was stopped.
  bool sortByRetained(const RetainedSizes& sizes, std::stop_token stop);

  std::span<const std::uint32_t> of(std::uint32_t number) const {
    return {m_children.data() + m_ends[number], m_children.data() + m_ends[number + 1]};
  }

 private:
  LargeArray<std::uint32_t> m_ends;      // by number + 1: where its children end
  LargeArray<std::uint32_t> m_children;  // numbers
};

}  // namespace heapscape::engine
