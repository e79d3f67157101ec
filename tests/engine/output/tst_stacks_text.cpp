// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "output/threads/stacks_output.h"
#include "written.h"

namespace heapscape::engine {
namespace {

using test::written;

FrameRow frame(const char* method) {
  FrameRow row;
  row.instruction = Address{0x7f01};
  row.stackPointer = Address{0x7ffe};
  row.type = "Shop.Warehouse";
  row.method = method;
  row.parameters = "()";
  return row;
}

ThreadStackRow thread(std::uint32_t id, std::vector<FrameRow> frames) {
  ThreadStackRow row;
  row.managedId = id;
  row.osId = 100 + id;
  row.frames = std::move(frames);
  return row;
}

std::string textOf(const StackList& list, const FrameSelection& selection = {}) {
  return written([&](Output& output) { writeStacksText(output, list, selection); });
}

TEST(StacksText, FramesStandUnderTheirThreadWithWhatTheyReferTo) {
  StackList list;
  ThreadStackRow row = thread(7, {frame("Restock"), frame("Main")});
  row.name = "worker";
  row.doing = "waits in Task.Wait";
  row.frames[0].file = "Warehouse.cs";
  row.frames[0].line = 42;
  row.frames[0].exception = "throws System.IO.IOException";
  row.frames[0].rootCount = 2;
  row.frames[1].isExact = false;
  row.roots = {
      {.reg = "rbx", .variable = "order", .object = Address{0x10}, .value = Address{0x10}, .typeName = "Order"},
      {.frame = 0,
       .slot = Address{0x7fff},
       .object = Address{0x10},
       .value = Address{0x18},
       .typeName = "Order",
       .isInterior = true,
       .isPinned = true}};
  list.threads = {row};
  EXPECT_EQ(textOf(list),
            "Thread 7 (OS id 107) \"worker\": waits in Task.Wait\n"
            "  0x7ffe 0x7f01 Shop.Warehouse.Restock()  Warehouse.cs:42\n"
            "      throws System.IO.IOException\n"
            "      order (rbx) = 0x10 Order\n"
            "      0x7fff = 0x18 in 0x10 Order, interior, pinned\n"
            "  0x7ffe 0x7f01 Shop.Warehouse.Main()  (references not exact)\n");
}

TEST(StacksText, NamesOfThreadsAreContents) {
  StackList list;
  list.threads = {thread(1, {frame("Main")})};
  list.threads[0].name = "secret";
  EXPECT_NE(textOf(list).find("secret"), std::string::npos);
  EXPECT_EQ(textOf(list, {.rows = {.isRedacted = true}}).find("secret"), std::string::npos);
}

TEST(StacksText, SaysWhatIsMissing) {
  StackList list;
  list.threads = {thread(1, {}), thread(2, {frame("Main")})};
  list.threads[1].isComplete = false;
  list.threads[1].problem = "its memory is not in the dump.";
  const std::string text = textOf(list);
  EXPECT_NE(text.find("Thread 1 (OS id 101)\n  no managed frames\n\nThread 2"), std::string::npos) << text;
  EXPECT_NE(text.find("  The stack ends here too early: its memory is not in the dump.\n"), std::string::npos) << text;
}

TEST(StacksText, FramesThatRepeatStandOnceUnderHowOftenTheyDo) {
  StackList list;
  std::vector<FrameRow> frames;
  for (int i = 0; i < 1'500; ++i) {
    frames.push_back(frame("Visit"));
    frames.push_back(frame("Walk"));
  }
  frames.push_back(frame("Main"));
  list.threads = {thread(1, frames)};
  EXPECT_EQ(textOf(list),
            "Thread 1 (OS id 101)\n"
            "  1,500 times, 3,000 frames in all:\n"
            "    0x7ffe 0x7f01 Shop.Warehouse.Visit()\n"
            "    0x7ffe 0x7f01 Shop.Warehouse.Walk()\n"
            "  0x7ffe 0x7f01 Shop.Warehouse.Main()\n");
  const std::string cut = textOf(list, {.rows = {.limit = 10}, .isFolded = false});
  EXPECT_EQ(std::count(cut.begin(), cut.end(), '\n'), 12) << cut;
  EXPECT_TRUE(cut.ends_with("  ... and 2,991 frames more\n")) << cut;
}

TEST(ParallelText, TreesAreIndentedWhereStacksPart) {
  StackList list;
  list.threads = {thread(1, {frame("A"), frame("Main")}), thread(2, {frame("B"), frame("Main")}),
                  thread(3, {frame("B"), frame("Main")})};
  const ParallelStacks stacks = parallelStacks(list, {});
  const std::vector<ActivityGroup> activities{{"idle pool thread", {1, 2}}, {"in Shop.Warehouse.A", {0}}};
  EXPECT_EQ(written([&](Output& output) { writeParallelText(output, list, stacks, activities); }),
            "     2 idle pool thread: 2, 3\n"
            "     1 in Shop.Warehouse.A: 1\n"
            "\n"
            "     3 all threads\n"
            "     3 Shop.Warehouse.Main()\n"
            "     2   Shop.Warehouse.B()\n"
            "     1   Shop.Warehouse.A()\n");
}

}  // namespace
}  // namespace heapscape::engine
