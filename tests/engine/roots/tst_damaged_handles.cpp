// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/gc/handles.h"
#include "session/roots/handles_query.h"
#include "session/snapshot/contents.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

/// A real dump whose handle tables are changed, on both layouts of a segment's header.
class DamagedHandles : public testing::TestWithParam<std::string> {
 protected:
  DamagedHandles() {
    FindingList findings;
    m_handles = readHandles(runtime(), false, findings);
    m_segment = {m_handles.front().address.value & ~0xffffull};
  }

  const ClrRuntime& runtime() const { return m_before.contents().readers->runtime; }
  Address table() const { return *runtime().pointerAt(m_segment, "HandleSegment", "HandleTable"); }
  Address map() const {
    return *runtime().pointerAt(*runtime().globalPointer("GcDacVars"), "GcDacVars", "HandleTableMap");
  }

  // The same handles, and how many findings.
  std::size_t readAgain(std::size_t& findingCount) const {
    const Snapshot after = openSnapshot(m_file.path(), Stage::Summary);
    FindingList findings;
    const auto handles = readHandles(after.contents().readers->runtime, false, findings);
    findingCount = findings.items().size();
    return handles.size();
  }

  PatchedCore m_file{GetParam()};
  Snapshot m_before = openSnapshot(m_file.path(), Stage::Summary);
  std::vector<GcHandle> m_handles;
  Address m_segment;
  std::size_t m_findings = 0;
};

INSTANTIATE_TEST_SUITE_P(Storm, DamagedHandles, testing::Values("storm-8-calm", "storm-10-calm"),
                         [](const auto& info) { return info.param.substr(0, 7) == "storm-8" ? "Net8" : "Net10"; });

TEST_P(DamagedHandles, EndATableWhoseSegmentsRunInACircle) {
  m_file.write<std::uint64_t>(runtime().member(m_segment, "HandleSegment", "NextSegment"), m_segment.value);
  EXPECT_EQ(readAgain(m_findings), m_handles.size());
  EXPECT_EQ(m_findings, 1u);
}

TEST_P(DamagedHandles, EndATableWhoseNextSegmentIsNowhere) {
  const Address next = runtime().member(m_segment, "HandleSegment", "NextSegment");
  for (const std::uint64_t nowhere : {0x10000ull, 0x7fff'ffff'0000ull, 0x123ull, ~0ull}) {
    m_file.write<std::uint64_t>(next, nowhere);
    EXPECT_EQ(readAgain(m_findings), m_handles.size()) << nowhere;
    EXPECT_EQ(m_findings, 1u);
  }
}

TEST_P(DamagedHandles, AreNotReadFromWhatIsNoTable) {
  m_file.write<std::uint64_t>(runtime().member(table(), "HandleTable", "SegmentList"), m_segment.value + 0x10000);
  EXPECT_EQ(readAgain(m_findings), 0u);
  EXPECT_EQ(m_findings, 1u);
}

TEST_P(DamagedHandles, AreReadOnceThoughTheMapsRunInACircle) {
  m_file.write<std::uint64_t>(runtime().member(map(), "HandleTableMap", "Next"), map().value);
  EXPECT_EQ(readAgain(m_findings), m_handles.size());
  EXPECT_EQ(m_findings, 1u);
}

TEST_P(DamagedHandles, LeaveOutOnlyTheBlockOfUnknownKind) {
  const std::uint64_t block = ((m_handles.front().address.value & 0xffff) - 4096) / 512;
  m_file.write<std::uint8_t>(m_segment + 1560 + block, 77);
  const auto inBlock = std::ranges::count_if(m_handles, [&](const GcHandle& handle) {
    return handle.address >= m_segment + 4096 + 512 * block && handle.address < m_segment + 4096 + 512 * (block + 1);
  });
  EXPECT_EQ(readAgain(m_findings), m_handles.size() - static_cast<std::size_t>(inBlock));
  EXPECT_EQ(m_findings, 1u);
}

TEST_P(DamagedHandles, ToNowhereAreShownAtTheirPlace) {
  m_file.write<std::uint64_t>(m_handles[2].address, 0x1234567);
  m_file.write<std::uint64_t>(m_handles[3].address, m_handles[3].object.value + 8);  // the inside of an object
  const Snapshot after = openSnapshot(m_file.path(), Stage::Objects);
  const auto list = listHandles(after, false, {});
  ASSERT_TRUE(list);
  EXPECT_EQ(list->handles.size(), m_handles.size());
  EXPECT_EQ(std::ranges::count(list->handles, std::string(), &HandleRow::typeName), 2);
  ASSERT_EQ(list->findings.items().size(), 2u);
  for (const Finding& finding : list->findings.items()) EXPECT_EQ(finding.kind, FindingKind::ReferenceDamaged);
  const auto row = std::ranges::find(list->handles, m_handles[2].address, &HandleRow::address);
  ASSERT_NE(row, list->handles.end());
  EXPECT_EQ(row->object, Address{0x1234567});
}

TEST(Handles, AreOfAllTablesThoughFewerHeapsAreUsed) {
  PatchedCore file("shop-10-server");
  const Snapshot before = openSnapshot(file.path(), Stage::Summary);
  const ClrRuntime& runtime = before.contents().readers->runtime;
  FindingList findings;
  const auto all = readHandles(runtime, false, findings);
  // As DATAS does it: heaps are given up, their handle tables stay.
  const Address heaps = *runtime.pointerAt(*runtime.globalPointer("GcDacVars"), "GcDacVars", "NHeaps");
  ASSERT_EQ(file.read<std::int32_t>(heaps), 4);
  file.write<std::int32_t>(heaps, 1);
  const Snapshot after = openSnapshot(file.path(), Stage::Summary);
  EXPECT_EQ(readHandles(after.contents().readers->runtime, false, findings).size(), all.size());
  EXPECT_TRUE(findings.items().empty());
}

}  // namespace
}  // namespace heapscape::engine
