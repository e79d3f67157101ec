// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "session/cache/answer_cache.h"
#include "session/open/retained_stage.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"
#include "support/opened_core.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

/// A plain dump of our own that others may shorten.
class ChangedDump : public testing::Test {
 protected:
  ChangedDump() { writeFile(path(), heapscape::test::openDump(packedDumpPath("shop-10"))->bytes()); }

  std::filesystem::path path() const { return m_folder / "core"; }
  void shorten() const { std::filesystem::resize_file(path(), std::filesystem::file_size(path()) / 3); }
  std::string shortened() const {
    return path().string() +
           " was shortened, or could no longer be read, while it was open: what was read from it may be wrong. Open "
           "the "
           "dump anew when nobody changes it any more.";
  }

  TemporaryFolder m_folder;
};

/// Does something as soon as a stage is there.
class AtStage : public RecordingListener {
 public:
  AtStage(Stage stage, std::function<void()> action) : m_stage(stage), m_action(std::move(action)) {}

  void stageReady(const Snapshot& snapshot) override {
    RecordingListener::stageReady(snapshot);
    if (snapshot.stage() == m_stage) m_action();
  }

 private:
  Stage m_stage;
  std::function<void()> m_action;
};

class ChangedAfter : public ChangedDump, public testing::WithParamInterface<Stage> {};

TEST_P(ChangedAfter, EndsTheOpeningAndShowsNoLaterStage) {
  AtStage listener(GetParam(), [this] { shorten(); });
  OpenOptions options;
  options.stopAfter = Stage::Retained;
  const auto opened = engine::openDump(path(), options, &listener, {});
  EXPECT_EQ(messageOf(opened), shortened());
  ASSERT_FALSE(listener.stages.empty());
  EXPECT_EQ(listener.stages.back().stage(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Stages, ChangedAfter,
                         testing::Values(Stage::Summary, Stage::Segments, Stage::Objects, Stage::Layouts,
                                         Stage::References));

TEST_F(ChangedDump, IsToldOfEveryLaterAnswer) {
  const Snapshot snapshot = openSnapshot(path());
  const FileChanges files(snapshot);
  EXPECT_FALSE(files.error());
  shorten();
  ASSERT_TRUE(files.error());
  EXPECT_EQ(files.error()->message(), shortened());
  // What is asked all the same is answered from zeros, and ends nothing.
  for (const Segment& segment : snapshot.segments()) {
    std::uint64_t word = 0;
    static_cast<void>(snapshot.contents().memory->tryRead(segment.objects.start, word));
  }
  EXPECT_EQ(messageOf(addRetained(snapshot, {}, nullptr, {})), shortened());
}

TEST_F(ChangedDump, IsAFindingOfTheSnapshot) {
  const Snapshot snapshot = openSnapshot(path());
  EXPECT_FALSE(hasFinding(snapshot, FindingKind::FileChanged));
  shorten();
  const Snapshot told = withChangedFiles(snapshot, *FileChanges(snapshot).error());
  EXPECT_TRUE(hasFinding(told, FindingKind::FileChanged));
  EXPECT_FALSE(told.isComplete());
  EXPECT_EQ(told.findings().size(), snapshot.findings().size() + 1);
  EXPECT_EQ(told.totals().objects, snapshot.totals().objects);
}

TEST_F(ChangedDump, MayBeDeleted) {
  const Snapshot snapshot = openSnapshot(path());
  std::filesystem::remove(path());
  EXPECT_FALSE(FileChanges(snapshot).error());
}

TEST_F(ChangedDump, IsNoMatterToACopyThatWasUnpacked) {
  std::filesystem::copy_file(packedDumpPath("shop-10"), m_folder / "core.zst");
  const Snapshot snapshot = openSnapshot(m_folder / "core.zst");
  std::filesystem::resize_file(m_folder / "core.zst", 10);
  EXPECT_FALSE(FileChanges(snapshot).error());
}

}  // namespace
}  // namespace heapscape::engine
