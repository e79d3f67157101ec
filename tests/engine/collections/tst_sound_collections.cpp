// SPDX-License-Identifier: MIT
// Collections that nobody has printed, the runtime's own among them: what is counted is found, and nothing is damaged.
#include <gtest/gtest.h>

#include <map>

#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"
#include "values/reading/collection_reader.h"

namespace heapscape::test {
namespace {

constexpr std::size_t kMostItems = 100'000;

class SoundCollections : public testing::TestWithParam<std::string> {};

TEST_P(SoundCollections, HoldAsManyItemsAsTheyCount) {
  const engine::Snapshot snapshot = openSnapshot(dumpPath(GetParam()), engine::Stage::Objects);
  const engine::Contents& contents = snapshot.contents();
  const engine::ValueReader values({.readers = *contents.readers, .heap = contents.heap.get()});
  const engine::CollectionReader reader(values);
  std::map<std::string, int> kinds;
  engine::forEachObject(snapshot, {}, [&](const engine::ObjectRow& row) {
    const engine::TypeRow& type = snapshot.types()[row.type.value];
    if (type.isFree) return true;
    const auto collection = reader.read(row.address, kMostItems);
    if (!collection) return true;
    ++kinds[collection->kind];
    const std::string place = type.name + " at " + toString(row.address);
    EXPECT_EQ(collection->damage, "") << place;
    EXPECT_EQ(collection->items.size(), std::min<std::size_t>(collection->count, kMostItems)) << place;
    for (const engine::CollectionItem& item : collection->items)
      EXPECT_EQ(item.key.damage + item.value.damage, "") << place;
    return true;
  });
  for (const char* kind : {"ArrayList",
                           "ArraySegment",
                           "ConcurrentBag",
                           "ConcurrentDictionary",
                           "ConcurrentQueue",
                           "ConcurrentStack",
                           "ConditionalWeakTable",
                           "Dictionary",
                           "HashSet",
                           "Hashtable",
                           "ImmutableArray",
                           "ImmutableDictionary",
                           "ImmutableList",
                           "ImmutableSortedSet",
                           "ImmutableStack",
                           "Lazy",
                           "LinkedList",
                           "List",
                           "Memory",
                           "ObservableCollection",
                           "PriorityQueue",
                           "Queue",
                           "ReadOnlyCollection",
                           "SortedDictionary",
                           "SortedList",
                           "SortedSet",
                           "Stack",
                           "StringBuilder",
                           "Task"}) {
    EXPECT_GT(kinds[kind], 0) << kind;
  }
}

INSTANTIATE_TEST_SUITE_P(, SoundCollections,
                         testing::Values("shop-8", "shop-8-server", "shop-9", "shop-9-segments", "shop-10"),
                         [](const auto& info) { return testName(info.param); });

}  // namespace
}  // namespace heapscape::test
