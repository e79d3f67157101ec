// SPDX-License-Identifier: MIT
// Files that are cut, changed or of another kind: told apart, never a crash.
#include <gtest/gtest.h>

#include <random>

#include "gcdump/gcdump_reader.h"
#include "gcdump_file.h"
#include "support/opened_snapshot.h"
#include "support/temporary_folder.h"

namespace heapscape::test {
namespace {

using namespace engine;

Outcome<GcDump> tryRead(Bytes file, std::stop_token stop = {}) {
  StageProgress progress(nullptr, "", 0, 1);
  return readGcDump(file, progress, stop);
}

std::filesystem::path put(const TemporaryFolder& folder, const FileBytes& file) {
  const std::filesystem::path path = folder / "some.gcdump";
  writeFile(path, file);
  return path;
}

TEST(DamagedGcDump, IsToldWhereverItIsCut) {
  const FileBytes whole = gcDumpFile("growth-10.gcdump");
  constexpr std::size_t kStep = 97;
  // Behind the last object stands a table that only readers with jumps need.
  constexpr std::size_t kTableBytes = 17;
  for (std::size_t size = 0; size + kTableBytes < whole.size(); size += kStep) {
    const auto read = tryRead(Bytes(whole).first(size));
    ASSERT_FALSE(read) << size;
    EXPECT_FALSE(read.error().error().what.empty());
  }
}

TEST(DamagedGcDump, IsReadOrRefusedWhateverBytesAreWrong) {
  const FileBytes whole = gcDumpFile("growth-10.gcdump");
  TemporaryFolder folder;
  std::mt19937 random(20);
  int opened = 0;
  for (int i = 0; i < 300; ++i) {
    FileBytes file = whole;
    for (int change = 0; change < 3; ++change) file[random() % file.size()] = static_cast<std::byte>(random() % 256);
    const auto read = openDump(put(folder, file), {.stopAfter = Stage::Retained}, nullptr, {});
    if (!read) continue;
    ++opened;
    const RetainedTotals totals = read->retainedTotals();
    EXPECT_EQ(totals.reachableObjects + totals.unreachableObjects, read->totals().objects);
    EXPECT_EQ(totals.reachableBytes + totals.unreachableBytes, read->totals().bytes);
  }
  EXPECT_GT(opened, 10);
}

TEST(DamagedGcDump, SaysWhatElseItIs) {
  GcDump dump;
  dump.graph = graphOfNodes({{"[.NET Roots]", ""}}, {{.children = {}}});
  FileBytes file = writtenFile(dump);
  constexpr std::size_t kVersionAt = 27;  // of the first object's type
  file[kVersionAt] = std::byte{8};
  EXPECT_EQ(tryRead(file).error().error().what, "This .gcdump file is of version 8, which is not supported.");
  constexpr std::size_t kNameAt = 39;
  file[kNameAt] = std::byte{'X'};
  EXPECT_EQ(tryRead(file).error().error().what, "This file holds XCHeapDump, and no heap as .gcdump files do.");
  EXPECT_EQ(tryRead(file).error().error().code, ErrorCode::NotACoreDump);
}

TEST(DamagedGcDump, OfA32BitProcessIsRefused) {
  GcDump dump;
  dump.graph =
      graphOfNodes({{"[.NET Roots]", ""}, {"A", ""}}, {{.children = {1}}, {.type = 1, .size = 12, .address = 0x1004}});
  dump.graph.is64Bit = false;
  TemporaryFolder folder;
  EXPECT_EQ(messageOf(openDump(put(folder, writtenFile(dump)), {}, nullptr, {})),
            "This .gcdump file is of a 32-bit process, of which the heap cannot be shown.");
}

TEST(DamagedGcDump, LeavesOutWhatCannotBe) {
  GcDump dump;
  dump.graph = graphOfNodes({{"[.NET Roots]", ""}, {"[strong Handles]", ""}, {"A", ""}, {NodeGraph::kUndefined, ""}},
                            {{.children = {1}},
                             {.type = 1, .children = {2, 3, 4, 5, 6}},
                             {.type = 2, .size = 24, .address = 0x1000, .children = {6, 2}},
                             {.type = 2, .size = 24, .address = 0x1000},                 // there twice
                             {.type = 2, .size = 24, .address = 0x2001},                 // no place for an object
                             {.type = 2, .size = 24, .address = 0xffff'8000'0000'0000},  // the kernel's
                             {.type = 3, .address = 0x3000}});                           // of which nothing is known
  TemporaryFolder folder;
  const Snapshot snapshot = openSnapshot(put(folder, writtenFile(dump)), Stage::Retained);
  EXPECT_EQ(snapshot.totals().objects, 1u);
  EXPECT_EQ(snapshot.referenceCount(), 1u);
  EXPECT_EQ(snapshot.roots().roots.size(), 1u);
  EXPECT_FALSE(snapshot.isComplete());
  ASSERT_EQ(snapshot.findings().size(), 2u);
  EXPECT_EQ(snapshot.findings()[0].message, "This file does not tell of 1 object that 5 references lead to.");
  EXPECT_EQ(snapshot.findings()[1].message,
            "This file has 3 objects without a size, or where none can lie; what is there is left out.");
}

// Nothing is taken for addresses that lie far apart, nor for what lies between them.
TEST(DamagedGcDump, MayHaveObjectsAnywhere) {
  std::vector<WrittenNode> nodes{{.children = {}}};
  for (std::uint32_t i = 1; i <= 1000; ++i)
    nodes.push_back({.type = 1, .size = 24, .address = 0x7000'0000'0000ull / 1000 * i / 8 * 8});
  GcDump dump;
  dump.graph = graphOfNodes({{"[.NET Roots]", ""}, {"A", ""}}, nodes);
  TemporaryFolder folder;
  const Snapshot snapshot = openSnapshot(put(folder, writtenFile(dump)), Stage::Retained);
  EXPECT_EQ(snapshot.totals().objects, 1000u);
  EXPECT_EQ(snapshot.retainedTotals().reachableObjects, 0u);
  EXPECT_LT(snapshot.indexBytes(), 100'000u);
}

TEST(DamagedGcDump, CanBeStopped) {
  std::stop_source stop;
  stop.request_stop();
  const auto read = tryRead(gcDumpFile("growth-10.gcdump"), stop.get_token());
  ASSERT_FALSE(read);
  EXPECT_TRUE(read.error().isCancelled());
}

}  // namespace
}  // namespace heapscape::test
