// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "heap/allocation_gaps.h"
#include "heap/segment_objects.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

/// What must hold on every dump whose heap is whole, whatever ClrMD says of it.
class HealthyHeap : public testing::TestWithParam<std::string> {
 protected:
  const Snapshot& m_snapshot = openedDump(GetParam());
  const Contents& m_contents = m_snapshot.contents();

  std::vector<AllocationGap> gaps() const {
    const ClrRuntime& runtime = m_contents.readers->runtime;
    FindingList findings;
    return findAllocationGaps(readThreads(runtime, findings), *m_contents.gc,
                              runtime.contract().constant("AllocContextGapSlack"));
  }
};

TEST_P(HealthyHeap, HasNoFindingOfTheHeap) {
  for (const FindingKind kind :
       {FindingKind::HeapDamaged, FindingKind::MemoryMissing, FindingKind::GcInProgress, FindingKind::DumpTruncated,
        FindingKind::RuntimeDataDamaged, FindingKind::ContractNotVerified, FindingKind::LayoutMismatch}) {
    EXPECT_FALSE(hasFinding(m_snapshot, kind)) << findingsText(m_snapshot);
  }
  EXPECT_EQ(m_snapshot.coverage(), 1.0);
  for (const SegmentContents& contents : m_snapshot.segmentContents()) EXPECT_EQ(contents.unreadBytes, 0u);
}

TEST_P(HealthyHeap, IsObjectsAndGapsAndNothingElse) {
  const auto allGaps = gaps();
  for (std::size_t i = 0; i < m_snapshot.segments().size(); ++i) {
    const Segment& segment = m_snapshot.segments()[i];
    std::uint64_t gapBytes = 0;
    for (const AllocationGap& gap : allGaps) {
      if (!segment.objects.contains(gap.start)) continue;
      // The free object that the GC made of a full context's slack is counted as an object.
      const ObjectId id = m_contents.heap->index.idOf(gap.start);
      if (id.isNone()) gapBytes += std::min(gap.end, segment.objects.end) - gap.start;
    }
    EXPECT_EQ(m_snapshot.segmentContents()[i].totals.bytes + gapBytes, segment.objects.sizeBytes())
        << toString(segment.objects.start);
  }
}

TEST_P(HealthyHeap, HasNoObjectInsideAnAllocationContext) {
  const ObjectIndex& index = m_contents.heap->index;
  for (const AllocationGap& gap : gaps()) {
    const SegmentId segment = index.segmentOf(gap.start);
    if (segment.isNone() || gap.isFull) continue;
    index.forEachStart(segment, {gap.start, gap.end}, [&](Address address) {
      ADD_FAILURE() << toString(address) << " is in the context from " << toString(gap.start);
      return false;
    });
  }
}

TEST_P(HealthyHeap, NumbersItsObjectsDenselyInTheOrderOfTheirAddresses) {
  const ObjectIndex& index = m_contents.heap->index;
  std::uint32_t next = 0;
  Address behindLast;
  forEachObject(m_snapshot, {}, [&](const ObjectRow& row) {
    EXPECT_EQ(row.id.value, next++);
    EXPECT_GE(row.address, behindLast);
    behindLast = row.address + row.alignedBytes;
    EXPECT_EQ(index.idOf(row.address), row.id);
    EXPECT_EQ(index.addressOf(row.id), row.address);
    EXPECT_EQ(index.segmentOf(row.id), row.segment);
    EXPECT_EQ(index.segmentOf(row.address), row.segment);
    EXPECT_TRUE(index.idOf(row.address + 8).isNone());
    EXPECT_EQ(index.startAtOrBefore(row.address), row.address);
    EXPECT_EQ(index.startAtOrBefore(row.address + 23), row.address);
    EXPECT_EQ(m_snapshot.segments()[row.segment.value].generationOf(row.address), row.generation);
    return !HasFailure();
  });
  EXPECT_EQ(next, index.objectCount());
  EXPECT_EQ(next, m_snapshot.totals().objects);
}

TEST_P(HealthyHeap, IsTheSumOfItsSegmentsAndOfItsGenerationsAndOfItsTypes) {
  ObjectTotals bySegment;
  std::uint64_t withIds = 0;
  for (std::uint32_t i = 0; i < m_snapshot.segments().size(); ++i) {
    bySegment += m_snapshot.segmentContents()[i].totals;
    const auto [first, last] = m_contents.heap->index.objectsOf({i});
    EXPECT_EQ(last.value - first.value, m_snapshot.segmentContents()[i].totals.objects);
    withIds += last.value - first.value;
    const SegmentObjects objects(*m_contents.memory, m_contents.heap->index, m_contents.heap->types, {i},
                                 m_snapshot.segments()[i]);
    ObjectTotals walked;
    objects.forEach(m_snapshot.segments()[i].objects, [&](const ObjectFacts& facts) {
      ++walked.objects;
      walked.bytes += facts.alignedBytes();
      return true;
    });
    EXPECT_EQ(walked.objects, m_snapshot.segmentContents()[i].totals.objects);
    EXPECT_EQ(walked.bytes, m_snapshot.segmentContents()[i].totals.bytes);
  }
  const ObjectTotals whole = m_snapshot.totals();
  EXPECT_EQ(bySegment.objects, whole.objects);
  EXPECT_EQ(bySegment.bytes, whole.bytes);
  EXPECT_EQ(bySegment.freeObjects, whole.freeObjects);
  EXPECT_EQ(bySegment.freeBytes, whole.freeBytes);
  EXPECT_EQ(withIds, whole.objects);
  const TypeCounts& counts = m_snapshot.typeCounts();
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
  for (std::size_t type = 0; type < counts.count.size(); ++type) {
    EXPECT_GT(counts.count[type], 0u);
    objects += counts.count[type];
    bytes += counts.bytes[type];
  }
  EXPECT_EQ(objects, whole.objects);
  EXPECT_EQ(bytes, whole.bytes);
}

TEST_P(HealthyHeap, TakesAtMostTwelveBytesOfIndexPerFiveHundredTwelveOfHeap) {
  std::uint64_t heapBytes = 0;
  for (const Segment& segment : m_snapshot.segments()) heapBytes += segment.objects.sizeBytes();
  EXPECT_LE(m_snapshot.indexBytes(), (heapBytes / 512 + m_snapshot.segments().size()) * 12);
}

INSTANTIATE_TEST_SUITE_P(Data, HealthyHeap, testing::ValuesIn(healthyDumps()),
                         [](const auto& info) { return testName(info.param); });

}  // namespace
}  // namespace heapscape::engine
