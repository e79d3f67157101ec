// SPDX-License-Identifier: MIT
#include <elf.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <span>

#include "session/process/process_mappings.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr Stage kStages[] = {Stage::Summary, Stage::Segments, Stage::Objects, Stage::Layouts};

class Opening : public testing::TestWithParam<std::string> {};

TEST_P(Opening, TellsItsStagesInOrderEachUsable) {
  RecordingListener listener;
  const auto opened = openDump(dumpPath(GetParam()), {}, &listener, {});
  ASSERT_TRUE(opened) << messageOf(opened);
  ASSERT_EQ(listener.stages.size(), std::size(kStages));
  for (std::size_t i = 0; i < std::size(kStages); ++i) {
    const Snapshot& snapshot = listener.stages[i];
    EXPECT_EQ(snapshot.stage(), kStages[i]);
    EXPECT_FALSE(snapshot.summary().runtime.version.empty());
    EXPECT_FALSE(snapshot.modules().empty());
    EXPECT_EQ(!snapshot.segments().empty(), snapshot.has(Stage::Segments));
    EXPECT_EQ(!snapshot.types().empty(), snapshot.has(Stage::Objects));
    EXPECT_EQ(!snapshot.segmentContents().empty(), snapshot.has(Stage::Objects));
    EXPECT_EQ(snapshot.totals().objects > 0, snapshot.has(Stage::Objects));
    EXPECT_EQ(!snapshot.typePaddingBytes().empty(), snapshot.has(Stage::Layouts));
  }
  EXPECT_EQ(opened->stage(), Stage::Layouts);
  EXPECT_EQ(opened->totals().objects, listener.stages.back().totals().objects);
}

TEST_P(Opening, ReportsProgressFromNothingToAllAndNeverBack) {
  RecordingListener listener;
  ASSERT_TRUE(openDump(dumpPath(GetParam()), {}, &listener, {}));
  ASSERT_FALSE(listener.reports.empty());
  EXPECT_LE(listener.reports.size(), 1100u);
  double last = 0;
  for (const Progress& progress : listener.reports) {
    EXPECT_GE(progress.fraction, last) << progress.activity;
    EXPECT_FALSE(progress.activity.empty());
    last = progress.fraction;
  }
  EXPECT_EQ(listener.reports.front().fraction, 0.0);
  EXPECT_DOUBLE_EQ(last, 1.0);
}

INSTANTIATE_TEST_SUITE_P(Data, Opening,
                         testing::Values("shop-10", "shop-8-server", "shop-10-segments", "storm-8-collecting"),
                         [](const auto& info) { return testName(info.param); });

TEST(OpenDump, StopsAfterTheStageAskedFor) {
  for (const Stage stage : kStages) {
    const Snapshot snapshot = openSnapshot(packedDumpPath("storm-10-calm"), stage);
    EXPECT_EQ(snapshot.stage(), stage);
    EXPECT_EQ(snapshot.totals().objects > 0, stage >= Stage::Objects);
  }
}

TEST(OpenDump, SaysWhatKindOfDumpItIs) {
  EXPECT_EQ(openSnapshot(packedDumpPath("shop-10"), Stage::Summary).summary().dump.kind, DumpKind::Heap);
  const Snapshot gcore = openSnapshot(packedDumpPath("shop-10-gcore"), Stage::Summary);
  EXPECT_EQ(gcore.summary().dump.kind, DumpKind::Gcore);
  const DumpSummary& dump = gcore.summary().dump;
  EXPECT_TRUE(dump.isCompressed);
  EXPECT_GT(dump.pid, 0u);
  EXPECT_GT(dump.threads, 1u);
  EXPECT_NE(dump.command.find("shop"), std::string::npos) << dump.command;
}

// createdump's page is the last of its memory, so it is among the first that a cut file lacks.
TEST(OpenDump, TellsTheWriterWithoutItsOwnPage) {
  PatchedCore file("shop-10");
  constexpr Address kPageOfCreatedump{0x00007ffffff10000};
  file.write<std::uint64_t>(kPageOfCreatedump, 0);
  EXPECT_EQ(openSnapshot(file.path(), Stage::Summary).summary().dump.kind, DumpKind::Heap);
  // Neither createdump's header nor the kernel's notes.
  file.writeAt(EI_OSABI, std::as_bytes(std::span("\0", 1)));
  const Snapshot unknown = openSnapshot(file.path(), Stage::Summary);
  EXPECT_EQ(unknown.summary().dump.kind, DumpKind::Unknown);
  EXPECT_STREQ(toString(DumpKind::Unknown), "unknown");
  const ProcessMappings mappings = mappingsOf(*unknown.contents().core, DumpKind::Unknown);
  EXPECT_FALSE(mappings.isWhole);
  EXPECT_NE(mappings.remark.find("not known"), std::string::npos);
}

TEST(OpenDump, DoesNotTakeGcoresFileForTheKernels) {
  PatchedCore file("shop-10-gcore");
  file.writeAt(offsetof(Elf64_Ehdr, e_shnum), std::as_bytes(std::span("\0", 2)));
  EXPECT_EQ(openSnapshot(file.path(), Stage::Summary).summary().dump.kind, DumpKind::Unknown);
}

TEST(OpenDump, GivesTheSameOfAPlainAndACompressedFile) {
  const PatchedCore file("shop-9");
  const Snapshot plain = openSnapshot(file.path());
  const Snapshot compressed = openSnapshot(packedDumpPath("shop-9"));
  EXPECT_FALSE(plain.summary().dump.isCompressed);
  EXPECT_EQ(plain.summary().dump.fileBytes, compressed.summary().dump.fileBytes);
  EXPECT_EQ(plain.totals().objects, compressed.totals().objects);
  EXPECT_EQ(plain.totals().bytes, compressed.totals().bytes);
  ASSERT_EQ(plain.types().size(), compressed.types().size());
  for (std::size_t i = 0; i < plain.types().size(); ++i) EXPECT_EQ(plain.types()[i].name, compressed.types()[i].name);
  EXPECT_EQ(plain.typePaddingBytes(), compressed.typePaddingBytes());
}

TEST(OpenDump, IsDeterministicAlthoughSeveralCoresWalk) {
  const Snapshot first = openSnapshot(packedDumpPath("storm-8-collecting"));
  const Snapshot second = openSnapshot(packedDumpPath("storm-8-collecting"));
  EXPECT_EQ(first.typeCounts().count, second.typeCounts().count);
  EXPECT_EQ(first.typeCounts().components, second.typeCounts().components);
  ASSERT_EQ(first.findings().size(), second.findings().size());
  for (std::size_t i = 0; i < first.findings().size(); ++i) {
    EXPECT_EQ(first.findings()[i].address, second.findings()[i].address) << "finding " << i;
  }
}

TEST(Snapshot, OutlivesTheFile) {
  std::optional<Snapshot> snapshot;
  {
    const PatchedCore file("storm-9-calm");
    snapshot.emplace(openSnapshot(file.path()));
  }
  EXPECT_GT(snapshot->totals().objects, 0u);
  EXPECT_TRUE(snapshot->contents().memory->holds(snapshot->segments().front().objects));
}

}  // namespace
}  // namespace heapscape::engine
