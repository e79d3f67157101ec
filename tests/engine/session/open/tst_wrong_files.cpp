// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>

#include "support/builders/core_builder.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/temporary_folder.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

/// The failure of a file that cannot be opened, checked to be what a person can be told.
Error failureOf(const std::filesystem::path& path) {
  RecordingListener listener;
  const auto opened = openDump(path, {}, &listener, {});
  if (opened || opened.error().isCancelled()) {
    ADD_FAILURE() << path << " gave " << messageOf(opened);
    return {ErrorCode::NotFound, "no error"};
  }
  const Error& error = opened.error().error();
  const std::string message = error.message();
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_LT(message.size(), 500u) << message;
  EXPECT_TRUE(error.what.ends_with('.')) << message;
  EXPECT_TRUE(error.help.empty() || error.help.ends_with('.')) << message;
  for (const Snapshot& snapshot : listener.stages) EXPECT_LT(snapshot.stage(), Stage::Objects);
  return error;
}

class WrongFile : public testing::Test {
 protected:
  Error failureOfBytes(const FileBytes& bytes) {
    writeFile(m_path, bytes);
    return failureOf(m_path);
  }
  static bool says(const Error& error, std::string_view part) {
    return error.message().find(part) != std::string::npos;
  }

  TemporaryFolder m_folder;
  std::filesystem::path m_path = m_folder / "core";
};

TEST_F(WrongFile, ThatIsNoElf) {
  const Error error = failureOfBytes(bytesOfText("Dear diary,\n"));
  EXPECT_EQ(error.code, ErrorCode::NotACoreDump);
  EXPECT_TRUE(says(error, "text")) << error.message();
}

TEST_F(WrongFile, ThatIsAProgram) {
  const Error error = failureOf("/proc/self/exe");
  EXPECT_EQ(error.code, ErrorCode::NotACoreDump);
}

TEST_F(WrongFile, ThatIsOfA32BitProcess) {
  const Error error = failureOfBytes(foreignCore(ELFCLASS32, ELFDATA2LSB, EM_386));
  EXPECT_EQ(error.code, ErrorCode::NotACoreDump);
  EXPECT_TRUE(says(error, "32-bit")) << error.message();
}

TEST_F(WrongFile, ThatIsOfAProcessWithoutDotNet) {
  CoreBuilder builder;
  builder.memory(0x555500000000, pattern(8192))
      .mappedFile({{0x555500000000}, {0x555500002000}}, 0, "/usr/bin/sleep")
      .mappedFile({{0x7f0000000000}, {0x7f0000002000}}, 0, "/usr/lib/x86_64-linux-gnu/libc.so.6")
      .memory(0x7f0000000000, pattern(8192))
      .thread(100, 0x555500001000, 0x555500000100)
      .process(100, "sleep", "sleep 1000");
  const Error error = failureOfBytes(builder.build());
  EXPECT_EQ(error.code, ErrorCode::NoRuntime);
  EXPECT_TRUE(says(error, "without .NET")) << error.message();
  EXPECT_TRUE(says(error, "sleep")) << error.message();
  EXPECT_FALSE(error.help.empty());
}

TEST_F(WrongFile, ThatDoesNotSayWhatWasMapped) {
  EXPECT_EQ(failureOfBytes(CoreBuilder().memory(0x10000, pattern(4096)).build()).code, ErrorCode::NoRuntime);
}

TEST_F(WrongFile, ThatOnlyClaimsToHaveTheRuntime) {
  CoreBuilder builder;
  builder.memory(0x7f0000000000, pattern(8192))
      .mappedFile({{0x7f0000000000}, {0x7f0000002000}}, 0, "/opt/10.0.12/libcoreclr.so");
  EXPECT_EQ(failureOfBytes(builder.build()).code, ErrorCode::NoRuntime);
}

TEST_F(WrongFile, ThatIsOfMono) {
  CoreBuilder builder;
  builder.memory(0x7f0000000000, pattern(8192))
      .mappedFile({{0x7f0000000000}, {0x7f0000002000}}, 0, "/usr/lib/libmonosgen-2.0.so");
  const Error error = failureOfBytes(builder.build());
  EXPECT_EQ(error.code, ErrorCode::NoRuntime);
  EXPECT_TRUE(says(error, "Mono")) << error.message();
}

TEST_F(WrongFile, ThatIsNotThere) {
  EXPECT_EQ(failureOf(m_folder / "nothing").code, ErrorCode::FileUnreadable);
}

TEST_F(WrongFile, ThatIsADirectory) {
  const Error error = failureOf(m_folder.path());
  EXPECT_EQ(error.code, ErrorCode::FileUnreadable);
  EXPECT_TRUE(says(error, "directory") || says(error, "folder")) << error.message();
}

TEST_F(WrongFile, ThatIsEmpty) {
  const Error error = failureOfBytes({});
  EXPECT_EQ(error.code, ErrorCode::FileUnreadable);
  EXPECT_TRUE(says(error, "empty")) << error.message();
}

TEST_F(WrongFile, ThatMayNotBeRead) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  writeFile(m_path, pattern(100));
  std::filesystem::permissions(m_path, std::filesystem::perms::none);
  EXPECT_EQ(failureOf(m_path).code, ErrorCode::FileUnreadable);
}

TEST_F(WrongFile, ThatIsAPipeOrADevice) {
  EXPECT_EQ(failureOf("/dev/null").code, ErrorCode::FileUnreadable);
}

TEST_F(WrongFile, ThatIsNoZstandardDespiteItsName) {
  m_path = m_folder / "core.zst";
  const Error error = failureOfBytes(bytesOfText("not compressed at all, whatever it is called"));
  EXPECT_TRUE(error.code == ErrorCode::NotACoreDump || error.code == ErrorCode::FileUnreadable);
}

}  // namespace
}  // namespace heapscape::engine
