// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "heap/allocation_gaps.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

bool endsWith(const std::string& name, std::string_view ending) {
  return name.ends_with(ending);
}

std::vector<std::string> dumpsEndingWith(std::string_view ending) {
  std::vector<std::string> names = heapDumps();
  std::erase_if(names, [&](const std::string& name) { return !endsWith(name, ending); });
  return names;
}

TEST(HeapWalk, FindsEveryObjectOfServerGc) {
  for (const std::string& name : dumpsEndingWith("-server")) {
    SCOPED_TRACE(name);
    const Snapshot& snapshot = openedDump(name);
    EXPECT_TRUE(snapshot.summary().runtime.isServerGc);
    EXPECT_EQ(snapshot.summary().runtime.heaps, 4u);
    std::set<std::uint32_t> heaps;
    for (const GenerationRow& row : snapshot.generations()) heaps.insert(row.heap);
    EXPECT_EQ(heaps, (std::set<std::uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(snapshot.coverage(), 1.0);
  }
}

TEST(HeapWalk, SplitsTheEphemeralSegmentOfTheClassicGc) {
  for (const std::string& name : dumpsEndingWith("-segments")) {
    SCOPED_TRACE(name);
    const Snapshot& snapshot = openedDump(name);
    EXPECT_FALSE(snapshot.summary().runtime.hasRegions);
    const auto ephemeral =
        std::ranges::find_if(snapshot.segments(), [](const Segment& s) { return s.kind == SegmentKind::Ephemeral; });
    ASSERT_NE(ephemeral, snapshot.segments().end());
    ASSERT_EQ(ephemeral->generations.size(), 3u);
    Address end = ephemeral->objects.start;
    for (const GenerationRange& part : ephemeral->generations) {
      EXPECT_EQ(part.range.start, end);
      end = part.range.end;
      if (!part.range.isEmpty()) {
        EXPECT_EQ(ephemeral->generationOf(part.range.start), part.generation);
      }
    }
    EXPECT_EQ(end, ephemeral->objects.end);
    EXPECT_EQ(ephemeral->generations[0].generation, Generation::Gen2);
    EXPECT_EQ(ephemeral->generations[2].generation, Generation::Gen0);
  }
}

TEST(HeapWalk, ReachesTheLastByteOfARegionWithAFullAllocationContext) {
  const auto dumps = dumpsEndingWith("-full");
  ASSERT_FALSE(dumps.empty());
  for (const std::string& name : dumps) {
    SCOPED_TRACE(name);
    const Snapshot& snapshot = openedDump(name);
    const Contents& contents = snapshot.contents();
    FindingList findings;
    const auto gaps = findAllocationGaps(readThreads(contents.readers->runtime, findings), *contents.gc,
                                         contents.readers->runtime.contract().constant("AllocContextGapSlack"));
    const auto full = std::ranges::find_if(gaps, [](const AllocationGap& gap) { return gap.isFull; });
    ASSERT_NE(full, gaps.end());
    const SegmentId segment = contents.heap->index.segmentOf(full->start);
    ASSERT_FALSE(segment.isNone());
    EXPECT_EQ(snapshot.segmentContents()[segment.value].unreadBytes, 0u);
    // The last object, or the slack of the context itself, ends where the region's objects end.
    const AddressRange objects = snapshot.segments()[segment.value].objects;
    const auto last = contents.heap->index.startAtOrBefore(objects.end - 1);
    ASSERT_TRUE(last);
    const auto row = objectAt(snapshot, *last);
    ASSERT_TRUE(row);
    EXPECT_EQ(std::max(row->address + row->alignedBytes, full->end), objects.end);
  }
}

TEST(HeapWalk, SaysWhatShareItWalkedOfAHeapInTheMiddleOfACollection) {
  const auto dumps = dumpsEndingWith("-collecting");
  ASSERT_FALSE(dumps.empty());
  for (const std::string& name : dumps) {
    SCOPED_TRACE(name);
    const Snapshot& snapshot = openedDump(name);
    const Truth truth = Truth::of(name);
    EXPECT_TRUE(snapshot.summary().runtime.gcInProgress);
    EXPECT_TRUE(hasFinding(snapshot, FindingKind::GcInProgress));
    EXPECT_FALSE(snapshot.isComplete());
    EXPECT_LE(snapshot.coverage(), 1.0);
    EXPECT_GT(snapshot.coverage(), 0.1);
    std::uint64_t unread = 0;
    for (const SegmentContents& contents : snapshot.segmentContents()) unread += contents.unreadBytes;
    EXPECT_EQ(unread > 0,
              hasFinding(snapshot, FindingKind::HeapDamaged) || hasFinding(snapshot, FindingKind::MemoryMissing))
        << findingsText(snapshot);
    if (unread > 0) {
      EXPECT_LT(snapshot.coverage(), 1.0);
      EXPECT_FALSE(snapshot.summary().missing.empty());
    }
    // Never less than ClrMD, which stops at the first thing that it does not understand.
    std::uint64_t objects = 0;
    for (const TruthSegment& segment : truth.segments) objects += segment.totals.objects + segment.totals.freeObjects;
    EXPECT_GE(snapshot.totals().objects, objects);
  }
}

}  // namespace
}  // namespace heapscape::engine
