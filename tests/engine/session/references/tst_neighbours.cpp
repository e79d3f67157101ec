// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "session/details/object_details.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/open/retained_stage.h"
#include "session/references/neighbours_query.h"
#include "session/references/reference_query.h"
#include "session/roots/handles_query.h"
#include "session/roots/roots_query.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::Address;
using engine::Direction;
using engine::Neighbour;
using engine::NeighbourGroup;
using engine::Neighbours;

constexpr std::size_t kNeighboursAll = 1'000'000;

class NeighboursOf : public testing::TestWithParam<std::string> {
 protected:
  static void TearDownTestSuite() { s_retained.reset(); }

  /// Seen from exact roots alone; kept for the next test of the same dump.
  const engine::Snapshot& snapshot() const {
    if (!s_retained || s_dump != GetParam()) {
      s_dump = GetParam();
      auto seen = engine::addRetained(openedDump(s_dump), {.roots = {.includeStacks = false}}, nullptr, {});
      EXPECT_TRUE(seen);
      s_retained = *seen;
    }
    return *s_retained;
  }

  Neighbours ask(Address object, Direction direction, bool folds, std::size_t perGroup = kNeighboursAll) const {
    const auto answer = engine::neighboursOf(
        snapshot(), object, direction,
        {.perGroup = perGroup, .groups = kNeighboursAll, .hood = {.foldCollections = folds}}, nullptr, {});
    EXPECT_TRUE(answer);
    return answer ? *answer : Neighbours{};
  }

  Address firstOf(std::string_view type) const {
    engine::ObjectFilter filter;
    filter.type = findType(snapshot(), type);
    const auto objects = engine::listObjects(snapshot(), filter, 0, 1);
    return objects.empty() ? Address{} : objects.front().address;
  }

  /// The first object of a type whose name begins so, and that has at least so many items.
  Address collectionOf(std::string_view typeStart, std::uint64_t items) const {
    Address found;
    engine::forEachObject(snapshot(), {}, [&](const engine::ObjectRow& row) {
      const std::string& name = snapshot().types()[row.type.value].name;
      if (!name.starts_with(typeStart) || name.ends_with("[]") || name.find("+") != std::string::npos) return true;
      const auto details = engine::objectDetails(snapshot(), row.address);
      if (details && details->collection && details->collection->count >= items) found = row.address;
      return !found;
    });
    return found;
  }

 private:
  static inline std::optional<engine::Snapshot> s_retained;
  static inline std::string s_dump;
};

INSTANTIATE_TEST_SUITE_P(OfShop, NeighboursOf, testing::Values("shop-8", "shop-10", "shop-11"),
                         [](const auto& dump) { return testName(dump.param); });

/// "<Lines>k__BackingField" is what the compiler makes of a property Lines.
std::string asWritten(const std::string& field) {
  const std::size_t end = field.find(">k__BackingField");
  return field.starts_with('<') && end != std::string::npos ? field.substr(1, end - 1) : field;
}

std::map<Address, std::uint64_t> objectsIn(const Neighbours& neighbours) {
  std::map<Address, std::uint64_t> objects;
  for (const NeighbourGroup& group : neighbours.groups) {
    for (const Neighbour& neighbour : group.first) ++objects[neighbour.object];
  }
  return objects;
}

