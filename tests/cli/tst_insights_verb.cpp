// SPDX-License-Identifier: MIT
// insights, on a dump of a program that plants flaws.
#include <gtest/gtest.h>
#include <set>

#include <algorithm>

#include "cli_run.h"

namespace heapscape::cli::test {
namespace {

using nlohmann::json;

const std::string kInsightsVerbDump = unpackedDump("flaws-10");

TEST(InsightsVerb, TellsAllOfEach) {
  const CliRun run = runCli({"insights", kInsightsVerbDump, "--kind", "duplicateStrings", "--json"});
  ASSERT_EQ(run.status, 0) << run.errors;
  const json answer = run.json();
  ASSERT_EQ(answer.at("insights").size(), 2u);
  const json& cities = answer.at("insights").at(0);
  EXPECT_EQ(cities.at("kind"), "duplicateStrings");
  EXPECT_EQ(cities.at("meaning"), "waste");
  EXPECT_EQ(cities.at("title"), "1,000 equal strings of 22 characters");
  EXPECT_EQ(cities.at("contents"), "Flaws: the same cities");
  EXPECT_EQ(cities.at("bytes"), 999 * 72);
  EXPECT_EQ(cities.at("objects"), 1000);
  EXPECT_EQ(cities.at("framework"), false);
  EXPECT_FALSE(cities.at("advice").get<std::string>().empty());
  EXPECT_EQ(cities.at("examples").size(), 10u);
  EXPECT_EQ(cities.at("items").size(), 100u);
  EXPECT_EQ(cities.at("owners").at(0).at("kind"), "static");
  EXPECT_EQ(cities.at("owners").at(0).at("name"), "static Flaws.WasteInStrings.cities");
  const json& totals = answer.at("totals");
  EXPECT_EQ(totals.at("wasteBytes"), 999 * 72 + 500 * 88);
  EXPECT_EQ(totals.at("leakBytes"), 0);
}

TEST(InsightsVerb, LeavesOutContentsIfRedacted) {
  for (const char* form : {"--json", "--tsv", "--details"}) {
    const CliRun open = runCli({"insights", kInsightsVerbDump, form});
    const CliRun redacted = runCli({"insights", kInsightsVerbDump, form, "--redact"});
    ASSERT_EQ(redacted.status, 0) << redacted.errors;
    EXPECT_NE(open.output.find("the same cities"), std::string::npos) << form;
    EXPECT_EQ(redacted.output.find("the same cities"), std::string::npos) << form;
    EXPECT_EQ(redacted.output.find("(500 times)"), std::string::npos) << form;
  }
}

TEST(InsightsVerb, PicksByThresholdAndHolder) {
  const json large = runCli({"insights", kInsightsVerbDump, "--min", "100000", "--json"}).json();
  const std::set<std::string> alwaysTold{"poorHashing", "stuckLoadContext", "genericGrowth", "finalizerBehind"};
  for (const json& insight : large.at("insights")) {
    EXPECT_TRUE(insight.at("bytes") == 0 || insight.at("bytes") >= 100'000 || alwaysTold.contains(insight.at("kind")))
        << insight.at("kind");
  }
  EXPECT_GT(large.at("totals").at("smallInsights"), 20);
  const json own = runCli({"insights", kInsightsVerbDump, "--own", "--json"}).json();
  for (const json& insight : own.at("insights")) EXPECT_FALSE(insight.at("framework").get<bool>());
  EXPECT_EQ(runCli({"insights", kInsightsVerbDump, "--top", "3", "--json"}).json().at("insights").size(), 3u);
}

TEST(InsightsVerb, TellsAStringWhereItIsRead) {
  const std::string text = runCli({"insights", kInsightsVerbDump}).output;
  const std::size_t contents = text.find("\"Flaws: the same cities\"");
  ASSERT_NE(contents, std::string::npos);
  EXPECT_LT(contents - text.rfind('\n', contents), 120u);
  EXPECT_NE(text.find("1,000 equal strings of 22 characters: \"Flaws: the same cities\"\n"), std::string::npos);
}

TEST(InsightsVerb, TellsManyOfAKindInOneLineUntilTheyAreAskedFor) {
  const json answer = runCli({"insights", kInsightsVerbDump, "--min", "0", "--json"}).json();
  std::uint64_t waste = 0, grouped = 0;
  const std::string text = runCli({"insights", kInsightsVerbDump, "--min", "0"}).output;
  for (const json& group : answer.at("groups")) {
    if (group.at("meaning") == "waste") waste += group.at("bytes").get<std::uint64_t>();
    if (group.at("insights") <= 12) continue;
    ++grouped;
    const std::string kind = group.at("kind"), title = group.at("title");
    EXPECT_TRUE(title.starts_with(group.at("insights").dump() + " ")) << title;
    EXPECT_NE(text.find(title + "\n"), std::string::npos) << title;
    EXPECT_NE(text.find("--kind " + kind + " lists each of them."), std::string::npos);
    const std::string each = runCli({"insights", kInsightsVerbDump, "--min", "0", "--kind", kind}).output;
    EXPECT_EQ(each.find(title), std::string::npos);
    EXPECT_GT(std::ranges::count(each, '\n'), group.at("insights").get<int>());
  }
  EXPECT_EQ(waste, answer.at("totals").at("wasteBytes"));
  EXPECT_GT(grouped, 0u);
}

TEST(InsightsVerb, LeadsWithWhatCanBeWonBack) {
  const std::string text = runCli({"insights", kInsightsVerbDump}).output;
  EXPECT_LT(text.rfind("  leak  "), text.find("  held  "));
}

TEST(InsightsVerb, PlansWhatToFixFirst) {
  const json answer = runCli({"insights", kInsightsVerbDump, "--json"}).json();
  const json& plan = answer.at("plan");
  const json heap = runCli({"info", kInsightsVerbDump, "--json"}).json().at("info");
  EXPECT_EQ(plan.at("heapBytes"), heap.at("bytes"));
  EXPECT_EQ(plan.at("afterBytes"), plan.at("heapBytes").get<std::uint64_t>() - plan.at("bytes").get<std::uint64_t>());
  std::uint64_t added = 0, last = UINT64_MAX;
  for (const json& action : plan.at("actions")) {
    EXPECT_LE(action.at("bytes"), last);
    last = action.at("bytes");
    added += action.at("addedBytes").get<std::uint64_t>();
    EXPECT_NE(action.at("meaning"), "held");
    EXPECT_FALSE(action.at("examples").empty()) << action;
  }
  EXPECT_EQ(added, plan.at("bytes").get<std::uint64_t>() + plan.at("doubtfulBytes").get<std::uint64_t>());
  const std::string text = runCli({"insights", kInsightsVerbDump}).output;
  const std::string first = plan.at("actions").at(0).at("title");
  EXPECT_LT(text.find(first), text.find("Heap now: "));
  EXPECT_LT(text.find("Heap now: "), text.find("  held  "));
  EXPECT_EQ(runCli({"insights", kInsightsVerbDump, "--kind", "poorHashing"}).output.find("Heap now"),
            std::string::npos);
  const json own = runCli({"insights", kInsightsVerbDump, "--own", "--json"}).json();
  EXPECT_EQ(own.at("plan"), plan);
}

TEST(InsightsVerb, KnowsItsKinds) {
  const CliRun run = runCli({"insights", kInsightsVerbDump, "--kind", "duplicatedStrings"});
  EXPECT_NE(run.status, 0);
  EXPECT_NE(run.errors.find("duplicatedStrings"), std::string::npos);
}

}  // namespace
}  // namespace heapscape::cli::test
