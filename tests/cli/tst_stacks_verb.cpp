// SPDX-License-Identifier: MIT
// stacks, on a dump of a program with threads in every state.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli_run.h"

namespace heapscape::cli::test {
namespace {

using nlohmann::json;

const std::string kStacksVerbDump = unpackedDump("stacks-10");

json threadNamed(const json& answer, const std::string& name) {
  for (const json& thread : answer.at("threads")) {
    if (thread.at("name") == name) return thread;
  }
  return {};
}

TEST(StacksVerb, WritesFramesAndWhatTheyReferTo) {
  const CliRun run = runCli({"stacks", kStacksVerbDump, "--json"});
  ASSERT_EQ(run.status, 0) << run.errors;
  const json thread = threadNamed(run.json(), "monitor enter 1");
  ASSERT_FALSE(thread.is_null());
  EXPECT_TRUE(thread.at("complete"));
  EXPECT_TRUE(std::string(thread.at("doing")).starts_with("waits in Monitor.Enter"));
  const json& frames = thread.at("frames");
  const auto own = std::ranges::find_if(frames, [](const json& frame) {
    return frame.at("method").is_string() && frame.at("method") == "Stacks.Waits.EnterMonitor()";
  });
  ASSERT_NE(own, frames.end());
  EXPECT_EQ(own->at("kind"), "managed");
  EXPECT_TRUE(own->at("exact"));
  EXPECT_TRUE(own->at("ilOffset").is_number());
  EXPECT_EQ(frames.at(0).at("kind"), "runtime");
  EXPECT_EQ(frames.at(0).at("frame"), "InlinedCallFrame");
  const auto index = own - frames.begin();
  const json& roots = thread.at("roots");
  EXPECT_TRUE(std::ranges::any_of(
      roots, [&](const json& root) { return root.at("frame") == index && root.at("type") == "Stacks.Mark"; }));
}

TEST(StacksVerb, KeepsToOneThreadAndSaysWhenThereIsNone) {
  const CliRun one = runCli({"stacks", kStacksVerbDump, "--thread", "5", "--roots"});
  ASSERT_EQ(one.status, 0) << one.errors;
  EXPECT_TRUE(one.output.starts_with("Thread 5 ")) << one.output;
  EXPECT_EQ(one.output.find("Thread 6 "), std::string::npos);
  EXPECT_NE(one.output.find("Stacks.Mark"), std::string::npos);
  const CliRun none = runCli({"stacks", kStacksVerbDump, "--thread", "4711"});
  EXPECT_NE(none.status, 0);
  EXPECT_NE(none.errors.find("4711"), std::string::npos);
}

TEST(StacksVerb, LaysStacksOverEachOther) {
  const CliRun run = runCli({"stacks", kStacksVerbDump, "--parallel", "--json"});
  ASSERT_EQ(run.status, 0) << run.errors;
  const json answer = run.json();
  const json& frames = answer.at("parallel");
  EXPECT_EQ(frames.at(0).at("name"), "all threads");
  std::size_t began = 0;
  for (const json& frame : frames) {
    if (frame.at("parent").is_null()) continue;
    EXPECT_LE(frame.at("count"), frames.at(frame.at("parent").get<std::size_t>()).at("count"));
    if (frame.at("depth") == 1) began += frame.at("count").get<std::size_t>();
  }
  EXPECT_EQ(began, frames.at(0).at("count"));
  // Managed ids, as everywhere: those of the two that wait at the same door.
  const auto door = std::ranges::find_if(answer.at("activities"), [](const json& group) {
    return std::string(group.at("doing")).starts_with("waits in Monitor.Enter on System.Object");
  });
  ASSERT_NE(door, answer.at("activities").end());
  EXPECT_EQ(door->at("threads"), json({5, 6}));
}

TEST(ExactRoots, AreASwitchOfEveryVerb) {
  const auto inexactOf = [](const json& answer) {
    return std::ranges::count_if(answer.at("roots"), [](const json& root) { return !root.at("exact").get<bool>(); });
  };
  EXPECT_GT(inexactOf(runCli({"roots", kStacksVerbDump, "--json"}).json()), 0);
  EXPECT_EQ(inexactOf(runCli({"roots", kStacksVerbDump, "--exact", "--json"}).json()), 0);
  const json all = runCli({"retained", kStacksVerbDump, "--json", "--top", "1"}).json();
  const json exact = runCli({"retained", kStacksVerbDump, "--exact", "--json", "--top", "1"}).json();
  EXPECT_LE(exact.at("reachableBytes"), all.at("reachableBytes"));
  EXPECT_EQ(runCli({"insights", kStacksVerbDump, "--exact", "--json"}).status, 0);
}

}  // namespace
}  // namespace heapscape::cli::test
