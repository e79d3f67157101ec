// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "engine/graph/written_graph.h"
#include "graph/dominators/dominator_tree.h"
#include "graph/retained/retained_sizes.h"

namespace heapscape::test {
namespace {

using engine::DominatorChildren;
using engine::DominatorTree;

TEST(DominatorChildren, AreTheDominatorsTurnedAround) {
  std::mt19937 engine(23);
  for (const std::uint32_t vertices : {1u, 2u, 50u, 3000u}) {
    WrittenGraph graph(vertices);
    const auto random = [&] { return static_cast<std::uint32_t>(engine()) % vertices; };
    for (std::uint32_t i = 0; i < vertices * 2; ++i) graph.add(random(), random());
    const DominatorTree tree = graph.dominators({random(), random()});
    const DominatorChildren children(tree);
    std::vector<std::vector<std::uint32_t>> expected(tree.reachedCount() + 1);
    for (std::uint32_t number = 1; number <= tree.reachedCount(); ++number)
      expected[tree.dominatorOf(number)].push_back(number);
    for (std::uint32_t number = 0; number <= tree.reachedCount(); ++number) {
      const auto family = children.of(number);
      EXPECT_EQ(std::vector<std::uint32_t>(family.begin(), family.end()), expected[number]);
    }
  }
}

TEST(DominatorChildren, OfNothingAreNone) {
  WrittenGraph graph(0);
  EXPECT_TRUE(DominatorChildren(graph.dominators(engine::RootForest())).of(0).empty());
}

/// A family large enough to be sorted on all cores.
TEST(DominatorChildren, AreSortedByWhatTheyRetain) {
  constexpr std::uint32_t kChildren = 100'000;
  WrittenGraph graph(kChildren + 1);
  for (std::uint32_t child = 1; child <= kChildren; ++child) graph.add(0, child);
  const DominatorTree tree = graph.dominators({0});
  engine::LargeArray<std::uint64_t> units(tree.reachedCount() + 1);
  std::mt19937 engine(5);
  for (std::uint32_t number = 0; number <= tree.reachedCount(); ++number)
    units[number] = std::uint64_t{static_cast<std::uint32_t>(engine()) % 1000} << 33;
  const engine::RetainedSizes sizes{engine::RetainedBytes(std::move(units)), {}};
  DominatorChildren children(tree);
  ASSERT_TRUE(children.sortByRetained(sizes, {}));
  const auto family = children.of(tree.numberOf(0));
  ASSERT_EQ(family.size(), kChildren);
  for (std::size_t i = 1; i < family.size(); ++i) {
    const std::uint64_t before = sizes.bytes[family[i - 1]], after = sizes.bytes[family[i]];
    EXPECT_TRUE(before > after || (before == after && family[i - 1] < family[i]));
  }
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(children.sortByRetained(sizes, stop.get_token()));
}

}  // namespace
}  // namespace heapscape::test
