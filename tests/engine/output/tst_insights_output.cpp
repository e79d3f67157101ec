// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "insight/insight_groups.h"
#include "output/insights/insights_output.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;
using test::writtenJson;

Insight insightOf(InsightKind kind, std::string title, std::uint64_t bytes, std::uint64_t sharedBytes = 0) {
  Insight insight;
  insight.kind = kind;
  insight.meaning = InsightMeaning::Waste;
  insight.title = std::move(title);
  insight.bytes = bytes;
  insight.sharedBytes = sharedBytes;
  insight.objects = 2;
  return insight;
}

InsightList listOf(std::vector<Insight> insights) {
  InsightList list;
  list.insights = std::move(insights);
  return list;
}

std::string insightsText(const InsightList& list, InsightsForm form, const RowSelection& rows = {}) {
  return written([&](Output& output) { writeInsightsText(output, list, form, rows); });
}

nlohmann::json insightsJson(const InsightList& list, const RowSelection& rows = {}) {
  return nlohmann::json::parse(writtenJson([&](JsonWriter& json) { writeInsights(json, list, rows); }));
}

Insight secretive() {
  Insight insight = insightOf(InsightKind::Suspect, "thread 5 \"Alice\" holds much", 4'096, 1'024);
  insight.contents = "hunter2";
  insight.advice = "Let go.";
  insight.facts = {{"Fill", "3%"}, {"Value", "pass\tword", true}};
  insight.owners = {{.name = "thread 5 \"Alice\"", .object = {}, .methodTable = {}, .objects = 1, .bytes = 8}};
  insight.items = {{Address{0x10}, 24, "holds \"hunter2\""}};
  insight.path = {"thread 5", "Shop.Order"};
  return insight;
}

TEST(InsightsText, TotalsStandBelowWhateverIsListed) {
  InsightList list;
  list.wasteBytes = 2'048;
  list.leakBytes = 1'024;
  list.frameworkBytes = 512;
  const std::string totals =
      "Waste: 2.00 KB. Leaks: 1.00 KB. Each byte counts once; 512 B of these are held by the framework itself.\n";
  EXPECT_TRUE(insightsText(list, InsightsForm::Groups).ends_with(totals));
  EXPECT_EQ(insightsText(list, InsightsForm::Details), totals);
  list.smallInsights = 1'234;
  list.smallBytes = 4'096;
  EXPECT_EQ(insightsText(list, InsightsForm::Details),
            totals + "1,234 more of 4.00 KB together are below the threshold (--min).\n");
}

