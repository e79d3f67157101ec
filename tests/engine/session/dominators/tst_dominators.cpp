// SPDX-License-Identifier: MIT
// The dominator tree as people see it: by object against the retained sizes, by type and namespace against a naive
// grouping of the tree by object.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <random>

#include "dominator_questions.h"
#include "session/dominators/dominators_query.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "support/opened_snapshot.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::DominatorGrouping;
using engine::DominatorKind;
using engine::DominatorNode;
using engine::DominatorShape;

/// Calls `visit(node, path)` for all of the tree; a path has the names of its nodes.
template <class Visit>
void forEachNode(const engine::Snapshot& snapshot, DominatorGrouping grouping, const Visit& visit) {
  struct Step {
    DominatorNode node;
    std::string path;
  };
  std::vector<Step> pending;
  for (DominatorNode& node : childrenOf(snapshot, grouping, 0)) pending.push_back({std::move(node), ""});
  while (!pending.empty()) {
    const Step step = std::move(pending.back());
    pending.pop_back();
    // Namespaces are left out, so that a path is the same in all groupings.
    const bool isNamespace = step.node.kind == DominatorKind::Namespace;
    const std::string path = isNamespace ? step.path : step.path + "/" + step.node.name;
    const std::vector<DominatorNode> children = childrenOf(snapshot, grouping, step.node.node);
    visit(step.node, path, children);
    for (const DominatorNode& child : children) pending.push_back({child, path});
  }
}

struct Sums {
  std::uint64_t objects = 0, roots = 0, bytes = 0, retainedBytes = 0, retainedCount = 0;
  bool operator==(const Sums&) const = default;
  friend void PrintTo(const Sums& sums, std::ostream* out) {
    *out << sums.objects << " objects of " << sums.bytes << " bytes retain " << sums.retainedCount << " of "
         << sums.retainedBytes;
  }
};

std::map<std::string, Sums> sumsByPath(const engine::Snapshot& snapshot, DominatorGrouping grouping) {
  std::map<std::string, Sums> sums;
  forEachNode(snapshot, grouping, [&](const DominatorNode& node, const std::string& path, const auto&) {
    if (node.kind == DominatorKind::Namespace) return;
    Sums& sum = sums[path];
    sum.objects += node.objects;
    sum.roots += node.roots;
    sum.bytes += node.bytes;
    sum.retainedBytes += node.retainedBytes;
    sum.retainedCount += node.retainedCount;
  });
  return sums;
}

class Dominators : public testing::TestWithParam<std::string> {
 protected:
  const engine::Snapshot& snapshot() const { return retainedWithoutTypes(GetParam()); }
};

TEST_P(Dominators, EachObjectStandsBelowWhatHoldsItAlone) {
  std::map<Address, engine::DominatedObject> flat;
  engine::forEachDominated(snapshot(),
                           [&](const engine::DominatedObject& row) {
                             flat[row.object] = row;
                             return true;
                           },
                           {});
  EXPECT_EQ(flat.size(), snapshot().retainedTotals().reachableObjects);
  std::size_t met = 0;
  forEachNode(snapshot(), DominatorGrouping::Object,
              [&](const DominatorNode& node, const std::string&, const std::vector<DominatorNode>& children) {
                met += node.kind == DominatorKind::Object;
                if (node.kind == DominatorKind::Object) {
                  EXPECT_EQ(flat[node.object].retainedBytes, node.retainedBytes);
                }
                for (const DominatorNode& child : children) {
                  if (child.kind != DominatorKind::Object) continue;
                  const Address holder = node.kind == DominatorKind::Object ? node.object : Address{};
                  EXPECT_EQ(flat[child.object].dominator, holder);
                }
              });
  EXPECT_EQ(met, flat.size());
}

TEST_P(Dominators, WhatIsBelowAddsUpInEveryGrouping) {
  for (const DominatorGrouping grouping : kGroupings) {
    forEachNode(snapshot(), grouping,
                [](const DominatorNode& node, const std::string&, const std::vector<DominatorNode>& children) {
                  expectWholeChildren(node, children);
                });
  }
}

