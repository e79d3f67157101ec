// SPDX-License-Identifier: MIT
// Input that is no dump with a heap: exit status 1 and exactly one line on standard error.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli_run.h"

namespace heapscape::cli::test {

namespace {

/// A folder of its own for the files that a test makes.
class BadInput : public testing::Test {
 protected:
  void SetUp() override {
    std::string path = (std::filesystem::temp_directory_path() / "heapscape-cli-XXXXXX").string();
    ASSERT_NE(mkdtemp(path.data()), nullptr);
    m_folder = path;
  }
  void TearDown() override { std::filesystem::remove_all(m_folder); }

  std::string write(const std::string& name, const std::string& bytes) const {
    const auto path = m_folder / name;
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path.string();
  }

  std::filesystem::path m_folder;
};

void expectRefused(const std::string& input) {
  for (const std::string verb : {"info", "objects"}) {
    const CliRun run = runCli({verb, input, "--json"});
    EXPECT_EQ(run.status, 1) << input;
    EXPECT_EQ(run.output, "") << input;
    EXPECT_EQ(run.errorLines(), 1U) << run.errors;
    EXPECT_TRUE(run.errors.starts_with("heapscape-cli: ")) << run.errors;
  }
}

/// The first bytes of an ELF file: 64-bit or 32-bit, of a type, for a machine.
std::string elfHeader(char bits, char type, char machine) {
  std::string header(
      "\x7f"
      "ELF",
      4);
  header += {bits, 1, 1};
  header.resize(16);
  header += {type, 0, machine, 0, 1, 0, 0, 0};
  header.resize(64);
  return header;
}

constexpr char k32Bit = 1;
constexpr char k64Bit = 2;
constexpr char kCore = 4;
constexpr char kX86 = 3;
constexpr char kX64 = 62;
constexpr char kArm64 = static_cast<char>(183);

}  // namespace

TEST_F(BadInput, missingFile) {
  expectRefused((m_folder / "nothing.core").string());
}

TEST_F(BadInput, directory) {
  expectRefused(m_folder.string());
}

TEST_F(BadInput, emptyFile) {
  expectRefused(write("empty.core", ""));
}

TEST_F(BadInput, text) {
  expectRefused(write("notes.txt", "These are not the bytes of a core dump.\n"));
}

TEST_F(BadInput, executable) {
  expectRefused(HEAPSCAPE_CLI);
}

TEST_F(BadInput, coreOf32Bits) {
  expectRefused(write("small.core", elfHeader(k32Bit, kCore, kX86)));
}

TEST_F(BadInput, coreOfAnotherMachine) {
  expectRefused(write("foreign.core", elfHeader(k64Bit, kCore, kArm64)));
}

TEST_F(BadInput, coreWithoutDotnet) {
  expectRefused(write("native.core", elfHeader(k64Bit, kCore, kX64)));
}

TEST_F(BadInput, brokenZst) {
  expectRefused(write("broken.core.zst", std::string("\x28\xb5\x2f\xfd garbage", 12)));
}

TEST_F(BadInput, fileWithoutPermission) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const std::string path = write("locked.core", "locked");
  chmod(path.c_str(), 0);
  expectRefused(path);
}

TEST_F(BadInput, compressedDumpCutAnywhere) {
  std::ifstream file(testData("shop-10.core.zst"), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(whole.empty());
  for (const std::size_t length : {std::size_t{3}, std::size_t{100}, whole.size() / 2, whole.size() - 1}) {
    const CliRun run = runCli({"info", write("cut.core.zst", whole.substr(0, length)), "--json"});
    ASSERT_TRUE(run.status == 0 || run.status == 1) << length;
    if (run.status == 1) {
      EXPECT_EQ(run.errorLines(), 1U) << run.errors;
    }
    if (run.status == 0) {
      EXPECT_EQ(run.json()["complete"], false) << length;
    }
  }
}

}  // namespace heapscape::cli::test
