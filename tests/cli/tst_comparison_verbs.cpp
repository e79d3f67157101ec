// SPDX-License-Identifier: MIT
// memory, compare and check, on dumps of a program that leaks.
#include <gtest/gtest.h>

#include <fstream>

#include "cli_run.h"
#include "support/temporary_folder.h"

namespace heapscape::cli::test {
namespace {

using nlohmann::json;

const std::string kBefore = unpackedDump("growth/before-10");
const std::string kAfter = unpackedDump("growth/after-10");

TEST(MemoryVerb, SumsUpToTheWhole) {
  const CliRun run = runCli({"memory", kBefore, "--json"});
  ASSERT_EQ(run.status, 0) << run.errors;
  const json answer = run.json();
  std::uint64_t bytes = 0;
  for (const json& part : answer.at("memory")) bytes += part.at("bytes").get<std::uint64_t>();
  EXPECT_EQ(answer.at("totals").at("mappedBytes"), bytes);
  EXPECT_GT(answer.at("totals").at("categories").at("gcUsed"), 0);
}

TEST(MemoryVerb, LeavesOutNamesOfThreadsWhereRedacted) {
  const std::string dump = unpackedDump("shop-10");
  EXPECT_NE(runCli({"memory", dump, "--tsv"}).output.find("worker 1"), std::string::npos);
  for (const std::string form : {"--tsv", "--json", "--timings"})
    EXPECT_EQ(runCli({"memory", dump, "--redact", form}).output.find("worker 1"), std::string::npos) << form;
}

TEST(CompareVerb, NamesTheDumpThatCannotBeUsed) {
  const std::string triage = unpackedDump("shop-10-triage");
  const CliRun run = runCli({"compare", kBefore, triage});
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.errors.find(triage), std::string::npos) << run.errors;
}

TEST(CompareVerb, PutsTheLeakFirstAndReconciles) {
  const CliRun run = runCli({"compare", kBefore, kAfter, "--json"});
  ASSERT_EQ(run.status, 0) << run.errors;
  const json answer = run.json();
  EXPECT_EQ(answer.at("types").at(0).at("name"), "Growth.Session");
  std::int64_t grown = 0;
  for (const json& type : answer.at("types"))
    grown += type.at("bytesAfter").get<std::int64_t>() - type.at("bytesBefore").get<std::int64_t>();
  const json& totals = answer.at("totals");
  EXPECT_EQ(grown, totals.at("bytesAfter").get<std::int64_t>() - totals.at("bytesBefore").get<std::int64_t>());
}

TEST(CompareVerb, ComparesDumpsOfOneProgramOnTwoProcessors) {
  const CliRun run = runCli({"compare", unpackedDump("shop-10"), unpackedDump("shop-arm64-10"), "--json"});
  ASSERT_EQ(run.status, 0) << run.errors;
  const json answer = run.json();
  EXPECT_EQ(answer.at("before").at("architecture"), "x64");
  EXPECT_EQ(answer.at("after").at("architecture"), "arm64");
  std::size_t own = 0;
  for (const json& type : answer.at("types")) {
    const std::string name = type.at("name");
    if (!name.starts_with("Catalog.") && !name.starts_with("Shop.")) continue;
    EXPECT_EQ(type.at("countBefore"), type.at("countAfter")) << name;
    ++own;
  }
  EXPECT_GT(own, 100u);
  // Vectors are all that lies elsewhere in types of the program.
  std::vector<std::string> moved;
  for (const json& layout : answer.at("layouts")) {
    if (!layout.at("type").get<std::string>().starts_with("Shop.")) continue;
    moved.push_back(layout.at("type"));
    EXPECT_EQ(layout.at("fields").back(), "vectors of the processor: x64 → arm64") << moved.back();
  }
  EXPECT_EQ(moved, std::vector<std::string>{"Shop.WideNumbers"});
}

TEST(CompareVerb, LeavesOutContentsWhereRedacted) {
  EXPECT_NE(runCli({"compare", kBefore, kAfter, "--json"}).output.find("plan: standard"), std::string::npos);
  EXPECT_NE(runCli({"compare", kBefore, kAfter}).output.find("plan: standard"), std::string::npos);
  EXPECT_EQ(runCli({"compare", kBefore, kAfter, "--json", "--redact"}).output.find("plan: standard"),
            std::string::npos);
  EXPECT_EQ(runCli({"compare", kBefore, kAfter, "--redact"}).output.find("plan: standard"), std::string::npos);
}

class CheckVerb : public testing::Test {
 protected:
  CliRun check(const std::string& budgets, std::vector<std::string> more = {}) {
    const std::string path = (m_folder.path() / "budgets.json").string();
    std::ofstream(path) << budgets;
    std::vector<std::string> arguments{"check", kAfter, path};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runCli(arguments);
  }

