// SPDX-License-Identifier: MIT
// Chains in pictures of the dominator tree: made by hand, and in a dump's tree.
#include <algorithm>
#include <map>

#include "dominator_questions.h"
#include "session/dominators/dominator_chains.h"

namespace heapscape::test {
namespace {

using engine::DominatorKind;
using engine::DominatorShape;

DominatorShape shape(std::uint32_t node, std::uint32_t parent, std::uint32_t depth, std::uint64_t first,
                     std::uint64_t retained, DominatorKind kind = DominatorKind::Object) {
  DominatorShape made;
  made.node.node = node;
  made.node.kind = kind;
  made.node.retainedBytes = retained;
  made.parent = parent;
  made.depth = depth;
  made.firstByte = first;
  return made;
}

TEST(DominatorChains, AChainIsOneShapeAboveWhatItsEndDominates) {
  const std::vector<DominatorShape> shapes{shape(0, 0, 0, 0, 1000, DominatorKind::Whole),
                                           shape(1, 0, 1, 0, 1000, DominatorKind::Root),
                                           shape(2, 1, 2, 0, 990),  // the chain: 2, 3, 4
                                           shape(3, 2, 3, 0, 980),
                                           shape(4, 3, 4, 0, 970),
                                           shape(5, 2, 3, 980, 4),
                                           shape(6, 4, 5, 0, 500),
                                           shape(7, 4, 5, 500, 400)};
  const auto folded = engine::foldChains(shapes);
  ASSERT_EQ(folded.size(), 6u);
  EXPECT_EQ(folded[2].node.node, 2u);
  ASSERT_EQ(folded[2].folded.size(), 2u);
  EXPECT_EQ(folded[2].folded[0].node, 3u);
  EXPECT_EQ(folded[2].folded[1].node, 4u);
  EXPECT_TRUE(folded[1].folded.empty()) << "a root is no link";
  // Side by side, in the order of their bytes: what the end dominates, then what the others do besides.
  const std::vector<std::uint32_t> below{folded[3].node.node, folded[4].node.node, folded[5].node.node};
  EXPECT_EQ(below, (std::vector<std::uint32_t>{6, 7, 5}));
  for (std::size_t i = 3; i < 6; ++i) {
    EXPECT_EQ(folded[i].parent, 2u);
    EXPECT_EQ(folded[i].depth, 3u);
  }
  EXPECT_EQ(folded[4].firstByte, 500u);
}

TEST(DominatorChains, TwoAreNone) {
  const std::vector<DominatorShape> shapes{shape(0, 0, 0, 0, 1000, DominatorKind::Whole), shape(1, 0, 1, 0, 990),
                                           shape(2, 1, 2, 0, 985), shape(3, 2, 3, 0, 400)};
  const auto folded = engine::foldChains(shapes);
  ASSERT_EQ(folded.size(), shapes.size());
  for (const DominatorShape& each : folded) EXPECT_TRUE(each.folded.empty());
  EXPECT_TRUE(engine::foldChains({}).empty());
}

TEST(DominatorChains, NothingIsLostAndNothingLiesOnAnother) {
  for (const engine::DominatorGrouping grouping : kGroupings) {
    const auto shapes = pictureOf(retainedDump("shop-10"), grouping);
    const auto folded = engine::foldChains(shapes);
    std::map<std::uint32_t, int> nodes;
    for (const DominatorShape& each : shapes) nodes[each.isRest ? 0xffffffff : each.node.node] += 1;
    for (const DominatorShape& each : folded) {
      nodes[each.isRest ? 0xffffffff : each.node.node] -= 1;
      for (const engine::DominatorNode& link : each.folded) nodes[link.node] -= 1;
    }
    EXPECT_TRUE(std::ranges::all_of(nodes, [](const auto& entry) { return entry.second == 0; }));
    std::vector<std::uint64_t> next(folded.size());
    for (std::uint32_t i = 0; i < folded.size(); ++i) next[i] = folded[i].firstByte;
    for (std::uint32_t i = 1; i < folded.size(); ++i) {
      const DominatorShape& each = folded[i];
      ASSERT_LT(each.parent, i);
      EXPECT_EQ(each.depth, folded[each.parent].depth + 1);
      EXPECT_GE(each.firstByte, next[each.parent]);
      next[each.parent] = each.firstByte + each.node.retainedBytes;
      const DominatorShape& above = folded[each.parent];
      EXPECT_LE(next[each.parent], above.firstByte + above.node.retainedBytes);
    }
  }
}

}  // namespace
}  // namespace heapscape::test
