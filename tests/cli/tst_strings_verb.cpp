// SPDX-License-Identifier: MIT
// strings, on a dump that holds 300 strings with five different values among others.
#include <gtest/gtest.h>

#include <sstream>

#include "cli_run.h"

namespace heapscape::cli::test {
namespace {

using nlohmann::json;

const std::string kStringsVerbDump = unpackedDump("shop-10");
constexpr const char* kDuplicate = "duplicate number ";

TEST(StringsVerb, CountsEqualStringsAndWhatTheyWaste) {
  const CliRun run = runCli({"strings", kStringsVerbDump, "--text", kDuplicate, "--json"});
  ASSERT_EQ(run.status, 0) << run.errors;
  const json answer = run.json();
  int found = 0;
  for (const json& row : answer.at("strings")) {
    if (row.at("count") != 60) continue;  // the others are part of something else
    ++found;
    const int bytesOfOne = 64;  // 22 bytes of a string and 18 characters, rounded up to 8
    EXPECT_EQ(row.at("length"), 18);
    EXPECT_EQ(row.at("bytes"), 60 * bytesOfOne);
    EXPECT_EQ(row.at("wastedBytes"), 59 * bytesOfOne);
    EXPECT_TRUE(row.at("value").get<std::string>().starts_with(kDuplicate));
  }
  EXPECT_EQ(found, 5);
  EXPECT_GE(answer.at("totals").at("strings").get<int>(), 300);
}

TEST(StringsVerb, WritesTheSameRowsAsTsv) {
  const json strings =
      runCli({"strings", kStringsVerbDump, "--text", kDuplicate, "--top", "3", "--json"}).json().at("strings");
  std::istringstream rows(runCli({"strings", kStringsVerbDump, "--text", kDuplicate, "--top", "3", "--tsv"}).output);
  std::string line;
  ASSERT_TRUE(std::getline(rows, line));
  EXPECT_EQ(line, "length\tcount\tbytes\twastedBytes\texample\tvalue");
  for (const json& row : strings) {
    ASSERT_TRUE(std::getline(rows, line));
    EXPECT_EQ(line, row.at("length").dump() + '\t' + row.at("count").dump() + '\t' + row.at("bytes").dump() + '\t' +
                        row.at("wastedBytes").dump() + '\t' + row.at("example").get<std::string>() + '\t' +
                        row.at("value").get<std::string>());
  }
  EXPECT_FALSE(std::getline(rows, line));
}

TEST(StringsVerb, LeavesOutTheCharactersWhenRedacted) {
  for (const char* form : {"--json", "--tsv", "--redact"}) {
    const CliRun run = runCli({"strings", kStringsVerbDump, "--text", kDuplicate, "--redact", form});
    EXPECT_EQ(run.output.find(kDuplicate), std::string::npos) << form;
  }
  const json rows = runCli({"strings", kStringsVerbDump, "--top", "5", "--redact", "--json"}).json().at("strings");
  ASSERT_EQ(rows.size(), 5u);
  for (const json& row : rows) EXPECT_TRUE(row.at("value").is_null());
}

TEST(StringsVerb, RefusesTextThatIsNoUtf8) {
  const CliRun run = runCli({"strings", kStringsVerbDump, "--text", "\xff"});
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.errors.find("UTF-8"), std::string::npos) << run.errors;
}

}  // namespace
}  // namespace heapscape::cli::test
