// SPDX-License-Identifier: MIT
// The rules of layout against what the runtimes of real dumps did.
#include <gtest/gtest.h>

#include <algorithm>

#include "session/layouts/layout_check.h"
#include "session/layouts/layout_query.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::LayoutCheck;

LayoutCheck checkOf(const engine::Snapshot& snapshot, bool allLoaded) {
  const auto layouts = engine::DeclaredLayouts::ofDump(snapshot);
  if (!layouts) throw std::runtime_error(layouts.error().message());
  auto check = engine::checkLayouts(snapshot, *layouts, allLoaded, {});
  if (!check) throw std::runtime_error("cancelled or failed");
  return std::move(*check);
}

std::string textOf(const std::vector<LayoutCheck::Row>& rows) {
  std::string text;
  for (const LayoutCheck::Row& row : rows) text += row.type + ": " + row.what + "\n";
  return text;
}

class LayoutsOfDumps : public testing::TestWithParam<const char*> {};

TEST_P(LayoutsOfDumps, AllLoadedTypesLieAsTheRulesGiveThem) {
  const engine::Snapshot snapshot = openSnapshot(dumpPath(GetParam()), engine::Stage::Objects);
  const LayoutCheck check = checkOf(snapshot, true);
  EXPECT_EQ(check.equal, check.compared);
  EXPECT_TRUE(check.different.empty()) << textOf(check.different);
  EXPECT_TRUE(check.notComputed.empty()) << textOf(check.notComputed);
  EXPECT_GT(check.compared, 400U);
}

INSTANTIATE_TEST_SUITE_P(Dumps, LayoutsOfDumps,
                         testing::Values("shop-8", "shop-9", "shop-10", "shop-11", "shop-arm64-10", "shop-8-server",
                                         "shop-9-segments", "exhibits-8", "exhibits-9", "exhibits-10", "exhibits-11",
                                         "storm-8-calm", "storm-9-full", "storm-10-calm"),
                         [](const auto& info) { return testName(info.param); });

TEST(LayoutCheck, TypesWithoutMetadataAreSaidNotToBeComputed) {
  const LayoutCheck check = checkOf(openSnapshot(dumpPath("shop-10-gcore"), engine::Stage::Segments), true);
  EXPECT_TRUE(check.different.empty()) << textOf(check.different);
  EXPECT_GT(check.notComputed.size(), 1000U);
}

TEST(LayoutCheck, TypesOnTheHeapAreComparedByThemselves) {
  const engine::Snapshot& shop = openedDump("shop-10");
  const auto withObjects = std::ranges::count(shop.types(), false, &engine::TypeRow::isFree);
  const LayoutCheck check = checkOf(shop, false);
  EXPECT_EQ(check.compared, static_cast<std::uint64_t>(withObjects)) << textOf(check.notComputed);
}

TEST(LayoutCheck, AFieldThatLiesElsewhereIsFound) {
  PatchedCore core("shop-10");
  const engine::Snapshot before = openSnapshot(core.path(), engine::Stage::Objects);
  const engine::TypeId version = findType(before, "System.Version");
  ASSERT_FALSE(version.isNone());
  const engine::Address methodTable = before.types()[version.value].methodTable;
  // The base size is behind the flags.
  core.write<std::uint32_t>(methodTable + 4, core.read<std::uint32_t>(methodTable + 4) + 8);
  const LayoutCheck check = checkOf(openSnapshot(core.path(), engine::Stage::Segments), true);
  const auto row = std::ranges::find(check.different, "System.Version", &LayoutCheck::Row::type);
  ASSERT_NE(row, check.different.end()) << textOf(check.different);
  EXPECT_EQ(row->what, "base size 40, by the rules 32");
  engine::FindingList findings;
  engine::addFindings(check, findings);
  EXPECT_TRUE(std::ranges::any_of(findings.items(), [&](const engine::Finding& finding) {
    return finding.kind == engine::FindingKind::LayoutDiffers && finding.address == methodTable;
  }));
}

TEST(LayoutCheck, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const engine::Snapshot& shop = openedDump("shop-10");
  const auto layouts = engine::DeclaredLayouts::ofDump(shop);
  ASSERT_TRUE(layouts);
  const auto check = engine::checkLayouts(shop, *layouts, false, stop.get_token());
  ASSERT_FALSE(check);
  EXPECT_TRUE(check.error().isCancelled());
}

}  // namespace
}  // namespace heapscape::test
