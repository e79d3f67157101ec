// SPDX-License-Identifier: MIT
// waste, on a dump of types whose fields are in a bad order.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "cli_run.h"

namespace heapscape::cli::test {
namespace {

using nlohmann::json;

const std::string kWasteVerbDump = unpackedDump("waste/plain-10");

json rowOf(const json& answer, const std::string& type) {
  for (const json& row : answer.at("waste")) {
    if (row.at("type") == type) return row;
  }
  throw std::runtime_error("no row of " + type);
}

TEST(WasteVerb, SaysWhatABetterDeclarationOfATypeWouldSave) {
  const CliRun run = runCli({"waste", kWasteVerbDump, "--json"});
  ASSERT_EQ(run.status, 0) << run.errors;
  const json answer = run.json();
  const json numbers = rowOf(answer, "Weather.Numbers");
  EXPECT_EQ(numbers.at("count"), 100);
  EXPECT_EQ(numbers.at("size"), 56);  // 16 and fields of 2+6, 8, 1+7, 8, 2+6
  EXPECT_EQ(numbers.at("bestSize"), 40);
  EXPECT_EQ(numbers.at("ownPaddingBytes"), 100 * 19);
  EXPECT_EQ(numbers.at("savedBytes"), 100 * 16);
  EXPECT_EQ(numbers.at("savings").at("best"), 100 * 16);
  EXPECT_EQ(numbers.at("savings").at("sequential"), 0);  // that is what it is
  EXPECT_EQ(numbers.at("order").size(), 5u);
  EXPECT_FALSE(numbers.at("framework").get<bool>());
  EXPECT_EQ(numbers.at("assembly"), "waste.dll");
  // Metadata's form of a name, and the runtime's.
  const json slot = rowOf(answer, "Weather.Slot`2<System.Byte,System.Int64>");
  EXPECT_EQ(slot.at("name"), "Weather.Slot<System.Byte, System.Int64>");
  EXPECT_EQ(slot.at("means"), "auto");
  EXPECT_GT(slot.at("nested"), 0);
  const json& totals = answer.at("totals");
  EXPECT_GT(totals.at("savedByAllBest"), 10'000);
  EXPECT_EQ(totals.at("typesNotComputed"), 0);
  EXPECT_LT(totals.at("paddingBytes"), totals.at("heapBytes"));
}

TEST(WasteVerb, PicksAndGroupsTypes) {
  const json own = runCli({"waste", kWasteVerbDump, "--own", "--by", "assembly", "--json"}).json();
  EXPECT_TRUE(std::ranges::all_of(own.at("waste"), [](const json& row) { return row.at("assembly") == "waste.dll"; }));
  ASSERT_EQ(own.at("groups").size(), 1u);
  EXPECT_EQ(own.at("groups").at(0).at("name"), "waste.dll");
  EXPECT_EQ(own.at("groups").at(0).at("types"), own.at("waste").size());
  for (const char* name : {"waste", "waste.dll"})
    EXPECT_EQ(runCli({"waste", kWasteVerbDump, "--assembly", name, "--json"}).json().at("waste"), own.at("waste"))
        << name;
  const json all = runCli({"waste", kWasteVerbDump, "--by", "namespace", "--json"}).json();
  EXPECT_GT(all.at("waste").size(), own.at("waste").size());
  EXPECT_EQ(all.at("totals").at("savedByAllBest"), own.at("totals").at("savedByAllBest"));
  EXPECT_TRUE(std::ranges::any_of(all.at("groups"), [](const json& group) { return group.at("name") == "Weather"; }));
}

TEST(WasteVerb, WritesTheSameRowsAsTsv) {
  const json rows = runCli({"waste", kWasteVerbDump, "--top", "5", "--json"}).json().at("waste");
  ASSERT_EQ(rows.size(), 5u);
  std::istringstream lines(runCli({"waste", kWasteVerbDump, "--top", "5", "--tsv"}).output);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_TRUE(line.starts_with("type\tassembly\tmethodTable\t")) << line;
  for (const json& row : rows) {
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_TRUE(line.starts_with(row.at("type").get<std::string>() + "\t")) << line;
    EXPECT_NE(line.find("\t" + row.at("savedBytes").dump() + "\t"), std::string::npos) << line;
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(WasteVerb, TellsPeopleWhatToDo) {
  const CliRun run = runCli({"waste", kWasteVerbDump, "--own", "--top", "3"});
  ASSERT_EQ(run.status, 0) << run.errors;
  EXPECT_NE(run.output.find("Best saves"), std::string::npos);
  EXPECT_NE(run.output.find("Weather."), std::string::npos);
  EXPECT_NE(run.output.find("together would save"), std::string::npos);
  EXPECT_NE(runCli({"waste", kWasteVerbDump, "--by", "namespace"}).output.find("Weather"), std::string::npos);
}

TEST(WasteVerb, RefusesAnUnknownGrouping) {
  EXPECT_EQ(runCli({"waste", kWasteVerbDump, "--by", "colour"}).status, 2);
}

}  // namespace
}  // namespace heapscape::cli::test
