// SPDX-License-Identifier: MIT
// Every byte that an object retains is told of where it is, and flows to exactly one neighbour.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/open/retained_stage.h"
#include "session/references/neighbours_query.h"
#include "session/references/retained_flow.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::Direction;
using engine::Neighbour;
using engine::NeighbourGroup;

class FlowOf : public testing::TestWithParam<std::string> {
 protected:
  static void TearDownTestSuite() { s_seen.clear(); }

  const engine::Snapshot& snapshot() const {
    const auto known = s_seen.find(GetParam());
    if (known != s_seen.end()) return known->second;
    auto seen = engine::addRetained(openedDump(GetParam()), {}, nullptr, {});
    EXPECT_TRUE(seen);
    return s_seen.emplace(GetParam(), *seen).first->second;
  }

  template <class Visit>
  void forEachReachable(const Visit& visit) const {
    engine::forEachObject(snapshot(), {}, [&](const engine::ObjectRow& row) {
      const auto retained = engine::retainedOf(snapshot(), row.address);
      if (retained && retained->isReachable) visit(row, retained->retainedBytes);
      return !testing::Test::HasFatalFailure();
    });
  }

  engine::Neighbours neighbours(Address object, Direction direction, bool folds, std::size_t perGroup) const {
    const engine::NeighbourOptions options{
        .perGroup = perGroup, .groups = 100'000, .hood = {.foldCollections = folds, .followsFlow = true}};
    const auto found = engine::neighboursOf(snapshot(), object, direction, options, nullptr, {});
    EXPECT_TRUE(found);
    return found ? *found : engine::Neighbours{};
  }

 private:
  static inline std::map<std::string, engine::Snapshot> s_seen;
};

INSTANTIATE_TEST_SUITE_P(Small, FlowOf, testing::Values("shop-8", "shop-10"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(FlowOf, TheAccountOfEveryObjectAddsUp) {
  std::map<Address, std::uint64_t> throughDirect, throughOthers;
  const auto& tree = snapshot().contents().retention->tree;
  const auto& sizes = snapshot().contents().retention->sizes;
  const auto& index = snapshot().contents().heap->index;
  // By the tree itself: each object's retained bytes belong to its dominator, by a reference or without one.
  for (std::uint32_t number = 1; number <= tree.reachedCount(); ++number) {
    const std::uint32_t above = tree.isObject(tree.vertexOf(number)) ? tree.dominatingObjectOf(number) : 0;
    if (!above) continue;
    const std::uint32_t owner = tree.vertexOf(above);
    const auto targets = snapshot().contents().graph->targetsOf(owner);
    const bool isDirect = std::find(targets.begin(), targets.end(), tree.vertexOf(number)) != targets.end();
    (isDirect ? throughDirect : throughOthers)[index.addressOf({owner})] += sizes.bytes[number];
  }
  std::uint64_t withRest = 0;
  forEachReachable([&](const engine::ObjectRow& row, std::uint64_t retained) {
    const auto account = engine::retainedAccountOf(snapshot(), row.address, false, {});
    ASSERT_TRUE(account);
    ASSERT_EQ(account->retainedBytes(), retained) << toString(row.address);
    ASSERT_EQ(account->fieldBytes, throughDirect[row.address]) << toString(row.address);
    ASSERT_EQ(account->restBytes, throughOthers[row.address]) << toString(row.address);
    withRest += account->restBytes > 0;
    const auto folded = engine::retainedAccountOf(snapshot(), row.address, true, {});
    ASSERT_TRUE(folded);
    ASSERT_EQ(folded->retainedBytes(), retained) << toString(row.address);
    ASSERT_GE(folded->ownBytes, account->ownBytes);
    ASSERT_LE(folded->ownBytes + folded->fieldBytes, retained);
  });
  EXPECT_GT(withRest, 5u);
}

TEST_P(FlowOf, FlowsToTheRightAreAllThatIsNotItsOwn) {
  std::size_t step = 0, far = 0;
  forEachReachable([&](const engine::ObjectRow& row, std::uint64_t retained) {
    if (++step % 4 != 0 && retained < 10'000) return;
    for (const bool folds : {false, true}) {
      const auto account = engine::retainedAccountOf(snapshot(), row.address, folds, {});
      const engine::Neighbours held = neighbours(row.address, Direction::Held, folds, retained < 10'000 ? 1000 : 20);
      std::uint64_t flow = 0;
      for (const NeighbourGroup& group : held.groups) {
        flow += group.flowBytes;
        std::uint64_t ofNamed = 0;
        for (const Neighbour& neighbour : group.first) {
          ofNamed += neighbour.flowBytes;
          if (neighbour.flowBytes) {
            ASSERT_EQ(neighbour.flowBytes, neighbour.retainedBytes);
          }
          if (neighbour.steps == 1) continue;
          // More than one step away: it is dominated, and the way there has a name.
          ++far;
          ASSERT_GT(neighbour.flowBytes, 0u);
          ASSERT_GT(neighbour.steps, 1u);
          ASSERT_FALSE(neighbour.via.empty());
        }
        if (group.first.size() == group.objects) {
          ASSERT_EQ(ofNamed, group.flowBytes);
        }
      }
      ASSERT_EQ(flow, account->fieldBytes + account->restBytes) << toString(row.address) << " " << folds;
    }
  });
  EXPECT_GT(far, 0u);
}

TEST_P(FlowOf, WhatIsDominatedIsNoHolderButRefersBack) {
  std::uint64_t back = 0;
  std::size_t step = 0;
  forEachReachable([&](const engine::ObjectRow& row, std::uint64_t retained) {
    if (++step % 7 != 0 && retained < 50'000) return;
    const auto& tree = snapshot().contents().retention->tree;
    const auto& index = snapshot().contents().heap->index;
    const engine::RetainedFlow flow(snapshot().contents(), nullptr);
    const std::uint32_t self = index.idOf(row.address).value;
    const engine::Neighbours holders = neighbours(row.address, Direction::Holders, false, 20);
    for (const NeighbourGroup& group : holders.groups) {
      for (const Neighbour& holder : group.first) ASSERT_FALSE(flow.dominates(self, index.idOf(holder.object).value));
    }
    for (const Address object : holders.back) ASSERT_TRUE(flow.dominates(self, index.idOf(object).value));
    back += holders.referBack;
    const std::uint32_t owner = tree.dominatingObjectOf(tree.numberOf(self));
    std::uint64_t flows = 0;
    for (const NeighbourGroup& group : holders.groups) flows += group.flowBytes;
    ASSERT_EQ(flows, owner ? retained : 0);
    const auto onlyRoot = holders.dominatingRoot;
    if (onlyRoot) {
      ASSERT_NE(std::ranges::find(holders.roots, *onlyRoot), holders.roots.end());
    }
  });
  EXPECT_GT(back, 0u);
}

TEST_P(FlowOf, AChainIsFollowedUntilItIsDivided) {
  std::size_t chains = 0, step = 0;
  forEachReachable([&](const engine::ObjectRow& row, std::uint64_t retained) {
    if (++step % 19 != 0) return;
    const auto described =
        engine::describeObjects(snapshot(), {row.address}, {}, {.foldCollections = false, .followsFlow = true});
    ASSERT_EQ(described.size(), 1u);
    ASSERT_TRUE(described.front().account);
    std::uint64_t before = retained;
    for (const engine::ChainStep& next : described.front().chain) {
      const std::uint64_t bytes = engine::retainedOf(snapshot(), next.object)->retainedBytes;
      ASSERT_GE(bytes * 100, before * engine::RetainedFlow::kChainPercent);
      before = bytes;
    }
    if (described.front().chain.empty()) return;
    ++chains;
    ASSERT_TRUE(described.front().chainAccount);
    ASSERT_EQ(described.front().chainAccount->retainedBytes(), retained);
    const auto steps = engine::chainBelow(snapshot(), row.address, false, 3, {});
    ASSERT_TRUE(steps);
    ASSERT_EQ(steps->size(), std::min<std::size_t>(3, described.front().chain.size()));
    for (std::size_t i = 0; i < steps->size(); ++i) {
      ASSERT_EQ((*steps)[i].object, described.front().chain[i].object);
      ASSERT_FALSE((*steps)[i].via.empty());
    }
  });
  EXPECT_GT(chains, 1u);
}

}  // namespace
}  // namespace heapscape::test
