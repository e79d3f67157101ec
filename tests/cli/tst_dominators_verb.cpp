// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "cli_run.h"

namespace heapscape::cli::test {
namespace {

using nlohmann::json;

const std::string kDominatorsVerbDump = unpackedDump("shop-10");

json dominatorsOf(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"dominators", kDominatorsVerbDump});
  arguments.emplace_back("--json");
  const CliRun run = runCli(arguments);
  EXPECT_EQ(run.status, 0) << run.errors;
  return run.json()["dominators"];
}

/// What is told of a node that shows children has to be all of it.
void expectWhole(const json& node) {
  if (!node.contains("childNodes")) return;
  std::uint64_t below = node["hiddenBytes"].get<std::uint64_t>();
  for (const json& child : node["children"]) {
    below += child["retainedBytes"].get<std::uint64_t>();
    expectWhole(child);
  }
  const std::uint64_t own = node["kind"] == "namespace" ? 0 : node["bytes"].get<std::uint64_t>();
  EXPECT_EQ(below + own, node["retainedBytes"].get<std::uint64_t>()) << node["name"];
}

TEST(DominatorsVerb, WritesATreeWhoseFiguresAddUp) {
  for (const std::string grouping : {"object", "type", "namespace"}) {
    const json top = dominatorsOf({"--by", grouping, "--depth", "5", "--top", "7"});
    ASSERT_EQ(top.size(), 1u);
    EXPECT_EQ(top[0]["kind"], "whole");
    EXPECT_EQ(top[0]["children"].size(), 7u);
    expectWhole(top[0]);
  }
}

TEST(DominatorsVerb, NamesTheStaticThatHoldsALot) {
  const json top = dominatorsOf({"--depth", "3", "--top", "3"});
  const json& statics = top[0]["children"][0];
  EXPECT_EQ(statics["kind"], "rootGroup");
  EXPECT_EQ(statics["name"], "Statics");
  EXPECT_EQ(statics["children"][0]["name"], "Shop.Warehouse");
  EXPECT_EQ(statics["children"][0]["children"][0]["name"].get<std::string>().substr(0, 7), "static ");
}

TEST(DominatorsVerb, AgreesWithRetainedOnEachObject) {
  const json retained = runCli({"retained", kDominatorsVerbDump, "--top", "5", "--json"}).json()["retained"];
  for (const json& row : retained) {
    const json node = dominatorsOf({row["object"].get<std::string>(), "--depth", "1"})[0];
    EXPECT_EQ(node["object"], row["object"]);
    EXPECT_EQ(node["retainedBytes"], row["retainedBytes"]);
    EXPECT_EQ(node["retainedCount"], row["retainedCount"]);
    EXPECT_EQ(node["dominator"], row["dominator"]);
    expectWhole(node);
  }
}

TEST(DominatorsVerb, WritesEveryObjectFlatInEveryForm) {
  const json flat = dominatorsOf({"--flat"});
  std::istringstream rows(runCli({"dominators", kDominatorsVerbDump, "--tsv"}).output);
  std::string line;
  std::getline(rows, line);
  EXPECT_EQ(line, "object\tdominator\tretainedBytes\tretainedCount");
  std::uint64_t tops = 0;
  for (const json& row : flat) {
    ASSERT_TRUE(std::getline(rows, line));
    EXPECT_EQ(line, row["object"].get<std::string>() + '\t' + row["dominator"].get<std::string>() + '\t' +
                        std::to_string(row["retainedBytes"].get<std::uint64_t>()) + '\t' +
                        std::to_string(row["retainedCount"].get<std::uint64_t>()));
    if (row["dominator"] == "0x0") tops += row["retainedBytes"].get<std::uint64_t>();
  }
  EXPECT_FALSE(std::getline(rows, line));
  EXPECT_EQ(tops, dominatorsOf({"--depth", "0"})[0]["retainedBytes"].get<std::uint64_t>());
  EXPECT_EQ(dominatorsOf({"--flat", "--top", "3"}).size(), 3u);
  EXPECT_TRUE(dominatorsOf({"--flat", "--top", "0"}).empty());
}

