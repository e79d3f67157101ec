// SPDX-License-Identifier: MIT
// Threads whose stacks have overflowed: that is handled on another stack, so their frames lie on two. Against what the
// runtime itself printed as it died.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

#include "session/stacks/folded_frames.h"
#include "session/threads/thread_waits.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"

namespace heapscape::test {
namespace {

using engine::FrameKind;
using engine::FrameRow;
using engine::FrameRun;
using engine::ThreadStackRow;
using Lines = std::vector<std::string>;

/// "Repeated 2675 times:" with the methods that did, then those that called them.
struct Printed {
  std::uint32_t times = 0;
  Lines unit;
  Lines callers;
};

Printed printedOf(const std::string& name) {
  std::ifstream file(std::filesystem::path(HEAPSCAPE_TEST_DATA) / (name + ".printed.txt"));
  Printed printed;
  Lines* methods = &printed.unit;
  const std::regex method(R"(^   at (.*?)\(.*$)");
  std::smatch match;
  for (std::string line; std::getline(file, line);) {
    if (std::regex_search(line, match, std::regex(R"(Repeat(?:ed)? (\d+) times)"))) {
      printed.times = static_cast<std::uint32_t>(std::stoul(match[1]));
    } else if (std::regex_match(line, match, method)) {
      methods->push_back(match[1]);
    } else if (line.starts_with("----") && !printed.unit.empty()) {
      methods = &printed.callers;
    }
  }
  return printed;
}

class OverflownStacks : public testing::TestWithParam<const char*> {
 protected:
  OverflownStacks()
      : m_snapshot(openSnapshot(dumpPath(GetParam()), engine::Stage::Summary)),
        m_list(engine::listStacks(m_snapshot, {.native = true}, {}).value()) {}

  const ThreadStackRow& overflown() const {
    return *std::ranges::max_element(m_list.threads, {}, [](const ThreadStackRow& row) { return row.frames.size(); });
  }

  engine::Snapshot m_snapshot;
  engine::StackList m_list;
};

TEST_P(OverflownStacks, HaveTheFramesThatTheRuntimePrinted) {
  const ThreadStackRow& thread = overflown();
  EXPECT_TRUE(thread.isComplete) << thread.problem;
  EXPECT_TRUE(m_list.findings.items().empty());
  ASSERT_TRUE(thread.core);
  EXPECT_FALSE(thread.limits.contains(thread.core->stackPointer())) << "it is handled on another stack";
  std::vector<FrameRow> managed;
  std::ranges::copy_if(thread.frames, std::back_inserter(managed),
                       [](const FrameRow& frame) { return frame.kind == FrameKind::Managed; });
  const std::vector<FrameRun> runs = engine::foldedFrames(managed);
  const Printed printed = printedOf(GetParam());
  ASSERT_GT(printed.times, 2'000u);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].times, printed.times);
  const auto namesFrom = [&](std::uint32_t first, std::size_t count) {
    Lines names;
    for (std::size_t i = first; i < std::min<std::size_t>(first + count, managed.size()); ++i)
      names.push_back(methodOf(managed[i]));
    return names;
  };
  EXPECT_EQ(namesFrom(0, runs[0].unit()), printed.unit);
  EXPECT_EQ(namesFrom(runs[1].first, printed.callers.size()), printed.callers);
  const auto isOutside = [&](const FrameRow& frame) { return !thread.limits.contains(frame.stackPointer); };
  EXPECT_LE(std::ranges::count_if(managed, isOutside), 1) << "but for the one that has overflowed it";
}

// The handler was called on a stack of its own, from one that signals are handled on.
TEST_P(OverflownStacks, HaveNativeFramesFromTheHandlerToTheMethod) {
  const auto& frames = overflown().frames;
  ASSERT_EQ(frames.front().kind, FrameKind::Native);
  const auto method = std::ranges::find(frames, FrameKind::Managed, &FrameRow::kind);
  ASSERT_NE(method, frames.end());
  const auto handler = std::ranges::find(frames, std::string("FaultingExceptionFrame"), &FrameRow::origin);
  EXPECT_LT(handler, method);
}

// Only what the method that ran then refers to cannot be told, unless a collection could have asked for it there.
TEST_P(OverflownStacks, HaveExactReferencesButForTheMethodThatRan) {
  const auto& frames = overflown().frames;
  const auto inexact = std::ranges::count(frames, false, &FrameRow::isExact);
  EXPECT_LE(inexact, 1);
}

TEST_P(OverflownStacks, HaveValuesOnceOfWhatRepeats) {
  const auto read = [&](bool ofRepeats) {
    return engine::readStacks(m_snapshot,
                              {.thread = overflown().thread,
                               .roots = false,
                               .variables = true,
                               .registers = true,
                               .valuesOfRepeats = ofRepeats},
                              {})
        .value()
        .threads.at(0)
        .frames;
  };
  const std::vector<FrameRow> all = read(true);
  const std::vector<FrameRow> once = read(false);
  ASSERT_EQ(all.size(), once.size());
  std::vector<bool> isWritten(all.size());
  for (const auto& frame : engine::writtenFrames(engine::foldedFrames(all))) isWritten[frame.frame] = true;
  std::size_t told = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(once[i].variables.size(), isWritten[i] ? all[i].variables.size() : 0u) << i;
    EXPECT_EQ(once[i].registers.size(), isWritten[i] ? all[i].registers.size() : 0u) << i;
    told += once[i].variables.size();
  }
  EXPECT_GT(told, 0u);
}

INSTANTIATE_TEST_SUITE_P(Dumps, OverflownStacks,
                         testing::Values("crashes/overflow-small-8", "crashes/overflow-small-9",
                                         "crashes/overflow-small-10", "crashes/overflow-small-11"),
                         [](const auto& info) {
                           const std::string name = info.param;
                           return "On" + name.substr(name.rfind('-') + 1);
                         });

}  // namespace
}  // namespace heapscape::test
