// SPDX-License-Identifier: MIT
// Stacks for programs: what each kind of frame has, and which thread does what.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "output/threads/stacks_output.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;
using test::writtenJson;

nlohmann::json stacksJson(const StackList& list, const FrameSelection& selection = {}) {
  return nlohmann::json::parse(writtenJson([&](JsonWriter& json) { writeStacks(json, list, selection); }))
      .at("threads");
}

StackList stackWith(FrameRow frame) {
  ThreadStackRow row;
  row.managedId = 7;
  row.osId = 4'294'967'295;
  row.name = "Alice's \"worker\"";
  row.frames = {std::move(frame)};
  StackList list;
  list.threads = {std::move(row)};
  return list;
}

nlohmann::json frameJson(FrameRow frame) {
  return stacksJson(stackWith(std::move(frame))).at(0).at("frames").at(0);
}

FrameRow methodFrame() {
  FrameRow frame;
  frame.type = "Shop.Warehouse";
  frame.method = "Restock";
  frame.parameters = "(System.Int32)";
  frame.origin = "Shop.dll";
  return frame;
}

ParallelFrame sharedFrame(std::uint32_t parent, const char* name, std::vector<std::uint32_t> threads) {
  ParallelFrame frame;
  frame.parent = parent;
  frame.name = name;
  frame.threads = std::move(threads);
  return frame;
}

StackList threeThreads() {
  StackList list;
  for (const std::uint32_t id : {1u, 5u, 9u}) {
    ThreadStackRow row;
    row.managedId = id;
    list.threads.push_back(row);
  }
  return list;
}

std::string parallelText(const StackList& list, const ParallelStacks& stacks,
                         const std::vector<ActivityGroup>& activities = {}) {
  return written([&](Output& output) { writeParallelText(output, list, stacks, activities); });
}

TEST(StacksJson, NoThreadsAreAnEmptyList) {
  EXPECT_EQ(stacksJson({}), nlohmann::json::array());
}

TEST(StacksJson, AManagedFrameHasItsMethodWithParametersAndItsSource) {
  FrameRow frame = methodFrame();
  nlohmann::json json = frameJson(frame);
  EXPECT_EQ(json.at("method"), "Shop.Warehouse.Restock(System.Int32)");
  EXPECT_EQ(json.at("assembly"), "Shop.dll");
  for (const char* member : {"ilOffset", "file", "line"}) EXPECT_TRUE(json.at(member).is_null()) << member;
  for (const char* member : {"funclet", "exception", "problem", "module", "frame"})
    EXPECT_FALSE(json.contains(member)) << member;
  frame.isFunclet = true;
  frame.ilOffset = 0;
  frame.file = "C:\\src\\\"Shop\".cs";
  frame.line = 42;
  frame.exception = "throws System.IO.IOException";
  frame.isExact = false;
  frame.problem = "The GC info is missing.";
  json = frameJson(frame);
  EXPECT_EQ(json.at("funclet"), true);
  EXPECT_EQ(json.at("ilOffset"), 0);
  EXPECT_EQ(json.at("file"), "C:\\src\\\"Shop\".cs");
  EXPECT_EQ(json.at("line"), 42);
  EXPECT_EQ(json.at("exact"), false);
  EXPECT_EQ(json.at("problem"), "The GC info is missing.");
}

TEST(StacksJson, OtherFramesHaveNoSource) {
  FrameRow frame = methodFrame();
  frame.kind = FrameKind::Runtime;
  frame.origin = "InlinedCallFrame";
  frame.method.clear();
  nlohmann::json json = frameJson(frame);
  EXPECT_EQ(json.at("frame"), "InlinedCallFrame");
  EXPECT_TRUE(json.at("method").is_null());
  frame.kind = FrameKind::Native;
  frame.origin = "libc.so.6";
  json = frameJson(frame);
  EXPECT_EQ(json.at("module"), "libc.so.6");
  for (const char* member : {"assembly", "ilOffset", "file", "line", "frame"})
    EXPECT_FALSE(json.contains(member)) << member;
}

