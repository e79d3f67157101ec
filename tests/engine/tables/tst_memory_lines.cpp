// SPDX-License-Identifier: MIT
// Memory of the process as people read it: owners, and below each its parts.
#include <gtest/gtest.h>

#include <limits>

#include "named_cell.h"
#include "support/opened_snapshot.h"
#include "tables/memory_table.h"

namespace heapscape::engine {
namespace {

using test::cellOf;
using test::redactedCellOf;

MemoryPart partOf(MemoryOwner owner, std::string name, std::uint64_t bytes, std::uint64_t inDump) {
  return {.owner = owner, .name = std::move(name), .path = {}, .address = {}, .bytes = bytes, .inDumpBytes = inDump};
}

ProcessMemory memoryWith(std::vector<MemoryPart> parts) {
  ProcessMemory memory{.parts = std::move(parts), .resident = {}, .remark = {}};
  for (const MemoryPart& part : memory.parts) memory.mappedBytes += part.bytes;
  return memory;
}

std::vector<std::string> titlesOf(const std::vector<MemoryLine>& lines) {
  std::vector<std::string> titles;
  for (const MemoryLine& line : lines) titles.push_back(line.title);
  return titles;
}

TEST(MemoryLines, OfNoMemoryThereIsOnlyTheSum) {
  const std::vector<MemoryLine> lines = listMemoryLines({}, 10);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].title, "All");
  EXPECT_EQ(lines[0].bytes, 0u);
  EXPECT_EQ(cellOf(memoryLinesTable(), lines[0], "share"), Cell(0.0));
}

TEST(MemoryLines, PartsAreSetInBelowTheirOwner) {
  const auto lines = listMemoryLines(
      memoryWith({partOf(MemoryOwner::GcUsed, "gen2", 600, 500), partOf(MemoryOwner::GcUsed, "gen0", 200, 200),
                  partOf(MemoryOwner::NativeHeap, "", 200, 0)}),
      10);
  EXPECT_EQ(titlesOf(lines), (std::vector<std::string>{"Objects", "  gen2", "  gen0", "Native heap", "All"}));
  EXPECT_EQ(lines[0].bytes, 800u);
  EXPECT_EQ(lines[0].inDumpBytes, 700u);
  EXPECT_EQ(cellOf(memoryLinesTable(), lines[1], "share"), Cell(0.6));
  EXPECT_EQ(lines.back().bytes, 1'000u);
  EXPECT_EQ(lines.back().inDumpBytes, 700u);
  EXPECT_EQ(cellOf(memoryLinesTable(), lines.back(), "share"), Cell(1.0));
}

TEST(MemoryLines, WhatIsLeftOfAnOwnerIsOneLine) {
  const ProcessMemory memory =
      memoryWith({partOf(MemoryOwner::MappedFile, "a", 50, 40), partOf(MemoryOwner::MappedFile, "b", 30, 20),
                  partOf(MemoryOwner::MappedFile, "c", 20, 5)});
  EXPECT_EQ(titlesOf(listMemoryLines(memory, 3)),
            (std::vector<std::string>{"Mapped files", "  a", "  b", "  c", "All"}));
  const std::vector<MemoryLine> two = listMemoryLines(memory, 2);
  EXPECT_EQ(titlesOf(two), (std::vector<std::string>{"Mapped files", "  a", "  b", "  1 more", "All"}));
  EXPECT_EQ(two[3].bytes, 20u);
  EXPECT_EQ(two[3].inDumpBytes, 5u);
  const std::vector<MemoryLine> none = listMemoryLines(memory, 0);
  EXPECT_EQ(titlesOf(none), (std::vector<std::string>{"Mapped files", "  3 more", "All"}));
  EXPECT_EQ(none[1].bytes, 100u);
  EXPECT_EQ(none[1].inDumpBytes, 65u);
}

TEST(MemoryLines, ANameThatAProgramGaveIsLeftOutWithContents) {
  const auto lines = listMemoryLines(memoryWith({partOf(MemoryOwner::LoaderHeap, "collectible Alice's plugin", 80, 0),
                                                 partOf(MemoryOwner::LoaderHeap, "high frequency", 40, 0),
                                                 partOf(MemoryOwner::ThreadStack, "thread 5 \"Alice's\"", 20, 0),
                                                 partOf(MemoryOwner::ThreadStack, "native thread 17", 10, 0)}),
                                     10);
  std::vector<std::string> shown;
  for (const MemoryLine& line : lines) shown.push_back(toString(redactedCellOf(memoryLinesTable(), line, "owner")));
  EXPECT_EQ(shown, (std::vector<std::string>{"Loader heaps", "  collectible context", "  high frequency",
                                             "Thread stacks", "  thread 5", "  native thread 17", "All"}));
  EXPECT_EQ(cellOf(memoryLinesTable(), lines[1], "owner"), Cell("  collectible Alice's plugin"));
}

TEST(MemoryLines, AMappedFileKeepsAnyNameWithContents) {
  const MemoryPart file = partOf(MemoryOwner::MappedFile, "lib \"quoted\".so", 1, 0);
  EXPECT_EQ(cellOf(memoryTable(), file, "name"), Cell("lib \"quoted\".so"));
  EXPECT_TRUE(cellOf(memoryTable(), file, "path").isNothing()) << "what has no path has no member of that name";
}

TEST(MemoryLines, SharesOfTheLargestAddressSpaceAreRight) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(cellOf(memoryLinesTable(), MemoryLine{"x", most, most, most}, "share"), Cell(1.0));
  EXPECT_EQ(cellOf(memoryLinesTable(), MemoryLine{"x", 1, 0, 0}, "share"), Cell(0.0)) << "nothing is mapped";
}

TEST(MemoryLines, OwnersOfADumpAddUpToTheSumAndPartsToTheirOwner) {
  const auto memory = processMemoryOf(test::openedDump("shop-10"), {});
  ASSERT_TRUE(memory.has_value());
  for (const std::size_t parts : {std::size_t{0}, std::size_t{1}, std::size_t{3}, SIZE_MAX}) {
    const std::vector<MemoryLine> lines = listMemoryLines(*memory, parts);
    std::uint64_t owners = 0, inDump = 0;
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
      if (lines[i].title.starts_with("  ")) continue;
      owners += lines[i].bytes;
      inDump += lines[i].inDumpBytes;
      std::uint64_t below = 0;
      bool hasParts = false;
      for (std::size_t j = i + 1; j < lines.size() && lines[j].title.starts_with("  "); ++j) {
        below += lines[j].bytes;
        hasParts = true;
      }
      if (!hasParts) below = lines[i].bytes;
      EXPECT_EQ(below, lines[i].bytes) << lines[i].title << ", of each owner " << parts;
    }
    EXPECT_GT(owners, 0u);
    EXPECT_EQ(owners, lines.back().bytes);
    EXPECT_EQ(inDump, lines.back().inDumpBytes);
  }
}

}  // namespace
}  // namespace heapscape::engine
