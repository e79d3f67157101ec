// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "runtime/gc/handles.h"
#include "runtime/types/loaded_types.h"
#include "support/builders/handle_tables_in_memory.h"

namespace heapscape::engine {
namespace {

using Tables = test::HandleTablesInMemory;

/// The same tables as .NET 8 to 11 lay them out, of either collector.
class HandleTables : public testing::TestWithParam<std::tuple<unsigned, bool>> {
 protected:
  unsigned version() const { return std::get<0>(GetParam()); }
  bool isServer() const { return std::get<1>(GetParam()); }

  FindingList m_findings;
  Tables m_tables = Tables::healthy(version(), isServer());
};

INSTANTIATE_TEST_SUITE_P(OfVersions, HandleTables, testing::Combine(testing::Values(8, 9, 10, 11), testing::Bool()));

TEST_P(HandleTables, GiveEachHandleItsKindHeapAndSecondary) {
  const ClrRuntime runtime = m_tables.runtime(version());
  const auto handles = readHandles(runtime, false, m_findings);
  EXPECT_TRUE(m_findings.items().empty());
  ASSERT_EQ(handles.size(), 12u);
  for (std::size_t i = 0; i < handles.size(); ++i) {
    const bool isSecondSegment = i >= 6;
    const bool isDependent = i % 6 >= 3;
    const Address expected{0x5000 + (isSecondSegment ? 0x100u : 0u) + 8 * (i % 6)};
    EXPECT_EQ(handles[i].object, expected);
    EXPECT_EQ(handles[i].kind, isDependent ? HandleKind::Dependent : HandleKind::Strong);
    EXPECT_EQ(handles[i].heap, isServer() && isSecondSegment ? 1u : 0u);
    EXPECT_EQ(handles[i].dependent, isDependent ? expected + 24 : Address{});
    EXPECT_EQ(secondaryOfDependentHandle(runtime, handles[i].address).has_value(), isDependent);
  }
  EXPECT_EQ(readHandles(runtime, true, m_findings).size(), 4 * 64u);
  EXPECT_EQ(readHandleSegments(runtime, m_findings).size(), 2u);
  EXPECT_EQ(readHandleHashTable(runtime, Tables::moduleOf(runtime), "AvailableTypeParams").size(), 2u);
}

TEST_P(HandleTables, AreLeftWhereThereAreMoreThanAnyProcessHas) {
  constexpr std::uint64_t kMapBytes = 16;
  constexpr std::uint64_t kMaps = 50'000;
  // Maps behind each other that all name the same buckets, and those the same tables of many heaps.
  const std::uint64_t first = m_tables.tables.size();
  const ClrRuntime healthy = m_tables.runtime(version());
  const Contract& contract = healthy.contract();
  const std::uint64_t place = contract.offset("GcDacVars", "HandleTableMap");
  const Address map = *healthy.pointerAt(Tables::kTables, "GcDacVars", "HandleTableMap");
  const Address buckets = *healthy.pointerAt(map, "HandleTableMap", "Buckets");
  const Address bucket = *healthy.memory().readPointer(buckets);
  for (std::uint64_t i = 1; i < contract.constant("HandleTableMap.BucketCount"); ++i)
    m_tables.putInTables(buckets + 8 * i - Tables::kTables, bucket.value);
  m_tables.tables.resize(first + kMaps * kMapBytes);
  for (std::uint64_t i = 0; i < kMaps; ++i) {
    const std::uint64_t offset = first + kMapBytes * i;
    m_tables.putInTables(offset, buckets.value);
    m_tables.putInTables(offset + 8, Tables::kTables.value + offset + kMapBytes);
  }
  m_tables.putInTables(place, Tables::kTables.value + first);
  m_tables.segments.clear();  // the maps lie where they were

  // Each of the two tables in the list of a bucket is a finding.
  EXPECT_TRUE(readHandles(m_tables.runtime(version()), false, m_findings).empty());
  EXPECT_GE(m_findings.items().size() + m_findings.leftOut(), 1000u);
  EXPECT_LE(m_findings.items().size() + m_findings.leftOut(), 2100u);
}

}  // namespace
}  // namespace heapscape::engine