TEST(InsightsText, ManyOfAKindAreOneLineThatSaysHowToListThem) {
  std::vector<Insight> many;
  for (std::size_t i = 0; i <= kFewInsights; ++i)
    many.push_back(insightOf(InsightKind::DuplicateStrings, "Text " + std::to_string(i), 1'024));
  const std::string together = insightsText(listOf(many), InsightsForm::Groups);
  EXPECT_NE(together.find("13 texts, 26 strings"), std::string::npos) << together;
  EXPECT_NE(together.find("13.0 KB"), std::string::npos) << together;
  EXPECT_NE(together.find("\n--kind duplicateStrings lists each of them.\n"), std::string::npos) << together;
  const std::string each = insightsText(listOf(many), InsightsForm::Each);
  EXPECT_NE(each.find("Text 12"), std::string::npos) << each;
  EXPECT_EQ(each.find("--kind"), std::string::npos) << each;
  many.pop_back();
  EXPECT_NE(insightsText(listOf(many), InsightsForm::Groups).find("Text 11"), std::string::npos) << "few are listed";
}

TEST(InsightsText, TheSameHintIsGivenOnce) {
  std::vector<Insight> many;
  for (std::size_t i = 0; i < 2 * (kFewInsights + 1); ++i) {
    many.push_back(insightOf(InsightKind::EmptyArrays, "Type", 1'024));
    many.back().isFramework = i % 2 != 0;
  }
  const std::string text = insightsText(listOf(many), InsightsForm::Groups);
  EXPECT_NE(text.find("--kind emptyArrays"), std::string::npos) << text;
  EXPECT_EQ(text.find("--kind emptyArrays"), text.rfind("--kind emptyArrays")) << text;
}

TEST(InsightsText, LeadsWithWhatToFixFirstAndSaysWhereItIsABound) {
  InsightList list = listOf({insightOf(InsightKind::DuplicateStrings, "9 equal strings of 4 characters", 1'024)});
  EXPECT_EQ(insightsText(list, InsightsForm::Groups).find("Heap now"), std::string::npos) << "nothing can be done";
  list.plan = {.actions = {{.insights = {0}, .bytes = 1'024, .addedBytes = 1'024}}, .heapBytes = 4'096, .bytes = 1'024};
  const std::string text = insightsText(list, InsightsForm::Groups);
  EXPECT_NE(text.find("Keep one of 9 equal strings of 4 characters\n"
                      "Heap now: 4.00 KB. After all of them: 3.00 KB, 1.00 KB less; each byte counts once.\n\n"),
            std::string::npos)
      << text;
  EXPECT_LT(text.find("Heap now"), text.find("waste"));
  list.plan.isLeast = true;
  EXPECT_NE(insightsText(list, InsightsForm::Groups).find("at most 3.00 KB, at least 1.00 KB less"), std::string::npos);
  for (const InsightsForm form : {InsightsForm::Each, InsightsForm::Details})
    EXPECT_EQ(insightsText(list, form).find("Heap now"), std::string::npos);
}

TEST(InsightsText, DetailsHaveAllThatIsKnown) {
  EXPECT_TRUE(insightsText(listOf({secretive()}), InsightsForm::Details)
                  .starts_with("4.00 KB: thread 5 \"Alice\" holds much\n"
                               "  Contents  \"hunter2\"\n"
                               "  Shared    1,024 bytes of it are counted above or in another kind\n"
                               "  Advice    Let go.\n"
                               "            Fill: 3%\n"
                               "            Value: pass\\tword\n"
                               "  Owners    thread 5 \"Alice\": 1 object, 8 B\n"
                               "  Objects   0x10  24 B  holds \"hunter2\"\n"
                               "  Path      thread 5\n"
                               "            Shop.Order\n"
                               "\n"))
      << insightsText(listOf({secretive()}), InsightsForm::Details);
}

TEST(InsightsText, OfManyOwnersAndObjectsTheCostliestAreNamed) {
  Insight insight = insightOf(InsightKind::Suspect, "Much", 8);
  insight.isFramework = true;
  for (std::uint64_t i = 0; i < 7; ++i) {
    insight.items.push_back({Address{0x100 + i}, 8});
    insight.owners.push_back({.name = "owner" + std::to_string(i), .object = {}, .methodTable = {}});
  }
  const std::string text = insightsText(listOf({insight, insight}), InsightsForm::Details, {.limit = 1});
  EXPECT_TRUE(text.starts_with("8 B: Much (held by the framework)\n")) << text;
  EXPECT_EQ(text.find("Much"), text.rfind("Much")) << "one was asked for";
  EXPECT_TRUE(text.find("owner2") != std::string::npos && text.find("owner3") == std::string::npos) << text;
  EXPECT_TRUE(text.find("0x104") != std::string::npos && text.find("0x105") == std::string::npos) << text;
}

TEST(InsightsOutput, NoFormTellsContentsWhenRedacted) {
  const InsightList list = listOf({secretive()});
  const RowSelection hidden{.isRedacted = true};
  for (const std::string& text :
       {insightsText(list, InsightsForm::Groups, hidden), insightsText(list, InsightsForm::Each, hidden),
        insightsText(list, InsightsForm::Details, hidden), insightsJson(list, hidden).dump()}) {
    for (const char* secret : {"hunter2", "Alice", "pass"}) EXPECT_EQ(text.find(secret), std::string::npos) << text;
    EXPECT_NE(text.find("thread 5"), std::string::npos) << text;
  }
}

TEST(InsightsJson, PartsBelongToTheirInsight) {
  InsightList list = listOf({secretive(), insightOf(InsightKind::PaddingWaste, "Padding", UINT64_MAX)});
  list.smallBytes = 7;
  const nlohmann::json json = insightsJson(list, {.limit = 1});
  ASSERT_EQ(json.at("insights").size(), 1u);
  const nlohmann::json& first = json.at("insights").at(0);
  EXPECT_EQ(first.at("contents"), "hunter2");
  EXPECT_EQ(first.at("facts").size(), 2u);
  EXPECT_EQ(first.at("items").at(0).at("address"), "0x10");
  EXPECT_EQ(first.at("owners").at(0).at("kind"), "other");
  EXPECT_EQ(first.at("path"), nlohmann::json({"thread 5", "Shop.Order"}));
  EXPECT_EQ(json.at("totals").at("insights"), 2) << "those beyond the limit, too";
  ASSERT_EQ(json.at("groups").size(), 2u);
  EXPECT_EQ(json.at("groups").at(0).at("bytes").dump(), "18446744073709551615") << "the most first";
  EXPECT_EQ(json.at("groups").at(1).at("bytes"), 3'072) << "without what is counted elsewhere";
}

}  // namespace
}  // namespace heapscape::engine
