// SPDX-License-Identifier: MIT
// Trees that are written to memory node by node, sound and damaged.
#include "values/collections/node_chain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "support/opened_core.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::ItemCollector;
using engine::TreeShape;
using engine::TreeWalk;

constexpr std::uint64_t kNodes = 0x7f0000000000, kNodeBytes = 64;
constexpr std::uint64_t kNodeType = 0x5000, kLeafType = 0x6000;
constexpr std::uint32_t kNobodyBelow = 0xffffffff;

/// A tree whose nodes stand in memory by their number.
class TreeInMemory {
 public:
  struct Node {
    std::uint64_t type = kNodeType, left = 0, right = 0, item = 0;
    std::int32_t count = 0;
  };

  static Address at(std::uint32_t node) {
    return node == kNobodyBelow ? Address{} : Address{kNodes + kNodeBytes * node};
  }
  static TreeShape shape() { return {.methodTable = {kNodeType}, .left = 8, .right = 16, .item = 24}; }

  std::uint32_t add(std::uint32_t left = kNobodyBelow, std::uint32_t right = kNobodyBelow,
                    std::uint64_t type = kNodeType) {
    nodes.push_back({type, at(left).value, at(right).value});
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }
  /// A perfect tree over items [first, last), whose nodes note how many there are below; its root.
  std::uint32_t addBalanced(std::uint32_t items) {
    if (items == 0) return kNobodyBelow;
    const std::uint32_t left = addBalanced(items / 2);
    const std::uint32_t node = add(left);
    nodes[node].count = static_cast<std::int32_t>(items);
    const std::uint32_t right = addBalanced(items - items / 2 - 1);
    nodes[node].right = at(right).value;
    return node;
  }
  /// A line of nodes, each to the left of the one before; the root is the last.
  std::uint32_t addLeftLine(std::uint32_t length) {
    std::uint32_t root = kNobodyBelow;
    for (std::uint32_t i = 0; i < length; ++i) root = add(root);
    return root;
  }

  struct Seen {
    std::vector<std::uint32_t> nodes;
    std::string damage;
  };
  Seen walk(std::uint32_t root, std::uint64_t limit = 1000, TreeShape shape = TreeInMemory::shape()) const {
    Seen seen;
    const OpenedCore core = opened();
    seen.damage = TreeWalk(core.space(), shape, limit).run(at(root), [&](Address item) {
      seen.nodes.push_back(nodeOf(item));
      return true;
    });
    return seen;
  }
  OpenedCore opened() const {
    FileBytes bytes(nodes.size() * kNodeBytes);
    for (std::size_t i = 0; i < nodes.size(); ++i) std::memcpy(&bytes[i * kNodeBytes], &nodes[i], sizeof(Node));
    return OpenedCore(CoreBuilder().memory(kNodes, std::move(bytes)));
  }
  static std::uint32_t nodeOf(Address item) { return static_cast<std::uint32_t>((item.value - kNodes) / kNodeBytes); }

  std::vector<Node> nodes;
};

std::vector<std::uint32_t> upTo(std::uint32_t count, std::uint32_t first = 0) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = first; i < count; ++i) numbers.push_back(i);
  return numbers;
}

TEST(TreeWalk, OfNoTreeVisitsNothing) {
  TreeInMemory tree;
  tree.add();
  const auto seen = tree.walk(kNobodyBelow);
  EXPECT_TRUE(seen.nodes.empty());
  EXPECT_EQ(seen.damage, "");
}

TEST(TreeWalk, IsInOrderWhateverTheShape) {
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    TreeInMemory tree;
    const std::uint32_t count = 1 + static_cast<std::uint32_t>(random() % 80);
    for (std::uint32_t i = 0; i < count; ++i) tree.add();  // node i holds the i-th item
    std::vector<std::uint32_t> order = upTo(count);
    std::ranges::shuffle(order, random);
    for (const std::uint32_t added : std::span(order).subspan(1)) {
      for (std::uint64_t at = TreeInMemory::at(order[0]).value;;) {
        TreeInMemory::Node& node = tree.nodes[TreeInMemory::nodeOf({at})];
        std::uint64_t& next = added < TreeInMemory::nodeOf({at}) ? node.left : node.right;
        if (!next) {
          next = TreeInMemory::at(added).value;
          break;
        }
        at = next;
      }
    }
    const auto seen = tree.walk(order[0], count);
    EXPECT_EQ(seen.damage, "");
    EXPECT_EQ(seen.nodes, upTo(count));
  }
}

TEST(TreeWalk, EndsWhenNoMoreIsWanted) {
  TreeInMemory tree;
  const std::uint32_t root = tree.addBalanced(31);
  const OpenedCore core = tree.opened();
  std::size_t visits = 0;
  EXPECT_EQ(TreeWalk(core.space(), TreeInMemory::shape(), 31).run(tree.at(root), [&](Address) { return ++visits < 4; }),
            "");
  EXPECT_EQ(visits, 4u);
}

TEST(TreeWalk, LooksForNothingBelowALeafOfItsOwnType) {
  TreeInMemory tree;
  const std::uint32_t first = tree.add(99, 98, kLeafType);  // what stands there belongs to something else
  const std::uint32_t root = tree.add(first);
  const std::uint32_t last = tree.add(97, 96, kLeafType);
  tree.nodes[root].right = tree.at(last).value;
  TreeShape shape = TreeInMemory::shape();
  EXPECT_NE(tree.walk(root, 3, shape).damage, "");
  shape.leafMethodTable = {kLeafType};
  const auto seen = tree.walk(root, 3, shape);
  EXPECT_EQ(seen.damage, "");
  EXPECT_EQ(seen.nodes, upTo(3));
}