TEST_P(Dominators, ByTypeAndByNamespaceAreTheTreeByObjectPutTogether) {
  const std::map<std::string, Sums> byObject = sumsByPath(snapshot(), DominatorGrouping::Object);
  EXPECT_EQ(sumsByPath(snapshot(), DominatorGrouping::Type), byObject);
  EXPECT_EQ(sumsByPath(snapshot(), DominatorGrouping::Namespace), byObject);
}

TEST_P(Dominators, OfASetAreAllThatItsObjectsRetainTogether) {
  std::mt19937 random(18);
  std::vector<Address> all;
  engine::forEachObject(snapshot(), {}, [&](const engine::ObjectRow& row) {
    all.push_back(row.address);
    return true;
  });
  for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{400}, all.size()}) {
    std::vector<Address> picked;
    std::ranges::sample(all, std::back_inserter(picked), static_cast<std::ptrdiff_t>(size), random);
    const auto ids = engine::idsOfSet(snapshot(), {.objects = picked}, {});
    const auto together = engine::retainedOfSet(snapshot(), {.objects = picked}, nullptr, {});
    ASSERT_TRUE(ids && together);
    for (const DominatorGrouping grouping : kGroupings) {
      const auto node = engine::dominatorNodeOfSet(snapshot(), grouping, *ids, nullptr, {});
      ASSERT_TRUE(node);
      ASSERT_EQ(node->has_value(), together->members.objects > 0);
      if (!*node) continue;
      EXPECT_EQ((*node)->kind, DominatorKind::Set);
      EXPECT_EQ((*node)->objects, together->members.objects);
      EXPECT_EQ((*node)->bytes, together->members.bytes);
      EXPECT_EQ((*node)->retainedBytes, together->retained.bytes);
      EXPECT_EQ((*node)->retainedCount, together->retained.objects);
      const std::vector<DominatorNode> children = childrenOf(snapshot(), grouping, (*node)->node);
      std::uint64_t objects = 0, bytes = 0;
      for (const DominatorNode& child : children) {
        objects += child.retainedCount;
        bytes += child.retainedBytes;
      }
      EXPECT_EQ(objects, together->retained.objects);
      EXPECT_EQ(bytes, together->retained.bytes);
      const auto shapes = pictureOf(snapshot(), grouping, {.top = (*node)->node});
      EXPECT_EQ(shapes.front().node.retainedBytes, together->retained.bytes);
      const auto again = engine::dominatorNodeOfSet(snapshot(), grouping, *ids, nullptr, {});
      ASSERT_TRUE(again && *again);
      EXPECT_EQ((*again)->node, (*node)->node);
    }
  }
}

TEST_P(Dominators, TellWhichObjectsANodeStandsFor) {
  for (const DominatorGrouping grouping : kGroupings) {
    std::size_t looked = 0;
    forEachNode(snapshot(), grouping,
                [&](const DominatorNode& node, const std::string&, const std::vector<DominatorNode>&) {
                  if (++looked % 97 != 0) return;
                  const auto objects = engine::objectsOfDominator(snapshot(), grouping, node.node, {});
                  ASSERT_TRUE(objects);
                  EXPECT_EQ(objects->size(), node.objects) << node.name;
                });
  }
}

TEST_P(Dominators, NamespacesHoldTheirTypesAndEachOtherOnce) {
  std::size_t namespaces = 0;
  forEachNode(snapshot(), DominatorGrouping::Namespace,
              [&](const DominatorNode& node, const std::string&, const std::vector<DominatorNode>& children) {
                if (node.kind != DominatorKind::Namespace) return;
                ++namespaces;
                EXPECT_FALSE(children.size() == 1 && children[0].kind == DominatorKind::Namespace) << node.name;
                for (const DominatorNode& child : children) EXPECT_TRUE(child.name.starts_with(node.name + "."));
              });
  EXPECT_GT(namespaces, 10u);
}

