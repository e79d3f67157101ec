// SPDX-License-Identifier: MIT
// Dumps that come through a pipe, as from ssh, kubectl and gzip.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "cli_run.h"
#include "support/opened_core.h"
#include "support/packed.h"
#include "support/temporary_folder.h"

namespace heapscape::cli::test {

namespace {

using namespace heapscape::test;

FileBytes coreBytes() {
  const auto file = openDump(unpackedDump("shop-10"));
  return FileBytes(file->bytes().begin(), file->bytes().end());
}

/// A pipe in a folder that gives these bytes once to whoever reads it.
class Writer {
 public:
  Writer(std::filesystem::path pipe, FileBytes bytes) : m_path(std::move(pipe)), m_bytes(std::move(bytes)) {
    if (::mkfifo(m_path.c_str(), 0600) != 0) throw std::runtime_error("no pipe");
    m_thread = std::jthread([this] { write(); });
  }

 private:
  void write() {
    const int file = ::open(m_path.c_str(), O_WRONLY | O_CLOEXEC);
    for (std::size_t at = 0; at < m_bytes.size();) {
      const ssize_t put = ::write(file, m_bytes.data() + at, m_bytes.size() - at);
      if (put <= 0) break;
      at += static_cast<std::size_t>(put);
    }
    ::close(file);
  }

  std::filesystem::path m_path;
  FileBytes m_bytes;
  std::jthread m_thread;
};

struct PipedInput : testing::Test {
  TemporaryFolder folder;

  CliRun infoOf(FileBytes bytes) {
    const Writer writer(folder / "pipe", std::move(bytes));
    return runCli({"info", folder / "pipe", "--json"});
  }
};

TEST_F(PipedInput, IsReadPlainAndPackedAndInAnArchive) {
  const FileBytes core = coreBytes();
  const auto expected = answerOf({"info", unpackedDump("shop-10"), "--json"}).at("info");
  for (const FileBytes& bytes :
       {core, gzipped(core), gzipped(tarred({{"a/core", core}})), tarred({{"a/core", core}})}) {
    const CliRun run = infoOf(bytes);
    ASSERT_EQ(run.status, 0) << run.errors;
    const auto info = run.json().at("info");
    for (const char* figure : {"objects", "bytes", "freeBytes"})
      EXPECT_EQ(info.at(figure).dump(), expected.at(figure).dump());
    EXPECT_EQ(info.at("dump").at("bytes").dump(), expected.at("dump").at("bytes").dump());
    std::filesystem::remove(folder / "pipe");
  }
}

TEST_F(PipedInput, ThatEndsEarlyIsACutDump) {
  FileBytes core = coreBytes();
  const std::size_t whole = core.size();
  core.resize(whole * 9 / 10);
  const CliRun run = infoOf(core);
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.errors.find("is cut: 10.0% of its bytes are missing"), std::string::npos) << run.errors;
}

TEST_F(PipedInput, ThatGivesNothingIsSaidToGiveNothing) {
  const CliRun run = infoOf({});
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.errors.find("Nothing came from"), std::string::npos) << run.errors;
  EXPECT_EQ(run.errorLines(), 1U) << run.errors;
}

TEST_F(PipedInput, CanBeTheSecondOfAComparison) {
  const Writer writer(folder / "pipe", coreBytes());
  const auto totals = answerOf({"compare", unpackedDump("shop-10"), folder / "pipe", "--json"}).at("totals");
  EXPECT_EQ(totals.at("bytesBefore").dump(), totals.at("bytesAfter").dump());
}

// Nobody writes to it: the program waits, but not for ever.
TEST_F(PipedInput, IsInterruptedWhileItWaits) {
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const CliRun run = runCliAndInterrupt({"info", folder / "pipe"}, 0);
  EXPECT_TRUE(run.status == 130 || run.status == -1) << run.status << run.errors;
}

}  // namespace

}  // namespace heapscape::cli::test