TEST(StacksJson, ARootLiesInASlotOrInARegisterThatMayBeSaved) {
  StackList list = stackWith(methodFrame());
  list.threads[0].roots = {
      {.slot = Address{0x7ffe},
       .object = Address{0x10},
       .value = Address{0x18},
       .typeName = "Order",
       .isInterior = true},
      {.reg = "rbx", .variable = "order", .value = Address{0x10}},
      {.slot = Address{0x7ff0}, .reg = "r12", .value = Address{0x10}, .isPinned = true, .isExact = false}};
  list.threads[0].frames[0].rootCount = 3;
  const nlohmann::json roots = stacksJson(list).at(0).at("roots");
  EXPECT_EQ(roots.at(0).at("slot"), "0x7ffe");
  EXPECT_EQ(roots.at(0).at("object"), "0x18") << "as it stands, inside of the object";
  EXPECT_EQ(roots.at(0).at("interior"), true);
  EXPECT_FALSE(roots.at(0).contains("register"));
  EXPECT_FALSE(roots.at(0).contains("variable"));
  EXPECT_EQ(roots.at(1).at("register"), "rbx");
  EXPECT_EQ(roots.at(1).at("variable"), "order");
  EXPECT_FALSE(roots.at(1).contains("savedAt"));
  EXPECT_FALSE(roots.at(1).contains("slot"));
  EXPECT_EQ(roots.at(2).at("savedAt"), "0x7ff0");
  EXPECT_EQ(roots.at(2).at("pinned"), true);
  EXPECT_EQ(roots.at(2).at("exact"), false);
}

