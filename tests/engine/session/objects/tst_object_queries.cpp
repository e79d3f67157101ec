// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "heap/allocation_gaps.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

class ObjectQueries : public testing::TestWithParam<std::string> {
 protected:
  std::vector<ObjectRow> list(const ObjectFilter& filter) const { return listObjects(m_snapshot, filter, 0, SIZE_MAX); }
  const Snapshot& m_snapshot = openedDump(GetParam());
};

TEST_P(ObjectQueries, ObjectAtKnowsStartInteriorEndAndHeader) {
  const auto rows = list({});
  for (std::size_t i = 0; i + 1 < rows.size(); i += 7) {
    const ObjectRow& row = rows[i];
    for (const std::uint64_t inside :
         {std::uint64_t{0}, std::uint64_t{1}, row.alignedBytes / 2, row.alignedBytes - 9}) {
      const auto found = objectAt(m_snapshot, row.address + inside);
      ASSERT_TRUE(found) << toString(row.address) << " " << inside;
      EXPECT_EQ(found->address, row.address);
      EXPECT_EQ(found->id, row.id);
      EXPECT_EQ(found->sizeBytes, row.sizeBytes);
      EXPECT_EQ(found->type, row.type);
      EXPECT_EQ(found->generation, row.generation);
    }
    const auto header = objectAt(m_snapshot, row.address - 4);
    ASSERT_TRUE(header);
    EXPECT_EQ(header->address, row.address);
  }
}

TEST_P(ObjectQueries, ObjectAtKnowsNothingOfGapsAndOtherPlaces) {
  for (const std::uint64_t address :
       {std::uint64_t{0}, std::uint64_t{4}, std::uint64_t{0x1000}, UINT64_MAX, UINT64_MAX - 7}) {
    EXPECT_EQ(objectAt(m_snapshot, {address}), std::nullopt) << address;
  }
  for (const Segment& segment : m_snapshot.segments()) {
    EXPECT_EQ(objectAt(m_snapshot, segment.objects.end + 64), std::nullopt);
    EXPECT_EQ(objectAt(m_snapshot, segment.objects.start - 16), std::nullopt);
  }
  const Contents& contents = m_snapshot.contents();
  FindingList findings;
  const ClrRuntime& runtime = contents.readers->runtime;
  for (const AllocationGap& gap : findAllocationGaps(readThreads(runtime, findings), *contents.gc,
                                                     runtime.contract().constant("AllocContextGapSlack"))) {
    if (gap.isFull || contents.heap->index.segmentOf(gap.start).isNone()) continue;
    EXPECT_EQ(objectAt(m_snapshot, gap.start), std::nullopt);
    EXPECT_EQ(objectAt(m_snapshot, gap.start + (gap.end - gap.start) / 2 / 8 * 8), std::nullopt);
  }
}

TEST_P(ObjectQueries, ListsPagesWithoutGapOrOverlap) {
  ObjectFilter filter;
  filter.typeText = "System.String";
  const auto all = list(filter);
  ASSERT_GT(all.size(), 100u);
  std::vector<Address> paged;
  for (std::uint64_t skip = 0;; skip += 37) {
    const auto page = listObjects(m_snapshot, filter, skip, 37);
    for (const ObjectRow& row : page) paged.push_back(row.address);
    if (page.size() < 37) break;
  }
  ASSERT_EQ(paged.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(paged[i], all[i].address);
  EXPECT_TRUE(listObjects(m_snapshot, filter, all.size(), 10).empty());
  EXPECT_TRUE(listObjects(m_snapshot, filter, 0, 0).empty());
}

TEST_P(ObjectQueries, FiltersByEverythingAtOnce) {
  const auto all = list({});
  ObjectFilter filter;
  filter.generation = Generation::Gen2;
  filter.heap = 0;
  filter.minimumBytes = 40;
  filter.typeText = "String";
  filter.addresses = AddressRange{all[all.size() / 4].address, all[all.size() * 3 / 4].address};
  std::vector<ObjectId> expected;
  for (const ObjectRow& row : all) {
    const bool fits = row.generation == Generation::Gen2 && m_snapshot.segments()[row.segment.value].heap == 0 &&
                      row.sizeBytes >= 40 && filter.addresses->contains(row.address) &&
                      m_snapshot.types()[row.type.value].name.find("String") != std::string::npos;
    if (fits) expected.push_back(row.id);
  }
  std::vector<ObjectId> found;
  for (const ObjectRow& row : list(filter)) found.push_back(row.id);
  EXPECT_EQ(found, expected);
}

TEST_P(ObjectQueries, OfATypeAreAsManyAsItsCount) {
  for (std::uint32_t i = 0; i < m_snapshot.types().size(); i += 11) {
    ObjectFilter filter;
    filter.type = TypeId{i};
    EXPECT_EQ(list(filter).size(), m_snapshot.typeCounts().count[i]) << m_snapshot.types()[i].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Data, ObjectQueries,
                         testing::Values("shop-10", "shop-9-segments", "shop-8-server", "storm-10-calm",
                                         "storm-9-full"),
                         [](const auto& info) { return testName(info.param); });

TEST(ObjectQueriesBeforeTheWalk, FindNothing) {
  const Snapshot snapshot = openSnapshot(dumpPath("storm-10-calm"), Stage::Segments);
  EXPECT_EQ(objectAt(snapshot, snapshot.segments().front().objects.start), std::nullopt);
  EXPECT_TRUE(listObjects(snapshot, {}, 0, 10).empty());
}

}  // namespace
}  // namespace heapscape::engine
