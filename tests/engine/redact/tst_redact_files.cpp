// SPDX-License-Identifier: MIT
// How a copy gets its name, and what is left when it does not.
#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "engine/redact/redacted_dump.h"
#include "session/snapshot/contents.h"
#include "support/dump_path.h"

namespace heapscape::test {
namespace {

using namespace engine;

constexpr const char* kCopiedDump = "shop-10";

std::size_t filesIn(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::ranges::distance(std::filesystem::directory_iterator(folder)));
}

const Snapshot& dump() {
  return redactedDump(kCopiedDump).dump();
}

/// The sentence that tells why there is no copy; empty if there is one.
std::string problemOf(const Snapshot& snapshot, const std::filesystem::path& target) {
  const auto written = writeRedacted(snapshot, target, {}, nullptr, {});
  if (written) return {};
  EXPECT_FALSE(written.error().isCancelled());
  EXPECT_EQ(written.error().error().code, ErrorCode::FileUnreadable);
  return written.error().error().message();
}

class StoppingSink : public ProgressSink {
 public:
  explicit StoppingSink(double at) : m_at(at) {}
  void progressed(const Progress& progress) override {
    EXPECT_GE(progress.fraction, m_last);
    EXPECT_FALSE(progress.activity.empty());
    m_last = progress.fraction;
    if (progress.fraction >= m_at) source.request_stop();
  }
  double last() const { return m_last; }

  std::stop_source source;

 private:
  double m_at;
  double m_last = 0;
};

TEST(RedactedFiles, ArePackedWhereTheirNameSaysSo) {
  const TemporaryFolder folder;
  const RedactionReport report = writeCopy(dump(), folder / "copy.core.zst");
  EXPECT_EQ(report.fileBytes, std::filesystem::file_size(folder / "copy.core.zst"));
  EXPECT_LT(report.fileBytes, report.copyBytes / 2);
  const Snapshot copy = openSnapshot(folder / "copy.core.zst", Stage::Retained);
  EXPECT_TRUE(copy.summary().dump.isCompressed);
  EXPECT_EQ(copy.retainedTotals(), dump().retainedTotals());
  const auto& file = *copy.contents().file;
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()),
            bytesOf(redactedDump(kCopiedDump).path()));
  EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(RedactedFiles, ArePackedToTheSameBytes) {
  const TemporaryFolder folder;
  writeCopy(dump(), folder / "one.core.zst");
  writeCopy(dump(), folder / "other.core.zst");
  EXPECT_TRUE(haveSameBytes(folder / "one.core.zst", folder / "other.core.zst"));
}

TEST(RedactedFiles, AreMadeOfPackedDumps) {
  const TemporaryFolder folder;
  const Snapshot packed = openSnapshot(packedDumpPath(kCopiedDump), Stage::Objects);
  writeCopy(packed, folder / "copy.core");
  EXPECT_TRUE(haveSameBytes(redactedDump(kCopiedDump).path(), folder / "copy.core"));
}

TEST(RedactedFiles, NeverTakeThePlaceOfTheDump) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(packedDumpPath(kCopiedDump), folder / "dump.core.zst");
  std::filesystem::create_symlink("dump.core.zst", folder / "link.core.zst");
  std::filesystem::create_hard_link(folder / "dump.core.zst", folder / "hard.core.zst");
  const Snapshot snapshot = openSnapshot(folder / "dump.core.zst", Stage::Objects);
  for (const char* name : {"dump.core.zst", "./dump.core.zst", "link.core.zst", "hard.core.zst"}) {
    const std::string problem = problemOf(snapshot, folder / name);
    EXPECT_NE(problem.find("the dump itself"), std::string::npos) << name << ": " << problem;
  }
  EXPECT_EQ(filesIn(folder.path()), 3u);
  EXPECT_TRUE(haveSameBytes(folder / "dump.core.zst", packedDumpPath(kCopiedDump)));
}

TEST(RedactedFiles, ReplaceWhatWasThere) {
  const TemporaryFolder folder;
  std::ofstream(folder / "copy.core") << "something else";
  writeCopy(dump(), folder / "copy.core");
  EXPECT_TRUE(haveSameBytes(redactedDump(kCopiedDump).path(), folder / "copy.core"));
  EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(RedactedFiles, NeedAFolder) {
  const TemporaryFolder folder;
  const std::string problem = problemOf(dump(), folder / "no such folder/copy.core");
  EXPECT_NE(problem.find("no such folder/copy.core cannot be written: No such file or directory."), std::string::npos)
      << problem;
  EXPECT_NE(problem.find("Choose a folder"), std::string::npos) << problem;
  EXPECT_EQ(filesIn(folder.path()), 0u);
}

TEST(RedactedFiles, AreNoFolders) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "copy.core");
  EXPECT_NE(problemOf(dump(), folder / "copy.core"), "");
  EXPECT_EQ(filesIn(folder.path()), 1u);
  EXPECT_EQ(filesIn(folder / "copy.core"), 0u);
}

