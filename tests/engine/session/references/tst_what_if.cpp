// SPDX-License-Identifier: MIT
// What cuts free, and what still holds the rest, against a search that leaves out what was cut.
#include "session/references/what_if.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "cut_questions.h"
#include "plain_heap.h"
#include "session/objects/object_query.h"
#include "session/references/paths_query.h"
#include "session/references/reference_query.h"
#include "session/snapshot/contents.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::Cut;
using engine::CutKind;
using engine::RootRow;
using engine::Snapshot;
using engine::WhatIf;

/// Cuts at random, as they are written and in plain words.
class RandomCuts {
 public:
  RandomCuts(const Snapshot& snapshot, const PlainHeap& heap, std::uint32_t seed)
      : m_snapshot(snapshot), m_list(snapshot.roots()), m_heap(heap), m_random(seed) {
    for (const auto& [object, distance] : heap.whole()) m_reached.push_back(object);
    std::ranges::sort(m_reached);
  }

  Address reached() { return m_reached[upTo(m_reached.size())]; }

  std::string next(PlainCuts& plain) {
    switch (upTo(4)) {
      case 0:
        return object(plain);
      case 1:
        return root(plain);
      case 2:
        return group(plain);
      default:
        return reference(plain);
    }
  }

 private:
  std::uint32_t upTo(std::size_t count) { return static_cast<std::uint32_t>(m_random() % count); }

  std::string object(PlainCuts& plain) {
    const Address object = reached();
    plain.objects.insert(object);
    return engine::cutOfObject(object);
  }

  // Many roots hold the same as others, so that one alone frees nothing.
  std::string root(PlainCuts& plain) {
    const std::uint32_t picked = upTo(m_list.roots.size());
    const RootRow& row = m_list.roots[picked];
    for (std::uint32_t i = 0; i < m_list.roots.size(); ++i) {
      const RootRow& other = m_list.roots[i];
      const bool isSame =
          row.address ? other.address == row.address : other.name == row.name && other.object == row.object;
      if (isSame) plain.roots.insert(i);
    }
    return engine::cutOfRoot(row);
  }

  std::string group(PlainCuts& plain) {
    const std::uint32_t picked = upTo(m_list.groups.size());
    for (std::uint32_t i = 0; i < m_list.roots.size(); ++i) {
      std::uint32_t above = m_list.roots[i].group;
      while (above != engine::RootGroup::kNone && above != picked) above = m_list.groups[above].parent;
      if (above == picked) plain.roots.insert(i);
    }
    return engine::cutOfRootGroup(m_list, picked);
  }

  // Half of them of objects that retain something, where a cut may free much.
  std::string reference(PlainCuts& plain) {
    for (;;) {
      const engine::Edge& edge = m_heap.edges()[upTo(m_heap.edges().size())];
      if (m_heap.hasEdge(edge.from, edge.to) && (upTo(2) == 0 || isTheOnlyWay(edge))) {
        plain.references.insert({edge.from, edge.to});
        return engine::cutOfReference(edge.from, edge.to);
      }
    }
  }

  bool isTheOnlyWay(const engine::Edge& edge) const {
    const auto row = engine::retainedOf(m_snapshot, edge.to);
    return row && row->dominator == edge.from;
  }

  const Snapshot& m_snapshot;
  const engine::RootList& m_list;
  const PlainHeap& m_heap;
  std::mt19937 m_random;
  std::vector<Address> m_reached;
};

/// Of groups with the same name and of collections more is cut than the plain words say; those are looked at apart.
bool saysMore(const Cut& cut, const PlainCuts& plain) {
  return cut.kind == CutKind::Root ? cut.roots.size() != plain.roots.size()
                                   : cut.kind == CutKind::Reference && cut.references.size() != 1;
}

class WhatIfOf : public testing::TestWithParam<std::string> {
 protected:
  const Snapshot& snapshot() const { return retainedDump(GetParam()); }

