// SPDX-License-Identifier: MIT
// The lines of the roots come to all that is reachable, and each combination of owners to what it holds.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "session/objects/retained_query.h"
#include "session/open/retained_stage.h"
#include "session/roots/held_together.h"
#include "session/roots/root_owners.h"
#include "session/snapshot/contents.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::HeldRoots;
using engine::RootGroup;
using engine::RootTreeNode;

class HeldTogether : public testing::TestWithParam<std::string> {
 protected:
  HeldTogether() : snapshot(*engine::addRetained(openedDump(GetParam()), {}, nullptr, {})) {}

  HeldRoots held(std::size_t limit) const {
    HeldRoots held = *engine::listHeldRoots(snapshot, {});
    EXPECT_TRUE(engine::addCombinations(snapshot, held, limit, nullptr, {}));
    return held;
  }

  std::string ownerOf(const engine::RootRow& root) const {
    const auto& groups = snapshot.roots().groups;
    std::uint32_t group = root.group;
    while (groups[group].parent != RootGroup::kNone && groups[groups[group].parent].parent != RootGroup::kNone)
      group = groups[group].parent;
    const std::uint32_t parent = groups[group].parent;
    const bool isStatic = parent != RootGroup::kNone && groups[parent].name == "Statics";
    return (isStatic ? "statics of " : "") + groups[group].name;
  }

  engine::Snapshot snapshot;
};

