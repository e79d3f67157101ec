// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "cli_run.h"

namespace heapscape::cli::test {

namespace {

const std::string kUsageDump = unpackedDump("storm-10-calm");

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
  expectWrongUsage({"paint", kUsageDump});
  expectWrongUsage({"help", "paint"});
  expectWrongUsage({"info"});
  expectWrongUsage({"info", kUsageDump, "more"});
  expectWrongUsage({"info", kUsageDump, "--tsv"});
  expectWrongUsage({"types", kUsageDump, "--json", "--tsv"});
  expectWrongUsage({"types", kUsageDump, "--top", "many"});
  expectWrongUsage({"types", kUsageDump, "--top", "-3"});
  expectWrongUsage({"info", kUsageDump, "--stop-after", "lunch"});
}

TEST(Usage, retainedSizesThatDoNotFitIntoMemorySaySoBeforehand) {
  const CliRun refused = runCli({"retained", kUsageDump, "--memory", "1KB"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(refused.output, "");
  EXPECT_NE(refused.errors.find("and 1.00 KB is what they may take. All else is there: "), std::string::npos)
      << refused.errors;
  EXPECT_NE(refused.errors.find("--memory SIZE"), std::string::npos) << refused.errors;
  EXPECT_EQ(runCli({"retained", kUsageDump, "--memory", "1 GB", "--top", "1"}).status, 0);
  EXPECT_EQ(runCli({"types", kUsageDump, "--memory", "1KB", "--top", "1"}).status, 0);
  const CliRun tooMuch = runCli({"insights", kUsageDump, "--memory", "1KB"});
  EXPECT_EQ(tooMuch.status, 1);
  EXPECT_NE(tooMuch.errors.find("--memory SIZE"), std::string::npos) << tooMuch.errors;
  EXPECT_EQ(runCli({"insights", kUsageDump, "--memory", "1 GB"}).status, 0);
  expectWrongUsage({"retained", kUsageDump, "--memory", "10%"});
  expectWrongUsage({"retained", kUsageDump, "--memory", "much"});
}

TEST(Usage, wrongFiltersOfObjects) {
  expectWrongUsage({"objects", kUsageDump, "--generation", "gen7"});
  expectWrongUsage({"objects", kUsageDump, "--address", "0x1000"});
  expectWrongUsage({"objects", kUsageDump, "--address", "0x2000-0x1000"});
  expectWrongUsage({"objects", kUsageDump, "--min", "-1"});
}

TEST(Usage, wrongNumbersAreRefusedInAShortLine) {
  const auto refusal = [](const std::vector<std::string>& arguments) {
    expectWrongUsage(arguments);
    const std::string errors = runCli(arguments).errors;
    EXPECT_LT(errors.size(), 120U) << errors;
    return errors;
  };
  EXPECT_EQ(refusal({"types", kUsageDump, "--top", "-1"}),
            "heapscape-cli: --top: '-1' is no whole number from 0 on. Try heapscape-cli help types.\n");
  const std::string tooLarge = refusal({"types", kUsageDump, "--top", "99999999999999999999"});
  EXPECT_NE(tooLarge.find("--top: '99999999999999999999' is too large"), std::string::npos) << tooLarge;
  for (const char* number : {"-1", "1.5", "", "10x", "1e3", "nan"}) {
    refusal({"objects", kUsageDump, "--min", number});
    refusal({"insights", kUsageDump, "--min", number});
    refusal({"retained", kUsageDump, "--thread", number});
    refusal({"dominators", kUsageDump, "--depth", number});
    refusal({"path", kUsageDump, "0x1000", "--paths", number});
    refusal({"layout", kUsageDump, "--runtime", number});
    refusal({"layout", kUsageDump, "--against-runtime", number});
    refusal({"layout", kUsageDump, "--pack", number});
    refusal({"object", kUsageDump, "0x1000", "--elements", number});
    refusal({"object", kUsageDump, "0x1000", "--bytes", number});
  }
  EXPECT_NE(refusal({"dominators", kUsageDump, "--depth", "1001"}).find("from 0 to 1000"), std::string::npos);
  EXPECT_NE(refusal({"path", kUsageDump, "0x1000", "--paths", "0"}).find("from 1 on"), std::string::npos);
}

TEST(Usage, aQueryThatIsNotWholeIsWrongUsage) {
  const CliRun run = runCli({"query", kUsageDump, "foo ="});
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.output, "");
  EXPECT_NE(run.errors.find("A value is missing"), std::string::npos) << run.errors;
}

TEST(Usage, helpTellsEveryExitStatus) {
  const std::string help = runCli({"--help"}).output;
  for (const char* status : {"0 done", "1 the input", "2 wrong usage", "3 a budget", "130 interrupted"})
    EXPECT_NE(help.find(status), std::string::npos) << status;
}

TEST(Usage, wrongChoicesOfLayout) {
  expectWrongUsage({"layout", kUsageDump, "--rules", "upside-down"});
  expectWrongUsage({"layout", kUsageDump, "--pack", "3"});
  expectWrongUsage({"layout", kUsageDump, "--runtime", "7"});
  expectWrongUsage({"layout", kUsageDump, "System.String", "--all"});
}

TEST(Usage, timingsAddFiguresToJsonOnly) {
  const auto document = runCli({"info", kUsageDump, "--json", "--timings"}).json();
  for (const char* stage : {"open", "segments", "objects", "total"}) {
    EXPECT_TRUE(document["timings"].contains(stage)) << stage;
  }
  EXPECT_GT(document["indexBytes"], 0);
  EXPECT_GT(document["peakBytes"], 0);

  const CliRun text = runCli({"info", kUsageDump, "--timings"});
  EXPECT_EQ(text.output, runCli({"info", kUsageDump}).output);
  EXPECT_NE(text.errors.find("total"), std::string::npos);
}

TEST(Usage, stopAfterLeavesOutWhatIsNotKnown) {
  const auto info = runCli({"info", kUsageDump, "--json", "--stop-after", "segments"}).json()["info"];
  EXPECT_FALSE(info.contains("objects"));
  EXPECT_EQ(info["runtime"]["gc"], "workstation");
}

}  // namespace heapscape::cli::test
