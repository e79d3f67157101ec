// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <ranges>
#include <utility>
#include <vector>

namespace heapscape::engine {

/// Sequences of keys laid over each other from their first: those that begin alike are one way up to where they part.
/// Nodes are numbered in the order in which they were made, the root is 0.
template <class Key>
class PrefixTree {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  /// The node below `parent` with this key, and whether it is new.
  std::pair<std::uint32_t, bool> childOf(std::uint32_t parent, Key key) {
    const auto next = static_cast<std::uint32_t>(m_children.size());
    const auto [place, isNew] = m_children[parent].try_emplace(std::move(key), next);
    const std::uint32_t child = place->second;
    if (isNew) m_children.emplace_back();
    return {child, isNew};
  }

  struct Placed {
    std::uint32_t node;
    std::uint32_t parent;  // index in the result; kNone for the root
    std::uint32_t depth;
  };
  /// Each node followed by all below it; of siblings the heaviest first, then by key. `weightOf(node)` is a number.
  template <class WeightOf>
  std::vector<Placed> inOrder(const WeightOf& weightOf) const {
    std::vector<Placed> placed;
    std::vector<Placed> open{{0, kNone, 0}};
    while (!open.empty()) {
      const Placed next = open.back();
      open.pop_back();
      const auto index = static_cast<std::uint32_t>(placed.size());
      placed.push_back(next);
      std::vector<std::uint32_t> children;
      for (const auto& [key, child] : m_children[next.node]) children.push_back(child);
      std::ranges::stable_sort(children, std::ranges::greater(), weightOf);
      for (const std::uint32_t child : children | std::views::reverse) open.push_back({child, index, next.depth + 1});
    }
    return placed;
  }

 private:
  std::vector<std::map<Key, std::uint32_t>> m_children = std::vector<std::map<Key, std::uint32_t>>(1);
};

}  // namespace heapscape::engine
