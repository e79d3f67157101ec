// SPDX-License-Identifier: MIT
// Sequences laid over each other from their first key on.
#include "session/stacks/parallel_stacks.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace heapscape::engine {
namespace {

/// A tree of letters that counts how many words go through each node.
class WordTree {
 public:
  void add(const std::string& word, std::uint32_t times = 1) {
    std::uint32_t node = 0;
    m_weights[0] += times;
    for (const char letter : word) {
      const auto [child, isNew] = m_tree.childOf(node, letter);
      EXPECT_EQ(isNew, child == m_weights.size());
      if (isNew) {
        m_weights.push_back(0);
        m_letters.push_back(letter);
      }
      m_weights[child] += times;
      node = child;
    }
  }

  std::vector<PrefixTree<char>::Placed> placed() const {
    return m_tree.inOrder([this](std::uint32_t node) { return m_weights[node]; });
  }

  /// A line for each node, as deep as it is: "a3".
  std::string outline() const {
    std::string text;
    for (const auto& place : placed()) {
      if (place.node == 0) continue;
      text += std::string(place.depth - 1, ' ') + m_letters[place.node] + std::to_string(m_weights[place.node]) + "\n";
    }
    return text;
  }

 private:
  PrefixTree<char> m_tree;
  std::vector<std::uint32_t> m_weights{0};
  std::string m_letters{"-"};
};

TEST(PrefixTree, OfNothingIsItsRoot) {
  const auto placed = PrefixTree<int>().inOrder([](std::uint32_t) { return 0; });
  ASSERT_EQ(placed.size(), 1u);
  EXPECT_EQ(placed[0].node, 0u);
  EXPECT_EQ(placed[0].parent, PrefixTree<int>::kNone);
  EXPECT_EQ(placed[0].depth, 0u);
}

TEST(PrefixTree, IsOneWayUpToWhereSequencesPart) {
  WordTree tree;
  for (const char* word : {"main", "make", "map", "main"}) tree.add(word);
  EXPECT_EQ(tree.outline(), "m4\n a4\n  i2\n   n2\n  k1\n   e1\n  p1\n");
}

TEST(PrefixTree, HasASequenceThatEndsWithinAnother) {
  WordTree tree;
  tree.add("ab");
  tree.add("abc");
  tree.add("");
  EXPECT_EQ(tree.outline(), "a2\n b2\n  c1\n");
}

TEST(PrefixTree, HasTheHeaviestSiblingFirstAndEqualsByTheirKey) {
  WordTree tree;
  for (const char* word : {"z", "c", "b", "a"}) tree.add(word);
  tree.add("y", 5);
  tree.add("b", 2);
  EXPECT_EQ(tree.outline(), "y5\nb3\na1\nc1\nz1\n");
}

TEST(PrefixTree, PlacesEachNodeRightBelowItsParent) {
  WordTree tree;
  for (int i = 0; i < 200; ++i) tree.add({static_cast<char>('a' + i % 5), static_cast<char>('a' + i % 7), 'x'});
  const auto placed = tree.placed();
  std::vector<bool> isPlaced(placed.size());
  for (std::size_t i = 0; i < placed.size(); ++i) {
    EXPECT_FALSE(isPlaced[placed[i].node]) << "twice";
    isPlaced[placed[i].node] = true;
    if (i == 0) continue;
    ASSERT_LT(placed[i].parent, i);
    EXPECT_EQ(placed[i].depth, placed[placed[i].parent].depth + 1);
    // What stands between them is all below the parent.
    for (std::size_t between = placed[i].parent + 1; between < i; ++between)
      EXPECT_GE(placed[between].depth, placed[i].depth);
  }
}

TEST(PrefixTree, IsAsDeepAsItsLongestSequence) {
  WordTree tree;
  tree.add(std::string(100'000, 'x'));  // a recursion would not come back
  EXPECT_EQ(tree.placed().back().depth, 100'000u);
}

}  // namespace
}  // namespace heapscape::engine
