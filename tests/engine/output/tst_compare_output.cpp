// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "output/insights/compare_output.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;
using test::writtenJson;

TypeChange typeChange(const std::string& name, Change bytes, Change count = {1, 1}) {
  TypeChange type;
  type.name = name;
  type.assembly = "Shop.dll";
  type.bytes = bytes;
  type.count = count;
  return type;
}

Comparison comparisonOf(std::vector<TypeChange> types) {
  Comparison comparison;
  sortByGrowth(types, GrowthColumn::Bytes);
  for (const TypeChange& type : types) {
    comparison.bytes.before += type.bytes.before;
    comparison.bytes.after += type.bytes.after;
    comparison.objects.before += type.count.before;
    comparison.objects.after += type.count.after;
  }
  comparison.types = std::move(types);
  return comparison;
}

std::string compareText(const Comparison& comparison, const RowSelection& rows = {}) {
  return written([&](Output& output) { writeComparisonText(output, comparison, GrowthColumn::Bytes, rows); });
}

nlohmann::json compareJson(const Comparison& comparison, const RowSelection& rows = {}) {
  return nlohmann::json::parse(writtenJson([&](JsonWriter& json) { writeComparison(json, comparison, rows); }));
}

bool says(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(CompareText, HeadlinesHaveBothSidesAndTheirDifference) {
  Comparison comparison = comparisonOf({typeChange("A", {1'024, 3'072}, {10, 9})});
  comparison.retainedBytes = {2'048, 2'048};
  EXPECT_TRUE(compareText(comparison)
                  .starts_with("Heap: 1.00 KB → 3.00 KB (+2.00 KB)\n"
                               "Objects: 10 → 9 (-1)\n"
                               "Reachable: 2.00 KB → 2.00 KB (0)\n\n"))
      << compareText(comparison);
}

TEST(CompareText, DifferencesMayBeAsLargeAsTheyGet) {
  Comparison comparison;
  comparison.bytes = {0, INT64_MAX};
  EXPECT_TRUE(says(compareText(comparison), "Heap: 0 B → 8.00 EB (+8.00 EB)\n"));
  comparison.bytes = {1ull << 63, 0};
  EXPECT_TRUE(says(compareText(comparison), "Heap: 8.00 EB → 0 B (-8.00 EB)\n"));
}

TEST(CompareText, GapsAreNoObjectsAndNoType) {
  TypeChange gaps = typeChange("Free", {8'192, 1'024}, {100, 10});
  gaps.isFree = true;
  const std::string text = compareText(comparisonOf({typeChange("A", {24, 48}, {1, 2}), gaps}));
  EXPECT_TRUE(says(text, "Free in it: 8.00 KB → 1.00 KB (-7.00 KB)\nObjects: 1 → 2 (+1)\n")) << text;
  EXPECT_FALSE(says(text, "  Free\n")) << text;
}

TEST(CompareText, ShowsWhatGrewAndWhatShrankMost) {
  std::vector<TypeChange> types;
  for (std::uint64_t i = 1; i <= 30; ++i) {
    types.push_back(typeChange("Grown" + std::to_string(i), {0, 1'000 * i}));
    types.push_back(typeChange("Shrunk" + std::to_string(i), {1'000 * i, 0}));
  }
  types.push_back(typeChange("Same", {5'000, 5'000}));
  const std::string text = compareText(comparisonOf(types));
  EXPECT_TRUE(says(text, "\n40 of 61 types.\n")) << text;
  EXPECT_TRUE(says(text, "  Grown11\n") && !says(text, "  Grown10\n")) << text;
  EXPECT_TRUE(says(text, "  Shrunk11\n") && !says(text, "  Shrunk10\n")) << text;
  EXPECT_FALSE(says(text, "  Same\n"));
  EXPECT_LT(text.find("  Grown30\n"), text.find("  Shrunk11\n"));
  EXPECT_LT(text.find("  Shrunk11\n"), text.find("  Shrunk30\n")) << "what shrank most comes last";
  EXPECT_TRUE(says(compareText(comparisonOf(types), {.limit = 1}), "\n2 of 61 types.\n"));
}

TEST(CompareText, NoTypeIsShownTwice) {
  const std::string text = compareText(comparisonOf({typeChange("Up", {0, 8}), typeChange("Down", {8, 0})}));
  EXPECT_TRUE(says(text, "\n2 of 2 types.\n")) << text;
  EXPECT_TRUE(says(compareText({}), "\n0 of 0 types.\n"));
}

TEST(CompareText, OnlyWhatChangedIsListed) {
  Comparison comparison;
  comparison.figures = {{"Threads", "managed", false, {5, 7}},
                        {"Threads", "dead", false, {3, 3}},
                        {"Segments", "gen2", true, {4'096, 1'024}}};
  comparison.insightThreshold = 2'048;
  const std::string quiet = compareText(comparison);
  EXPECT_TRUE(says(quiet, "Threads: managed        5        7          +2\n")) << quiet;
  EXPECT_TRUE(says(quiet, "Segments: gen2    4.00 KB  1.00 KB    -3.00 KB\n")) << quiet;
  EXPECT_FALSE(says(quiet, "dead"));
  EXPECT_FALSE(says(quiet, "Insights that have changed"));
  EXPECT_FALSE(says(quiet, "layout has changed"));
  EXPECT_FALSE(says(quiet, "Runtime:"));
  InsightChange insight;
  insight.title = "Equal strings";
  insight.objects = {1, 2};
  comparison.insights = {insight};
  comparison.layouts.resize(1);
  comparison.layouts[0].type = "Shop.Order";
  comparison.layouts[0].fields = {"+ Tax at 40", "- Code"};
  comparison.before.runtime.version = "8.0.1";
  comparison.after.runtime.version = "10.0.0";
  const std::string text = compareText(comparison);
  EXPECT_TRUE(says(text, "Runtime: 8.0.1 → 10.0.0\n")) << text;
  EXPECT_TRUE(says(text, "\nInsights that have changed, of those above 2.00 KB\n")) << text;
  EXPECT_TRUE(says(text, "Equal strings\n")) << text;
  EXPECT_TRUE(says(text, "Shop.Order  + Tax at 40; - Code\n")) << text;
}

TEST(CompareText, WhatStringsHoldIsLeftOutWhenRedacted) {
  Comparison comparison;
  InsightChange insight;
  insight.title = "Equal strings";
  insight.contents = "secret";
  insight.bytes = {0, 4'096};
  comparison.insights = {insight};
  EXPECT_TRUE(says(compareText(comparison), "secret"));
  EXPECT_FALSE(says(compareText(comparison, {.isRedacted = true}), "secret"));
  EXPECT_EQ(compareJson(comparison).at("insights").at(0).at("contents"), "secret");
  EXPECT_FALSE(compareJson(comparison, {.isRedacted = true}).at("insights").at(0).contains("contents"));
}

TEST(CompareJson, TotalsAreThoseOfTheWholeHeap) {
  TypeChange renamed = typeChange("Shop.New.Order", {0, 48}, {0, 2});
  renamed.perhapsWas = "Shop.Order";
  Comparison comparison = comparisonOf({renamed, typeChange("Shop.Order", {24, 0}, {1, 0})});
  comparison.wasteBytes = {1, 2};
  comparison.before.dump = {.path = "/a \"b\".core", .kind = DumpKind::Full, .pid = 42, .command = {}};
  const nlohmann::json json = compareJson(comparison, {.limit = 1});
  EXPECT_EQ(json.at("before").at("path"), "/a \"b\".core");
  EXPECT_EQ(json.at("before").at("pid"), 42);
  ASSERT_EQ(json.at("types").size(), 1u);
  EXPECT_EQ(json.at("types").at(0).at("new"), true);
  EXPECT_EQ(json.at("types").at(0).at("gone"), false);
  EXPECT_EQ(json.at("types").at(0).at("perhapsWas"), "Shop.Order");
  EXPECT_EQ(json.at("totals").at("types"), 2) << "those beyond the limit, too";
  EXPECT_EQ(json.at("totals").at("bytesBefore"), 24);
  EXPECT_EQ(json.at("totals").at("countAfter"), 2);
  EXPECT_EQ(json.at("totals").at("wasteAfter"), 2);
}

}  // namespace
}  // namespace heapscape::engine
