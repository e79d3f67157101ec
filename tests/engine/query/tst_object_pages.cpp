// SPDX-License-Identifier: MIT
// Objects that are given rather than looked for, and more of them than are told of at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "query/objects/object_search.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

const Snapshot& shop() {
  static const Snapshot snapshot = openSnapshot(dumpPath("shop-10"), Stage::Retained);
  return snapshot;
}

FoundObjects foundBy(const Snapshot& snapshot, const std::string& text, ObjectSearch search = {}) {
  search.query = makeQuery(text, objectSchema()).value();
  return findObjects(snapshot, search, nullptr, {}).value();
}

TEST(ObjectPages, searchesOnlyAmongTheObjectsThatAreGiven) {
  const Snapshot& snapshot = shop();
  const FoundObjects orders = foundBy(snapshot, "type = Catalog.Order");
  auto some = std::make_shared<std::vector<std::uint32_t>>();
  for (std::size_t i = 0; i < orders.ids.size(); i += 3) some->push_back(orders.ids[i]);
  ObjectSearch search;
  search.among = some;
  const FoundObjects all = foundBy(snapshot, "", search);
  EXPECT_EQ(all.ids, *some);
  EXPECT_EQ(all.bytes, all.rows.front().row.alignedBytes * some->size());
  EXPECT_EQ(foundBy(snapshot, "type = System.String", search).objects, 0u);
  const FoundObjects paid = foundBy(snapshot, "field(\"State\") = Paid", search);
  EXPECT_GT(paid.objects, 0u);
  EXPECT_LT(paid.objects, some->size());
  search.scope.generation = Generation::Gen0;
  for (const FoundObject& object : foundBy(snapshot, "", search).rows)
    EXPECT_EQ(object.row.generation, Generation::Gen0);
  // Gaps are listed where they are asked for, and ids that no object has are passed over.
  search = {};
  const FoundObjects gaps = foundBy(snapshot, "free = true");
  some->assign(gaps.ids.begin(), gaps.ids.end());
  some->push_back(0xffffffff);
  search.among = some;
  EXPECT_EQ(foundBy(snapshot, "", search).ids, gaps.ids);
}

TEST(ObjectPages, putsAllInOrderAndTellsOfThemPageByPage) {
  const Snapshot& snapshot = shop();
  ObjectSearch search;
  search.sortBy = referenceTo(ObjectField::Retained);
  search.limit = SIZE_MAX;
  const FoundObjects whole = foundBy(snapshot, "size > 40", search);
  search.rows = 10;
  const FoundObjects paged = foundBy(snapshot, "size > 40", search);
  ASSERT_EQ(paged.rows.size(), 10u);
  ASSERT_EQ(paged.order.size(), paged.objects);
  EXPECT_EQ(paged.order, whole.order);
  const auto page = describeObjects(snapshot, search, std::span(paged.order).subspan(500, 100), {});
  ASSERT_TRUE(page);
  for (std::size_t i = 0; i < page->size(); ++i) {
    EXPECT_EQ((*page)[i].row.address, whole.rows[500 + i].row.address);
    EXPECT_EQ((*page)[i].retainedBytes, whole.rows[500 + i].retainedBytes);
    EXPECT_EQ(idOfObject(snapshot, (*page)[i].row.address), paged.order[500 + i]);
    EXPECT_GE((*page)[0].retainedBytes, (*page)[i].retainedBytes);
  }
  // Few of many are found in another way than all of them: in the same order.
  search.limit = 20;
  const FoundObjects few = foundBy(snapshot, "size > 40", search);
  EXPECT_TRUE(std::ranges::equal(few.order, std::span(whole.order).first(20)));
}

}  // namespace
}  // namespace heapscape::engine
