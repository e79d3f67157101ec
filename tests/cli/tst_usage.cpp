// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "cli_run.h"

namespace heapscape::cli::test {

namespace {

const std::string kDump = testData("storm-10-calm.core.zst");

void expectWrongUsage(const std::vector<std::string>& arguments) {
  const CliRun run = runCli(arguments);
  EXPECT_EQ(run.status, 2) << testing::PrintToString(arguments);
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(run.errorLines(), 1U) << run.errors;
  EXPECT_NE(run.errors.find(" Try heapscape-cli "), std::string::npos) << run.errors;
}

}  // namespace

TEST(Usage, helpAndVersionAreAnswers) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--help"}, {"help"}, {"help", "objects"}, {"objects", "--help"}, {"--version"}}) {
    const CliRun run = runCli(arguments);
    EXPECT_EQ(run.status, 0);
    EXPECT_TRUE(run.errors.empty()) << run.errors;
    EXPECT_NE(run.output.find("heapscape-cli"), std::string::npos) << run.output;
  }
}

TEST(Usage, helpOfAVerbTellsItsOptions) {
  const std::string help = runCli({"help", "objects"}).output;
  for (const char* option : {"--json", "--tsv", "--top", "--redact", "--timings", "--search", "--type", "--generation",
                             "--min", "--address"}) {
    EXPECT_NE(help.find(option), std::string::npos) << option;
  }
}

TEST(Usage, wrongUsageIsOneLineAndStatusTwo) {
  expectWrongUsage({});
  expectWrongUsage({"--nonsense"});
  expectWrongUsage({"paint", kDump});
  expectWrongUsage({"help", "paint"});
  expectWrongUsage({"info"});
  expectWrongUsage({"info", kDump, "more"});
  expectWrongUsage({"info", kDump, "--tsv"});
  expectWrongUsage({"types", kDump, "--json", "--tsv"});
  expectWrongUsage({"types", kDump, "--top", "many"});
  expectWrongUsage({"types", kDump, "--top", "-3"});
  expectWrongUsage({"info", kDump, "--stop-after", "lunch"});
}

TEST(Usage, wrongFiltersOfObjects) {
  expectWrongUsage({"objects", kDump, "--generation", "gen7"});
  expectWrongUsage({"objects", kDump, "--address", "0x1000"});
  expectWrongUsage({"objects", kDump, "--address", "0x2000-0x1000"});
  expectWrongUsage({"objects", kDump, "--min", "-1"});
}

TEST(Usage, wrongChoicesOfLayout) {
  expectWrongUsage({"layout", kDump, "--rules", "upside-down"});
  expectWrongUsage({"layout", kDump, "--pack", "3"});
  expectWrongUsage({"layout", kDump, "--runtime", "7"});
  expectWrongUsage({"layout", kDump, "System.String", "--all"});
}

TEST(Usage, timingsAddFiguresToJsonOnly) {
  const auto document = runCli({"info", kDump, "--json", "--timings"}).json();
  for (const char* stage : {"open", "segments", "objects", "total"}) {
    EXPECT_TRUE(document["timings"].contains(stage)) << stage;
  }
  EXPECT_GT(document["indexBytes"], 0);
  EXPECT_GT(document["peakBytes"], 0);

  const CliRun text = runCli({"info", kDump, "--timings"});
  EXPECT_EQ(text.output, runCli({"info", kDump}).output);
  EXPECT_NE(text.errors.find("total"), std::string::npos);
}

TEST(Usage, stopAfterLeavesOutWhatIsNotKnown) {
  const auto info = runCli({"info", kDump, "--json", "--stop-after", "segments"}).json()["info"];
  EXPECT_FALSE(info.contains("objects"));
  EXPECT_EQ(info["runtime"]["gc"], "workstation");
}

}  // namespace heapscape::cli::test
