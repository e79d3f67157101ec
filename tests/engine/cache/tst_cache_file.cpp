// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <fstream>
#include <numeric>
#include <random>

#include "session/cache/cache_file.h"
#include "support/temporary_folder.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr Hash128 kOfFiles{17, 4};

std::vector<std::uint32_t> countedTo(std::uint32_t end) {
  std::vector<std::uint32_t> numbers(end);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

class CacheFiles : public testing::Test {
 protected:
  CacheFiles() { write(); }

  std::filesystem::path path() const { return m_folder / "one.kept"; }

  Outcome<void> write(const Hash128& digest = kOfFiles) const {
    const std::array sections{std::as_bytes(std::span(m_short)), Bytes(), std::as_bytes(std::span(m_long))};
    return writeCacheFile(path(), digest, sections, {});
  }

  std::string contents() const {
    std::ifstream file(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void replace(const std::string& bytes) const { std::ofstream(path(), std::ios::binary) << bytes; }

  bool isUsable() const {
    const auto file = CacheFile::open(path(), kOfFiles);
    return file && file->isIntact({}, {});
  }

  std::size_t filesInFolder() const {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(m_folder.path())) ++count;
    return count;
  }

  const TemporaryFolder m_folder;
  const std::vector<std::uint32_t> m_short = countedTo(7);
  const std::vector<std::uint32_t> m_long = countedTo(700'000);  // three blocks
};

TEST_F(CacheFiles, GiveBackWhatWasWritten) {
  const auto file = CacheFile::open(path(), kOfFiles);
  ASSERT_TRUE(file);
  ASSERT_EQ(file->sectionCount(), 3U);
  EXPECT_TRUE(file->isIntact({}, {}));
  const auto numbers = file->array<std::uint32_t>(2, m_long.size());
  ASSERT_TRUE(numbers);
  EXPECT_TRUE(std::ranges::equal(*numbers, m_long));
  EXPECT_EQ(file->section(0).size(), 28U);
  EXPECT_TRUE(file->section(1).empty());
  EXPECT_FALSE(file->array<std::uint32_t>(2, m_long.size() + 1));
  EXPECT_FALSE(file->array<std::uint64_t>(0, 3)) << "28 bytes are no whole numbers";
  EXPECT_FALSE(file->array<std::uint32_t>(3, 0)) << "no such section";
}

TEST_F(CacheFiles, AreTheirOwnersAlone) {
  struct stat status {};
  ASSERT_EQ(::stat(path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  ASSERT_EQ(::chmod(path().c_str(), 0620), 0);
  EXPECT_FALSE(CacheFile::open(path(), kOfFiles)) << "others may have written it";
}

TEST_F(CacheFiles, AreAboutOneThing) {
  EXPECT_FALSE(CacheFile::open(path(), {17, 5}));
  EXPECT_FALSE(CacheFile::open(path(), {16, 4}));
  ASSERT_TRUE(write({1, 2}));
  EXPECT_FALSE(CacheFile::open(path(), kOfFiles));
}

TEST_F(CacheFiles, AreNoLinksFoldersOrPipes) {
  std::filesystem::create_symlink(path(), m_folder / "link.kept");
  EXPECT_FALSE(CacheFile::open(m_folder / "link.kept", kOfFiles));
  EXPECT_FALSE(CacheFile::open(m_folder.path(), kOfFiles));
  ASSERT_EQ(::mkfifo((m_folder / "pipe.kept").c_str(), 0600), 0);
  EXPECT_FALSE(CacheFile::open(m_folder / "pipe.kept", kOfFiles));
  EXPECT_FALSE(CacheFile::open(m_folder / "nothing.kept", kOfFiles));
}

TEST_F(CacheFiles, AreNotUsedIfCut) {
  const std::string whole = contents();
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{100}, std::size_t{4095}, std::size_t{4096},
                                 whole.size() / 2, whole.size() - 1}) {
    replace(whole.substr(0, size));
    EXPECT_FALSE(isUsable()) << size;
  }
  replace(whole + "x");
  EXPECT_FALSE(isUsable()) << "longer than it was";
  replace(whole);
  EXPECT_TRUE(isUsable());
}

TEST_F(CacheFiles, AreNotUsedIfAnyBitIsWrong) {
  const std::string whole = contents();
  std::mt19937 random(1);
  // Behind the header and between sections lie bytes that nobody reads.
  std::vector<std::size_t> places(320);
  std::iota(places.begin(), places.end(), std::size_t{0});
  for (int i = 0; i < 50; ++i) {
    places.push_back(4096 + random() % 28);
    places.push_back(8192 + random() % (m_long.size() * sizeof(std::uint32_t)));
    places.push_back(whole.size() - 1 - random() % 32);
  }
  std::fstream file(path(), std::ios::binary | std::ios::in | std::ios::out);
  const auto put = [&file](std::size_t place, char byte) {
    file.seekp(static_cast<std::streamoff>(place)).put(byte).flush();
  };
  for (const std::size_t place : places) {
    put(place, static_cast<char>(whole[place] ^ (1 << random() % 8)));
    EXPECT_FALSE(isUsable()) << place;
    put(place, whole[place]);
  }
  EXPECT_TRUE(isUsable());
}

TEST_F(CacheFiles, PassTheirChecksBlockByBlock) {
  const auto file = CacheFile::open(path(), kOfFiles);
  std::array<CacheFile::BlockCheck, 3> checks{};
  std::atomic<std::size_t> bytes = 0;
  checks[2] = [&](std::size_t firstByte, Bytes block) {
    std::uint32_t first = 0;
    EXPECT_TRUE(tryReadAt(block, 0, first));
    EXPECT_EQ(first * sizeof(first), firstByte);
    bytes += block.size();
    return true;
  };
  EXPECT_TRUE(file->isIntact(checks, {}));
  EXPECT_EQ(bytes, m_long.size() * sizeof(std::uint32_t));
  checks[2] = [](std::size_t firstByte, Bytes) { return firstByte == 0; };
  EXPECT_FALSE(file->isIntact(checks, {}));
}

TEST_F(CacheFiles, StayWhatTheyWereForWhoHasThemOpen) {
  const auto file = CacheFile::open(path(), kOfFiles);
  std::filesystem::remove(path());
  ASSERT_TRUE(write({1, 2}));
  EXPECT_TRUE(file->isIntact({}, {}));
  EXPECT_EQ((*file->array<std::uint32_t>(2, m_long.size()))[123'456], 123'456U);
}

TEST_F(CacheFiles, LoseTheirBytesWithoutEndingTheProgram) {
  const auto file = CacheFile::open(path(), kOfFiles);
  std::filesystem::resize_file(path(), 8192);
  EXPECT_FALSE(file->isIntact({}, {}));
  EXPECT_TRUE(file->isLost());
}

TEST_F(CacheFiles, AreWrittenWholeOrNotAtAll) {
  const std::string before = contents();
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit whole{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &whole), 0);
  const rlimit little{1 << 20, whole.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
  const auto written = write({1, 2});
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &whole), 0);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().error().what.find("cannot be written"), std::string::npos);
  EXPECT_EQ(contents(), before);
  EXPECT_EQ(filesInFolder(), 1U);
}

}  // namespace
}  // namespace heapscape::engine
