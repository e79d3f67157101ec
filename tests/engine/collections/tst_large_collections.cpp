// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "session/details/object_details.h"
#include "support/exhibits.h"
#include "support/opened_snapshot.h"
#include "values/collections/collection.h"

namespace heapscape::test {
namespace {

using engine::ItemCollector;

TEST(LargeCollections, GiveAsManyItemsAsAreAskedForFromTheMiddle) {
  const engine::Snapshot& snapshot = openedDump("exhibits-10");
  const auto exhibits = exhibitsOf(snapshot);
  const auto items = engine::collectionItems(snapshot, exhibits.at("Museum.Collections.dictionaryBig"), 5000, 3);
  ASSERT_TRUE(items);
  ASSERT_EQ(items->size(), 3u);
  EXPECT_EQ((*items)[0].key.text, "35000");
  EXPECT_EQ((*items)[0].value.text, "25000000");
  EXPECT_EQ((*items)[0].label, "[35000]");
  EXPECT_EQ((*items)[2].key.text, "35014");
}

TEST(LargeCollections, GiveNoItemsBehindTheLast) {
  const engine::Snapshot& snapshot = openedDump("exhibits-10");
  const auto exhibits = exhibitsOf(snapshot);
  for (const char* name : {"listBig", "dictionaryBig", "concurrentDictionaryBig", "immutableListBig"}) {
    const auto items =
        engine::collectionItems(snapshot, exhibits.at(std::string("Museum.Collections.") + name), UINT64_MAX, 3);
    ASSERT_TRUE(items) << name;
    EXPECT_TRUE(items->empty()) << name;
  }
}

TEST(LargeCollections, StopWhenAsked) {
  const engine::Snapshot& snapshot = openedDump("exhibits-10");
  const auto exhibits = exhibitsOf(snapshot);
  std::stop_source stop;
  stop.request_stop();
  const auto items = engine::collectionItems(snapshot, exhibits.at("Museum.Collections.dictionaryWithHoles"), 0, 1000,
                                             stop.get_token());
  ASSERT_FALSE(items);
  EXPECT_TRUE(items.error().isCancelled());
}

TEST(ItemCollector, KeepsOnlyWhatIsWanted) {
  ItemCollector collector(2, 2, {});
  EXPECT_EQ(collector.unwanted(), 2u);
  collector.skip(1);
  EXPECT_EQ(collector.unwanted(), 1u);
  EXPECT_TRUE(collector.offer({{}, {1}}));
  EXPECT_TRUE(collector.offer({{}, {2}}));
  EXPECT_FALSE(collector.offer({{}, {3}}));
  ASSERT_EQ(collector.places().size(), 2u);
  EXPECT_EQ(collector.places()[0].value.value, 2u);
}

}  // namespace
}  // namespace heapscape::test