 private:
  heapscape::test::TemporaryFolder m_folder;
};

TEST_F(CheckVerb, EndsWith0IfAllAreKeptAndWith3IfNot) {
  EXPECT_EQ(check(R"([{"of": "types", "query": "type = System.String", "sum": "bytes", "max": "200 MB"}])").status, 0);
  const CliRun exceeded = check(R"([{"of": "types", "query": "type = Growth.Session", "sum": "bytes", "max": "1 MB"},
                                     {"of": "types", "query": "type = System.String", "sum": "bytes", "max": "200 MB"}])",
                                {"--json"});
  EXPECT_EQ(exceeded.status, 3);
  EXPECT_EQ(exceeded.json().at("budgets").at(0).at("kept"), false);
  EXPECT_EQ(exceeded.json().at("budgets").at(0).at("actual"), 2'184'000);
  EXPECT_EQ(exceeded.json().at("kept"), false);
}

TEST_F(CheckVerb, MeasuresGrowthAgainstTheOtherDump) {
  EXPECT_EQ(check(R"([{"of": "generations", "sum": "bytes", "maxGrowth": "5%"}])", {"--against", kBefore}).status, 3);
  EXPECT_EQ(check(R"([{"of": "generations", "sum": "bytes", "maxGrowth": "5%"}])", {"--against", kAfter}).status, 0);
}

TEST_F(CheckVerb, SaysThatTheOtherDumpIsNotWhole) {
  const std::string unnamed = unpackedDump("shop-10-gcore");
  const CliRun run =
      check(R"([{"of": "generations", "sum": "bytes", "maxGrowth": "5000%"}])", {"--against", unnamed, "--json"});
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(run.json().at("complete"), false);
  EXPECT_NE(run.json().at("findings").at(0).at("message").get<std::string>().find(unnamed), std::string::npos);
  const CliRun text = check(R"([{"of": "generations", "sum": "bytes", "maxGrowth": "5000%"}])", {"--against", unnamed});
  EXPECT_NE(text.output.find("as far as the heap could be read"), std::string::npos) << text.output;
}

TEST_F(CheckVerb, EndsWith2IfABudgetIsWrongAndWith1IfADumpIs) {
  EXPECT_EQ(check(R"([{"of": "generations", "sum": "bytes", "maxGrowth": "5%"}])").status, 2);
  EXPECT_EQ(check("{").status, 2);
  const CliRun unknown = check(R"([{"of": "tipes", "max": 1}])");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.errors.find("tipes"), std::string::npos);
  const CliRun former = check(R"(["System.String <= 200 MB"])");
  EXPECT_EQ(former.status, 2);
  EXPECT_NE(former.errors.find("\"of\": \"types\""), std::string::npos) << former.errors;
  EXPECT_EQ(
      check(R"([{"of": "generations", "sum": "bytes", "maxGrowth": "5%"}])", {"--against", "/nothing.core"}).status, 1);
}

}  // namespace
}  // namespace heapscape::cli::test
