// SPDX-License-Identifier: MIT
#include "memory/dump_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <stop_token>
#include <thread>

#include "support/opened_core.h"
#include "support/temporary_folder.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

Error errorOf(const std::filesystem::path& path) {
  StageProgress progress(nullptr, "opening", 0, 1);
  const auto file = DumpFile::open(path, progress, {});
  if (file) return {ErrorCode::NotFound, "no error"};
  if (file.error().isCancelled()) return {ErrorCode::NotFound, "cancelled"};
  return file.error().error();
}

/// Takes root's privileges away for as long as it lives, if there are any.
class WithoutPrivileges {
 public:
  WithoutPrivileges() { m_dropped = ::geteuid() == 0 && ::seteuid(65534) == 0; }
  ~WithoutPrivileges() {
    if (m_dropped && ::seteuid(0) != 0) ADD_FAILURE() << "the privileges did not come back";
  }

 private:
  bool m_dropped = false;
};

TEST(DumpFile, MapsAWholeFile) {
  const TemporaryFolder folder;
  const FileBytes bytes = pattern(12345);
  writeFile(folder / "core", bytes);
  const auto file = openDump(folder / "core");
  EXPECT_TRUE(std::ranges::equal(file->bytes(), bytes));
  EXPECT_FALSE(file->isCompressed());
  EXPECT_EQ(file->damage(), "");
  EXPECT_EQ(file->path(), folder / "core");
}

TEST(DumpFile, KeepsItsBytesWhenTheFileIsDeleted) {
  const TemporaryFolder folder;
  const FileBytes bytes = pattern(10000);
  writeFile(folder / "core", bytes);
  const auto file = openDump(folder / "core");
  std::filesystem::remove(folder / "core");
  EXPECT_TRUE(std::ranges::equal(file->bytes(), bytes));
}

TEST(DumpFile, SaysThatAFileIsMissing) {
  const Error error = errorOf("/nonexistent/folder/core");
  EXPECT_EQ(error.code, ErrorCode::FileUnreadable);
  EXPECT_EQ(error.what, "There is no file /nonexistent/folder/core.");
  EXPECT_FALSE(error.help.empty());
}

TEST(DumpFile, SaysThatAFolderIsNoFile) {
  const TemporaryFolder folder;
  const Error error = errorOf(folder.path());
  EXPECT_EQ(error.code, ErrorCode::FileUnreadable);
  EXPECT_EQ(error.what, folder.path().string() + " is a folder, not a file.");
}

TEST(DumpFile, SaysThatAFileMayNotBeRead) {
  const TemporaryFolder folder;
  writeFile(folder / "core", pattern(100));
  ASSERT_EQ(::chmod((folder / "core").c_str(), 0), 0);
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
  const WithoutPrivileges user;
  const Error error = errorOf(folder / "core");
  EXPECT_EQ(error.code, ErrorCode::FileUnreadable);
  EXPECT_EQ(error.what, (folder / "core").string() + " may not be read by this user.");
  EXPECT_NE(error.help.find("permissions"), std::string::npos);
}

TEST(DumpFile, SaysThatAFileIsEmpty) {
  const TemporaryFolder folder;
  writeFile(folder / "core", {});
  const Error error = errorOf(folder / "core");
  EXPECT_EQ(error.code, ErrorCode::FileUnreadable);
  EXPECT_EQ(error.what, (folder / "core").string() + " is empty.");
}

TEST(DumpFile, StopsWaitingForAPipe) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  StageProgress progress(nullptr, "opening", 0, 1);
  std::stop_source source;
  const std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    source.request_stop();
  });
  const auto file = DumpFile::open(folder / "pipe", progress, source.get_token());
  ASSERT_FALSE(file);
  EXPECT_TRUE(file.error().isCancelled());
}

TEST(DumpFile, DoesNotReadADevice) {
  const Error error = errorOf("/dev/zero");
  EXPECT_EQ(error.code, ErrorCode::FileUnreadable);
  EXPECT_EQ(error.what, "/dev/zero is a device, not a file.");
}

TEST(DumpFile, IsCancelledBeforeItBegins) {
  const TemporaryFolder folder;
  writeFile(folder / "core", pattern(100));
  StageProgress progress(nullptr, "opening", 0, 1);
  std::stop_source source;
  source.request_stop();
  const auto file = DumpFile::open(folder / "core", progress, source.get_token());
  ASSERT_FALSE(file);
  EXPECT_TRUE(file.error().isCancelled());
}

}  // namespace
}  // namespace heapscape::engine