  engine::Retained lost(const PlainHeap& heap, const PlainCuts& cuts) const {
    engine::Retained lost;
    const auto left = heap.distances(cuts);
    for (const auto& [object, distance] : heap.whole()) {
      if (left.contains(object)) continue;
      ++lost.objects;
      lost.bytes += heap.bytesOf(object);
    }
    return lost;
  }

  static void expectSame(const engine::Retained& found, const engine::Retained& expected, const std::string& what) {
    EXPECT_EQ(found.objects, expected.objects) << what;
    EXPECT_EQ(found.bytes, expected.bytes) << what;
  }

  void expectPartsAddUp(const WhatIf& whatIf) const {
    engine::Retained types, tops;
    const auto byType = whatIf.types({});
    ASSERT_TRUE(byType);
    for (const engine::FreedType& type : *byType) {
      types.objects += type.objects;
      types.bytes += type.bytes;
    }
    for (const engine::RetainedRow& row : whatIf.outermost(SIZE_MAX)) {
      EXPECT_TRUE(whatIf.frees(row.object));
      tops.objects += row.retainedCount;
      tops.bytes += row.retainedBytes;
    }
    expectSame(types, whatIf.freed(), "types");
    expectSame(tops, whatIf.freed(), "outermost");
    EXPECT_TRUE(std::ranges::is_sorted(*byType, std::ranges::greater{}, &engine::FreedType::bytes));
  }

