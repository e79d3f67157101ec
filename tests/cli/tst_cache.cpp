// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <filesystem>

#include "cli_run.h"
#include "support/temporary_folder.h"

namespace heapscape::cli::test {

namespace {

using heapscape::test::ScopedVariable;
using heapscape::test::TemporaryFolder;

const std::string kCachedDump = unpackedDump("flaws-10");

nlohmann::json withoutTimings(const CliRun& run) {
  nlohmann::json answer = run.json();
  answer.erase("timings");
  answer.erase("indexBytes");
  answer.erase("peakBytes");
  return answer;
}

std::size_t filesIn(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder)) return 0;
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

}  // namespace

TEST(Cache, GivesTheSameAnswersTheNextTime) {
  const TemporaryFolder folder;
  const std::string kept = folder / "kept";
  for (const std::vector<std::string>& verb : {std::vector<std::string>{"retained", kCachedDump, "--top", "40"},
                                               {"insights", kCachedDump, "--details"},
                                               {"retained", kCachedDump, "--by-type"},
                                               {"insights", kCachedDump, "--exact"},
                                               {"path", kCachedDump, "type:System.String", "--top", "3"}}) {
    std::vector<std::string> arguments = verb;
    arguments.push_back("--no-cache");
    const CliRun plain = runCli(arguments);
    arguments.back() = "--cache";
    arguments.push_back(kept);
    for (int i = 0; i < 2; ++i) {
      const CliRun run = runCli(arguments);
      EXPECT_EQ(run.status, plain.status);
      EXPECT_EQ(run.output, plain.output) << verb.front();
      EXPECT_EQ(run.errors, plain.errors);
    }
  }
  EXPECT_GE(filesIn(kept), 5U);
}

TEST(Cache, TellsWhatItTook) {
  const TemporaryFolder folder;
  const std::vector<std::string> arguments{"insights", kCachedDump, "--json", "--timings", "--cache", folder / "kept"};
  const CliRun first = runCli(arguments);
  EXPECT_TRUE(first.json()["timings"].contains("dominators"));
  EXPECT_FALSE(first.json()["timings"].contains("reopening"));
  EXPECT_NE(first.errors.find("keeping"), std::string::npos) << first.errors;
  const CliRun second = runCli(arguments);
  EXPECT_FALSE(second.json()["timings"].contains("dominators"));
  EXPECT_TRUE(second.json()["timings"].contains("reopening"));
  EXPECT_EQ(second.errors, "");
  EXPECT_EQ(withoutTimings(first), withoutTimings(second));
}

TEST(Cache, IsLeftAloneByDumpsThatOpenSoon) {
  const TemporaryFolder folder;
  const ScopedVariable here("HEAPSCAPE_CACHE", folder / "kept");
  EXPECT_EQ(runCli({"retained", kCachedDump}).status, 0);
  EXPECT_EQ(filesIn(folder / "kept"), 0U);
}

TEST(Cache, IsShownAndEmptied) {
  const TemporaryFolder folder;
  const std::string kept = folder / "kept";
  EXPECT_EQ(runCli({"insights", kCachedDump, "--cache", kept}).status, 0);
  const nlohmann::json shown = answerOf({"cache", "--json", "--cache", kept})["cache"];
  EXPECT_EQ(shown["folder"], kept);
  EXPECT_EQ(shown["files"], 2);
  EXPECT_GT(shown["bytes"], 100'000);
  EXPECT_EQ(shown["maximumBytes"], 5ull << 30);
  EXPECT_NE(runCli({"cache", "--cache", kept}).output.find(": 2 files, "), std::string::npos);
  EXPECT_NE(runCli({"cache", "--clear", "--cache", kept}).output.find(": 0 files, "), std::string::npos);
  EXPECT_EQ(filesIn(kept), 0U);
  EXPECT_EQ(runCli({"cache"}).output, "Nothing is cached.\n") << "switched off for tests";
  EXPECT_TRUE(answerOf({"cache", "--json"})["cache"]["folder"].is_null());
}

TEST(Cache, IsOnOrOff) {
  EXPECT_EQ(runCli({"info", kCachedDump, "--no-cache", "--cache", "somewhere"}).status, 2);
  EXPECT_EQ(runCli({"cache", kCachedDump}).status, 2);
}

TEST(Cache, ThatCannotBeWrittenChangesNoAnswer) {
  const CliRun plain = runCli({"retained", kCachedDump});
  const CliRun run = runCli({"retained", kCachedDump, "--cache", "/dev/null/kept"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.output, plain.output);
  EXPECT_EQ(run.errors, plain.errors);
  const CliRun told = runCli({"retained", kCachedDump, "--timings", "--cache", "/dev/null/kept"});
  EXPECT_NE(told.errors.find("nothing is cached: /dev/null/kept cannot be made"), std::string::npos) << told.errors;
}

}  // namespace heapscape::cli::test
