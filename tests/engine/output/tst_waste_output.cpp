// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "output/layouts/layout_reports.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;
using test::writtenJson;

WasteRow wasteOfType(const char* type, const char* nameSpace, const char* assembly, std::uint64_t padding,
                     std::int64_t saved) {
  WasteRow row;
  row.type = type;
  row.nameSpace = nameSpace;
  row.assembly = assembly;
  row.methodTable = Address{0x7f00};
  row.count = 1'000;
  row.paddingBytes = row.ownPaddingBytes = padding;
  row.instanceBytes = 40;
  row.bestBytes = 32;
  row.means = saved > 0 ? AdviceKind::Reorder : AdviceKind::NothingToGain;
  row.savedByBest = saved;
  row.savedByAuto = -8'192;
  row.order = {"a", "b\t"};
  return row;
}

Waste someWaste() {
  Waste waste;
  waste.rows = {wasteOfType("Shop.Order", "Shop", "Shop.dll", 9'216, 8'192),
                wasteOfType("Shop.Line", "Shop", "Shop.dll", 1'024, 0),
                wasteOfType("Lib.Box", "Lib", "Lib.dll", 2'048, 1'024)};
  waste.paddingBytes = 12'345;
  waste.roundingBytes = 57;
  waste.arrayEndBytes = 4'000;
  waste.heapBytes = 100'000;
  waste.savedByAllBest = 9'216;
  return waste;
}

std::string wasteText(const Waste& waste, std::optional<WasteGrouping> grouping = {}, const RowSelection& rows = {}) {
  return written([&](Output& output) { writeWasteText(output, waste, grouping, rows); });
}

nlohmann::json wasteJson(const Waste& waste, std::optional<WasteGrouping> grouping = {},
                         const RowSelection& rows = {}) {
  return nlohmann::json::parse(writtenJson([&](JsonWriter& json) { writeWaste(json, waste, grouping, rows); }));
}

TEST(WasteText, TellsWhatPaddingIsOfTheWholeHeap) {
  const std::string text = wasteText(someWaste());
  EXPECT_NE(text.find("Padding: 12,345 bytes, 12% of the 100,000 bytes of all objects; 57 of them behind boxed values. "
                      "Behind the ends of arrays and strings lie 4,000 bytes more.\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("together would save 9.00 KB, 9% of the bytes of all objects."), std::string::npos) << text;
  EXPECT_EQ(text.find("on purpose"), std::string::npos);
  EXPECT_EQ(text.find("Savings leave out"), std::string::npos);
}

TEST(WasteText, WhatWouldGrowIsNoShareOfTheHeap) {
  Waste waste = someWaste();
  waste.savedByAllBest = -2'048;
  EXPECT_NE(wasteText(waste).find("would save -2.00 KB, 0% of"), std::string::npos);
  waste.savedByAllBest = INT64_MIN;
  EXPECT_NE(wasteText(waste).find("would save -8.00 EB, 0% of"), std::string::npos);
}

TEST(WasteText, AnEmptyHeapHasNoShares) {
  EXPECT_NE(wasteText({}).find("Padding: 0 bytes, 0% of the 0 bytes of all objects"), std::string::npos);
}

TEST(WasteText, WhatIsSeparatedOrNotComputedIsSaid) {
  Waste waste = someWaste();
  waste.separatedBytes = 4'096;
  waste.typesNotComputed = 2;
  const std::string text = wasteText(waste);
  EXPECT_NE(text.find("4,096 bytes of this padding are there on purpose"), std::string::npos) << text;
  EXPECT_NE(text.find("Savings leave out 2 types whose layout cannot be computed.\n"), std::string::npos) << text;
}

TEST(WasteText, GroupsTakeThePlaceOfTypesAndTheMostSavingComesFirst) {
  const std::string text = wasteText(someWaste(), WasteGrouping::Assembly);
  EXPECT_EQ(text.find("Shop.Order"), std::string::npos);
  EXPECT_NE(text.find("   8.00 KB      10.0 KB      2  Shop.dll\n   1.00 KB      2.00 KB      1  Lib.dll\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(wasteText(someWaste(), WasteGrouping::Namespace, {.limit = 1}).find("  Lib\n"), std::string::npos);
}

TEST(WasteText, NothingToGainAndPurposeAreNotTheSame) {
  Waste waste = someWaste();
  waste.rows[1].separation = "its fields are far apart for the processors' caches";
  const std::string text = wasteText(waste);
  EXPECT_NE(text.find("(on purpose)"), std::string::npos) << text;
  EXPECT_NE(text.find("reorder"), std::string::npos) << text;
}

TEST(WasteJson, SavingsMayBeNegativeAndTotalsCountAllTypes) {
  Waste waste = someWaste();
  waste.savedByAllBest = -24;
  const nlohmann::json json = wasteJson(waste, {}, {.limit = 1});
  ASSERT_EQ(json.at("waste").size(), 1u);
  EXPECT_EQ(json.at("waste").at(0).at("savedBytes"), 8'192);
  EXPECT_EQ(json.at("waste").at(0).at("savings").at("auto"), -8'192);
  EXPECT_EQ(json.at("waste").at(0).at("order"), nlohmann::json({"a", "b\t"}));
  EXPECT_FALSE(json.at("waste").at(0).contains("separated"));
  EXPECT_FALSE(json.contains("groups"));
  EXPECT_EQ(json.at("totals").at("types"), 3) << "those beyond the limit, too";
  EXPECT_EQ(json.at("totals").at("savedByAllBest"), -24);
  EXPECT_EQ(json.at("totals").at("heapBytes"), 100'000);
}

TEST(WasteJson, GroupsAddUpTheirTypes) {
  const nlohmann::json groups = wasteJson(someWaste(), WasteGrouping::Namespace).at("groups");
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups.at(0).at("name"), "Shop");
  EXPECT_EQ(groups.at(0).at("types"), 2);
  EXPECT_EQ(groups.at(0).at("ownPaddingBytes"), 9'216 + 1'024);
  EXPECT_EQ(groups.at(0).at("savedBytes"), 8'192);
  EXPECT_EQ(groups.at(1).at("name"), "Lib");
}

}  // namespace
}  // namespace heapscape::engine
