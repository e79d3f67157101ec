// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "session/details/object_details.h"
#include "session/objects/retained_query.h"
#include "session/open/retained_stage.h"
#include "session/roots/handles_query.h"
#include "session/roots/roots_query.h"
#include "session/roots/statics_query.h"
#include "session/threads/threads_query.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::HeldRoot;
using engine::RootTreeNode;

/// A dump seen from its roots, computed once.
const engine::Snapshot& retainedDump(const std::string& name) {
  static std::map<std::string, engine::Snapshot> seen;
  const auto known = seen.find(name);
  if (known != seen.end()) return known->second;
  auto snapshot = engine::addRetained(openedDump(name), {}, nullptr, {});
  EXPECT_TRUE(snapshot);
  return seen.emplace(name, *snapshot).first->second;
}

class RootsOf : public testing::TestWithParam<std::string> {
 protected:
  const engine::Snapshot& snapshot() const { return retainedDump(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Shop, RootsOf,
                         testing::Values("shop-8", "shop-9-server", "shop-10", "shop-11", "shop-10-segments"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(RootsOf, StandInATreeByKindAndOwner) {
  const auto held = engine::listHeldRoots(snapshot(), {});
  ASSERT_TRUE(held);
  ASSERT_EQ(held->roots.size(), snapshot().roots().roots.size());
  std::vector<bool> isListed(held->roots.size());
  for (std::uint32_t node = 0; node < held->tree.size(); ++node) {
    const RootTreeNode& at = held->tree[node];
    std::uint64_t roots = at.root == RootTreeNode::kNone ? 0 : 1;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < at.children.size(); ++i) {
      const RootTreeNode& child = held->tree[at.children[i]];
      EXPECT_EQ(child.parent, node);
      if (i > 0) {
        EXPECT_LE(child.alone.bytes, held->tree[at.children[i - 1]].alone.bytes);
      }
      roots += child.roots;
      bytes += child.alone.bytes;
    }
    EXPECT_EQ(at.roots, roots);
    EXPECT_GE(at.alone.bytes, bytes);
    if (at.root != RootTreeNode::kNone) isListed[at.root] = true;
  }
  EXPECT_TRUE(std::ranges::all_of(isListed, std::identity()));
}

TEST_P(RootsOf, HoldTheSameHoweverTheyAreGrouped) {
  const auto held = engine::listHeldRoots(snapshot(), {});
  ASSERT_TRUE(held);
  const engine::RootList& list = snapshot().roots();
  const auto topOf = [&](std::uint32_t group) {
    while (list.groups[group].parent != engine::RootGroup::kNone) group = list.groups[group].parent;
    return group;
  };
  // Grouped as they are at the top, they hold what these groups do in the dominator tree.
  std::vector<std::string> tops, single, types;
  for (std::uint32_t i = 0; i < held->roots.size(); ++i) {
    tops.push_back(std::to_string(topOf(held->roots[i].root.group)));
    single.push_back(std::to_string(i));
    types.push_back(held->roots[i].typeName);
  }
  const auto byTop = engine::groupHeldRoots(snapshot(), *held, tops, nullptr, {});
  ASSERT_TRUE(byTop);
  for (const std::uint32_t child : byTop->tree[0].children) {
    const RootTreeNode& group = byTop->tree[child];
    const engine::Retained expected =
        engine::retainedByGroup(snapshot(), static_cast<std::uint32_t>(std::stoul(group.name)));
    EXPECT_EQ(group.alone.bytes, expected.bytes) << list.groups[std::stoul(group.name)].name;
    EXPECT_EQ(group.alone.objects, expected.objects);
  }
  const auto bySelf = engine::groupHeldRoots(snapshot(), *held, single, nullptr, {});
  ASSERT_TRUE(bySelf);
  for (const std::uint32_t child : bySelf->tree[0].children) {
    const RootTreeNode& group = bySelf->tree[child];
    EXPECT_EQ(group.alone.bytes, bySelf->tree[group.children.front()].alone.bytes) << group.name;
  }
  const auto byType = engine::groupHeldRoots(snapshot(), *held, types, nullptr, {});
  ASSERT_TRUE(byType);
  std::uint64_t roots = 0, bytes = 0, ofOne = 0;
  for (const std::uint32_t child : byType->tree[0].children) {
    roots += byType->tree[child].roots;
    bytes += byType->tree[child].alone.bytes;
    for (const std::uint32_t root : byType->tree[child].children) ofOne += byType->tree[root].alone.bytes;
  }
  EXPECT_EQ(roots, held->roots.size());
  EXPECT_GE(bytes, ofOne);
  EXPECT_LE(bytes, snapshot().retainedTotals().reachableBytes);
}

TEST_P(RootsOf, AreStaticsThreadsAndHandlesAtTheTop) {
  const auto held = engine::listHeldRoots(snapshot(), {});
  ASSERT_TRUE(held);
  std::vector<std::string> tops;
  for (const std::uint32_t child : held->tree[0].children) tops.push_back(held->tree[child].name);
  for (const char* expected : {"Statics", "Threads", "Handles"})
    EXPECT_TRUE(std::ranges::find(tops, expected) != tops.end()) << expected;
  const auto type = std::ranges::find(held->tree, "Shop.Statics", &RootTreeNode::name);
  ASSERT_TRUE(type != held->tree.end());
  EXPECT_EQ(held->tree[type->parent].name, "Statics");
}

TEST_P(RootsOf, HoldAThreadsObjectsTogether) {
  const auto threads = engine::listThreads(snapshot(), {});
  ASSERT_TRUE(threads);
  std::uint64_t held = 0;
  for (const engine::ThreadRow& thread : threads->threads) {
    ASSERT_TRUE(thread.retainedBytes);
    held += *thread.retainedBytes;
  }
  EXPECT_GT(held, 0u);
  EXPECT_LE(held, snapshot().retainedTotals().reachableBytes);
}

TEST_P(RootsOf, GiveEveryListItsRetainedSizes) {
  const auto statics = engine::listStatics(snapshot(), {}, {});
  const auto handles = engine::listHandles(snapshot(), false, {});
  const auto finalizers = engine::listFinalizers(snapshot(), {});
  ASSERT_TRUE(statics && handles && finalizers);
  for (const engine::StaticRow& row : statics->statics) {
    const engine::Address object = row.value.value.object;
    if (object && !row.isBoxed) {
      EXPECT_EQ(row.retainedBytes, engine::retainedBytesAt(snapshot(), object));
    }
  }
  for (const engine::HandleRow& row : handles->handles)
    EXPECT_EQ(row.retainedBytes, engine::retainedBytesAt(snapshot(), row.object));
  for (const engine::FinalizerRow& row : finalizers->objects)
    EXPECT_EQ(row.retainedBytes, engine::retainedBytesAt(snapshot(), row.object));
  const auto details = engine::objectDetails(snapshot(), handles->handles.front().object);
  ASSERT_TRUE(details);
  ASSERT_TRUE(details->retained);
  EXPECT_EQ(details->retained->retainedBytes, handles->handles.front().retainedBytes);
}

TEST_P(RootsOf, AreFewerWithoutStacksAndHoldNoMore) {
  const auto without = engine::addRetained(snapshot(), {.roots = {.includeStacks = false}}, nullptr, {});
  ASSERT_TRUE(without);
  EXPECT_LT(without->roots().roots.size(), snapshot().roots().roots.size());
  EXPECT_LE(without->retainedTotals().reachableObjects, snapshot().retainedTotals().reachableObjects);
  EXPECT_EQ(without->retainedTotals().reachableObjects + without->retainedTotals().unreachableObjects,
            snapshot().retainedTotals().reachableObjects + snapshot().retainedTotals().unreachableObjects);
  for (const engine::RootRow& root : without->roots().roots) EXPECT_TRUE(root.isExact);
}

TEST(RootsBeforeTheStage, AreNotKnown) {
  const engine::Snapshot& objects = openedDump("shop-10");
  const auto held = engine::listHeldRoots(objects, {});
  ASSERT_TRUE(held);
  EXPECT_TRUE(held->roots.empty());
  const auto handles = engine::listHandles(objects, false, {});
  ASSERT_TRUE(handles);
  EXPECT_FALSE(handles->handles.front().retainedBytes);
}

}  // namespace
}  // namespace heapscape::test