INSTANTIATE_TEST_SUITE_P(Small, HeldTogether, testing::Values("shop-8", "shop-10", "stacks-10"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(HeldTogether, TheLinesOfEveryGroupComeToAllOfIt) {
  const HeldRoots roots = held(10);
  std::size_t lines = 0;
  for (const RootTreeNode& node : roots.tree) {
    if (node.children.empty()) continue;
    std::uint64_t bytes = 0, objects = 0;
    for (const std::uint32_t child : node.children) {
      bytes += roots.tree[child].alone.bytes;
      objects += roots.tree[child].alone.objects;
    }
    EXPECT_EQ(bytes, node.alone.bytes) << node.name;
    EXPECT_EQ(objects, node.alone.objects) << node.name;
    if (!node.isTogether) continue;
    ++lines;
    const bool isCombination = roots.tree[node.parent].isTogether;
    EXPECT_LE(node.children.size(), isCombination ? engine::kMostParts + 1 : 11u);
  }
  EXPECT_EQ(roots.tree[0].alone.bytes, snapshot.retainedTotals().reachableBytes);
  EXPECT_GT(lines, 0u);
}

TEST_P(HeldTogether, TheLargestObjectOfACombinationIsAmongIt) {
  const HeldRoots roots = held(10);
  std::size_t named = 0;
  for (const RootTreeNode& node : roots.tree) {
    if (!node.largest) continue;
    ++named;
    EXPECT_TRUE(node.isTogether && roots.tree[node.parent].isTogether) << node.name;
    const auto retained = engine::retainedBytesAt(snapshot, node.largest);
    ASSERT_TRUE(retained) << node.name;
    EXPECT_GT(*retained, 0u) << node.name;
    EXPECT_LE(*retained, node.alone.bytes) << node.name;
  }
  EXPECT_GT(named, 0u);
}

TEST_P(HeldTogether, CombinationsOpenIntoTheirObjects) {
  const HeldRoots roots = held(1'000'000);
  std::size_t opened = 0;
  for (const RootTreeNode& node : roots.tree) {
    const RootTreeNode& above = roots.tree[node.parent];
    if (!node.isTogether || !above.isTogether) continue;
    const bool isPart = roots.tree[above.parent].isTogether;
    if (isPart && node.largest) {
      EXPECT_EQ(engine::retainedBytesAt(snapshot, node.largest), node.alone.bytes) << node.name;
      EXPECT_EQ(node.name, snapshot.typeName(engine::retainedOf(snapshot, node.largest)->type));
      const auto index = static_cast<std::uint32_t>(&node - roots.tree.data());
      if (above.children.front() == index) {
        EXPECT_EQ(node.largest, above.largest);
      }
    }
    if (!isPart) opened += !node.children.empty();
    if (node.children.empty() && !isPart && node.largest) {
      EXPECT_EQ(engine::retainedBytesAt(snapshot, node.largest), node.alone.bytes) << "a single object: " << node.name;
    }
  }
  EXPECT_GT(opened, 0u);
}

std::vector<std::string> ownersIn(const std::string& combination) {
  std::vector<std::string> owners;
  for (std::size_t from = 0; from != std::string::npos;) {
    const std::size_t plus = combination.find(" + ", from);
    owners.push_back(combination.substr(from, plus - from));
    from = plus == std::string::npos ? plus : plus + 3;
  }
  return owners;
}

// What is cut behind the first owners still says which one it is.
TEST_P(HeldTogether, OwnersThatTellACombinationApartStandFirst) {
  const HeldRoots roots = held(50);
  std::size_t combinations = 0;
  for (const RootTreeNode& line : roots.tree) {
    if (!line.isTogether || roots.tree[line.parent].isTogether) continue;
    std::map<std::string, std::size_t> uses;  // of each owner
    for (const std::uint32_t child : line.children)
      for (const std::string& owner : ownersIn(roots.tree[child].name)) ++uses[owner];
    for (const std::uint32_t child : line.children) {
      const std::vector<std::string> owners = ownersIn(roots.tree[child].name);
      combinations += owners.size() > 1;
      for (const std::string& owner : owners) EXPECT_LE(uses[owners.front()], uses[owner]) << roots.tree[child].name;
    }
  }
  EXPECT_GT(combinations, 1u);
}

TEST_P(HeldTogether, OwnersAndSharedObjectsComeToAllThatIsLive) {
  for (const std::size_t most : {3, 40}) {
    const engine::RootOwners owners = engine::largestOwners(snapshot, most, {}).value();
    std::uint64_t bytes = owners.ofOthers.bytes + owners.together.bytes, last = ~std::uint64_t{0};
    std::size_t shared = 0;
    for (const engine::RootOwner& owner : owners.owners) {
      EXPECT_LE(owner.alone.bytes, last);
      last = owner.alone.bytes;
      bytes += last;
      EXPECT_LE(owner.byOneRoot.bytes, owner.alone.bytes) << owner.name;
      EXPECT_TRUE(!owner.isShared || owner.group == engine::RootGroup::kNone) << owner.name;
      if (!owner.isShared) continue;
      ++shared;
      EXPECT_EQ(engine::retainedBytesAt(snapshot, owner.object), owner.alone.bytes) << owner.typeName;
      EXPECT_FALSE(owner.typeName.empty());
    }
    EXPECT_EQ(owners.owners.size(), most);
    EXPECT_EQ(bytes, snapshot.retainedTotals().reachableBytes);
    EXPECT_TRUE(most == 3 || shared > 0);
  }
}

TEST_P(HeldTogether, EachCombinationIsWhatExactlyItsOwnersLeadTo) {
  const auto& contents = snapshot.contents();
  std::map<std::string, std::vector<std::uint32_t>> starts;
  for (const engine::RootRow& root : snapshot.roots().roots) {
    const engine::ObjectId object = contents.heap->index.idOf(root.object);
    if (!object.isNone()) starts[ownerOf(root)].push_back(object.value);
  }
  // Owner by owner, all that its roots lead to.
  std::vector<std::set<std::string>> owners(contents.retention->tree.objectCount());
  for (auto& [owner, waiting] : starts) {
    while (!waiting.empty()) {
      const std::uint32_t object = waiting.back();
      waiting.pop_back();
      if (!owners[object].insert(owner).second) continue;
      for (const std::uint32_t target : contents.graph->targetsOf(object)) waiting.push_back(target);
    }
  }
  std::map<std::set<std::string>, std::uint64_t> expected;
  std::uint64_t ofMany = 0;
  for (std::uint32_t object = 0; object < owners.size(); ++object) {
    if (owners[object].size() > engine::kMostOwners) {
      ofMany += contents.graph->bytesOf(object);
    } else if (owners[object].size() > 1) {
      expected[owners[object]] += contents.graph->bytesOf(object);
    }
  }
  std::map<std::set<std::string>, std::uint64_t> told;
  std::uint64_t toldOfMany = 0;
  const HeldRoots roots = held(1'000'000);
  for (const RootTreeNode& node : roots.tree) {
    const RootTreeNode& above = roots.tree[node.parent];
    if (!node.isTogether || !above.isTogether || roots.tree[above.parent].isTogether) continue;  // no combination
    if (node.name.starts_with("more than")) {
      toldOfMany += node.alone.bytes;
      continue;
    }
    const std::vector<std::string> owners = ownersIn(node.name);
    const std::set<std::string> names(owners.begin(), owners.end());
    // Two of one name, as types of two load contexts are, are one owner here.
    if (names.size() > 1) told[names] += node.alone.bytes;
  }
  EXPECT_EQ(told, expected);
  EXPECT_EQ(toldOfMany, ofMany);
}

}  // namespace
}  // namespace heapscape::test
