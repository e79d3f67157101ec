// SPDX-License-Identifier: MIT
// One query over several dumps.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/cli_run.h"
#include "support/temporary_folder.h"

namespace heapscape::cli::test {
namespace {

using nlohmann::json;

const std::string& before() {
  static const std::string kPath = unpackedDump("growth/before-10");
  return kPath;
}
const std::string& after() {
  static const std::string kPath = unpackedDump("growth/after-10");
  return kPath;
}

/// The rows of one dump in an answer about several, without the dump.
json rowsOf(const json& answer, const std::string& dump) {
  json rows = json::array();
  for (json row : answer["query"]) {
    if (row["dump"] != dump) continue;
    row.erase("dump");
    rows.push_back(std::move(row));
  }
  return rows;
}

TEST(QueryOfSeveralDumps, HasTheRowsOfEach) {
  for (const std::vector<std::string>& of : {std::vector<std::string>{"--of", "types"}, {"--of", "threads"}, {}}) {
    std::vector<std::string> words{"query", before(), after(), of.empty() ? "size > 1000" : "", "--json"};
    words.insert(words.end(), of.begin(), of.end());
    const json both = answerOf(words);
    std::uint64_t rows = 0;
    for (const std::string& dump : {before(), after()}) {
      std::vector<std::string> alone{"query", dump, words[3], "--json"};
      alone.insert(alone.end(), of.begin(), of.end());
      const json one = answerOf(alone);
      EXPECT_EQ(rowsOf(both, dump), one["query"]);
      for (const auto& [name, total] : one["totals"].items()) EXPECT_GE(both["totals"][name], total) << name;
      rows += one["query"].size();
    }
    EXPECT_EQ(both["query"].size(), rows);
    EXPECT_GT(rows, 0u);
  }
}

TEST(QueryOfSeveralDumps, HasOneOrder) {
  const json answer =
      answerOf({"query", before(), after(), "--of", "types", "--sort", "bytes-", "--top", "9", "--json"});
  ASSERT_EQ(answer["query"].size(), 9u);
  for (std::size_t i = 1; i < 9; ++i) EXPECT_GE(answer["query"][i - 1]["bytes"], answer["query"][i]["bytes"]);
  EXPECT_FALSE(rowsOf(answer, before()).empty());
  EXPECT_FALSE(rowsOf(answer, after()).empty());
}

TEST(QueryOfSeveralDumps, GroupsEachByItself) {
  const json answer = answerOf({"query", before(), after(), "--group-by", "gen", "--json"});
  const json alone = answerOf({"query", after(), "--group-by", "gen", "--json"});
  EXPECT_EQ(rowsOf(answer, after()), alone["query"]);
}

TEST(QueryOfSeveralDumps, NamesTheDumpInTheFirstColumn) {
  const CliRun run = runCli({"query", before(), after(), "--of", "modules", "--tsv"});
  EXPECT_EQ(run.status, 0) << run.errors;
  const auto lines = linesOf(run.output);
  ASSERT_GT(lines.size(), 2u);
  EXPECT_TRUE(lines[0].starts_with("dump\t")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with(before() + "\t")) << lines[1];
  EXPECT_TRUE(lines.back().starts_with(after() + "\t")) << lines.back();
}

TEST(QueryOfSeveralDumps, SaysWhichFileItCannotUse) {
  const CliRun missing = runCli({"query", before(), "/no/such.core", "size > 5"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_NE(missing.errors.find("/no/such.core is no file"), std::string::npos) << missing.errors;
  const CliRun noDump = runCli({"query", before(), testData("patches.txt"), "size > 5"});
  EXPECT_EQ(noDump.status, 1);
  EXPECT_NE(noDump.errors.find("patches.txt"), std::string::npos) << noDump.errors;
}

TEST(QueryAsArrow, WritesAllRowsAndPrintsTotals) {
  const heapscape::test::TemporaryFolder folder;
  const std::string file = (folder.path() / "types.arrow").string();
  const json answer = answerOf({"query", before(), "--of", "types", "--arrow", file, "--json"});
  EXPECT_TRUE(answer["query"].empty());
  EXPECT_GT(answer["totals"]["types"], 10);
  std::ifstream written(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(written)), {});
  EXPECT_TRUE(bytes.starts_with("ARROW1"));
  EXPECT_NE(bytes.find("System.String"), std::string::npos);
  const CliRun failed = runCli({"query", before(), "--arrow", "/nowhere/types.arrow"});
  EXPECT_EQ(failed.status, 1);
  EXPECT_NE(failed.errors.find("/nowhere/types.arrow"), std::string::npos);
}

}  // namespace
}  // namespace heapscape::cli::test