TEST_P(Dominators, APictureIsDividedToTheLastByte) {
  for (const DominatorGrouping grouping : kGroupings) {
    for (const std::size_t limit : {1u, 2u, 3u, 10u, 100u, 4000u}) {
      const std::vector<DominatorShape> shapes = pictureOf(snapshot(), grouping, {.shapes = limit});
      ASSERT_LE(shapes.size(), limit);
      std::vector<std::uint64_t> end(shapes.size());  // of what is placed in each so far
      for (std::size_t i = 0; i < shapes.size(); ++i) end[i] = shapes[i].firstByte;
      for (std::size_t i = 1; i < shapes.size(); ++i) {
        ASSERT_LT(shapes[i].parent, i);
        EXPECT_EQ(shapes[i].depth, shapes[shapes[i].parent].depth + 1);
        EXPECT_EQ(shapes[i].firstByte, end[shapes[i].parent]) << "side by side";
        end[shapes[i].parent] += shapes[i].node.retainedBytes;
      }
      for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (end[i] == shapes[i].firstByte) continue;
        EXPECT_EQ(end[i] - shapes[i].firstByte, bytesBelow(shapes[i].node)) << shapes[i].node.name;
      }
    }
  }
}

TEST_P(Dominators, APictureLeavesOutOnlyWhatIsSmall) {
  const std::vector<DominatorShape> shapes =
      pictureOf(snapshot(), DominatorGrouping::Type, {.smallestShare = 0.01, .depth = 3});
  const double smallest = 0.01 * static_cast<double>(shapes[0].node.retainedBytes);
  std::size_t rests = 0;
  for (const DominatorShape& shape : shapes) {
    EXPECT_LE(shape.depth, 3u);
    rests += shape.isRest;
    if (shape.isRest) {
      const std::vector<DominatorNode> siblings =
          childrenOf(snapshot(), DominatorGrouping::Type, shapes[shape.parent].node.node);
      std::uint64_t bytes = 0, objects = 0;
      for (std::size_t i = siblings.size() - shape.siblings; i < siblings.size(); ++i) {
        EXPECT_LT(static_cast<double>(siblings[i].retainedBytes), smallest);
        bytes += siblings[i].retainedBytes;
        objects += siblings[i].retainedCount;
      }
      EXPECT_EQ(shape.node.retainedBytes, bytes);
      EXPECT_EQ(shape.node.retainedCount, objects);
    } else {
      EXPECT_GE(static_cast<double>(shape.node.retainedBytes), smallest);
    }
  }
  EXPECT_GT(rests, 0u);
}

TEST_P(Dominators, TheWayToAnObjectLeadsThroughItsParents) {
  const std::vector<engine::RetainedRow> largest = engine::largestRetained(snapshot(), 200).objects;
  for (const engine::RetainedRow& row : largest) {
    for (const DominatorGrouping grouping : kGroupings) {
      const auto way = engine::dominatorsOf(snapshot(), grouping, row.object, {});
      ASSERT_TRUE(way && way->size() > 1);
      EXPECT_EQ(way->front().kind, DominatorKind::Whole);
      EXPECT_EQ(way->back().type, row.type);
      EXPECT_GE(way->back().retainedBytes, row.retainedBytes);
      if (grouping == DominatorGrouping::Object) {
        EXPECT_EQ(way->back().object, row.object);
      }
      const DominatorNode& parent = (*way)[way->size() - 2];
      const std::vector<DominatorNode> siblings = childrenOf(snapshot(), grouping, parent.node);
      EXPECT_TRUE(std::ranges::any_of(siblings, [&](const DominatorNode& n) { return n.node == way->back().node; }));
    }
  }
}

TEST_P(Dominators, FollowTheRootsThatWereChosen) {
  std::vector<Address> objects;
  engine::forEachObject(snapshot(), {}, [&](const engine::ObjectRow& row) {
    objects.push_back(row.address);
    return true;
  });
  std::mt19937 random(17);
  for (int round = 0; round < 3; ++round) {
    std::vector<Address> roots;
    for (int i = 0; i < 300; ++i) roots.push_back(objects[random() % objects.size()]);
    const engine::Snapshot seen = seenFrom(snapshot(), roots);
    const std::map<std::string, Sums> byObject = sumsByPath(seen, DominatorGrouping::Object);
    EXPECT_EQ(sumsByPath(seen, DominatorGrouping::Type), byObject);
    EXPECT_EQ(sumsByPath(seen, DominatorGrouping::Namespace), byObject);
    forEachNode(seen, DominatorGrouping::Namespace,
                [](const DominatorNode& node, const std::string&, const std::vector<DominatorNode>& children) {
                  expectWholeChildren(node, children);
                });
  }
}

INSTANTIATE_TEST_SUITE_P(, Dominators, testing::Values("shop-8-segments", "shop-10"), [](const auto& tested) {
  std::string name = tested.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace heapscape::test
