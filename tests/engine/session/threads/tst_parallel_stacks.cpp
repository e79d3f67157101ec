// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "session/stacks/parallel_stacks.h"
#include "support/builders/hand_made_stacks.h"

namespace heapscape::engine {
namespace {

using Lines = std::vector<std::string>;
using Threads = std::vector<std::uint32_t>;

const FrameRow kMain = managedFrame("Shop.Program", "Main");
const FrameRow kRun = managedFrame("Shop.Worker", "Run");
const FrameRow kRestock = managedFrame("Shop.Warehouse", "Restock", "(System.Int32)");
const FrameRow kStart = managedFrame("System.Threading.Thread", "StartCallback");
const FrameRow kWait = managedFrame("System.Threading.Monitor", "Wait");

// Two workers that part below Run, one of them further in than the other, and the main thread.
StackList threeThreads() {
  StackList stacks;
  stacks.threads = {stackOf(1, {kMain}), stackOf(7, {kWait, kRestock, kRun, kStart}), stackOf(8, {kRun, kStart})};
  return stacks;
}

std::vector<std::string> outline(const ParallelStacks& stacks) {
  std::vector<std::string> lines;
  for (const ParallelFrame& frame : stacks.frames) {
    lines.push_back(std::string(frame.depth, ' ') + std::to_string(frame.threads.size()) + " " + frame.name);
  }
  return lines;
}

TEST(ParallelStacks, MergeThreadsFromWhereTheyBeganUpToWhereTheyPart) {
  const ParallelStacks merged = parallelStacks(threeThreads(), {});
  EXPECT_EQ(outline(merged), (Lines{"3 all threads",                               //
                                    " 2 System.Threading.Thread.StartCallback()",  //
                                    "  2 Shop.Worker.Run()",                       //
                                    "   1 Shop.Warehouse.Restock(System.Int32)",   //
                                    "    1 System.Threading.Monitor.Wait()",       //
                                    " 1 Shop.Program.Main()"}));
  EXPECT_EQ(merged.frames[2].threads, (Threads{1, 2}));
  EXPECT_EQ(merged.frames[3].threads, (Threads{1}));
  EXPECT_EQ(merged.frames[5].threads, (Threads{0}));
  EXPECT_EQ(merged.frames[3].parent, 2u);
  EXPECT_EQ(merged.frames[5].parent, 0u);
  EXPECT_EQ(merged.frames[0].parent, ParallelFrame::kNone);
}

TEST(ParallelStacks, FoldFramesThatAreNotTheProgramsOwn) {
  StackList stacks = threeThreads();
  stacks.threads[1].frames.insert(stacks.threads[1].frames.begin(),
                                  {nativeFrame("libc.so.6", "read"), runtimeFrame("InlinedCallFrame")});
  EXPECT_EQ(outline(parallelStacks(stacks, {.onlyMyCode = true})),
            (Lines{"3 all threads",                              //
                   " 2 [External code]",                         //
                   "  2 Shop.Worker.Run()",                      //
                   "   1 Shop.Warehouse.Restock(System.Int32)",  //
                   "    1 [External code]",                      //
                   " 1 Shop.Program.Main()"}));
}

TEST(ParallelStacks, KeepOverloadsApartAndKindsOfFrames) {
  StackList stacks;
  stacks.threads = {stackOf(1, {managedFrame("A", "M", "(System.Int32)"), kMain}),
                    stackOf(2, {managedFrame("A", "M", "(System.String)"), kMain}),
                    stackOf(3, {runtimeFrame("InlinedCallFrame"), kMain}),
                    stackOf(4, {runtimeFrame("InlinedCallFrame"), kMain})};
  const ParallelStacks merged = parallelStacks(stacks, {});
  ASSERT_EQ(merged.frames.size(), 5u);
  EXPECT_EQ(merged.frames[2].kind, FrameKind::Runtime);
  EXPECT_EQ(merged.frames[2].threads, (Threads{2, 3}));
}

TEST(ParallelStacks, NativeFramesOfOneFunctionAreOne) {
  StackList stacks;
  stacks.threads = {stackOf(1, {nativeFrame("libc.so.6", "read+0x1a"), kMain}),
                    stackOf(2, {nativeFrame("libc.so.6", "read+0x4c"), kMain})};
  const ParallelStacks merged = parallelStacks(stacks, {});
  ASSERT_EQ(merged.frames.size(), 3u);
  EXPECT_EQ(merged.frames[2].name, "libc.so.6!read");
}

TEST(ParallelStacks, CountAThreadOnceHoweverDeepItRecurses) {
  StackList stacks;
  stacks.threads = {stackOf(1, {kRun, kRun, kRun, kMain})};
  EXPECT_EQ(outline(parallelStacks(stacks, {})),
            (Lines{"1 all threads", " 1 Shop.Program.Main()", "  1 Shop.Worker.Run()", "   1 Shop.Worker.Run()",
                   "    1 Shop.Worker.Run()"}));
}

TEST(ParallelStacks, RecursionStandsThereOnceHoweverDeepThreadsWent) {
  StackList stacks = threeThreads();
  stacks.threads.resize(2);
  stacks.threads[0].frames = std::vector<FrameRow>(50'000, kRun);
  stacks.threads[1].frames = std::vector<FrameRow>(20'000, kRun);
  for (ThreadStackRow& thread : stacks.threads) thread.frames.push_back(kMain);
  stacks.threads[0].frames.insert(stacks.threads[0].frames.begin(), kWait);
  EXPECT_EQ(outline(parallelStacks(stacks, {})),
            (Lines{"2 all threads", " 2 Shop.Program.Main()", "  2 Shop.Worker.Run()",
                   "   2 [1 frame repeats 50,000 times]", "    1 System.Threading.Monitor.Wait()"}));
}

TEST(ParallelStacks, WhatIsDeeperThanAnyPictureEndsInOneNode) {
  StackList stacks = threeThreads();
  for (int i = 0; i < 2'000; ++i)
    stacks.threads[0].frames.insert(stacks.threads[0].frames.begin(), managedFrame("P", "M" + std::to_string(i)));
  const ParallelStacks merged = parallelStacks(stacks, {});
  EXPECT_LT(merged.frames.size(), 1010u);
  EXPECT_EQ(merged.frames.back().name, "[more frames]");
  EXPECT_EQ(merged.frames.back().depth, 1000u);
}

TEST(ParallelStacks, AThreadWithoutFramesIsAmongAllAlone) {
  StackList stacks;
  stacks.threads = {stackOf(1, {kMain}), stackOf(2, {})};
  EXPECT_EQ(outline(parallelStacks(stacks, {})), (Lines{"2 all threads", " 1 Shop.Program.Main()"}));
  EXPECT_TRUE(parallelStacks({}, {}).frames.empty());
}

TEST(Activities, GroupThreadsThatDoTheSame) {
  StackList stacks = threeThreads();
  stacks.threads.push_back(stackOf(9, {kWait, kStart}));
  stacks.threads[0].doing = "idle pool thread";
  stacks.threads[3].doing = "idle pool thread";
  const std::vector<ActivityGroup> groups = activitiesOf(stacks);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].doing, "idle pool thread");
  EXPECT_EQ(groups[0].threads, (Threads{0, 3}));
  EXPECT_EQ(groups[1].doing, "in Shop.Warehouse.Restock");
  EXPECT_EQ(groups[2].doing, "in Shop.Worker.Run");
}

TEST(Activities, SayWhereAThreadIsIfNothingElseIsKnown) {
  EXPECT_EQ(activityOf(stackOf(1, {kWait, kRestock, kRun})), "in Shop.Warehouse.Restock");
  EXPECT_EQ(activityOf(stackOf(1, {runtimeFrame("InlinedCallFrame"), kWait, kStart})),
            "in System.Threading.Monitor.Wait");
  EXPECT_EQ(activityOf(stackOf(1, {})), "in native code");
  ThreadStackRow damaged = stackOf(1, {});
  damaged.isComplete = false;
  EXPECT_EQ(activityOf(damaged), "unknown: its stack cannot be read");
}

}  // namespace
}  // namespace heapscape::engine
