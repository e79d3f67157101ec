// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/large_array.h"
#include "graph/dominators/closed_trees.h"
#include "graph/edge_rows.h"
#include "graph/root_forest.h"

namespace heapscape::engine {

/// Rest of the graph to be searched: the objects that are in no closed tree, and the forest behind them, at places one
/// behind the other. A node has all that a step of the search needs side by side, so that it waits for memory once.
class SearchGraph {
 public:
  struct Node {
    std::uint32_t number;      // in the order of the search; 0 before it is met
    std::uint32_t targets[3];  // places, kNone behind the last; once it has its number: parent and first finder

    void enter(std::uint32_t ownNumber, std::uint32_t finder) { *this = {ownNumber, {finder, finder, kNone}}; }
    std::uint32_t parent() const { return targets[0]; }
    std::uint32_t& firstFinder() { return targets[1]; }
  };
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  /// Instead of the first target if there are more than three; then where they are, and how many.
  static constexpr std::uint32_t kMany = 0xffff'fffe;

  /// Notes of what is searched how many objects it has below it, too: in the trees that it refers to.
  SearchGraph(const EdgeRows& edges, const RootForest& roots, ClosedTrees& trees);

  std::uint32_t size() const { return m_objects + m_forestSize; }
  /// The places of the forest's vertices begin here.
  std::uint32_t firstOfForest() const { return m_objects; }
  /// More pairs of a vertex and a target there cannot be.
  std::size_t mostEdges() const { return m_many.size(); }

  LargeArray<Node>& nodes() { return m_nodes; }
  const LargeArray<Node>& nodes() const { return m_nodes; }
  /// Once the search is over: forgets the targets of nodes that have many.
  void clearMany() { m_many = {}; }

  /// Calls visit(place) for the targets of a node that has no number yet, other than itself.
  template <class Visit>
  [[gnu::always_inline]] void forEachTarget(const Node& node, Visit visit) const {
    if (node.targets[0] == kMany) {
      const std::uint32_t* many = m_many.data() + node.targets[1];
      for (std::uint32_t i = 0; i < node.targets[2]; ++i) visit(many[i]);
    } else {
      for (const std::uint32_t target : node.targets) {
        if (target == kNone) break;
        visit(target);
      }
    }
  }

  std::size_t wordCount() const { return m_index.size(); }
  /// Calls visit(object, place) for the objects of some words of bits, ascending.
  template <class Visit>
  void forEachObject(std::size_t firstWord, std::size_t endWord, Visit visit) const {
    for (std::size_t word = firstWord; word < endWord; ++word) {
      std::uint32_t place = m_index[word].before;
      for (std::uint64_t left = m_index[word].bits; left != 0; left &= left - 1)
        visit(static_cast<std::uint32_t>(word * ClosedTrees::kWordBits) +
                  static_cast<std::uint32_t>(std::countr_zero(left)),
              place++);
    }
  }

  /// kNone for an object that is not searched.
  [[gnu::always_inline]] std::uint32_t placeOf(std::uint32_t object) const {
    const Word& word = m_index[object / ClosedTrees::kWordBits];
    const std::uint64_t bit = 1ull << object % ClosedTrees::kWordBits;
    if (!(word.bits & bit)) return kNone;
    return word.before + static_cast<std::uint32_t>(std::popcount(word.bits & (bit - 1)));
  }

 private:
  struct Word {
    std::uint64_t bits;
    std::uint32_t before;  // places of the words before
  };

  void makeIndex(const ClosedTrees& trees);
  void makeNodes(const EdgeRows& edges, std::size_t firstWord, LargeArray<std::uint32_t>& below);
  void makeForest(const RootForest& roots, std::uint32_t objects);
  void keepMany(std::uint32_t firstPlace, std::uint32_t endPlace, const std::vector<std::uint32_t>& many);

  std::vector<Word> m_index;
  std::uint32_t m_objects = 0;
  std::uint32_t m_forestSize = 0;
  LargeArray<Node> m_nodes;
  LargeArray<std::uint32_t> m_many;  // targets of nodes with many, in any order
  std::atomic<std::uint32_t> m_manyEnd = 0;
};

}  // namespace heapscape::engine