TEST_P(NeighboursOf, AreAllReferencesOfTheHeapOnBothSides) {
  std::map<Address, std::set<Address>> held, holders;
  std::set<Address> slots;  // statics in the runtime's own arrays, which are roots themselves
  for (const engine::RootRow& root : snapshot().roots().roots) slots.insert(root.address);
  engine::forEachEdge(snapshot(), [&](const engine::Edge& edge) {
    if (edge.from == edge.to || slots.contains(edge.from + edge.offset)) return true;
    held[edge.from].insert(edge.to);
    holders[edge.to].insert(edge.from);
    return true;
  });
  std::uint64_t compared = 0;
  std::size_t step = 0;
  for (const auto& [object, expected] : held) {
    if (++step % 53 != 0) continue;
    const auto found = objectsIn(ask(object, Direction::Held, false));
    ASSERT_EQ(found.size(), expected.size()) << toString(object);
    for (const auto& [neighbour, times] : found) ASSERT_TRUE(expected.contains(neighbour) && times == 1);
    ++compared;
  }
  for (const auto& [object, expected] : holders) {
    if (++step % 53 != 0) continue;
    const auto found = objectsIn(ask(object, Direction::Holders, false, 100));
    for (const auto& [neighbour, times] : found) ASSERT_TRUE(expected.contains(neighbour) && times == 1);
    ASSERT_EQ(ask(object, Direction::Holders, false, 0).objects, expected.size()) << toString(object);
    ++compared;
  }
  EXPECT_GT(compared, 300u);
}

TEST_P(NeighboursOf, NameTheFieldThatRefers) {
  const Address order = firstOf("Catalog.Order");
  ASSERT_TRUE(order);
  const auto named = engine::referencesOf(snapshot(), order, kNeighboursAll);
  ASSERT_TRUE(named);
  std::map<Address, std::string> names;
  for (const engine::NamedEdge& edge : *named) names.emplace(edge.edge.to, asWritten(edge.name));
  ASSERT_FALSE(names.empty());
  for (const NeighbourGroup& group : ask(order, Direction::Held, false).groups) {
    for (const Neighbour& neighbour : group.first) {
      EXPECT_EQ(neighbour.via, names.at(neighbour.object));
      const auto holders = engine::neighboursOfType(snapshot(), neighbour.object, Direction::Holders,
                                                    engine::objectAt(snapshot(), order)->type,
                                                    {.foldCollections = false}, 0, kNeighboursAll, nullptr, {});
      ASSERT_TRUE(holders);
      const auto back = std::ranges::find(*holders, order, &Neighbour::object);
      ASSERT_NE(back, holders->end());
      EXPECT_EQ(back->via, neighbour.via);
    }
  }
}

TEST_P(NeighboursOf, AreGroupedByTypeThoseThatRetainMostFirst) {
  const Address list = collectionOf("System.Collections.Generic.List<System.Object>", 10);
  ASSERT_TRUE(list);
  const Neighbours all = ask(list, Direction::Held, true);
  ASSERT_GT(all.groups.size(), 1u);
  EXPECT_TRUE(all.isFolded);
  EXPECT_TRUE(std::ranges::is_sorted(all.groups, std::ranges::greater(), &NeighbourGroup::retainedBytes));
  std::uint64_t objects = 0;
  for (const NeighbourGroup& group : all.groups) {
    EXPECT_EQ(group.objects, group.first.size());
    EXPECT_GE(group.references, group.objects);
    EXPECT_TRUE(std::ranges::is_sorted(group.first, std::ranges::greater(), &Neighbour::retainedBytes));
    std::uint64_t bytes = 0, retained = 0;
    std::vector<Address> members;
    for (const Neighbour& neighbour : group.first) {
      bytes += neighbour.bytes;
      retained += neighbour.retainedBytes;
      EXPECT_EQ(neighbour.type, group.type);
      EXPECT_EQ(neighbour.retainedBytes, engine::retainedOf(snapshot(), neighbour.object)->retainedBytes);
    }
    EXPECT_EQ(group.bytes, bytes);
    EXPECT_LE(group.retainedBytes, retained);
    objects += group.objects;
  }
  EXPECT_EQ(all.objects, objects);
}

