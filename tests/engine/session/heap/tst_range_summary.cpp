// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "session/heap/range_summary.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "support/opened_snapshot.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

AddressRange middleOf(AddressRange range) {
  const std::uint64_t third = range.sizeBytes() / 3 & ~7ull;
  return {range.start + third, range.start + 2 * third};
}

const Segment& largestOf(const Snapshot& snapshot) {
  return *std::ranges::max_element(snapshot.segments(), {},
                                   [](const Segment& each) { return each.objects.sizeBytes(); });
}

TEST(RangeSummary, CountsWhatStartsInTheRange) {
  const Snapshot& snapshot = retainedDump("shop-10");
  const AddressRange range = middleOf(largestOf(snapshot).objects);
  const RangeSummary summary = summaryOfRange(snapshot, range, {}).value();
  std::uint64_t objects = 0, bytes = 0, garbage = 0, free = 0;
  std::vector<std::uint32_t> ids;
  ObjectFilter filter;
  filter.addresses = range;
  forEachObject(snapshot, filter, [&](const ObjectRow& row) {
    if (snapshot.types()[row.type.value].isFree) {
      free += row.alignedBytes;
      return true;
    }
    ++objects;
    bytes += row.alignedBytes;
    if (retainedBytesOf(snapshot, row.id) == 0) garbage += row.alignedBytes;
    ids.push_back(row.id.value);
    return true;
  });
  EXPECT_GT(objects, 100u);
  EXPECT_EQ(summary.objects, objects);
  EXPECT_EQ(summary.bytes, bytes);
  EXPECT_EQ(summary.freeBytes, free);
  EXPECT_EQ(summary.garbageBytes, garbage);
  EXPECT_EQ(objectsIn(snapshot, range, {}).value(), ids);
  std::uint64_t inTypes = 0;
  for (const RangeType& type : summary.types) {
    inTypes += type.bytes;
    EXPECT_FALSE(snapshot.types()[type.type.value].isFree);
  }
  EXPECT_EQ(inTypes, bytes);
  EXPECT_TRUE(std::ranges::is_sorted(summary.types, std::ranges::greater(), &RangeType::bytes));
}

TEST(RangeSummary, DoesNotTellOfGarbageBeforeItIsKnown) {
  const Snapshot& snapshot = openedDump("shop-10");
  EXPECT_FALSE(summaryOfRange(snapshot, largestOf(snapshot).objects, {}).value().garbageBytes);
}

TEST(RangeSummary, OfThePartsIsThatOfTheWhole) {
  const Snapshot& snapshot = retainedDump("shop-10-server");
  const AddressRange all{snapshot.segments().front().objects.start, snapshot.segments().back().objects.end};
  const ObjectTotals totals = snapshot.totals();
  const RangeSummary summary = summaryOfRange(snapshot, all, {}).value();
  EXPECT_EQ(summary.objects, totals.objects - totals.freeObjects);
  EXPECT_EQ(summary.bytes, totals.bytes - totals.freeBytes);
  EXPECT_EQ(summary.freeBytes, totals.freeBytes);
  EXPECT_EQ(summary.garbageBytes, snapshot.retainedTotals().garbageBytes());
  EXPECT_EQ(summaryOfRange(snapshot, {}, {}).value().objects, 0u);
}

TEST(RangeSummary, CanBeStopped) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(summaryOfRange(openedDump("shop-10"), largestOf(openedDump("shop-10")).objects, stop.get_token()));
}

}  // namespace
}  // namespace heapscape::engine
