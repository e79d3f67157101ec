// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "opened_dump_file.h"
#include "support/packed.h"
#include "support/zstandard.h"

namespace heapscape::engine {
namespace {

/// Room on the disk of this process, as long as one lives: what others write to it is taken away while a dump is being
/// unpacked, which no test can do for real.
struct ShrinkingDisk {
  explicit ShrinkingDisk(std::uint64_t bytes) { s_room = bytes; }
  ~ShrinkingDisk() { s_room = UINT64_MAX; }
  ShrinkingDisk(const ShrinkingDisk&) = delete;
  ShrinkingDisk& operator=(const ShrinkingDisk&) = delete;

  static inline std::uint64_t s_room = UINT64_MAX;
};

}  // namespace
}  // namespace heapscape::engine

// In place of the C library's.
extern "C" ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
  std::uint64_t& room = heapscape::engine::ShrinkingDisk::s_room;
  if (room == 0) {
    errno = ENOSPC;
    return -1;
  }
  const auto put =
      static_cast<ssize_t>(::syscall(SYS_pwrite64, file, bytes, std::min<std::uint64_t>(size, room), offset));
  if (put > 0 && room != UINT64_MAX) room -= static_cast<std::uint64_t>(put);
  return put;
}

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

constexpr std::size_t kCoreBytes = 6'000'000;

FileBytes someCore() {
  return CoreBuilder().memory(0x10000, pattern(kCoreBytes)).build();
}

/// What is not a page of zeros.
std::uint64_t neededBytes(const FileBytes& core) {
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at < core.size(); at += 4096) {
    const auto page = Bytes(core).subspan(at, std::min<std::size_t>(4096, core.size() - at));
    if (std::ranges::any_of(page, [](std::byte byte) { return byte != std::byte{0}; })) sum += page.size();
  }
  return sum;
}

struct Packing {
  const char* name;
  FileBytes (*pack)(const FileBytes& core);
};

class FullDisk : public OpenedDumpFile, public testing::WithParamInterface<Packing> {
 protected:
  FullDisk() : OpenedDumpFile("core.packed") {}
};

INSTANTIATE_TEST_SUITE_P(Packings, FullDisk,
                         testing::Values(Packing{"zstd", [](const FileBytes& core) { return compressed(core, false); }},
                                         Packing{"zstd_with_length",
                                                 [](const FileBytes& core) { return compressed(core); }},
                                         Packing{"gzip", [](const FileBytes& core) { return gzipped(core); }},
                                         Packing{"tar_gzip",
                                                 [](const FileBytes& core) {
                                                   return gzipped(tarred({{"core", core}}));
                                                 }}),
                         [](const auto& packing) { return packing.param.name; });

TEST_P(FullDisk, SaysHowMuchRoomItWouldTake) {
  const FileBytes core = someCore();
  const FileBytes packed = GetParam().pack(core);
  writeFile(m_path, packed);
  StageProgress progress(nullptr, "opening", 0, 1);
  const auto outcome = [&] {
    const ShrinkingDisk disk(2'500'000);
    return DumpFile::open(m_path, progress, {});
  }();
  ASSERT_FALSE(outcome);
  ASSERT_FALSE(outcome.error().isCancelled());
  const Error& error = outcome.error().error();
  EXPECT_EQ(error.code, ErrorCode::FileUnreadable);
  EXPECT_EQ(error.what.find("There is not enough room in " + m_folder.path().string() + " to decompress " +
                            m_path.string() + ": at least " + std::to_string(neededBytes(core)) + " bytes ("),
            0u)
      << error.what;
  EXPECT_NE(error.help.find("TMPDIR"), std::string::npos);
}

/// Runs in a process of its own with a disk of `size` ("2m") on a folder; false if the kernel allows none.
template <class Act>
bool withSmallDisk(const std::filesystem::path& folder, const char* size, Act act) {
  std::array<int, 2> outcome{};
  if (::pipe2(outcome.data(), O_CLOEXEC) != 0) return false;
  const auto user = ::getuid();
  const auto group = ::getgid();
  const pid_t child = ::fork();
  if (child == 0) {
    const auto write = [](const char* path, const std::string& text) { std::ofstream(path) << text; };
    bool isAllowed = ::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0;
    write("/proc/self/setgroups", "deny");
    write("/proc/self/uid_map", "0 " + std::to_string(user) + " 1");
    write("/proc/self/gid_map", "0 " + std::to_string(group) + " 1");
    const std::string options = std::string("size=") + size;
    isAllowed = isAllowed && ::mount("disk", folder.c_str(), "tmpfs", 0, options.c_str()) == 0;
    const std::string text = isAllowed ? act() : std::string();
    const char first = isAllowed ? 'y' : 'n';
    const bool isTold = ::write(outcome[1], &first, 1) == 1 &&
                        ::write(outcome[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::_exit(isTold ? 0 : 1);
  }
  ::close(outcome[1]);
  std::string told;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = ::read(outcome[0], buffer.data(), buffer.size())) > 0;)
    told.append(buffer.data(), static_cast<std::size_t>(got));
  ::close(outcome[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  if (told.empty() || told.front() != 'y') return false;
  EXPECT_EQ(told.substr(1), "");
  return true;
}

TEST_P(FullDisk, IsToldOfARealOne) {
  const FileBytes core = someCore();
  const FileBytes packed = GetParam().pack(core);
  const TemporaryFolder disk;
  writeFile(m_path, packed);
  const bool isAllowed = withSmallDisk(disk.path(), "2m", [&]() -> std::string {
    ::setenv("TMPDIR", disk.path().c_str(), 1);
    StageProgress progress(nullptr, "opening", 0, 1);
    const auto outcome = DumpFile::open(m_path, progress, {});
    if (outcome || outcome.error().isCancelled()) return "it was opened";
    const std::string& what = outcome.error().error().what;
    const bool tellsNeed = what.find("at least " + std::to_string(neededBytes(core)) + " bytes (") != std::string::npos;
    // All of the disk is free: nothing is left of what was written.
    const bool tellsRoom = what.find(", 2097152 bytes (2.00 MB) are free.") != std::string::npos;
    return tellsNeed && tellsRoom ? std::string() : what;
  });
  if (!isAllowed) GTEST_SKIP() << "no disk of our own";
}

}  // namespace
}  // namespace heapscape::engine
