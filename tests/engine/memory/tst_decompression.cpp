// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <functional>
#include <vector>

#include "memory/dump_file.h"
#include "opened_dump_file.h"
#include "support/opened_core.h"
#include "support/zstandard.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

class RecordingSink : public ProgressSink {
 public:
  void progressed(const Progress& progress) override {
    fractions.push_back(progress.fraction);
    if (onProgress) onProgress(progress.fraction);
  }

  std::vector<double> fractions;
  std::function<void(double)> onProgress;
};

/// No file of this process may grow beyond a size: to the writer much like a full disk.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    m_handler = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &m_before);
    const rlimit limit{bytes, m_before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &m_before);
    std::signal(SIGXFSZ, m_handler);
  }

 private:
  rlimit m_before{};
  void (*m_handler)(int);
};

class Decompression : public OpenedDumpFile {
 protected:
  Decompression() : OpenedDumpFile("core.zst", &m_sink) {}

  RecordingSink m_sink;
};

TEST_F(Decompression, GivesTheBytesBack) {
  const FileBytes bytes = pattern(5'000'000);
  const auto file = opened(compressed(bytes));
  EXPECT_TRUE(file->isCompressed());
  EXPECT_EQ(file->damage(), "");
  EXPECT_TRUE(std::ranges::equal(file->bytes(), bytes));
}

