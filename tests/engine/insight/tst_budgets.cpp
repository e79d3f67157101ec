// SPDX-License-Identifier: MIT
// Budgets: queries with a limit, read from a file and held against a dump.
#include <gtest/gtest.h>

#include "lists/budgets.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

TEST(BudgetFiles, SayWhichRowsMayBeHowMany) {
  const auto budgets = parseBudgets(R"({"budgets": [
      {"of": "types", "query": "own and padding > 10% and bytes > 1MB", "max": 0},
      {"name": "strings", "of": "types", "query": "type = System.String", "sum": "bytes", "max": "200 MB", "min": 1},
      {"of": "generations", "sum": "bytes", "maxGrowth": "5%", "against": "x.core"},
      {"of": "changes", "query": "growth > 1 MB", "max": 3, "against": "x.core"}]})");
  ASSERT_TRUE(budgets) << budgets.error().message();
  ASSERT_EQ(budgets->size(), 4U);
  EXPECT_EQ((*budgets)[0].text, "types: own and padding > 10% and bytes > 1MB");
  EXPECT_EQ((*budgets)[0].most, 0);
  EXPECT_FALSE((*budgets)[0].comparesDumps());
  EXPECT_EQ((*budgets)[1].text, "strings");
  EXPECT_EQ((*budgets)[1].most, 200.0 * 1024 * 1024);
  EXPECT_EQ((*budgets)[1].least, 1);
  EXPECT_EQ((*budgets)[2].text, "growth of bytes of generations");
  EXPECT_TRUE((*budgets)[2].isGrowth && (*budgets)[2].isPercent);
  EXPECT_EQ((*budgets)[2].most, 5);
  EXPECT_TRUE((*budgets)[3].comparesDumps());
}

TEST(BudgetFiles, MayHaveCommentsAndTellWhereTheyAreBroken) {
  EXPECT_TRUE(parseBudgets("[ // of the nightly build\n {\"of\": \"types\", \"max\": 9} /* for now */ ]"));
  const auto broken = parseBudgets("[\n{\"of\": \"types\", \"max\": 9},\n]");
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().what.find("line 3"), std::string::npos) << broken.error().what;
}

TEST(BudgetFiles, OfEarlierVersionsAreToldTheNewForm) {
  for (const auto& [former, now] : std::vector<std::pair<std::string, std::string>>{
           {R"("System.String <= 200 MB")", R"("query": "type = Shop.Order", "sum": "bytes")"},
           {R"("no type over 10% padding")", R"(own and padding > 10%)"},
           {R"("no growth over 5% against x.core")", R"("maxGrowth": "5%")"},
           {R"("memory jitCode <= 20 MB")", R"("of": "memory")"},
           {R"({"type": "Shop.Order", "maxCount": 5})", R"("type = Shop.Order")"},
           {R"({"anyType": true, "maxPaddingPercent": 10})", R"(own and padding > 10%)"},
           {R"({"heap": true, "maxBytes": "1 GB"})", R"("of": "generations")"},
           {R"({"insight": "any", "maxBytes": "1 MB"})", R"("of": "insights")"},
           {R"({"against": "x.core", "maxGrowthPercent": 5})", R"("maxGrowth": "5%")"}}) {
    const auto budgets = parseBudgets("[" + former + "]");
    ASSERT_FALSE(budgets) << former;
    EXPECT_EQ(budgets.error().code, ErrorCode::BadQuery);
    EXPECT_NE(budgets.error().help.find(now), std::string::npos) << former << ": " << budgets.error().help;
    const std::string form = budgets.error().help.substr(budgets.error().help.find('{'));
    EXPECT_TRUE(parseBudgets("[" + form.substr(0, form.find("};") + 1) + "]")) << form;
  }
}

TEST(BudgetFiles, RefuseWhatDoesNothing) {
  for (const char* wrong :
       {R"([{"of": "types"}])", R"([{"query": "own", "max": 0}])", R"([{"of": "types", "max": 0, "maxGrowth": 1}])",
        R"([{"of": "types", "max": "5%"}])", R"([{"of": "types", "max": 0, "against": "x.core"}])"})
    EXPECT_FALSE(parseBudgets(wrong)) << wrong;
  const auto misspelled = parseBudgets(R"([{"of": "types", "maximum": 1}])");
  ASSERT_FALSE(misspelled);
  EXPECT_NE(misspelled.error().what.find("maximum"), std::string::npos) << misspelled.error().what;
}

TEST(BudgetFiles, ThatAreHostileAreRefused) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  for (const std::string& wrong :
       {std::string(), std::string("{"), std::string("[]"), std::string("{}"), std::string("null"), std::string("[5]"),
        std::string("[[]]"), std::string("{\"budgets\": {}}"), std::string("[{}]"),
        std::string("[{\"of\": 5, \"max\": 1}]"), std::string("[{\"of\": \"types\", \"max\": -1}]"),
        std::string("[{\"of\": \"types\", \"max\": 1e300}]"), std::string("[{\"of\": \"types\", \"max\": 1e999}]"),
        std::string("[{\"of\": \"types\", \"max\": \"5 bananas\"}]"),
        std::string("[{\"of\": \"types\", \"max\": [1]}]"), std::string("1e999"), std::string("[\"\xff\xfe <= 1\"]"),
        deep, std::string(5 << 20, ' ')}) {
    const auto budgets = parseBudgets(wrong);
    ASSERT_FALSE(budgets) << wrong.substr(0, 60);
    EXPECT_FALSE(budgets.error().what.empty());
  }
}

