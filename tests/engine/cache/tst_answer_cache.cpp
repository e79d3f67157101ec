// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <ctime>
#include <fstream>
#include <thread>

#include "reopened_dump.h"
#include "session/cache/answer_cache.h"
#include "support/temporary_folder.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr Hash128 kOfCaches{1, 2};
constexpr std::uint64_t kFileBytes = 1 << 20;

/// Files of a megabyte.
class Caches : public testing::Test {
 protected:
  CacheContents contents() const { return {.sections = {std::as_bytes(std::span(m_numbers))}}; }
  Outcome<void> keep(const AnswerCache& cache, const std::string& name) const {
    return cache.keep(name, kOfCaches, contents(), {});
  }
  static void setUsed(const std::filesystem::path& file, std::int64_t secondsAgo) {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    const std::array<timespec, 2> times{timespec{now.tv_sec - secondsAgo, 0}, timespec{now.tv_sec - secondsAgo, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), times.data(), 0), 0);
  }

  std::vector<std::uint64_t> m_numbers = std::vector<std::uint64_t>(kFileBytes / sizeof(std::uint64_t), 5);
};

TEST_F(Caches, MakeTheirFolderForTheirOwnerAlone) {
  const KeepingFolder folder;
  EXPECT_FALSE(folder.cache()->find("one", kOfCaches));
  ASSERT_TRUE(keep(*folder.cache(), "one"));
  struct stat status {};
  ASSERT_EQ(::stat(folder.folder().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700U);
  const auto file = folder.cache()->find("one", kOfCaches);
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->isIntact({}, {}));
  EXPECT_EQ(folder.cache()->use().files, 1U);
}

TEST_F(Caches, RemoveWhatWasNotUsedForLongest) {
  const KeepingFolder folder(4 * kFileBytes);
  for (const char* name : {"one", "two", "three"}) {
    ASSERT_TRUE(keep(*folder.cache(), name));
    setUsed(folder.fileOf(name), 1000);
  }
  setUsed(folder.fileOf("two"), 3000);
  setUsed(folder.fileOf("one"), 2000);
  ASSERT_TRUE(folder.cache()->find("two", kOfCaches)) << "which is now the last used one";
  ASSERT_TRUE(keep(*folder.cache(), "four"));
  EXPECT_TRUE(folder.fileOf("one").empty());
  for (const char* name : {"two", "three", "four"}) EXPECT_FALSE(folder.fileOf(name).empty()) << name;
  EXPECT_LE(folder.cache()->use().bytes, 4 * kFileBytes);
}

TEST_F(Caches, KeepNothingThatIsTooLarge) {
  const KeepingFolder folder(kFileBytes);
  const auto kept = keep(*folder.cache(), "one");
  ASSERT_FALSE(kept);
  EXPECT_NE(kept.error().error().what.find("more than the 1.00 MB that may be taken"), std::string::npos)
      << kept.error().error().what;
  EXPECT_EQ(folder.cache()->use().files, 0U);
}

TEST_F(Caches, TakeAwayWhatWasLeftUnfinished) {
  const KeepingFolder folder(4 * kFileBytes);
  ASSERT_TRUE(keep(*folder.cache(), "one"));
  const auto old = folder.folder() / "two.kept.1.1.unfinished";
  const auto current = folder.folder() / "two.kept.2.1.unfinished";
  for (const auto& file : {old, current}) std::ofstream(file) << "begun";
  setUsed(old, 2 * 3600);
  ASSERT_TRUE(keep(*folder.cache(), "three"));
  EXPECT_FALSE(std::filesystem::exists(old));
  EXPECT_TRUE(std::filesystem::exists(current)) << "another program is writing it";
}

TEST_F(Caches, LeaveTheFilesOfOthersAlone) {
  const KeepingFolder folder(2 * kFileBytes);
  ASSERT_TRUE(keep(*folder.cache(), "one"));
  std::ofstream(folder.folder() / "letter.txt") << "Dear";
  std::filesystem::create_directory(folder.folder() / "folder.kept");
  ASSERT_TRUE(keep(*folder.cache(), "two"));
  folder.cache()->clear();
  EXPECT_EQ(folder.cache()->use().files, 0U);
  EXPECT_EQ(folder.files(), (std::vector{folder.folder() / "folder.kept", folder.folder() / "letter.txt"}));
}

TEST_F(Caches, MayBeClearedWhileAFileIsWritten) {
  const KeepingFolder folder;
  const std::jthread other([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) folder.cache()->clear();
  });
  for (int round = 0; round < 200; ++round) {
    const auto kept = keep(*folder.cache(), "one");
    ASSERT_TRUE(kept) << kept.error().error().what;
  }
}

TEST(UserCacheFolder, IsWhereTheEnvironmentSays) {
  const ScopedVariable home("HOME", "/home/ada");
  const ScopedVariable none("HEAPSCAPE_CACHE", "");
  {
    const ScopedVariable caches("XDG_CACHE_HOME", "/var/ada");
    EXPECT_EQ(userCacheFolder(), "/var/ada/heapscape");
    const ScopedVariable own("HEAPSCAPE_CACHE", "/mnt/kept");
    EXPECT_EQ(userCacheFolder(), "/mnt/kept");
    const ScopedVariable off("HEAPSCAPE_CACHE", "off");
    EXPECT_EQ(userCacheFolder(), "");
  }
  const ScopedVariable caches("XDG_CACHE_HOME", "relative");
  EXPECT_EQ(userCacheFolder(), "/home/ada/.cache/heapscape");
  const ScopedVariable nobody("HOME", "");
  EXPECT_EQ(userCacheFolder(), "");
}

}  // namespace
}  // namespace heapscape::engine
