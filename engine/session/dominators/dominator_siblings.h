// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "session/dominators/dominator_groups.h"

namespace heapscape::engine {

/// Puts together what the members of one group dominate immediately.
class DominatorSiblings {
 public:
  DominatorSiblings(const Contents& contents, const DominatorIndex& index, DominatorGroupStore& store);

  /// False if it was stopped.
  bool gather(std::span<const std::uint32_t> parents, std::stop_token stop);
  /// The same for vertices themselves, none of which dominates another.
  bool gatherThese(std::span<const std::uint32_t> numbers, std::stop_token stop);
  /// Makes them the children of a node, a group for each type.
  void addByType(std::uint32_t parent);
  /// The same, with types in their namespaces. A namespace that holds nothing but another one is no step of its own.
  void addByNamespace(std::uint32_t parent);

 private:
  /// A part of the types, by their place in m_groups, all in a namespace whose name is that long.
  struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t nameLength = 0;
  };
  struct Pending {
    std::uint32_t node;
    Range range;
  };

  bool place(const std::stop_token& stop);
  std::uint32_t slotOf(std::uint32_t number);
  std::uint32_t newSlot(DominatorKind kind, std::uint32_t key);
  void add(std::uint32_t slot, std::uint32_t number);
  /// Sorts the vertices by their group, and gives each group its own.
  void distribute();
  void sortByNamespace();
  std::string_view namespaceAt(std::size_t group) const;
  Range namespaceFrom(std::size_t first, const Range& within) const;
  DominatorGroup namespaceGroup(const Range& range);
  /// Appends groups as the children of a node, the largest first; tells where each of them went.
  std::vector<std::uint32_t> append(std::uint32_t parent, const std::vector<DominatorGroup>& groups);

  const Contents& m_contents;
  const DominatorIndex& m_index;
  DominatorGroupStore& m_store;
  std::vector<std::uint32_t> m_numbers;  // of what is dominated
  std::vector<std::uint32_t> m_slots;    // the group of each, by position
  std::vector<DominatorGroup> m_groups;
  std::vector<std::uint32_t> m_counts;                                // by slot
  std::vector<std::uint32_t> m_slotsByType;                           // by TypeId, and behind them of no type
  std::unordered_map<std::string_view, std::uint32_t> m_slotsByRoot;  // by name
  std::size_t m_firstType = 0;                                        // roots and their groups stand before it
};

}  // namespace heapscape::engine
