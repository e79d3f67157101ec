// SPDX-License-Identifier: MIT
// Stacks of programs that were compiled ahead of time, from dumps without what describes the C library's code: the
// program (tests/targets/aot) has threads that wait deep in calls of their own, and dies of an exception.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "session/snapshot/snapshot.h"
#include "session/stacks/stacks_query.h"
#include "support/opened_snapshot.h"

namespace heapscape::test {
namespace {

using engine::FrameRow;
using engine::StackRootRow;
using engine::ThreadStackRow;

class NativeAotStacks : public testing::TestWithParam<std::string> {
 protected:
  engine::StackList stacks() const {
    auto read = engine::readStacks(retainedDump(GetParam()), {}, {});
    EXPECT_TRUE(read);
    return read ? std::move(*read) : engine::StackList();
  }

  static const ThreadStackRow* threadWith(const engine::StackList& list, std::string_view method) {
    const auto found = std::ranges::find_if(list.threads, [&](const ThreadStackRow& thread) {
      return std::ranges::any_of(thread.frames,
                                 [&](const FrameRow& frame) { return engine::methodOf(frame) == method; });
    });
    return found == list.threads.end() ? nullptr : &*found;
  }
};

INSTANTIATE_TEST_SUITE_P(Of, NativeAotStacks, testing::Values("aot/zoo-8", "aot/zoo-9", "aot/zoo-10", "aot/zoo-11"),
                         [](const auto& info) { return "Of" + info.param.substr(info.param.find('-') + 1); });

TEST_P(NativeAotStacks, HaveFramesByNameWithExactRoots) {
  const engine::StackList list = stacks();
  std::size_t frames = 0, named = 0;
  for (const ThreadStackRow& thread : list.threads) {
    for (const FrameRow& frame : thread.frames) {
      EXPECT_TRUE(frame.isExact) << engine::nameOf(frame) << ": " << frame.problem;
      ++frames;
      if (!frame.type.empty()) ++named;
    }
    for (const StackRootRow& root : thread.roots) EXPECT_TRUE(root.isExact && (root.object || root.isInterior));
  }
  EXPECT_GE(frames, 40u);
  EXPECT_GE(named + 1, frames);  // what calls Main has no name
}

TEST_P(NativeAotStacks, ReachThroughTheProgramToWhereItsThreadsBegan) {
  const engine::StackList list = stacks();
  const ThreadStackRow* worker = threadWith(list, "Zoo.Program.DeepStack");
  ASSERT_TRUE(worker);
  EXPECT_TRUE(worker->isComplete) << worker->problem;
  EXPECT_EQ(engine::methodOf(worker->frames.back()), "System.Threading.Thread.ThreadEntryPoint");
  std::size_t deep = 0;
  for (std::uint32_t i = 0; i < worker->frames.size(); ++i) {
    const FrameRow& frame = worker->frames[i];
    if (frame.method != "DeepStack") continue;
    ++deep;
    EXPECT_EQ(frame.parameters, "(System.Int32, Zoo.Dog, System.Threading.ManualResetEventSlim)");
    EXPECT_TRUE(std::ranges::any_of(worker->roots, [&](const StackRootRow& root) {
      return root.frame == i && root.typeName == "Zoo.Pair<Zoo.Dog, Zoo.Cat>";
    })) << i;
  }
  EXPECT_GE(deep, 4u);
}

TEST_P(NativeAotStacks, HaveTheCodeThatThrewWhereTheRuntimeTookOver) {
  const engine::StackList list = stacks();
  const ThreadStackRow* thread = threadWith(list, "Zoo.Program.Crash");
  ASSERT_TRUE(thread);
  const auto crash = std::ranges::find(thread->frames, "Crash", &FrameRow::method);
  ASSERT_GT(thread->frames.end() - crash, 1);
  EXPECT_EQ(engine::nameOf(*crash), "Zoo.Program.Crash(Zoo.Dog)");
  EXPECT_EQ(engine::methodOf(*std::next(crash)), "Zoo.Program.Main");
  // Where the C library's file is on this disk the frames of the runtime are there, too.
  EXPECT_EQ(thread->isComplete, crash != thread->frames.begin()) << thread->problem;
  EXPECT_EQ(thread->isComplete, thread->problem.empty());
  ASSERT_FALSE(thread->exceptions.empty());
  EXPECT_TRUE(std::ranges::any_of(thread->roots, [&](const StackRootRow& root) {
    return root.isProtected && root.object == thread->exceptions.front().exception.object;
  }));
}

}  // namespace
}  // namespace heapscape::test