TEST(StacksJson, NamesOfThreadsAreContentsAndTheirNumbersAreNot) {
  const StackList list = stackWith(methodFrame());
  EXPECT_EQ(stacksJson(list).at(0).at("name"), "Alice's \"worker\"");
  const nlohmann::json redacted = stacksJson(list, {.rows = {.isRedacted = true}}).at(0);
  EXPECT_EQ(redacted.at("name"), "");
  EXPECT_EQ(redacted.at("managedId"), 7);
  EXPECT_EQ(redacted.at("osId"), 4'294'967'295u);
}

TEST(StacksJson, AThreadSaysWhyItsStackEndsEarly) {
  StackList list = stackWith(methodFrame());
  nlohmann::json json = stacksJson(list).at(0);
  EXPECT_EQ(json.at("complete"), true);
  EXPECT_FALSE(json.contains("problem"));
  EXPECT_FALSE(json.contains("doing"));
  list.threads[0].isComplete = false;
  list.threads[0].problem = "No unwind information.";
  list.threads[0].doing = "waits in Task.Wait";
  json = stacksJson(list).at(0);
  EXPECT_EQ(json.at("complete"), false);
  EXPECT_EQ(json.at("problem"), "No unwind information.");
  EXPECT_EQ(json.at("doing"), "waits in Task.Wait");
}

// Main, which calls a method that calls itself a hundred times, each with a root of its own.
StackList recursion() {
  StackList list = stackWith(methodFrame());
  ThreadStackRow& row = list.threads[0];
  row.frames.assign(101, methodFrame());
  row.frames[100].method = "Main";
  for (std::uint32_t i = 0; i < row.frames.size(); ++i) {
    row.frames[i].firstRoot = i;
    row.frames[i].rootCount = 1;
    row.roots.push_back({.frame = i, .slot = Address{0x1000ull + i}});
  }
  return list;
}

TEST(StacksJson, FramesThatRepeatAreWrittenOnceWithTheirRoots) {
  const nlohmann::json thread = stacksJson(recursion()).at(0);
  EXPECT_EQ(thread.at("frameCount"), 101);
  EXPECT_FALSE(thread.contains("framesLeftOut"));
  ASSERT_EQ(thread.at("frames").size(), 2u);
  EXPECT_EQ(thread.at("frames").at(0).at("times"), 100);
  EXPECT_FALSE(thread.at("frames").at(1).contains("times"));
  EXPECT_EQ(thread.at("rootCount"), 101);
  ASSERT_EQ(thread.at("roots").size(), 2u);
  EXPECT_EQ(thread.at("roots").at(1).at("frame"), 1) << "an index into the frames as they are written";
  EXPECT_EQ(thread.at("roots").at(1).at("slot"), "0x1064");
}

TEST(StacksJson, EachFrameIsWrittenWhereThatIsAskedFor) {
  const nlohmann::json thread = stacksJson(recursion(), {.isFolded = false}).at(0);
  EXPECT_EQ(thread.at("frames").size(), 101u);
  EXPECT_EQ(thread.at("roots").size(), 101u);
  EXPECT_FALSE(thread.at("frames").at(0).contains("times"));
}

TEST(StacksJson, AtMostSoManyFramesOfEachThreadAreWritten) {
  EXPECT_EQ(stacksJson(threeThreads(), {.rows = {.limit = 0}}).size(), 3u);
  const nlohmann::json cut = stacksJson(recursion(), {.rows = {.limit = 40}, .isFolded = false}).at(0);
  EXPECT_EQ(cut.at("frames").size(), 40u);
  EXPECT_EQ(cut.at("framesLeftOut"), 61);
  EXPECT_EQ(cut.at("roots").size(), 40u);
  EXPECT_EQ(stacksJson(recursion(), {.rows = {.limit = 1}}).at(0).at("framesLeftOut"), 1);
}

TEST(ParallelJson, ThreadsAreToldByTheirNumbersNotTheirPlaces) {
  ParallelStacks stacks;
  stacks.frames = {sharedFrame(ParallelFrame::kNone, "all threads", {0, 1, 2}), sharedFrame(0, "Main", {2})};
  const nlohmann::json json = nlohmann::json::parse(writtenJson([&](JsonWriter& writer) {
    writeParallelStacks(writer, threeThreads(), stacks, {{"idle", {0, 2}}});
  }));
  EXPECT_TRUE(json.at("parallel").at(0).at("parent").is_null());
  EXPECT_EQ(json.at("parallel").at(0).at("threads"), nlohmann::json({1, 5, 9}));
  EXPECT_EQ(json.at("parallel").at(0).at("count"), 3);
  EXPECT_EQ(json.at("parallel").at(1).at("parent"), 0);
  EXPECT_EQ(json.at("activities").at(0).at("threads"), nlohmann::json({1, 9}));
}

TEST(ParallelText, FramesAreSetInOnlyWhereStacksPart) {
  ParallelStacks stacks;
  stacks.frames = {sharedFrame(ParallelFrame::kNone, "all threads", {0, 1, 2}), sharedFrame(0, "Start", {0, 1, 2}),
                   sharedFrame(1, "Serve", {0, 1}), sharedFrame(1, "Main", {2}), sharedFrame(3, "Wait", {2})};
  EXPECT_EQ(parallelText(threeThreads(), stacks),
            "     3 all threads\n"
            "     3 Start\n"
            "     2   Serve\n"
            "     1   Main\n"
            "     1   Wait\n");
}

TEST(ParallelText, ChildrenStandBelowTheirParentWhereverTheyAreListed) {
  ParallelStacks stacks;
  stacks.frames = {sharedFrame(ParallelFrame::kNone, "all threads", {0, 1, 2}),
                   sharedFrame(0, "A", {0, 1}),
                   sharedFrame(0, "B", {2}),
                   sharedFrame(1, "A1", {0}),
                   sharedFrame(2, "B1", {2}),
                   sharedFrame(1, "A2", {1})};
  EXPECT_EQ(parallelText(threeThreads(), stacks),
            "     3 all threads\n"
            "     2   A\n"
            "     1     A1\n"
            "     1     A2\n"
            "     1   B\n"
            "     1   B1\n");
}

TEST(ParallelText, NoThreadsAreNothingAndActivitiesStandFirst) {
  EXPECT_EQ(parallelText({}, {}), "");
  EXPECT_EQ(parallelText(threeThreads(), {}, {{"idle pool thread", {0, 2}}, {"in Main", {1}}}),
            "     2 idle pool thread: 1, 9\n"
            "     1 in Main: 5\n"
            "\n");
}

}  // namespace
}  // namespace heapscape::engine