TEST_F(Decompression, GoesByTheContentsNotTheName) {
  const FileBytes bytes = pattern(100'000);
  writeFile(m_folder / "core.1234", compressed(bytes));
  EXPECT_TRUE(std::ranges::equal(openDump(m_folder / "core.1234")->bytes(), bytes));
  writeFile(m_folder / "plain.zst", bytes);
  EXPECT_TRUE(std::ranges::equal(openDump(m_folder / "plain.zst")->bytes(), bytes));
}

TEST_F(Decompression, LeavesNoFileBehind) {
  const auto file = opened(compressed(pattern(100'000)));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(m_folder.path())) ++files;
  EXPECT_EQ(files, 1u) << "only the compressed file itself";
}

TEST_F(Decompression, ReadsSeveralFrames) {
  const FileBytes first = pattern(1 << 20, 1);
  const FileBytes second = pattern(300'000, 2);
  FileBytes both = compressed(first);
  const FileBytes more = compressed(second, false);
  both.insert(both.end(), more.begin(), more.end());
  const auto file = opened(both);
  EXPECT_EQ(file->damage(), "");
  ASSERT_EQ(file->bytes().size(), first.size() + second.size());
  EXPECT_TRUE(std::ranges::equal(file->bytes().first(first.size()), first));
  EXPECT_TRUE(std::ranges::equal(file->bytes().subspan(first.size()), second));
}

/// Frames that follow each other, each behind one that is to be passed over, as pzstd writes them.
class ManyFrames {
 public:
  void add(const FileBytes& bytes, bool announceSize) {
    for (const int byte : {0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 7, 7}) m_file.push_back(static_cast<std::byte>(byte));
    m_starts.push_back(m_file.size());
    const FileBytes frame = compressed(bytes, announceSize);
    m_file.insert(m_file.end(), frame.begin(), frame.end());
    m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
    m_sizes.push_back(bytes.size());
  }

  FileBytes m_file, m_bytes;
  std::vector<std::size_t> m_starts, m_sizes;  // of each: where it starts, and what comes out of it
};

ManyFrames framesOfAllSizes() {
  ManyFrames frames;
  for (unsigned i = 0; i < 60; ++i) frames.add(pattern(i % 7 == 0 ? 0 : i * 3001, i), i % 2 == 0);
  return frames;
}

TEST_F(Decompression, GivesTheBytesOfManyFramesInTheirOrder) {
  ManyFrames frames = framesOfAllSizes();
  frames.add(FileBytes(40 << 20), true);  // too large to be decoded beside others
  frames.add(FileBytes(40 << 20), false);
  for (unsigned i = 0; i < 9; ++i) frames.add(pattern(100'000, i), true);
  const auto file = opened(frames.m_file);
  EXPECT_EQ(file->damage(), "");
  EXPECT_TRUE(std::ranges::equal(file->bytes(), frames.m_bytes));
}

TEST_F(Decompression, KeepsWhatComesBeforeADamagedFrameOfMany) {
  for (const std::size_t damaged : {std::size_t{2}, std::size_t{17}, std::size_t{59}}) {
    ManyFrames frames = framesOfAllSizes();
    frames.m_file[frames.m_starts[damaged] + 12] ^= std::byte{0xff};
    const auto file = opened(frames.m_file);
    std::size_t before = 0;
    for (std::size_t i = 0; i < damaged; ++i) before += frames.m_sizes[i];
    ASSERT_GE(file->bytes().size(), before) << damaged;
    EXPECT_LT(file->bytes().size(), frames.m_bytes.size()) << damaged;
    EXPECT_TRUE(std::ranges::equal(file->bytes().first(before), Bytes(frames.m_bytes).first(before))) << damaged;
    std::size_t place = 0;
    ASSERT_EQ(std::sscanf(file->damage().c_str(), "the compressed file is damaged near byte %zu", &place), 1)
        << damaged;
    EXPECT_GE(place, frames.m_starts[damaged]) << damaged;
    EXPECT_LE(place, frames.m_file.size()) << damaged;
  }
}

TEST_F(Decompression, KeepsAllWholeFramesOfACutFile) {
  ManyFrames frames = framesOfAllSizes();
  frames.m_file.resize(frames.m_starts[40] + 30);
  const auto file = opened(frames.m_file);
  EXPECT_EQ(file->damage(), "the compressed file ends early");
  std::size_t before = 0;
  for (std::size_t i = 0; i < 40; ++i) before += frames.m_sizes[i];
  ASSERT_GE(file->bytes().size(), before);
  EXPECT_TRUE(std::ranges::equal(file->bytes(), Bytes(frames.m_bytes).first(file->bytes().size())));
}

TEST_F(Decompression, EndsExactlyAtABlockOfOutput) {
  for (const std::size_t size : {std::size_t{1} << 20, std::size_t{3} << 20}) {
    const auto file = opened(compressed(FileBytes(size), false));
    EXPECT_EQ(file->damage(), "");
    EXPECT_EQ(file->bytes().size(), size);
  }
}

TEST_F(Decompression, AllowsTheLongestWindow) {
  const FileBytes bytes = pattern(200'000);
  FileBytes file = compressed(bytes, false);
  constexpr std::size_t kWindowDescriptor = 5;
  file[kWindowDescriptor] = std::byte{(31 - 10) << 3};
  EXPECT_TRUE(std::ranges::equal(opened(file)->bytes(), bytes));
}

TEST_F(Decompression, ReportsProgressThatNeverGoesBack) {
  FileBytes file;
  for (unsigned part = 0; part < 40; ++part) {
    const FileBytes frame = compressed(pattern(100'000, part));
    file.insert(file.end(), frame.begin(), frame.end());
  }
  opened(file);
  EXPECT_GT(m_sink.fractions.size(), 10u);
  EXPECT_TRUE(std::ranges::is_sorted(m_sink.fractions));
  EXPECT_DOUBLE_EQ(m_sink.fractions.back(), 1);
}

TEST_F(Decompression, IsCancelledInTheMiddle) {
  std::stop_source source;
  m_sink.onProgress = [&](double fraction) {
    if (fraction > 0) source.request_stop();
  };
  FileBytes file;
  for (int part = 0; part < 40; ++part) {
    const FileBytes frame = compressed(pattern(1'000'000));
    file.insert(file.end(), frame.begin(), frame.end());
  }
  const auto outcome = open(file, source.get_token());
  ASSERT_FALSE(outcome);
  EXPECT_TRUE(outcome.error().isCancelled());
  EXPECT_LT(m_sink.fractions.back(), 0.5);
}

TEST_F(Decompression, ReadsACutCoreAsATruncatedDump) {
  FileBytes file = compressed(CoreBuilder().memory(0x10000, pattern(3'000'000)).build());
  file.resize(file.size() / 2);
  writeFile(m_folder / "core.zst", file);
  const OpenedCore core(m_folder / "core.zst");
  EXPECT_GT(core.core().missingFileBytes, 0u);
  ASSERT_FALSE(core.core().findings.items().empty());
  EXPECT_EQ(core.core().findings.items().front().kind, FindingKind::DumpTruncated);
}

TEST_F(Decompression, KeepsWhatComesBeforeDamage) {
  FileBytes file = compressed(pattern(500'000, 1));
  FileBytes damaged = compressed(pattern(500'000, 2));
  damaged[damaged.size() - 1] ^= std::byte{0xff};
  file.insert(file.end(), damaged.begin(), damaged.end());
  const auto dump = opened(file);
  EXPECT_NE(dump->damage().find("is damaged near byte"), std::string::npos) << dump->damage();
  EXPECT_GE(dump->bytes().size(), 500'000u);
}

TEST_F(Decompression, KeepsWhatComesBeforeForeignBytes) {
  const FileBytes bytes = pattern(500'000);
  FileBytes file = compressed(bytes);
  file.resize(file.size() + 100, std::byte{0x55});
  const auto dump = opened(file);
  EXPECT_NE(dump->damage(), "");
  EXPECT_TRUE(std::ranges::equal(dump->bytes(), bytes));
}

TEST_F(Decompression, FailsWhereNothingComesOut) {
  FileBytes file = compressed(pattern(500'000));
  file.resize(9);  // its frame header
  const Error cut = errorOf(file);
  EXPECT_EQ(cut.code, ErrorCode::NotACoreDump);
  EXPECT_NE(cut.what.find("nothing of it can be decompressed: the compressed file ends early"), std::string::npos)
      << cut.what;
  file = compressed(pattern(500'000));
  file[6] = std::byte{0xff};
  file[7] = std::byte{0xff};
  file[8] = std::byte{0xff};
  file[9] = std::byte{0xff};
  file[10] = std::byte{0xff};
  EXPECT_EQ(errorOf(file).code, ErrorCode::NotACoreDump);
  const Error empty = errorOf(compressed({}));
  EXPECT_NE(empty.what.find("there is nothing in it"), std::string::npos) << empty.what;
}

TEST_F(Decompression, NeverCrashesOnACutFile) {
  const FileBytes file = compressed(CoreBuilder().memory(0x10000, pattern(20'000)).build());
  for (std::size_t size = 1; size < file.size(); size += 97) {
    const auto outcome = open(FileBytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)));
    if (outcome) static_cast<void>(parseElfCore((*outcome)->bytes()));
  }
}

TEST_F(Decompression, SaysThatTheDiskIsFull) {
  const FileBytes file = compressed(pattern(6'000'000), false);
  writeFile(m_folder / "core.zst", file);
  StageProgress progress(nullptr, "opening", 0, 1);
  const auto outcome = [&] {
    const SmallDisk disk(2'500'000);
    return DumpFile::open(m_folder / "core.zst", progress, {});
  }();
  ASSERT_FALSE(outcome);
  ASSERT_FALSE(outcome.error().isCancelled());
  const Error& error = outcome.error().error();
  EXPECT_EQ(error.code, ErrorCode::FileUnreadable);
  EXPECT_EQ(error.what, (m_folder / "core.zst").string() + " cannot be decompressed into " + m_folder.path().string() +
                            ": at least 3145728 bytes (3.00 MB) are needed, and no file may be that large there.");
  EXPECT_NE(error.help.find("TMPDIR"), std::string::npos);
}

TEST_F(Decompression, DoesNotBelieveWhatAHeaderAnnounces) {
  // A frame header that announces 32 TB, and no frame.
  FileBytes file{std::byte{0x28}, std::byte{0xb5}, std::byte{0x2f}, std::byte{0xfd}, std::byte{0xc0},
                 std::byte{0x58}, std::byte{0},    std::byte{0},    std::byte{0},    std::byte{0},
                 std::byte{0},    std::byte{0x20}, std::byte{0},    std::byte{0}};
  const Error error = errorOf(file);
  EXPECT_EQ(error.code, ErrorCode::NotACoreDump);
  EXPECT_NE(error.what.find("nothing of it can be decompressed: the compressed file ends early"), std::string::npos)
      << error.what;
}

TEST_F(Decompression, SaysThatTheTemporaryFolderCannotBeUsed) {
  const ScopedVariable temporary("TMPDIR", "/nonexistent/folder");
  const Error error = errorOf(compressed(pattern(1000)));
  EXPECT_EQ(error.code, ErrorCode::FileUnreadable);
  EXPECT_NE(error.what.find("No temporary file can be made in /nonexistent/folder"), std::string::npos) << error.what;
  EXPECT_NE(error.help.find("TMPDIR"), std::string::npos);
}

}  // namespace
}  // namespace heapscape::engine