TEST(TreeWalk, PassesOverNodesThatStandForNothing) {
  TreeInMemory tree;
  const std::uint32_t first = tree.add();
  const std::uint32_t root = tree.add();
  const std::uint32_t nothing = tree.add();
  tree.nodes[first].left = tree.nodes[first].right = tree.nodes[root].right = tree.at(nothing).value;
  tree.nodes[root].left = tree.at(first).value;
  TreeShape shape = TreeInMemory::shape();
  shape.hasEmptyNodes = true;
  EXPECT_EQ(tree.walk(root, 2, shape).nodes, upTo(2));
  EXPECT_EQ(tree.walk(nothing, 0, shape).damage, "") << "an empty collection";
}

TEST(TreeWalk, SkipsWhatIsNotWantedByTheCountsOfItsNodes) {
  constexpr std::uint32_t kItems = 500;
  TreeInMemory tree;
  const std::uint32_t root = tree.addBalanced(kItems);
  TreeShape shape = TreeInMemory::shape();
  shape.count = 32;
  const OpenedCore core = tree.opened();
  const TreeWalk walk(core.space(), shape, kItems);
  for (const std::uint32_t first : {0u, 1u, 2u, 63u, 249u, 250u, 251u, 498u, 499u, 500u, 9999u}) {
    ItemCollector items(first, 3, {});
    std::vector<std::uint32_t> taken;
    std::size_t visits = 0;
    const auto visit = [&](Address item) {
      ++visits;
      return items.offer({{}, item});
    };
    EXPECT_EQ(walk.run(tree.at(root), visit, &items), "");
    for (const auto& place : items.places()) taken.push_back(TreeInMemory::nodeOf(place.value));
    EXPECT_EQ(taken, upTo(std::min(kItems, first + 3), first)) << first;
    EXPECT_LE(visits, 12u) << "no more than one way down and the window";
  }
}

TEST(TreeWalk, BelievesNoCountBelowOne) {
  for (const std::int32_t count : {0, -1, INT32_MIN}) {
    TreeInMemory tree;
    const std::uint32_t root = tree.addBalanced(7);
    for (auto& node : tree.nodes) node.count = count;
    TreeShape shape = TreeInMemory::shape();
    shape.count = 32;
    const OpenedCore core = tree.opened();
    ItemCollector items(5, 10, {});
    TreeWalk(core.space(), shape, 7)
        .run(
            tree.at(root),
            [&](Address item) {
              return items.offer({{}, item});
            },
            &items);
    ASSERT_EQ(items.places().size(), 2u);
    EXPECT_EQ(TreeInMemory::nodeOf(items.places()[0].value), 5u);
  }
}

TEST(TreeWalk, TellsWhereThereIsNoNode) {
  TreeInMemory tree;
  const std::uint32_t root = tree.addBalanced(3);
  tree.nodes[2].type = kLeafType;
  auto seen = tree.walk(root);
  EXPECT_EQ(seen.nodes, upTo(2));
  EXPECT_EQ(seen.damage, "There is no node of the tree at 0x7f0000000080.");
  tree.nodes[2].type = kNodeType;
  tree.nodes[0].left = 0x10;  // no memory at all
  seen = tree.walk(root);
  EXPECT_TRUE(seen.nodes.empty());
  EXPECT_EQ(seen.damage, "There is no node of the tree at 0x10.");
}

TEST(TreeWalk, EndsInATreeThatGoesInCircles) {
  TreeInMemory tree;
  const std::uint32_t root = tree.addBalanced(3);
  tree.nodes[2].right = tree.at(0).value;
  const auto right = tree.walk(root, 3);
  EXPECT_EQ(right.nodes.size(), 3u);
  EXPECT_EQ(right.damage, "The tree has more than its 3 nodes.");
  tree.nodes[0].left = tree.at(root).value;
  EXPECT_NE(tree.walk(root, 3).damage.find("too deep"), std::string::npos);
}

TEST(TreeWalk, IsAsDeepAsABalancedTreeCanBe) {
  TreeInMemory deep, tooDeep;
  const auto seen = deep.walk(deep.addLeftLine(128));
  EXPECT_EQ(seen.damage, "");
  EXPECT_EQ(seen.nodes, upTo(128));
  const auto none = tooDeep.walk(tooDeep.addLeftLine(129));
  EXPECT_TRUE(none.nodes.empty());
  EXPECT_EQ(none.damage, "The tree is too deep at 0x7f0000000000 to be one.");
}

TEST(NodeOfAType, IsOneThoughTheGcHasMarkedIt) {
  TreeInMemory tree;
  tree.add();
  tree.nodes[0].type |= 5;
  const OpenedCore core = tree.opened();
  EXPECT_TRUE(engine::isNode(core.space(), tree.at(0), {kNodeType}));
  EXPECT_FALSE(engine::isNode(core.space(), tree.at(0), {kNodeType + 8}));
  EXPECT_FALSE(engine::isNode(core.space(), tree.at(1), {kNodeType})) << "not in the dump";
  EXPECT_FALSE(engine::isNode(core.space(), {}, {kNodeType}));
}

}  // namespace
}  // namespace heapscape::test
