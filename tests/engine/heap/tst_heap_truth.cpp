// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "session/objects/object_query.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

TruthTotals asInTruth(const ObjectTotals& totals) {
  return {totals.objects - totals.freeObjects, totals.bytes - totals.freeBytes, totals.freeObjects, totals.freeBytes};
}

/// GoogleTest's own words for two totals that differ.
std::string textOf(const TruthTotals& totals) {
  return std::to_string(totals.objects) + " objects, " + std::to_string(totals.bytes) + " bytes, " +
         std::to_string(totals.freeObjects) + " free, " + std::to_string(totals.freeBytes) + " bytes free";
}

class HeapOfEveryDump : public testing::TestWithParam<std::string> {
 protected:
  const Snapshot& m_snapshot = openedDump(GetParam());
  const Truth m_truth = Truth::of(GetParam());
};

TEST_P(HeapOfEveryDump, HasTheSegmentsOfTheTruth) {
  ASSERT_EQ(m_snapshot.segments().size(), m_truth.segments.size());
  for (std::size_t i = 0; i < m_truth.segments.size(); ++i) {
    const Segment& segment = m_snapshot.segments()[i];
    const TruthSegment& expected = m_truth.segments[i];
    SCOPED_TRACE(toString(expected.objects.start));
    EXPECT_EQ(toString(segment.kind), expected.kind);
    EXPECT_EQ(segment.heap, expected.heap);
    EXPECT_EQ(segment.objects, expected.objects);
    EXPECT_EQ(segment.committedEnd, expected.committedEnd);
    EXPECT_EQ(segment.reservedEnd, expected.reservedEnd);
    if (!expected.isComplete) continue;
    EXPECT_EQ(textOf(asInTruth(m_snapshot.segmentContents()[i].totals)), textOf(expected.totals));
  }
}

TEST_P(HeapOfEveryDump, HasTheObjectsOfTheTruthInEverySegment) {
  std::vector<ObjectChecksum> checksums(m_truth.segments.size());
  forEachObject(m_snapshot, {}, [&](const ObjectRow& row) {
    const Address methodTable = m_snapshot.types()[row.type.value].methodTable;
    checksums[row.segment.value].add(row.address.value, row.sizeBytes, methodTable.value);
    return true;
  });
  for (std::size_t i = 0; i < m_truth.segments.size(); ++i) {
    if (!m_truth.segments[i].isComplete) continue;
    EXPECT_EQ(checksums[i].value(), m_truth.segments[i].checksum) << toString(m_truth.segments[i].objects.start);
  }
}

INSTANTIATE_TEST_SUITE_P(Data, HeapOfEveryDump, testing::ValuesIn(heapDumps()),
                         [](const auto& info) { return testName(info.param); });

class HeapOfHealthyDump : public HeapOfEveryDump {};

TEST_P(HeapOfHealthyDump, IsWalkedWhereTheTruthIsComplete) {
  EXPECT_TRUE(m_truth.isWalkable);
  for (const TruthSegment& segment : m_truth.segments) EXPECT_TRUE(segment.isComplete);
}

TEST_P(HeapOfHealthyDump, HasTheGenerationsOfTheTruth) {
  std::map<std::pair<std::uint32_t, std::string>, TruthTotals> expected;
  for (const TruthGeneration& row : m_truth.generations) expected[{row.heap, row.generation}] = row.totals;
  std::map<std::pair<std::uint32_t, std::string>, TruthTotals> found;
  for (const GenerationRow& row : m_snapshot.generations()) {
    // The truth leaves out generations without anything in them.
    if (row.totals.objects) found[{row.heap, toString(row.generation)}] = asInTruth(row.totals);
  }
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [key, totals] : expected) {
    EXPECT_EQ(textOf(found[key]), textOf(totals)) << key.second << " of heap " << key.first;
  }
}

TEST_P(HeapOfHealthyDump, HasTheTypesOfTheTruth) {
  ASSERT_EQ(m_snapshot.types().size(), m_truth.types.size());
  std::map<Address, std::uint32_t> byMethodTable;
  for (std::uint32_t i = 0; i < m_snapshot.types().size(); ++i) byMethodTable[m_snapshot.types()[i].methodTable] = i;
  std::vector<std::uint64_t> exactBytes(m_snapshot.types().size());
  forEachObject(m_snapshot, {}, [&](const ObjectRow& row) {
    exactBytes[row.type.value] += row.sizeBytes;
    return true;
  });
  for (const TruthType& expected : m_truth.types) {
    SCOPED_TRACE(expected.name + " " + toString(expected.methodTable));
    ASSERT_TRUE(byMethodTable.contains(expected.methodTable));
    const std::uint32_t i = byMethodTable[expected.methodTable];
    const TypeRow& type = m_snapshot.types()[i];
    EXPECT_EQ(type.isFree, expected.name == "Free");
    // ClrMD leaves the terminating character out of a string's base size, and counts it in its objects' sizes.
    EXPECT_EQ(type.baseSize, expected.baseSize + (expected.name == "System.String" ? 2 : 0));
    EXPECT_EQ(type.componentSize, expected.componentSize);
    EXPECT_EQ(m_snapshot.typeCounts().count[i], expected.count);
    EXPECT_EQ(m_snapshot.typeCounts().bytes[i], expected.bytes);
    EXPECT_EQ(exactBytes[i], expected.exactBytes);
    for (const Generation generation : kGenerations) {
      const auto bytes = expected.generationBytes.find(toString(generation));
      EXPECT_EQ(m_snapshot.typeCounts().generationBytes[i][static_cast<std::size_t>(generation)],
                bytes == expected.generationBytes.end() ? 0 : bytes->second)
          << toString(generation);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Data, HeapOfHealthyDump, testing::ValuesIn(healthyDumps()),
                         [](const auto& info) { return testName(info.param); });

}  // namespace
}  // namespace heapscape::engine
