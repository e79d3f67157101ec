// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <thread>
#include <vector>

#include "memory/guarded_mapping.h"
#include "support/opened_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr std::size_t kBytes = 4 << 20;

class ShortenedFile : public testing::Test {
 protected:
  ShortenedFile() { writeFile(path(), m_bytes); }

  std::filesystem::path path() const { return m_folder / "core"; }
  void shorten(std::size_t bytes) const { std::filesystem::resize_file(path(), bytes); }

  TemporaryFolder m_folder;
  FileBytes m_bytes = pattern(kBytes);
};

TEST_F(ShortenedFile, ReadsAsZerosAndIsTold) {
  const auto file = openDump(path());
  EXPECT_EQ(file->change(), FileChange::None);
  EXPECT_EQ(file->bytes()[kBytes - 1], m_bytes[kBytes - 1]);
  shorten(kBytes / 2);
  EXPECT_EQ(file->bytes()[kBytes - 1], std::byte{0});
  EXPECT_EQ(file->change(), FileChange::Shortened);
  EXPECT_TRUE(std::ranges::equal(file->bytes().first(kBytes / 2), Bytes(m_bytes).first(kBytes / 2)));
  EXPECT_TRUE(std::ranges::all_of(file->bytes().subspan(kBytes / 2), [](std::byte b) { return b == std::byte{0}; }));
}

TEST_F(ShortenedFile, IsToldThoughNothingWasReadFromIt) {
  const auto file = openDump(path());
  shorten(kBytes - 100);  // the rest of its last page is zeros, without a signal
  EXPECT_EQ(file->change(), FileChange::Shortened);
}

TEST_F(ShortenedFile, IsToldThoughItIsLongAgainMeanwhile) {
  const auto file = openDump(path());
  shorten(0);
  EXPECT_EQ(file->bytes()[5000], std::byte{0});
  shorten(kBytes);
  EXPECT_EQ(file->change(), FileChange::Shortened);
}

TEST_F(ShortenedFile, IsToldIfItWasWrittenTo) {
  const auto file = openDump(path());
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  writeFile(path(), pattern(kBytes, 2));
  EXPECT_EQ(file->change(), FileChange::Written);
}

TEST_F(ShortenedFile, MayBeReadByManyThreads) {
  const auto file = openDump(path());
  std::vector<std::jthread> readers;
  for (unsigned thread = 0; thread < 8; ++thread) {
    readers.emplace_back([&file, thread] {
      for (int round = 0; round < 50; ++round) {
        for (std::size_t at = thread * 512; at < kBytes; at += 4096) {
          static_cast<void>(*static_cast<const volatile std::byte*>(&file->bytes()[at]));
        }
      }
    });
  }
  for (std::size_t size = kBytes; size > 0; size -= kBytes / 16) shorten(size - kBytes / 16);
  readers.clear();
  EXPECT_EQ(file->change(), FileChange::Shortened);
}

TEST_F(ShortenedFile, IsToldOfPagesThatWerePutTogether) {
  CoreBuilder builder;
  builder.memory(0x11000, pattern(4 << 20, 1)).memory(0x511000, pattern(4096)).memory(0x411000, pattern(1 << 20, 2));
  builder.write(path());
  const OpenedCore dump(path());
  const auto view = dump.space().view({{0x11000}, {0x512000}});
  ASSERT_TRUE(view);
  shorten(8192);
  EXPECT_EQ(view->bytes[(5 << 20) + 4000], std::byte{0});
  EXPECT_EQ(dump.file().change(), FileChange::Shortened);
  ASSERT_TRUE(dump.space().changedFile());
  EXPECT_EQ(dump.space().changedFile()->path, path());
}

TEST_F(ShortenedFile, EndsTheProgramWhereItIsNotOurs) {
  const auto file = openDump(path());  // so that the handler is there
  const auto readBehindTheEnd = [this] {
    FILE* other = std::fopen(path().c_str(), "r");
    const void* start = ::mmap(nullptr, kBytes, PROT_READ, MAP_SHARED, ::fileno(other), 0);
    shorten(0);
    static_cast<void>(*(static_cast<const volatile std::byte*>(start) + 8192));
  };
  EXPECT_DEATH(readBehindTheEnd(), "");  // by the signal, or by a sanitizer that tells of it
}

TEST_F(ShortenedFile, IsGuardedInMoreMappingsThanOneBlockOfThemHas) {
  std::vector<std::shared_ptr<const DumpFile>> files;
  for (int i = 0; i < 600; ++i) files.push_back(openDump(path()));
  shorten(100);
  for (const auto& file : files) EXPECT_EQ(file->bytes()[kBytes - 1], std::byte{0});
}

}  // namespace
}  // namespace heapscape::engine
