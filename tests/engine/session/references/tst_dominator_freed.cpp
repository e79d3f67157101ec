// SPDX-License-Identifier: MIT
#include "session/dominators/dominators_query.h"

#include <gtest/gtest.h>

#include <array>
#include <map>

#include "cut_questions.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/open/retained_stage.h"
#include "support/opened_snapshot.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::DominatorGrouping;
using engine::DominatorKind;
using engine::DominatorShape;
using engine::Snapshot;
using engine::WhatIf;

constexpr std::array kEveryGrouping{DominatorGrouping::Object, DominatorGrouping::Type, DominatorGrouping::Namespace};

const Snapshot& freedShop() {
  return retainedDump("shop-10");
}

std::vector<DominatorShape> shapesOf(const Snapshot& snapshot, DominatorGrouping grouping) {
  return engine::dominatorPicture(snapshot, grouping, {}, {}).value();
}

std::vector<std::uint64_t> freedOf(const WhatIf& whatIf, DominatorGrouping grouping,
                                   const std::vector<DominatorShape>& shapes) {
  const auto freed = engine::freedByShape(freedShop(), whatIf, grouping, shapes, {});
  EXPECT_TRUE(freed);
  return freed ? *freed : std::vector<std::uint64_t>(shapes.size());
}

// Each object by itself: what is freed of it and of all that it dominates.
std::map<Address, std::uint64_t> freedByObject(const WhatIf& whatIf) {
  std::map<Address, Address> dominators;
  engine::forEachDominated(freedShop(),
                           [&](const engine::DominatedObject& object) {
                             dominators[object.object] = object.dominator;
                             return true;
                           },
                           {});
  std::map<Address, std::uint64_t> freed;
  engine::forEachObject(freedShop(), {}, [&](const engine::ObjectRow& row) {
    if (!whatIf.frees(row.address)) return true;
    for (Address above = row.address; above; above = dominators[above]) freed[above] += row.alignedBytes;
    return true;
  });
  return freed;
}

std::vector<std::vector<std::string>> someCuts() {
  const auto largest = engine::largestRetained(freedShop(), 40).objects;
  const auto& roots = freedShop().roots();
  std::vector<std::string> statics;
  for (const engine::RootRow& root : roots.roots) {
    if (root.kind == engine::RootKind::Static && statics.size() < 3) statics.push_back(engine::cutOfRoot(root));
  }
  return {{engine::cutOfObject(largest[0].object)},
          {engine::cutOfObject(largest[7].object), engine::cutOfObject(largest[39].object)},
          {engine::cutOfRootGroup(roots, 0)},
          statics};
}

TEST(DominatorFreed, IsWhatEachObjectWouldLoseWithAllBelowIt) {
  const auto shapes = shapesOf(freedShop(), DominatorGrouping::Object);
  std::size_t some = 0;
  for (const auto& cuts : someCuts()) {
    const WhatIf whatIf = askWhatIf(freedShop(), cuts);
    auto expected = freedByObject(whatIf);
    const auto freed = freedOf(whatIf, DominatorGrouping::Object, shapes);
    ASSERT_EQ(freed.size(), shapes.size());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (shapes[i].isRest || shapes[i].node.kind != DominatorKind::Object) continue;
      EXPECT_EQ(freed[i], expected[shapes[i].node.object]) << shapes[i].node.name;
      some += freed[i] > 0;
    }
  }
  EXPECT_GT(some, 20u);
}

TEST(DominatorFreed, AddsUpFromGroupsToTheWhole) {
  for (const DominatorGrouping grouping : kEveryGrouping) {
    const auto shapes = shapesOf(freedShop(), grouping);
    for (const auto& cuts : someCuts()) {
      const WhatIf whatIf = askWhatIf(freedShop(), cuts);
      const auto freed = freedOf(whatIf, grouping, shapes);
      EXPECT_EQ(freed[0], whatIf.freed().bytes);
      std::vector<std::uint64_t> below(shapes.size());
      for (std::size_t i = 1; i < shapes.size(); ++i) below[shapes[i].parent] += freed[i];
      for (std::size_t i = 0; i < shapes.size(); ++i) {
        EXPECT_LE(freed[i], shapes[i].node.retainedBytes) << shapes[i].node.name;
        EXPECT_LE(below[i], freed[i]) << shapes[i].node.name;
      }
    }
  }
}

// Groups of roots have roots between their numbers and those of what they hold.
TEST(DominatorFreed, TellsOfGroupsOfRootsExactly) {
  const WhatIf whatIf = askWhatIf(freedShop(), {engine::cutOfRootGroup(freedShop().roots(), 0)});
  const auto below = engine::dominatedBy(freedShop(), DominatorGrouping::Object, 0, 0, SIZE_MAX, {});
  ASSERT_TRUE(below);
  std::vector<DominatorShape> shapes;
  for (const engine::DominatorNode& node : below->nodes) shapes.push_back({.node = node});
  const auto freed = freedOf(whatIf, DominatorGrouping::Object, shapes);
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    all += freed[i];
    const bool isIt = shapes[i].node.kind == DominatorKind::RootGroup && shapes[i].node.root == 0;
    if (!isIt) continue;
    EXPECT_EQ(freed[i], shapes[i].node.retainedBytes);
  }
  EXPECT_EQ(all, whatIf.freed().bytes);
}

TEST(DominatorFreed, RefusesCutsOfOtherRoots) {
  const WhatIf whatIf = askWhatIf(freedShop(), {engine::cutOfRootGroup(freedShop().roots(), 0)});
  const auto other = engine::addRetained(freedShop(), {.roots = {.includeStacks = false}}, nullptr, {});
  ASSERT_TRUE(other);
  const auto freed =
      engine::freedByShape(*other, whatIf, DominatorGrouping::Object, shapesOf(*other, DominatorGrouping::Object), {});
  EXPECT_FALSE(freed);
}

}  // namespace
}  // namespace heapscape::test
