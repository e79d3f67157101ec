// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "review/whole_file.h"
#include "support/temporary_folder.h"

namespace heapscape::engine {
namespace {

namespace fs = std::filesystem;

std::string contentOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(WholeFile, ReplacesWhatWasThereAndLeavesNothingElse) {
  const heapscape::test::TemporaryFolder folder;
  const fs::path path = folder.path() / "page.html";
  ASSERT_TRUE(writeWholeFile(path, "old and longer"));
  ASSERT_TRUE(writeWholeFile(path, "new"));
  EXPECT_EQ(contentOf(path), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(WholeFile, WritesThroughLinksAndIntoDevices) {
  const heapscape::test::TemporaryFolder folder;
  ASSERT_TRUE(writeWholeFile(folder.path() / "real", "1"));
  fs::create_symlink("real", folder.path() / "link");
  ASSERT_TRUE(writeWholeFile(folder.path() / "link", "2"));
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_EQ(contentOf(folder.path() / "real"), "2");
  EXPECT_TRUE(writeWholeFile("/dev/null", "gone"));
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
}

TEST(WholeFile, SaysWhyItCannotWriteOrRead) {
  const heapscape::test::TemporaryFolder folder;
  const auto written = writeWholeFile(folder.path() / "none" / "page.html", "x");
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().what.find("No such file"), std::string::npos) << written.error().what;
  EXPECT_FALSE(writeWholeFile(folder.path(), "x"));
  EXPECT_FALSE(readWholeFile(folder.path(), 100));
  ASSERT_TRUE(writeWholeFile(folder.path() / "large", std::string(101, 'x')));
  EXPECT_FALSE(readWholeFile(folder.path() / "large", 100));
  EXPECT_EQ(readWholeFile(folder.path() / "large", 101)->size(), 101u);
}

}  // namespace
}  // namespace heapscape::engine