  /// The nearest way that is left, and that it uses nothing that was cut.
  void expectWay(const PlainHeap& heap, const WhatIf& whatIf, const PlainCuts& cuts, Address object,
                 std::uint64_t distance) const {
    const engine::PathOptions options{.paths = 2, .steps = 100'000, .without = &whatIf};
    const auto list = engine::pathsToRoots(snapshot(), object, options, nullptr, {});
    ASSERT_TRUE(list);
    EXPECT_EQ(list->isFreed, distance == 0);
    ASSERT_EQ(list->paths.empty(), distance == 0);
    if (distance == 0) return;
    EXPECT_EQ(list->paths.front().length, distance) << toString(object);
    for (const engine::RootPath& path : list->paths) {
      EXPECT_FALSE(cuts.roots.contains(path.root));
      EXPECT_EQ(snapshot().roots().roots[path.root].object, path.steps.front().object);
      EXPECT_EQ(path.steps.back().object, object);
      for (std::size_t i = 1; i < path.steps.size(); ++i) {
        EXPECT_TRUE(heap.hasEdge(path.steps[i - 1].object, path.steps[i].object));
        EXPECT_FALSE(cuts.references.contains({path.steps[i - 1].object, path.steps[i].object}));
        EXPECT_FALSE(cuts.objects.contains(path.steps[i].object));
      }
    }
  }
};

INSTANTIATE_TEST_SUITE_P(OfRealHeaps, WhatIfOf,
                         testing::Values("shop-8-segments", "shop-10", "exhibits-9", "callbacks-10", "asyncs-10"),
                         [](const auto& dump) { return testName(dump.param); });

TEST_P(WhatIfOf, FreesWhatNoRootLeadsToAnyMore) {
  const PlainHeap heap(snapshot());
  RandomCuts random(snapshot(), heap, 18);
  int asked = 0, withSome = 0;
  for (int round = 0; round < 36; ++round) {
    PlainCuts all;
    std::vector<std::string> texts;
    std::vector<engine::Retained> alone;
    for (int i = 0; i <= round % 6; ++i) {
      PlainCuts plain;
      const std::string text = random.next(plain);
      if (saysMore(cutOf(snapshot(), text), plain)) continue;
      texts.push_back(text);
      alone.push_back(lost(heap, plain));
      all.add(plain);
    }
    if (texts.empty()) continue;
    ++asked;
    const WhatIf whatIf = askWhatIf(snapshot(), texts);
    const auto& whole = heap.whole();
    const auto left = heap.distances(all);
    expectSame(whatIf.freed(), lost(heap, all), testing::PrintToString(texts));
    for (std::size_t i = 0; i < texts.size(); ++i) {
      expectSame(whatIf.cuts()[i].alone, alone[i], texts[i]);
    }
    withSome += whatIf.freed().objects > 0;
    for (const auto& [object, bytes] : heap.objects())
      ASSERT_EQ(whatIf.frees(object), whole.contains(object) && !left.contains(object)) << toString(object);
    expectPartsAddUp(whatIf);
    // To tell a way in words takes longest.
    for (int i = 0; i < 2; ++i) {
      const Address object = random.reached();
      const auto distance = left.find(object);
      expectWay(heap, whatIf, all, object, distance == left.end() ? 0 : distance->second);
    }
  }
  EXPECT_GT(asked, 24);
  EXPECT_GT(withSome, 12);
}

TEST_P(WhatIfOf, FreesAllIfAllRootsGo) {
  std::vector<std::string> texts;
  const engine::RootList& list = snapshot().roots();
  for (std::uint32_t group = 0; group < list.groups.size(); ++group) {
    if (list.groups[group].parent == engine::RootGroup::kNone) texts.push_back(engine::cutOfRootGroup(list, group));
  }
  const WhatIf whatIf = askWhatIf(snapshot(), texts);
  EXPECT_EQ(whatIf.freed().objects, snapshot().retainedTotals().reachableObjects);
  EXPECT_EQ(whatIf.freed().bytes, snapshot().retainedTotals().reachableBytes);
  expectPartsAddUp(whatIf);
}

TEST(WhatIfOfShop, ACollectionLetsGoOfAnItemWhereverItIsKept) {
  const Snapshot& snapshot = retainedDump("shop-10");
  const PlainHeap heap(snapshot);
  int collections = 0;
  for (const engine::RetainedRow& row : engine::largestRetained(snapshot, 400).objects) {
    const auto held = engine::neighboursOf(snapshot, row.object, engine::Direction::Held, {}, nullptr, {});
    if (!held || !held->isFolded || held->groups.empty() || held->groups.front().first.empty()) continue;
    const Address item = held->groups.front().first.front().object;
    if (heap.hasEdge(row.object, item)) continue;
    ++collections;
    const Cut cut = cutOf(snapshot, engine::cutOfReference(row.object, item));
    PlainCuts plain;
    for (const engine::GraphCuts::Reference& reference : cut.references) {
      const Address storage = snapshot.contents().heap->index.addressOf({reference.from});
      EXPECT_NE(storage, row.object);
      EXPECT_TRUE(heap.hasEdge(storage, item));
      plain.references.insert({storage, item});
    }
    const auto& whole = heap.whole();
    const auto left = heap.distances(plain);
    const WhatIf whatIf = askWhatIf(snapshot, {cut.text});
    EXPECT_EQ(whatIf.frees(item), whole.contains(item) && !left.contains(item)) << cut.text;
    EXPECT_EQ(whatIf.freed().objects, whole.size() - left.size()) << cut.text;
    if (collections == 20) return;
  }
  EXPECT_GT(collections, 5);
}

TEST(WhatIfOfShop, CountsNeighboursThatGo) {
  const Snapshot& snapshot = retainedDump("shop-10");
  int compared = 0;
  for (const engine::RetainedRow& row : engine::largestRetained(snapshot, 60).objects) {
    const WhatIf whatIf = askWhatIf(snapshot, {engine::cutOfObject(row.object)});
    for (const bool folds : {false, true}) {
      const engine::NeighbourOptions options{.perGroup = 100'000,
                                             .hood = {.foldCollections = folds, .followsFlow = folds}};
      const auto held = engine::neighboursOf(snapshot, row.object, engine::Direction::Held, options, nullptr, {});
      const auto freed = whatIf.neighbours(row.object, engine::Direction::Held, options.hood, nullptr, {});
      ASSERT_TRUE(held && freed);
      for (const engine::NeighbourGroup& group : held->groups) {
        const auto goes = [&](const engine::Neighbour& neighbour) { return whatIf.frees(neighbour.object); };
        const auto found = std::ranges::find(*freed, group.type, &WhatIf::FreedNeighbours::type);
        EXPECT_EQ(found == freed->end() ? 0 : found->objects,
                  static_cast<std::uint64_t>(std::ranges::count_if(group.first, goes)));
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 50);
}

TEST(WhatIfOfShop, SaysInWordsWhatLetsGo) {
  const Snapshot& snapshot = retainedDump("shop-10");
  const auto nameOf = [&](const std::string& text) { return engine::nameOfCut(snapshot, cutOf(snapshot, text)); };
  const engine::RootList& list = snapshot.roots();
  const auto text = std::ranges::find(list.roots, "static Shop.Statics.text", &RootRow::name);
  ASSERT_NE(text, list.roots.end());
  EXPECT_EQ(nameOf("root:static Shop.Statics.text"), "static Shop.Statics.text");
  EXPECT_EQ(nameOf(engine::cutOfRoot(*text)), "static Shop.Statics.text");
  EXPECT_EQ(nameOf("root:Statics/Shop.Statics"), "Statics/Shop.Statics");
  EXPECT_EQ(nameOf("root:static Shop.Statics.text->" + toString(text->object)), "static Shop.Statics.text");
  EXPECT_EQ(nameOf(toString(text->object)), "System.String");
  EXPECT_TRUE(nameOf("root:strong handle").ends_with(" roots: strong handle"));
  engine::ObjectFilter orders;
  orders.type = findType(snapshot, "Catalog.Order");
  const Address order = engine::listObjects(snapshot, orders, 0, 1).front().address;
  const auto edges = engine::referencesOf(snapshot, order, 100);
  for (const engine::NamedEdge& edge : edges.value()) {
    if (edge.name != "Customer") continue;
    EXPECT_EQ(nameOf(engine::cutOfReference(order, edge.edge.to)), "Catalog.Order.Customer → " + edge.toType);
  }
}

TEST(WhatIfOfShop, CutsAllObjectsOfATypeOrOfASet) {
  const Snapshot& snapshot = retainedDump("shop-10");
  const PlainHeap heap(snapshot);
  const engine::TypeId orders = findType(snapshot, "Catalog.Order");
  PlainCuts plain;
  std::vector<std::uint32_t> ids;
  engine::ObjectFilter filter;
  filter.type = orders;
  engine::forEachObject(snapshot, filter, [&](const engine::ObjectRow& row) {
    plain.objects.insert(row.address);
    ids.push_back(row.id.value);
    return true;
  });
  const engine::FindSet sets = [&](std::string_view name) -> engine::Outcome<std::vector<std::uint32_t>> {
    return name == "orders" ? ids : std::vector<std::uint32_t>();
  };
  const std::size_t expected = heap.whole().size() - heap.distances(plain).size();
  const std::string methodTable = toString(snapshot.types()[orders.value].methodTable);
  for (const std::string& text :
       {std::string("type:Catalog.Order"), "type:" + methodTable, std::string("set:orders")}) {
    auto cut = engine::readCut(snapshot, text, {}, sets);
    ASSERT_TRUE(cut) << text;
    EXPECT_EQ(cut->kind, engine::CutKind::Objects);
    EXPECT_EQ(cut->places, ids.size());
    ASSERT_EQ(ids.size(), 2500u);
    EXPECT_EQ(engine::nameOfCut(snapshot, *cut),
              text.starts_with("set:") ? "2,500 objects: orders" : "all 2,500 of Catalog.Order");
    const auto whatIf = WhatIf::ask(snapshot, {*cut}, nullptr, {});
    ASSERT_TRUE(whatIf);
    EXPECT_EQ(whatIf->freed().objects, expected) << text;
    for (const Address order : plain.objects) EXPECT_TRUE(whatIf->goes(order));
  }
  for (const char* wrong : {"set:nothing", "type:No.Such.Type"})
    EXPECT_FALSE(engine::readCut(snapshot, wrong, {}, sets)) << wrong;
  EXPECT_FALSE(engine::readCut(snapshot, "set:orders", {}));
  for (const char* nothing : {"type:", "set:"}) EXPECT_FALSE(engine::checkCut(nothing)) << nothing;
}

}  // namespace
}  // namespace heapscape::test
