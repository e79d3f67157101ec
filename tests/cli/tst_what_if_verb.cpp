// SPDX-License-Identifier: MIT
// retained and path --without.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli_run.h"

namespace heapscape::cli::test {
namespace {

using nlohmann::json;

const std::string kWhatIfDump = unpackedDump("shop-10");

/// The static that holds most alone.
json largestStatic() {
  json largest;
  const json roots = answerOf({"roots", kWhatIfDump, "--json"})["roots"];
  for (const json& root : roots) {
    if (root["kind"] == "static" && (largest.is_null() || root["retainedBytes"] > largest["retainedBytes"]))
      largest = root;
  }
  return largest;
}

json without(const std::vector<std::string>& cuts, const std::vector<std::string>& more = {"--json"}) {
  std::vector<std::string> arguments{"retained", kWhatIfDump};
  for (const std::string& cut : cuts) arguments.insert(arguments.end(), {"--without", cut});
  arguments.insert(arguments.end(), more.begin(), more.end());
  return answerOf(arguments);
}

std::uint64_t sumOf(const json& rows, const char* figure) {
  std::uint64_t sum = 0;
  for (const json& row : rows) sum += row[figure].get<std::uint64_t>();
  return sum;
}

TEST(WhatIfVerb, TellsWhatACutOfARootFrees) {
  const json root = largestStatic();
  const json answer = without({"root:" + root["name"].get<std::string>()});
  ASSERT_EQ(answer["without"].size(), 1u);
  const json& cut = answer["without"][0];
  EXPECT_EQ(cut["cut"], "root:" + root["name"].get<std::string>());
  EXPECT_EQ(cut["kind"], "root");
  EXPECT_EQ(cut["name"], root["name"]);
  EXPECT_EQ(cut["places"], 1);
  EXPECT_EQ(cut["bytes"], root["retainedBytes"]);
  EXPECT_EQ(answer["freed"]["bytes"], root["retainedBytes"]);
  EXPECT_EQ(answer["freed"]["objects"], cut["objects"]);
  EXPECT_EQ(sumOf(answer["retained"], "retainedBytes"), answer["freed"]["bytes"]);
  EXPECT_EQ(sumOf(answer["types"], "bytes"), answer["freed"]["bytes"]);
  EXPECT_EQ(sumOf(answer["types"], "count"), answer["freed"]["objects"]);
  EXPECT_GT(answer["reachableBytes"], answer["freed"]["bytes"]);
  EXPECT_EQ(without({"root:" + root["address"].get<std::string>()})["freed"], answer["freed"]) << "by its slot";
}

TEST(WhatIfVerb, AddsCutsUp) {
  const json list = answerOf({"retained", kWhatIfDump, "--top", "3", "--json"})["retained"];
  const std::vector<std::string> objects{list[0]["object"], list[1]["object"], list[2]["object"]};
  const json answer = without(objects);
  ASSERT_EQ(answer["without"].size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(answer["without"][i]["kind"], "object");
    EXPECT_EQ(answer["without"][i]["bytes"], list[i]["retainedBytes"]);
    EXPECT_EQ(answer["without"][i]["name"], list[i]["type"]);
  }
  EXPECT_GE(answer["freed"]["bytes"], list[0]["retainedBytes"]);
  EXPECT_EQ(without(objects, {"--json", "--top", "1"})["retained"].size(), 1u);
}

TEST(WhatIfVerb, WritesTheSameInEveryForm) {
  const std::string cut = "root:" + largestStatic()["name"].get<std::string>();
  const json answer = without({cut});
  const auto tsv = linesOf(runCli({"retained", kWhatIfDump, "--without", cut, "--tsv"}).output);
  ASSERT_EQ(tsv.size(), answer["retained"].size() + 1);
  EXPECT_EQ(tsv[0], "object\tbytes\tretainedBytes\tretainedCount\tdominator\ttype");
  EXPECT_TRUE(tsv[1].starts_with(answer["retained"][0]["object"].get<std::string>() + "\t"));
  const auto types = linesOf(runCli({"retained", kWhatIfDump, "--without", cut, "--tsv", "--by-type"}).output);
  ASSERT_EQ(types.size(), answer["types"].size() + 1);
  EXPECT_EQ(types[0], "count\tbytes\tname");
  const std::string text = runCli({"retained", kWhatIfDump, "--without", cut}).output;
  EXPECT_NE(text.find(cut), std::string::npos) << text;
  EXPECT_NE(text.find("would be freed: "), std::string::npos) << text;
}

TEST(WhatIfVerb, RetainedHasRowsWithTabs) {
  const auto rows = linesOf(runCli({"retained", kWhatIfDump, "--top", "5", "--tsv"}).output);
  ASSERT_EQ(rows.size(), 6u);
  const json list = answerOf({"retained", kWhatIfDump, "--top", "5", "--json"})["retained"];
  EXPECT_EQ(rows[1], list[0]["object"].get<std::string>() + '\t' + std::to_string(list[0]["bytes"].get<int>()) + '\t' +
                         std::to_string(list[0]["retainedBytes"].get<int>()) + '\t' +
                         std::to_string(list[0]["retainedCount"].get<int>()) + '\t' +
                         list[0]["dominator"].get<std::string>() + '\t' + list[0]["type"].get<std::string>());
  const auto types = linesOf(runCli({"retained", kWhatIfDump, "--by-type", "--top", "5", "--tsv"}).output);
  ASSERT_EQ(types.size(), 6u);
  EXPECT_EQ(types[0], "count\tbytes\tretainedBytes\tname");
  const auto set = linesOf(runCli({"retained", kWhatIfDump, "--set", "Catalog.Order", "--tsv"}).output);
  ASSERT_EQ(set.size(), 2u);
  EXPECT_EQ(set[0], "objects\tbytes\tretainedObjects\tretainedBytes");
  const json told = answerOf({"retained", kWhatIfDump, "--set", "Catalog.Order", "--json"})["set"];
  EXPECT_TRUE(set[1].starts_with(std::to_string(told["objects"].get<int>()) + "\t"));
}

TEST(WhatIfVerb, PathTellsWhatStillHoldsAnObject) {
  const json root = largestStatic();
  const std::string object = root["object"];
  const std::string cut = "root:" + root["name"].get<std::string>();
  const json gone = answerOf({"path", kWhatIfDump, object, "--without", cut, "--json"});
  EXPECT_EQ(gone["freed"], true);
  EXPECT_TRUE(gone["paths"].empty());
  EXPECT_NE(runCli({"path", kWhatIfDump, object, "--without", cut}).output.find("would be freed"), std::string::npos);
  const json asItIs = answerOf({"path", kWhatIfDump, object, "--json"});
  EXPECT_FALSE(asItIs.contains("freed"));
  const std::string other = "root:Handles";
  const json left = answerOf({"path", kWhatIfDump, object, "--without", other, "--json"});
  EXPECT_EQ(left["freed"], false);
  EXPECT_EQ(left["paths"], asItIs["paths"]);
}

TEST(WhatIfVerb, RefusesWhatIsNoCut) {
  const CliRun nonsense = runCli({"retained", kWhatIfDump, "--without", "0x1000-"});
  EXPECT_EQ(nonsense.status, 2);
  EXPECT_NE(nonsense.errors.find("quotation marks"), std::string::npos) << nonsense.errors;
  const CliRun missing = runCli({"retained", kWhatIfDump, "--without", "root:static Shop.Nowhere"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_EQ(missing.errorLines(), 1u);
  EXPECT_EQ(runCli({"retained", kWhatIfDump, "--without", "0x10", "--set", "System.String"}).status, 2);
  EXPECT_EQ(runCli({"path", kWhatIfDump, "0x10", "--to", "0x20", "--without", "0x10"}).status, 2);
}

TEST(WhatIfVerb, RedactionLeavesOutNamesOfThreads) {
  const std::string dump = unpackedDump("stacks-10");
  std::string named;
  const json roots = answerOf({"roots", dump, "--json"})["roots"];
  for (const json& root : roots) {
    const std::string name = root["name"];
    if (root["kind"] == "stack" && name.find('"') != std::string::npos) named = name;
  }
  ASSERT_FALSE(named.empty());
  const std::string given = named.substr(named.find('"'), named.rfind('"') - named.find('"') + 1);
  for (const std::string form : {"--json", "--timings"}) {
    const std::string shown = runCli({"retained", dump, "--without", "root:" + named, form}).output;
    const std::string redacted = runCli({"retained", dump, "--without", "root:" + named, "--redact", form}).output;
    EXPECT_NE(shown.find(form == "--json" ? json(given).dump().substr(1, 4) : given), std::string::npos) << shown;
    EXPECT_EQ(redacted.find(given.substr(1, given.size() - 2)), std::string::npos) << redacted;
  }
}

}  // namespace
}  // namespace heapscape::cli::test
