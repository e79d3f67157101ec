// SPDX-License-Identifier: MIT
// async, on a dump of a program that leaves async methods waiting.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli_run.h"

namespace heapscape::cli::test {
namespace {

using nlohmann::json;

const std::string kAsyncVerbDump = unpackedDump("asyncs-10");

/// The chains whose innermost method is this one.
std::vector<json> chainsOf(const json& answer, const std::string& innermost) {
  std::vector<json> chains;
  for (const json& chain : answer.at("chains")) {
    if (chain.at("methods").at(0) == innermost) chains.push_back(chain);
  }
  return chains;
}

TEST(AsyncVerb, PutsEqualChainsTogether) {
  const CliRun run = runCli({"async", kAsyncVerbDump, "--json"});
  ASSERT_EQ(run.status, 0) << run.errors;
  const json answer = run.json();
  const auto chains = chainsOf(answer, "Stacks.Chains.QueryAsync");
  ASSERT_EQ(chains.size(), 1u);
  const json& chain = chains.front();
  EXPECT_EQ(chain.at("count"), 50);
  EXPECT_EQ(chain.at("methods"), json({"Stacks.Chains.QueryAsync", "Stacks.Chains.RequestAsync"}));
  EXPECT_EQ(chain.at("waitsFor"), "TaskCompletionSource");
  EXPECT_EQ(chain.at("state"), "suspended");
  EXPECT_EQ(chain.at("objects").size(), 50u);
  EXPECT_GT(chain.at("retainedBytes"), 50 * (100 + 2 * 100));
  EXPECT_EQ(chain.at("frames").at(0).at("await"), 0);
  EXPECT_FALSE(chain.at("frames").at(0).contains("locals"));
}

TEST(AsyncVerb, ListsEveryChainWithItsLocals) {
  const CliRun run = runCli({"async", kAsyncVerbDump, "--chains", "--json"});
  ASSERT_EQ(run.status, 0) << run.errors;
  const json answer = run.json();
  EXPECT_EQ(chainsOf(answer, "Stacks.Chains.QueryAsync").size(), 50u);
  const auto line = chainsOf(answer, "Stacks.Chains.InnerAsync");
  ASSERT_EQ(line.size(), 1u);
  const json& locals = line.front().at("frames").at(1).at("locals");
  std::vector<std::string> names;
  for (const json& local : locals) names.push_back(local.at("name"));
  EXPECT_EQ(std::ranges::count(names, "local"), 1);
  EXPECT_EQ(std::ranges::count(names, "number"), 1);
  for (const json& chain : answer.at("chains")) EXPECT_EQ(chain.at("count"), 1);
}

TEST(AsyncVerb, SaysWhichThreadBlocks) {
  const json answer = runCli({"async", kAsyncVerbDump, "--json"}).json();
  const auto blocked = chainsOf(answer, "Stacks.Chains.BlockedAsync");
  ASSERT_EQ(blocked.size(), 1u);
  EXPECT_EQ(blocked.front().at("frames").at(0).at("blocksThread"), 5);
}

TEST(AsyncVerb, HasTimersAndQueues) {
  const json answer = runCli({"async", kAsyncVerbDump, "--json"}).json();
  const auto& queues = answer.at("queues");
  EXPECT_TRUE(std::ranges::any_of(queues, [](const json& queue) {
    return queue.at("name") == "global" && queue.at("count") == queue.at("items").size() && queue.at("count") > 0;
  }));
  EXPECT_TRUE(std::ranges::any_of(answer.at("timers"), [](const json& timer) {
    return timer.at("stateType") == "Stacks.Mark" && timer.at("periodMilliseconds") == 3'600'000;
  }));
}

TEST(AsyncVerb, ReadsWell) {
  const CliRun run = runCli({"async", kAsyncVerbDump});
  ASSERT_EQ(run.status, 0) << run.errors;
  EXPECT_NE(run.output.find("50 × waits for TaskCompletionSource"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("    Stacks.Chains.QueryAsync  at await 0\n    Stacks.Chains.RequestAsync  at await 0\n"),
            std::string::npos);
  EXPECT_NE(run.output.find("1 × waits for SemaphoreSlim.WaitAsync"), std::string::npos);
  EXPECT_NE(run.output.find("1 × waits for Task.Delay of 3600000 ms"), std::string::npos);
}

TEST(AsyncVerb, LeavesOutContentsIfRedacted) {
  const CliRun open = runCli({"async", kAsyncVerbDump, "--chains"});
  const CliRun redacted = runCli({"async", kAsyncVerbDump, "--chains", "--redact"});
  ASSERT_EQ(redacted.status, 0) << redacted.errors;
  EXPECT_NE(open.output.find("number = 7"), std::string::npos);
  EXPECT_EQ(redacted.output.find("number = 7"), std::string::npos);
}

}  // namespace
}  // namespace heapscape::cli::test