/// Stacks of flame graph tools: frames, a space, bytes.
std::map<std::string, std::uint64_t> stacksIn(const std::string& text) {
  std::map<std::string, std::uint64_t> stacks;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = line.find(' ');
    EXPECT_NE(space, std::string::npos) << line;
    EXPECT_EQ(line.find_first_not_of("0123456789", space + 1), std::string::npos) << line;
    stacks[line.substr(0, space)] += std::stoull(line.substr(space + 1));
  }
  return stacks;
}

TEST(DominatorsVerb, WritesStacksWhoseSumsAreWhatIsRetained) {
  for (const std::string grouping : {"object", "type", "namespace"}) {
    const json whole = dominatorsOf({"--by", grouping, "--depth", "1", "--top", "5000"})[0];
    const CliRun run = runCli({"dominators", kDominatorsVerbDump, "--collapsed", "--by", grouping});
    ASSERT_EQ(run.status, 0) << run.errors;
    std::uint64_t sum = 0, statics = 0;
    for (const auto& [frames, bytes] : stacksIn(run.output)) {
      EXPECT_TRUE(frames.starts_with("all_roots")) << frames;
      sum += bytes;
      if (frames.starts_with("all_roots;Statics;")) statics += bytes;
    }
    EXPECT_EQ(sum, whole["retainedBytes"].get<std::uint64_t>());
    EXPECT_EQ(whole["children"][0]["name"], "Statics");
    EXPECT_EQ(statics, whole["children"][0]["retainedBytes"].get<std::uint64_t>());
  }
}

TEST(DominatorsVerb, WritesStacksByTypeFromOneObjectDown) {
  const json largest = runCli({"retained", kDominatorsVerbDump, "--top", "1", "--json"}).json()["retained"][0];
  const auto stacks =
      stacksIn(runCli({"dominators", kDominatorsVerbDump, largest["object"].get<std::string>(), "--collapsed"}).output);
  std::uint64_t sum = 0;
  for (const auto& [frames, bytes] : stacks) sum += bytes;
  EXPECT_EQ(sum, largest["retainedBytes"].get<std::uint64_t>());
  const auto shallow = stacksIn(runCli({"dominators", kDominatorsVerbDump, "--collapsed", "--depth", "1"}).output);
  for (const auto& [frames, bytes] : shallow) EXPECT_LE(std::ranges::count(frames, ';'), 1) << frames;
  EXPECT_NE(runCli({"dominators", kDominatorsVerbDump, "--collapsed", "--json"}).status, 0);
  EXPECT_EQ(runCli({"dominators", kDominatorsVerbDump, "--collapsed", "--redact"}).output.find("waiter"),
            std::string::npos);
}

TEST(DominatorsVerb, TellsPeopleWhatIsLeftOut) {
  const CliRun run = runCli({"dominators", kDominatorsVerbDump, "--top", "2"});
  EXPECT_EQ(run.status, 0);
  EXPECT_NE(run.output.find("all roots"), std::string::npos);
  EXPECT_NE(run.output.find(" more\n"), std::string::npos);
}

TEST(DominatorsVerb, RedactsTheNamesOfThreads) {
  const std::string shown =
      runCli({"dominators", kDominatorsVerbDump, "--depth", "3", "--top", "5000", "--json"}).output;
  const std::string redacted =
      runCli({"dominators", kDominatorsVerbDump, "--depth", "3", "--top", "5000", "--json", "--redact"}).output;
  EXPECT_NE(shown.find("\\\"waiter\\\""), std::string::npos);
  EXPECT_EQ(redacted.find("\\\"waiter\\\""), std::string::npos);
}

TEST(DominatorsVerb, SaysWhatItCannotAnswer) {
  EXPECT_EQ(runCli({"dominators", kDominatorsVerbDump, "0x1000"}).status, 1);
  EXPECT_NE(runCli({"dominators", kDominatorsVerbDump, "nowhere"}).status, 0);
  EXPECT_NE(runCli({"dominators", kDominatorsVerbDump, "--by", "colour"}).status, 0);
  EXPECT_NE(runCli({"dominators", kDominatorsVerbDump, "--depth", "100000"}).status, 0);
}

}  // namespace
}  // namespace heapscape::cli::test
