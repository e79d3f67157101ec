// SPDX-License-Identifier: MIT
// Items found by the place in memory that a reference to them lies in.
#include <gtest/gtest.h>

#include <set>

#include "session/details/object_details.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "support/exhibits.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"
#include "values/reading/collection_reader.h"

namespace heapscape::test {
namespace {

using engine::Address;

class ItemFinder : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(OfExhibits, ItemFinder, testing::ValuesIn(exhibitDumps()),
                         [](const auto& dump) { return testName(dump.param); });

/// The object that a place lies in.
Address holderOf(const engine::Snapshot& snapshot, Address place) {
  const auto row = engine::objectAt(snapshot, place);
  return row ? row->address : Address{};
}

TEST_P(ItemFinder, KnowsEveryItemOfEveryCollection) {
  const engine::Snapshot& snapshot = openedDump(GetParam());
  const engine::ValueReader values({*snapshot.contents().readers, snapshot.contents().heap.get()});
  std::set<std::string> kinds;
  for (const auto& [path, object] : exhibitsOf(snapshot)) {
    const auto details = engine::CollectionReader(values).read(object, 50);
    if (!details || !details->state.empty() || details->kind == "Memory" || details->kind == "ReadOnlyMemory" ||
        details->kind == "StringBuilder")
      continue;
    for (std::size_t i = 0; i < details->items.size(); ++i) {
      const engine::CollectionItem& item = details->items[i];
      for (const Address place : {item.valueAddress, item.keyAddress}) {
        const Address holder = place ? holderOf(snapshot, place) : Address{};
        if (!holder) continue;  // a handle, or none
        std::uint64_t looks = 1000;
        const auto found = engine::findItem(values, object, holder, place, looks);
        ASSERT_TRUE(found) << path << " " << i;
        kinds.insert(details->kind);
        EXPECT_EQ(found->kind, details->kind);
        EXPECT_EQ(found->hasKeys, details->hasKeys);
        EXPECT_EQ(found->isKey, place != item.valueAddress) << path;
        EXPECT_EQ(found->innerOffset, 0u);
        EXPECT_EQ(found->key.text, item.key.text) << path;
        EXPECT_EQ(found->ordinal.value_or(i), i) << path;
        EXPECT_TRUE(found->ordinal || found->isNamedByKey()) << path;
      }
    }
  }
  EXPECT_GE(kinds.size(), 20u);
}

TEST_P(ItemFinder, LooksAtNoMoreItemsThanItMay) {
  const engine::Snapshot& snapshot = openedDump(GetParam());
  const engine::ValueReader values({*snapshot.contents().readers, snapshot.contents().heap.get()});
  const Address list = exhibitsOf(snapshot).at("Museum.Collections.linkedList");
  const auto details = engine::CollectionReader(values).read(list, 3);
  ASSERT_TRUE(details && details->items.size() == 3);
  const Address place = details->items[2].valueAddress;
  std::uint64_t looks = 2;
  EXPECT_FALSE(engine::findItem(values, list, holderOf(snapshot, place), place, looks));
  EXPECT_EQ(looks, 0u);
  looks = 10;
  EXPECT_TRUE(engine::findItem(values, list, holderOf(snapshot, place), place, looks));
  EXPECT_FALSE(engine::findItem(values, list, list, list, looks));
  EXPECT_FALSE(engine::findItem(values, Address{0x10}, list, place, looks));
}

}  // namespace
}  // namespace heapscape::test