TEST(RedactedFiles, LeaveNothingBehindWhenCancelled) {
  for (const double share : {0.0, 0.2, 0.31, 0.5, 0.9}) {
    const TemporaryFolder folder;
    std::ofstream(folder / "there.core") << "before";
    StoppingSink sink(share);
    if (share == 0) sink.source.request_stop();
    for (const char* name : {"copy.core", "copy.core.zst", "there.core"}) {
      const auto written = writeRedacted(dump(), folder / name, {}, &sink, sink.source.get_token());
      ASSERT_FALSE(written) << share;
      EXPECT_TRUE(written.error().isCancelled()) << share;
      sink = StoppingSink(share);
      if (share == 0) sink.source.request_stop();
    }
    EXPECT_EQ(filesIn(folder.path()), 1u) << share;
    EXPECT_EQ(bytesOf(folder / "there.core"), "before") << share;
  }
}

TEST(RedactedFiles, TellHowFarTheyAre) {
  const TemporaryFolder folder;
  StoppingSink sink(2);
  ASSERT_TRUE(writeRedacted(dump(), folder / "copy.core", {}, &sink, {}));
  EXPECT_GT(sink.last(), 0.95);
  StoppingSink checking(2);
  ASSERT_TRUE(checkRedacted(redactedDump(kCopiedDump).copy(), &checking, {}));
  EXPECT_GT(checking.last(), 0.95);
}

TEST(RedactedFiles, AreFoundUncleanWithAByteMore) {
  const TemporaryFolder folder;
  const RedactedDump& both = redactedDump(kCopiedDump);
  std::filesystem::copy_file(both.path(), folder / "copy.core");
  const ObjectRow string = objectsOfType(both.copy(), "System.String").back();
  const Address character = string.address + 12;
  const auto& loads = both.copy().contents().core->loads;
  const auto load = std::ranges::find_if(loads, [&](const LoadSegment& one) { return one.range.contains(character); });
  ASSERT_NE(load, loads.end());
  std::fstream file(folder / "copy.core", std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(load->fileOffset + (character - load->range.start)));
  file.write("S", 1);
  file.close();
  const auto check = checkRedacted(openSnapshot(folder / "copy.core", Stage::Objects), nullptr, {});
  ASSERT_TRUE(check);
  ASSERT_EQ(check->suspicious.size(), 1u);
  EXPECT_EQ(check->suspicious.front().bytes, 1u);
  EXPECT_NE(check->suspicious.front().why.find(toString(character)), std::string::npos)
      << check->suspicious.front().why;
}

// Memory that was handed out, freed and handed out again has paths at any address.
TEST(RedactedFiles, AreCleanWherePathsBeginWithinWords) {
  const TemporaryFolder folder;
  const Bytes dumped = dump().contents().file->bytes();
  std::string bytes(reinterpret_cast<const char*>(dumped.data()), dumped.size());
  constexpr std::size_t kEnough = 8;
  const std::string before("\5\0\0", 3);
  std::size_t moved = 0;
  for (const LoadSegment& load : dump().contents().core->loads) {
    if (!(load.flags & PF_W)) continue;
    const std::string_view held = std::string_view(bytes).substr(load.fileOffset, load.fileBytes);
    for (const MappedFile& file : dump().contents().core->files) {
      const std::string path = std::string(1, '\0') + file.path + std::string(4, '\0');
      if (moved == kEnough || !file.path.ends_with(".dll")) continue;
      for (std::size_t at = held.find(path); at != held.npos; at = held.find(path, at + 1)) {
        if ((load.range.start.value + at + 1) % kPointerBytes) continue;
        bytes.replace(load.fileOffset + at + 1, path.size() - 2, before + file.path);
        ++moved;
      }
    }
  }
  ASSERT_GT(moved, 5u);
  std::ofstream(folder / "dump.core", std::ios::binary) << bytes;
  writeCopy(openSnapshot(folder / "dump.core", Stage::Objects), folder / "copy.core");
  const auto check = checkRedacted(openSnapshot(folder / "copy.core", Stage::Objects), nullptr, {});
  ASSERT_TRUE(check);
  EXPECT_TRUE(check->isClean()) << check->suspicious.front().why;
}

}  // namespace
}  // namespace heapscape::test
