// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "session/layouts/layout_comparison.h"
#include "session/open/open_assembly.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/test_assembly.h"
#include "support/truth.h"

namespace heapscape::test {
namespace {

using engine::ComparedLayout;
using engine::DeclaredLayouts;
using engine::LayoutComparison;
using engine::LayoutQuestion;
using engine::RuleSet;

DeclaredLayouts layoutsOfSegments(const std::string& dump) {
  auto layouts = DeclaredLayouts::ofDump(openSnapshot(dumpPath(dump), engine::Stage::Segments));
  if (!layouts) throw std::runtime_error(layouts.error().message());
  return *layouts;
}

LayoutComparison compare(const DeclaredLayouts& before, const LayoutQuestion& questionBefore,
                         const DeclaredLayouts& after, const LayoutQuestion& questionAfter) {
  auto comparison = engine::compareLayouts(before, questionBefore, after, questionAfter, {});
  if (!comparison) throw std::runtime_error("cancelled or failed");
  return std::move(*comparison);
}

const ComparedLayout* find(const std::vector<ComparedLayout>& rows, std::string_view type) {
  const auto found = std::ranges::find(rows, type, &ComparedLayout::type);
  return found == rows.end() ? nullptr : &*found;
}

TEST(LayoutComparison, ADumpIsLikeItself) {
  const DeclaredLayouts shop = layoutsOfSegments("shop-10");
  const LayoutComparison comparison = compare(shop, {.rules = RuleSet::Actual}, shop, {.rules = RuleSet::Actual});
  EXPECT_TRUE(comparison.changed.empty());
  EXPECT_TRUE(comparison.added.empty());
  EXPECT_TRUE(comparison.removed.empty());
  EXPECT_GT(comparison.same, 500U);
}

TEST(LayoutComparison, WhatTheRuntimeDidIsWhatItsRulesGive) {
  const DeclaredLayouts shop = layoutsOfSegments("shop-9");
  const LayoutComparison comparison = compare(shop, {.rules = RuleSet::Actual}, shop, {.rules = RuleSet::Declared});
  // The runtime may know a base or a value of shared generic code by its shared form only, which has another name.
  for (const ComparedLayout& row : comparison.changed) {
    EXPECT_EQ(row.difference.instanceBytes, 0) << row.type;
    EXPECT_EQ(row.difference.paddingBytes, 0) << row.type;
  }
  EXPECT_LT(comparison.changed.size(), 20U);
  EXPECT_TRUE(comparison.failures.empty()) << comparison.failures.front();
}

TEST(LayoutComparison, OtherRulesChangeTypesTheMostFirst) {
  const DeclaredLayouts shop = layoutsOfSegments("shop-10");
  const LayoutComparison comparison = compare(shop, {}, shop, {.rules = RuleSet::Best});
  const ComparedLayout* structure = find(comparison.changed, "Shop.SequentialStruct");
  ASSERT_TRUE(structure);
  EXPECT_EQ(structure->instanceBytesBefore, 24U);
  EXPECT_EQ(structure->instanceBytesAfter, 16U);
  EXPECT_EQ(structure->difference.instanceBytes, -8);
  const auto magnitude = [](const ComparedLayout& row) { return -std::abs(row.difference.instanceBytes); };
  EXPECT_TRUE(std::ranges::is_sorted(comparison.changed, {}, magnitude));
}

TEST(LayoutComparison, TwoDumpsAreMatchedByAssemblyAndName) {
  const LayoutComparison comparison = compare(layoutsOfSegments("shop-8"), {.rules = RuleSet::Actual},
                                              layoutsOfSegments("shop-10"), {.rules = RuleSet::Actual});
  EXPECT_FALSE(comparison.changed.empty()) << "CoreLib has changed";
  EXPECT_FALSE(comparison.added.empty());
  EXPECT_FALSE(comparison.removed.empty());
  EXPECT_TRUE(find(comparison.changed, "Shop.Code+OrderException")) << "System.Exception has changed";
  EXPECT_EQ(find(comparison.changed, "Shop.SequentialStruct"), nullptr);
  EXPECT_EQ(find(comparison.added, "Shop.SequentialStruct"), nullptr);
  EXPECT_TRUE(std::ranges::all_of(comparison.added, [](const ComparedLayout& row) { return row.before.isNone(); }));
}

TEST(LayoutComparison, RuntimesDifferInAFewTypes) {
  const TestAssembly zoo("LayoutZooEdge");
  const auto layouts = engine::openAssemblyFile(zoo.path(), {.search = {dumpPath("library-10")}}, {});
  ASSERT_TRUE(layouts);
  const LayoutComparison comparison = compare(*layouts, {.runtimeMajor = 8}, *layouts, {.runtimeMajor = 10});
  EXPECT_FALSE(comparison.changed.empty()) << "sequential below explicit classes";
  EXPECT_GT(comparison.same, comparison.changed.size());
  EXPECT_TRUE(comparison.added.empty());
}

TEST(LayoutComparison, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const DeclaredLayouts shop = layoutsOfSegments("shop-10");
  const auto comparison = engine::compareLayouts(shop, {}, shop, {}, stop.get_token());
  ASSERT_FALSE(comparison);
  EXPECT_TRUE(comparison.error().isCancelled());
}

}  // namespace
}  // namespace heapscape::test