TEST_P(NeighboursOf, ComeInPagesThatFollowEachOther) {
  const Address list = collectionOf("System.Collections.Generic.List<System.Object>", 10);
  const Neighbours all = ask(list, Direction::Held, true);
  const auto largest = std::ranges::max_element(all.groups, {}, &NeighbourGroup::objects);
  ASSERT_NE(largest, all.groups.end());
  ASSERT_GT(largest->objects, 4u);
  std::vector<Address> paged;
  for (std::uint64_t skip = 0; skip < largest->objects + 3; skip += 3) {
    const auto page =
        engine::neighboursOfType(snapshot(), list, Direction::Held, largest->type, {}, skip, 3, nullptr, {});
    ASSERT_TRUE(page);
    EXPECT_LE(page->size(), 3u);
    for (const Neighbour& neighbour : *page) paged.push_back(neighbour.object);
  }
  ASSERT_EQ(paged.size(), largest->first.size());
  for (std::size_t i = 0; i < paged.size(); ++i) EXPECT_EQ(paged[i], largest->first[i].object);
}

TEST_P(NeighboursOf, AFoldedDictionaryAreItsKeysAndValues) {
  const Address dictionary = collectionOf("System.Collections.Generic.Dictionary<System.String, ", 3);
  ASSERT_TRUE(dictionary);
  const auto items = engine::collectionItems(snapshot(), dictionary, 0, kNeighboursAll);
  ASSERT_TRUE(items);
  std::map<Address, std::string> expected;
  for (const engine::CollectionItem& item : *items) {
    if (item.key.object) expected.emplace(item.key.object, item.label + ".Key");
    if (item.value.object) expected.emplace(item.value.object, item.label);
  }
  const Neighbours folded = ask(dictionary, Direction::Held, true);
  EXPECT_TRUE(folded.isFolded);
  std::size_t found = 0;
  for (const NeighbourGroup& group : folded.groups) {
    EXPECT_EQ(snapshot().types()[group.type.value].name.find("Entry[]"), std::string::npos);
    for (const Neighbour& neighbour : group.first) {
      if (const auto item = expected.find(neighbour.object); item != expected.end()) {
        EXPECT_EQ(neighbour.via, item->second);
        ++found;
      }
    }
  }
  EXPECT_EQ(found, expected.size());
}

TEST_P(NeighboursOf, AnItemIsTheCollectionInPlaceOfItsArray) {
  const Address list = collectionOf("System.Collections.Generic.List<System.Object>", 10);
  const auto items = engine::collectionItems(snapshot(), list, 0, kNeighboursAll);
  ASSERT_TRUE(items);
  std::size_t folded = 0;
  for (const engine::CollectionItem& item : *items) {
    if (!item.value.object) continue;
    for (const NeighbourGroup& group : ask(item.value.object, Direction::Holders, true, 10).groups) {
      const auto holder = std::ranges::find(group.first, list, &Neighbour::object);
      if (holder == group.first.end()) continue;
      EXPECT_EQ(holder->via.substr(0, 1), "[");
      ++folded;
    }
  }
  EXPECT_GT(folded, 0u);
}

TEST_P(NeighboursOf, AFoldedListAreNotItsOwnNodes) {
  const Address list = collectionOf("System.Collections.Generic.LinkedList<", 2);
  ASSERT_TRUE(list);
  const auto hasNodes = [&](bool folds) {
    return std::ranges::any_of(ask(list, Direction::Holders, folds).groups, [&](const NeighbourGroup& group) {
      return snapshot().types()[group.type.value].name.starts_with("System.Collections.Generic.LinkedListNode<");
    });
  };
  EXPECT_TRUE(hasNodes(false));
  EXPECT_FALSE(hasNodes(true));
}

TEST_P(NeighboursOf, AnObjectThatARootRefersToNameTheRoot) {
  const auto& roots = snapshot().roots().roots;
  const auto root = std::ranges::find(roots, "static Shop.Statics.text", &engine::RootRow::name);
  ASSERT_NE(root, roots.end());
  const Neighbours holders = ask(root->object, Direction::Holders, true);
  EXPECT_TRUE(std::ranges::count(holders.roots, static_cast<std::uint32_t>(root - roots.begin())));
}

