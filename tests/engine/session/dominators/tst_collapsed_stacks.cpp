// SPDX-License-Identifier: MIT
// The dominator tree as stacks of flame graph tools.
#include "session/dominators/collapsed_stacks.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using namespace engine;

DominatorShape shapeOf(DominatorKind kind, std::string name, std::uint64_t retained, std::uint32_t parent = 0) {
  DominatorShape shape;
  shape.node.kind = kind;
  shape.node.name = std::move(name);
  shape.node.retainedBytes = retained;
  shape.parent = parent;
  return shape;
}

std::map<std::string, std::uint64_t> stacksOf(const std::vector<DominatorShape>& shapes, bool isRedacted = false) {
  std::map<std::string, std::uint64_t> stacks;
  forEachCollapsedStack(shapes, isRedacted, [&](std::string_view frames, std::uint64_t bytes) {
    EXPECT_TRUE(stacks.emplace(frames, bytes).second) << frames;
    return true;
  });
  return stacks;
}

TEST(CollapsedStacks, HaveWhatIsEachNodesOwn) {
  std::vector<DominatorShape> shapes{shapeOf(DominatorKind::Whole, "all roots", 100),
                                     shapeOf(DominatorKind::RootGroup, "Statics", 90),
                                     shapeOf(DominatorKind::Type, "Shop.Order", 60, 1),
                                     shapeOf(DominatorKind::Object, "", 10, 2), shapeOf({}, "", 30, 1)};
  shapes[3].node.object = Address{0x7f00};
  shapes[4].isRest = true;
  shapes[4].siblings = 12;
  EXPECT_EQ(stacksOf(shapes), (std::map<std::string, std::uint64_t>{
                                  {"all_roots", 10},
                                  {"all_roots;Statics;Shop.Order", 50},
                                  {"all_roots;Statics;Shop.Order;(unknown)@0x7f00", 10},
                                  {"all_roots;Statics;(12_smaller)", 30},
                              }))
      << "and no line for a node that has nothing of its own";
}

TEST(CollapsedStacks, HaveFramesThatToolsTakeForOneWord) {
  const auto frameOf = [](DominatorKind kind, const char* name, bool isRedacted = false) {
    return collapsedFrame(shapeOf(kind, name, 1), isRedacted);
  };
  EXPECT_EQ(frameOf(DominatorKind::Type, "A<B, C>;\tD\n"), "A<B,_C>:_D_");
  EXPECT_EQ(frameOf(DominatorKind::Type, ""), "(unknown)");
  EXPECT_EQ(frameOf(DominatorKind::Namespace, "Shop.Stock"), "Shop.Stock.*");
  EXPECT_EQ(frameOf(DominatorKind::Root, "thread 5 \"Alice\", rbp-0x18"), "thread_5_\"Alice\",_rbp-0x18");
  EXPECT_EQ(frameOf(DominatorKind::Root, "thread 5 \"Alice\", rbp-0x18", true), "thread_5,_rbp-0x18");
}

TEST(CollapsedStacks, StopWhenToldTo) {
  const std::vector<DominatorShape> shapes{shapeOf(DominatorKind::Whole, "all roots", 100),
                                           shapeOf(DominatorKind::RootGroup, "Statics", 90)};
  int visited = 0;
  forEachCollapsedStack(shapes, false, [&](std::string_view, std::uint64_t) { return ++visited < 1; });
  EXPECT_EQ(visited, 1);
  forEachCollapsedStack({}, false, [&](std::string_view, std::uint64_t) { return ++visited > 0; });
  EXPECT_EQ(visited, 1);
}

TEST(CollapsedStacks, OfAnyPictureAddUpToWhatItsTopRetains) {
  const Snapshot snapshot = openSnapshot(dumpPath("shop-10"), Stage::Retained);
  for (const DominatorGrouping grouping :
       {DominatorGrouping::Object, DominatorGrouping::Type, DominatorGrouping::Namespace}) {
    for (const std::size_t most : {5u, 300u, 4000u}) {
      const auto shapes = dominatorPicture(snapshot, grouping, {.shapes = most}, {});
      ASSERT_TRUE(shapes);
      std::uint64_t sum = 0;
      forEachCollapsedStack(*shapes, false, [&](std::string_view, std::uint64_t bytes) {
        sum += bytes;
        return true;
      });
      EXPECT_EQ(sum, snapshot.retainedTotals().reachableBytes);
    }
  }
}

}  // namespace
}  // namespace heapscape::test
