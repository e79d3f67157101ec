// SPDX-License-Identifier: MIT
// trend, on dumps of a program that leaks.
#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "cli_run.h"
#include "support/temporary_folder.h"

namespace heapscape::cli::test {
namespace {

using nlohmann::json;

const std::string kEarly = unpackedDump("growth/before-10");
const std::string kLate = unpackedDump("growth/after-10");
const std::string kOnNet9 = unpackedDump("growth/after-9");

const json& rowNamed(const json& rows, const std::string& name) {
  for (const json& row : rows)
    if (row.at("name") == name) return row;
  throw std::runtime_error("no row " + name);
}

TEST(TrendVerb, HasAFigureForEachDump) {
  const json answer = answerOf({"trend", kEarly, kLate, kOnNet9, "--json"});
  EXPECT_EQ(answer.at("verb"), "trend");
  EXPECT_EQ(answer.at("dumps").size(), 3u);
  EXPECT_EQ(answer.at("dumps").at(2).at("path"), kOnNet9);
  EXPECT_TRUE(answer.at("unread").empty());
  EXPECT_EQ(answer.at("notes").size(), 1u);
  const json& session = answer.at("types").at(0);
  EXPECT_EQ(session.at("name"), "Growth.Session");
  EXPECT_EQ(session.at("counts"), json({1000, 21'000, 21'000}));
  EXPECT_EQ(session.at("bytes"), json({104'000, 2'184'000, 2'184'000}));
  EXPECT_EQ(session.at("slope"), 1'040'000);
  EXPECT_EQ(session.at("verdict"), "grewOnce");
  for (const char* list : {"owners", "roots", "insights"}) {
    ASSERT_FALSE(answer.at(list).empty()) << list;
    EXPECT_EQ(answer.at(list).at(0).at("bytes").size(), 3u) << list;
  }
}

TEST(TrendVerb, SaysWhatEachDumpSaysByItself) {
  const json trend = answerOf({"trend", kEarly, kLate, "--of", "types", "--json"});
  EXPECT_FALSE(trend.contains("owners"));
  std::size_t dump = 0;
  for (const std::string& path : {kEarly, kLate}) {
    const json alone = answerOf({"types", path, "--json", "--top", "50"});
    for (const json& type : alone.at("types"))
      EXPECT_EQ(rowNamed(trend.at("types"), type.at("name")).at("bytes").at(dump), type.at("bytes")) << type.at("name");
    ++dump;
  }
}

TEST(TrendVerb, KeepsRowsThatFitInTheOrderAskedFor) {
  const json answer = answerOf({"trend", kEarly, kLate, kLate, "--of", "types", "--where",
                                "verdict = shrinks and first > 1000", "--sort", "first-", "--json"});
  ASSERT_FALSE(answer.at("types").empty());
  EXPECT_EQ(answer.at("types").at(0).at("name"), "Growth.Draft");
  for (const json& type : answer.at("types")) EXPECT_EQ(type.at("verdict"), "shrinks");
  const CliRun wrong = runCli({"trend", kEarly, kLate, "--where", "verdct = shrinks"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.errors.find("verdict"), std::string::npos) << wrong.errors;
}

TEST(TrendVerb, NamesADumpThatCannotBeReadAndShowsTheOthers) {
  const heapscape::test::TemporaryFolder folder;
  const std::string broken = (folder.path() / "broken.core").string();
  std::ofstream(broken) << "no dump";
  const CliRun run = runCli({"trend", kEarly, broken, kLate, "--no-insights", "--json"});
  ASSERT_EQ(run.status, 0) << run.errors;
  const json answer = run.json();
  EXPECT_EQ(answer.at("complete"), false);
  EXPECT_EQ(answer.at("dumps").size(), 2u);
  EXPECT_EQ(answer.at("unread").at(0).at("path"), broken);
  EXPECT_EQ(answer.at("types").at(0).at("slope"), 1'040'000) << "two steps lie between the dumps";
  const CliRun text = runCli({"trend", kEarly, broken, kLate, "--no-insights"});
  EXPECT_NE(text.output.find("Not read: " + broken), std::string::npos) << text.output;
  EXPECT_NE(text.errors.find(broken), std::string::npos) << text.errors;
  const CliRun alone = runCli({"trend", kEarly, broken});
  EXPECT_EQ(alone.status, 1);
  EXPECT_NE(alone.errors.find(broken), std::string::npos) << alone.errors;
}

TEST(TrendVerb, HasTsvOfOneList) {
  const auto lines = linesOf(runCli({"trend", kEarly, kLate, "--tsv", "--of", "owners", "--top", "3"}).output);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0], "kind\tname\tverdict\tslope\tcounts\tbytes");
}

TEST(TrendVerb, LeavesOutContentsWhereRedacted) {
  const std::vector<std::string> asked{"trend", kEarly, kLate, "--of", "insights"};
  for (const char* form : {"--json", "--tsv", "--exact"}) {
    std::vector<std::string> open = asked, redacted = asked;
    open.push_back(form);
    redacted.insert(redacted.end(), {form, "--redact"});
    EXPECT_NE(runCli(open).output.find("plan: standard"), std::string::npos) << form;
    EXPECT_EQ(runCli(redacted).output.find("plan: standard"), std::string::npos) << form;
  }
}

}  // namespace
}  // namespace heapscape::cli::test
