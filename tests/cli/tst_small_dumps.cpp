// SPDX-License-Identifier: MIT
// Mini and triage dumps: as much as they hold, exactly, and one sentence for what only a heap tells.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "cli_run.h"

namespace heapscape::cli::test {

namespace {

using nlohmann::json;

class SmallDump : public testing::TestWithParam<const char*> {};

/// What the frames of a thread are, without what only a heap tells.
json framesOf(const json& thread) {
  json frames = json::array();
  for (const json& frame : thread.at("frames")) {
    json told;
    for (const char* member : {"kind", "ip", "sp", "method", "methodDesc", "frame", "ilOffset", "file", "line"}) {
      // Native code went on between two dumps.
      const bool isOfNativeCode = frame.at("kind") == "runtime" && std::string_view(member) == "ip";
      if (frame.contains(member) && !isOfNativeCode) told[member] = frame.at(member);
    }
    frames.push_back(std::move(told));
  }
  return frames;
}

// All three were taken of one halted process; of the third the code is in files that no test has.
TEST(SmallDumps, OfOneProcessHaveTheSameStacks) {
  const json mini = answerOf({"stacks", unpackedDump("shop-10-normal"), "--json"}).at("threads");
  const json triage = answerOf({"stacks", unpackedDump("shop-10-triage"), "--json"}).at("threads");
  ASSERT_EQ(mini.size(), 14U);
  ASSERT_EQ(triage.size(), mini.size());
  std::size_t managed = 0;
  for (std::size_t i = 0; i < mini.size(); ++i) {
    EXPECT_EQ(framesOf(mini[i]).dump(), framesOf(triage[i]).dump()) << "thread " << mini[i].at("managedId");
    EXPECT_TRUE(mini[i].at("complete") && triage[i].at("complete")) << "thread " << mini[i].at("managedId");
    for (const json& frame : mini[i].at("frames")) managed += frame.at("kind") == "managed" ? 1 : 0;
  }
  EXPECT_GE(managed, 60U);
}

TEST_P(SmallDump, HasTheThreadsOfAFullOneOfTheSameProcess) {
  const json threads = answerOf({"threads", unpackedDump(GetParam()), "--json"});
  const json all = answerOf({"threads", unpackedDump("shop-10-gcore"), "--json"});
  ASSERT_EQ(threads.at("threads").size(), all.at("threads").size());
  for (std::size_t i = 0; i < threads.at("threads").size(); ++i) {
    for (const char* member : {"managedId", "osId", "state", "alive"})
      EXPECT_EQ(threads.at("threads")[i].at(member).dump(), all.at("threads")[i].at(member).dump()) << member;
  }
}

TEST_P(SmallDump, SaysWhatItIsAndGivesNoFiguresOfAHeap) {
  const json answer = answerOf({"info", unpackedDump(GetParam()), "--json"});
  const json& info = answer.at("info");
  EXPECT_TRUE(info.at("dump").at("kind") == "mini" || info.at("dump").at("kind") == "triage") << info.at("dump").dump();
  for (const char* figure : {"objects", "bytes", "freeObjects", "coverage"})
    EXPECT_FALSE(info.contains(figure)) << figure;
  ASSERT_FALSE(info.at("missing").empty());
  EXPECT_NE(info.at("missing")[0].at("what").get<std::string>().find("without the managed heap"), std::string::npos);
  EXPECT_NE(info.at("missing")[0].at("help").get<std::string>().find("--withheap"), std::string::npos);
  EXPECT_FALSE(answerOf({"modules", unpackedDump(GetParam()), "--json"}).at("modules").empty());
}

TEST_P(SmallDump, IsRefusedInOneSentenceByWhatNeedsAHeap) {
  const std::string dump = unpackedDump(GetParam());
  const std::vector<std::vector<std::string>> needy{{"types", dump},
                                                    {"objects", dump},
                                                    {"strings", dump},
                                                    {"segments", dump},
                                                    {"generations", dump},
                                                    {"retained", dump},
                                                    {"insights", dump},
                                                    {"waste", dump},
                                                    {"edges", dump},
                                                    {"roots", dump},
                                                    {"dominators", dump},
                                                    {"path", dump, "0x1000"},
                                                    {"verify", dump},
                                                    {"async", dump},
                                                    {"finalizers", dump},
                                                    {"query", dump, "bytes > 10"},
                                                    {"compare", unpackedDump("shop-10"), dump}};
  for (const auto& arguments : needy) {
    const CliRun run = runCli(arguments);
    EXPECT_EQ(run.status, 1) << arguments.front();
    EXPECT_TRUE(run.output.empty()) << arguments.front() << ": " << run.output;
    EXPECT_EQ(run.errorLines(), 1U) << arguments.front() << ": " << run.errors;
    EXPECT_NE(run.errors.find("without the managed heap"), std::string::npos)
        << arguments.front() << ": " << run.errors;
  }
}

// The runtime keeps an object for each thread, and the DAC had its memory written.
TEST_P(SmallDump, ShowsAnObjectWhoseMemoryIsThere) {
  const std::string dump = unpackedDump(GetParam());
  const json stacks = answerOf({"stacks", dump, "--json"});
  std::size_t shown = 0;
  for (const json& thread : stacks.at("threads")) {
    for (const json& root : thread.at("roots")) {
      if (!root.contains("type") || root.at("type") != "System.Threading.Thread") continue;
      const json object = answerOf({"object", dump, root.at("object").get<std::string>(), "--json"}).at("object");
      EXPECT_EQ(object.at("type"), "System.Threading.Thread");
      EXPECT_FALSE(object.at("fields").empty());
      if (++shown == 3) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Data, SmallDump, testing::Values("shop-10-normal", "shop-10-triage"), [](const auto& info) {
  return std::string(info.param).substr(std::string(info.param).rfind('-') + 1);
});

}  // namespace

}  // namespace heapscape::cli::test