TEST_P(NeighboursOf, TellsWhoDominatesWhom) {
  const engine::RetainedList largest = engine::largestRetained(snapshot(), 30);
  std::size_t dominated = 0;
  for (const engine::RetainedRow& row : largest.objects) {
    for (const NeighbourGroup& group : ask(row.object, Direction::Held, false, 20).groups) {
      for (const Neighbour& neighbour : group.first) {
        EXPECT_EQ(neighbour.isDominated, engine::retainedOf(snapshot(), neighbour.object)->dominator == row.object);
        dominated += neighbour.isDominated;
      }
    }
  }
  EXPECT_GT(dominated, 0u);
}

TEST_P(NeighboursOf, OfNoObjectFails) {
  const auto answer = engine::neighboursOf(snapshot(), Address{0x1234}, Direction::Held, {}, nullptr, {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().error().code, engine::ErrorCode::NotFound);
  const auto early =
      engine::neighboursOf(openedDump(GetParam()), firstOf("Catalog.Order"), Direction::Held, {}, nullptr, {});
  EXPECT_FALSE(early);
}

TEST_P(NeighboursOf, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const auto answer =
      engine::neighboursOf(snapshot(), firstOf("Catalog.Order"), Direction::Holders, {}, nullptr, stop.get_token());
  ASSERT_FALSE(answer);
  EXPECT_TRUE(answer.error().isCancelled());
}

/// What a weak table keeps alive along with its key.
TEST(Neighbours, ByADependentHandleAreNamedWithItsTable) {
  const auto seen = engine::addRetained(openedDump("exhibits-10"), {}, nullptr, {});
  ASSERT_TRUE(seen);
  const auto handles = engine::listHandles(*seen, false, {});
  ASSERT_TRUE(handles);
  const auto entry = std::ranges::find_if(handles->handles, [&](const engine::HandleRow& row) {
    return row.kind == engine::HandleKind::Dependent && row.typeName == "Museum.Painting" && row.dependent;
  });
  ASSERT_NE(entry, handles->handles.end());
  for (const auto& [object, direction] :
       {std::pair(entry->object, Direction::Held), std::pair(entry->dependent, Direction::Holders)}) {
    const auto found = engine::neighboursOf(
        *seen, object, direction,
        {.perGroup = kNeighboursAll, .groups = kNeighboursAll, .hood = {.foldCollections = false}}, nullptr, {});
    ASSERT_TRUE(found);
    std::set<std::string> ways;
    for (const NeighbourGroup& group : found->groups)
      for (const Neighbour& neighbour : group.first) ways.insert(neighbour.via);
    EXPECT_EQ(std::ranges::count_if(ways,
                                    [](const std::string& via) {
                                      return via.starts_with("(dependent handle: ConditionalWeakTable ") &&
                                             via.ends_with("[Painting])");
                                    }),
              1);
  }
}

/// A list that says to have more items than its array has room for.
TEST(Neighbours, OfADamagedCollectionAreWhatItRefersTo) {
  constexpr std::uint64_t kSizeOffset = 16;  // of List<T>._size, behind _items
  Address list;
  const engine::Snapshot& whole = openedDump("shop-10");
  engine::forEachObject(whole, {}, [&](const engine::ObjectRow& row) {
    if (whole.types()[row.type.value].name != "System.Collections.Generic.List<Catalog.OrderLine>") return true;
    const auto items = engine::collectionItems(whole, row.address, 0, 1);
    if (items && !items->empty()) list = row.address;
    return !list;
  });
  ASSERT_TRUE(list);
  PatchedCore core("shop-10");
  core.write<std::int32_t>(list + kSizeOffset, 0x7fffffff);
  const auto seen = engine::addRetained(openSnapshot(core.path()), {}, nullptr, {});
  ASSERT_TRUE(seen);
  const auto held = engine::neighboursOf(*seen, list, Direction::Held, {}, nullptr, {});
  ASSERT_TRUE(held);
  EXPECT_FALSE(held->isFolded);
  ASSERT_EQ(held->groups.size(), 1u);
  EXPECT_EQ(held->groups.front().first.front().via, "_items");
}

}  // namespace
}  // namespace heapscape::test
