// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "session/snapshot/contents.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

class ModulesOfEveryDump : public testing::TestWithParam<std::string> {};

TEST_P(ModulesOfEveryDump, AreThoseOfTheTruth) {
  const Snapshot snapshot = openSnapshot(dumpPath(GetParam()), Stage::Summary);
  const Truth truth = Truth::of(GetParam());
  ASSERT_EQ(snapshot.modules().size(), truth.modules.size());
  const bool hasImages = !GetParam().ends_with("-gcore");
  std::size_t dynamic = 0;
  for (const TruthModule& expected : truth.modules) {
    dynamic += expected.isDynamic;
    if (expected.isDynamic) continue;
    SCOPED_TRACE(expected.path);
    const auto row = std::ranges::find(snapshot.modules(), expected.imageBase, &ModuleRow::imageBase);
    ASSERT_NE(row, snapshot.modules().end());
    EXPECT_EQ(row->name, expected.name);
    EXPECT_EQ(row->path, expected.path);
    EXPECT_EQ(row->sizeBytes, expected.sizeBytes);
    EXPECT_FALSE(row->isDynamic);
    if (hasImages) {
      EXPECT_EQ(row->mvid, expected.mvid);
      EXPECT_EQ(row->metadata, MetadataSource::Dump);
    } else {
      // Never a wrong one: known or not at all.
      EXPECT_TRUE(row->mvid.empty() || row->mvid == expected.mvid) << row->mvid;
    }
  }
  // ClrMD knows neither names nor MVIDs of modules made at run time.
  std::size_t found = 0;
  for (const ModuleRow& row : snapshot.modules()) {
    if (!row.isDynamic) continue;
    ++found;
    EXPECT_FALSE(row.name.empty());
    EXPECT_FALSE(row.imageBase);
  }
  EXPECT_EQ(found, dynamic);
  EXPECT_EQ(snapshot.modules().front().name, "System.Private.CoreLib.dll");
}

INSTANTIATE_TEST_SUITE_P(Data, ModulesOfEveryDump, testing::ValuesIn(heapDumps()),
                         [](const auto& info) { return testName(info.param); });

TEST(Modules, LoadedTwiceAreToldApartByTheirContext) {
  for (const std::string& name : shopDumps()) {
    SCOPED_TRACE(name);
    const Snapshot snapshot = openSnapshot(dumpPath(name), Stage::Summary);
    std::multiset<bool> collectible;
    for (const ModuleRow& row : snapshot.modules()) {
      if (row.name == "plugin.dll") collectible.insert(row.isCollectible);
    }
    EXPECT_EQ(collectible, (std::multiset<bool>{false, true}));
  }
}

TEST(Modules, WithoutImagesInTheDumpAreFindings) {
  const Snapshot snapshot = openSnapshot(dumpPath("shop-10-gcore"), Stage::Summary);
  std::size_t missing = 0;
  for (const ModuleRow& row : snapshot.modules()) missing += row.metadata == MetadataSource::Missing;
  EXPECT_EQ(missing > 0, hasFinding(snapshot, FindingKind::MetadataMissing));
  EXPECT_EQ(missing > 0, !snapshot.summary().missing.empty());
}

/// The list of assemblies of the application domain, damaged.
class DamagedAssemblyList : public testing::Test {
 protected:
  DamagedAssemblyList() {
    const ClrRuntime& runtime = m_before.contents().readers->runtime;
    const Contract& contract = runtime.contract();
    m_list = *runtime.globalPointer("AppDomain") + contract.offset("AppDomain", "DomainAssemblyList");
    m_count = m_list + contract.offset("ArrayListBase", "Count");
    m_block = m_list + contract.offset("ArrayListBase", "FirstBlock");
    m_next = m_block + contract.offset("ArrayListBlock", "Next");
    m_items = m_block + contract.offset("ArrayListBlock", "ArrayStart");
  }

  PatchedCore m_file{"shop-10"};
  Snapshot m_before = openSnapshot(m_file.path(), Stage::Summary);
  Address m_list, m_count, m_block, m_next, m_items;
};

TEST_F(DamagedAssemblyList, ThatRunsInACircleListsEachModuleOnce) {
  m_file.write<std::uint64_t>(m_next, m_block.value);
  m_file.write<std::uint32_t>(m_count, 90'000);
  const Snapshot after = openSnapshot(m_file.path());
  std::set<Address> addresses;
  for (const ModuleRow& row : after.modules()) EXPECT_TRUE(addresses.insert(row.address).second) << row.name;
  EXPECT_LE(after.modules().size(), m_before.modules().size());
  EXPECT_FALSE(after.modules().empty());
}

TEST_F(DamagedAssemblyList, ThatClaimsTooManyIsAFinding) {
  m_file.write<std::uint32_t>(m_count, 0x7fffffff);
  const Snapshot after = openSnapshot(m_file.path());
  EXPECT_TRUE(hasFinding(after, FindingKind::RuntimeDataDamaged));
  EXPECT_EQ(after.totals().objects, openSnapshot(dumpPath("shop-10"), Stage::Objects).totals().objects);
}

TEST_F(DamagedAssemblyList, WithAnItemThatPointsNowhereKeepsTheOthers) {
  m_file.write<std::uint64_t>(m_items + 8, 0x1234567);
  const Snapshot after = openSnapshot(m_file.path(), Stage::Summary);
  EXPECT_EQ(after.modules().size(), m_before.modules().size() - 1);
  EXPECT_TRUE(hasFinding(after, FindingKind::RuntimeDataDamaged)) << findingsText(after);
}

}  // namespace
}  // namespace heapscape::engine