class Budgets : public testing::Test {
 protected:
  static Snapshot opened(const std::string& name) { return openSnapshot(dumpPath(name), Stage::Retained); }

  static Outcome<std::vector<BudgetResult>> check(const std::string& json) {
    static const Snapshot snapshot = opened("growth/after-10");
    static const std::map<std::string, Snapshot> others{{"", opened("growth/before-10")}};
    const auto budgets = parseBudgets("[" + json + "]");
    if (!budgets) throw std::runtime_error(budgets.error().message());
    return checkBudgets(snapshot, *budgets, others, nullptr, {});
  }
  static BudgetResult only(const std::string& json) {
    auto results = check(json);
    if (!results) throw std::runtime_error(results.error().error().message());
    return results->front();
  }
  static std::string errorOf(const std::string& json) {
    const auto results = check(json);
    return results ? std::string("none") : results.error().error().message();
  }
};

TEST_F(Budgets, AreKeptUpToTheLimitAndExceededBehindIt) {
  const std::string sessions = R"({"of": "types", "query": "type = Growth.Session", "sum": "bytes", "max": )";
  EXPECT_TRUE(only(sessions + "2184000}").isKept);
  const BudgetResult exceeded = only(sessions + "2183999}");
  EXPECT_FALSE(exceeded.isKept);
  EXPECT_EQ(exceeded.actual, 2'184'000);
  EXPECT_EQ(exceeded.unit, BudgetUnit::Bytes);
  EXPECT_EQ(exceeded.rows, std::vector<std::string>{"Growth.Session"});
  const BudgetResult objects = only(R"({"of": "objects", "query": "type = Growth.Session", "max": 20999})");
  EXPECT_FALSE(objects.isKept);
  EXPECT_EQ(objects.actual, 21'000);
  EXPECT_EQ(objects.rows.size(), BudgetResult::kMostRows);
  EXPECT_EQ(only(R"({"of": "objects", "query": "type = Growth.Session", "sum": "bytes", "max": 0})").actual, 2'184'000);
  EXPECT_FALSE(only(R"({"of": "types", "query": "type = Growth.Sesion", "min": 1})").isKept);
}

TEST_F(Budgets, NameTheTypesWithTooMuchPadding) {
  const BudgetResult result = only(R"({"of": "types", "query": "own and padding > 10% and bytes > 1 KB", "max": 0})");
  EXPECT_FALSE(result.isKept);
  EXPECT_EQ(result.rows, std::vector<std::string>{"Growth.Account"});
  EXPECT_TRUE(only(R"({"of": "types", "query": "own and padding > 15% and bytes > 1 KB", "max": 0})").isKept);
}

TEST_F(Budgets, MeasureGrowthSinceTheOtherDump) {
  EXPECT_FALSE(only(R"({"of": "generations", "sum": "bytes", "maxGrowth": "5%"})").isKept);
  const BudgetResult sessions =
      only(R"({"of": "types", "query": "type = Growth.Session", "sum": "bytes", "maxGrowth": "1 MB"})");
  EXPECT_EQ(sessions.actual, 20'000 * 104);
  EXPECT_EQ(only(R"({"of": "types", "query": "type = Growth.Draft", "sum": "bytes", "maxGrowth": "0%"})").actual, -80);
  EXPECT_EQ(only(R"({"of": "changes", "query": "growth > 1 MB", "max": 0})").rows.front(), "Growth.Session");
  EXPECT_NE(
      errorOf(R"({"of": "types", "sum": "bytes", "maxGrowth": "5%", "against": "nothing.core"})").find("--against"),
      std::string::npos);
}

TEST_F(Budgets, KnowMemoryAndInsights) {
  EXPECT_GT(only(R"({"of": "memory", "sum": "bytes", "max": "1 GB"})").actual, 50 << 20);
  EXPECT_FALSE(only(R"({"of": "insights", "query": "kind = duplicateStrings and bytes > 50 KB", "max": 0})").isKept);
  EXPECT_FALSE(only(R"({"of": "types", "query": "type = Growth.Session and retained > 2 MB", "max": 0})").isKept);
}

TEST_F(Budgets, OfWhatIsNotThereAreErrors) {
  EXPECT_NE(errorOf(R"({"of": "tipes", "max": 1})").find("no list tipes"), std::string::npos);
  EXPECT_NE(errorOf(R"({"of": "types", "query": "sise > 1", "max": 1})").find("sise"), std::string::npos);
  EXPECT_NE(errorOf(R"({"of": "types", "sum": "average", "max": 1})").find("no column of types that adds up"),
            std::string::npos);
  EXPECT_NE(errorOf(R"({"of": "objects", "sum": "retained", "max": 1})").find("does not add up"), std::string::npos);
  EXPECT_NE(errorOf(R"({"of": "types", "query": "count > 10%", "max": 1})").find("percentage"), std::string::npos);
}

}  // namespace
}  // namespace heapscape::engine
