// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "session/open/memory_need.h"
#include "session/open/open_both.h"
#include "session/open/retained_stage.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/temporary_folder.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

/// What /proc and /sys of a machine say.
class Machine {
 public:
  explicit Machine(const std::string& available) {
    write("proc/meminfo",
          "MemTotal: 24000000 kB\nMemFree: 100 kB\nMemAvailable:   " + available + " kB\nBuffers: 1 kB\n");
  }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((m_root / name).parent_path());
    std::ofstream(m_root / name) << text;
  }
  std::optional<std::uint64_t> free() const { return freeMemoryBytes(m_root.path()); }

 private:
  TemporaryFolder m_root;
};

TEST(FreeMemory, IsWhatTheKernelSaysIsAvailable) {
  EXPECT_EQ(Machine("2048").free(), 2048u * 1024);
  EXPECT_FALSE(freeMemoryBytes(TemporaryFolder().path()));
  const auto here = freeMemoryBytes();
  ASSERT_TRUE(here);
  EXPECT_GT(*here, 0u);
}

TEST(FreeMemory, IsWhatTheTightestGroupAbovePutsUpWith) {
  const Machine machine("1000000000");
  machine.write("proc/self/cgroup", "0::/pods/this\n");
  machine.write("sys/fs/cgroup/pods/memory.max", "5000000\n");
  machine.write("sys/fs/cgroup/pods/memory.current", "4000000\n");
  machine.write("sys/fs/cgroup/pods/memory.stat",
                "anon 1000000\nfile 3000000\ninactive_file 2000000\nactive_file 500000\n");
  machine.write("sys/fs/cgroup/pods/this/memory.max", "max\n");
  machine.write("sys/fs/cgroup/pods/this/memory.current", "10\n");
  EXPECT_EQ(machine.free(), 5000000u - (4000000u - 2500000u));
}

TEST(FreeMemory, KnowsGroupsOfTheFirstVersionAndAContainersOwnAsTheTopmost) {
  const Machine machine("1000000000");
  machine.write("proc/self/cgroup", "9:cpu,cpuacct:/a\n4:memory:/docker/abc\n");
  machine.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "8000000\n");
  machine.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "9000000\n");
  machine.write("sys/fs/cgroup/memory/memory.stat", "cache 5\ntotal_inactive_file 2000000\n");
  EXPECT_EQ(machine.free(), 1000000u);
}

TEST(FreeMemory, IsWhatALimitOfTheProcessLeaves) {
  const Machine machine("1000000000");
  machine.write("proc/self/status", "Name:\tx\nVmPeak:\t  900 kB\nVmSize:\t  800 kB\nVmData:\t  100 kB\n");
  const auto limits = [&](const std::string& data, const std::string& addresses) {
    machine.write("proc/self/limits",
                  "Limit                     Soft Limit           Hard Limit           Units     \n"
                  "Max data size             " +
                      data +
                      "            unlimited            bytes     \n"
                      "Max address space         " +
                      addresses + "            unlimited            bytes     \n");
  };
  limits("unlimited", "unlimited");
  EXPECT_EQ(machine.free(), 1000000000u * 1024ull);
  limits("unlimited", "1024000");
  EXPECT_EQ(machine.free(), 1024000u - 800u * 1024);
  limits("110000", "1024000");
  EXPECT_EQ(machine.free(), 110000u - 100u * 1024);
  limits("100", "unlimited");
  EXPECT_EQ(machine.free(), 0u);
}

TEST(FreeMemory, IsNoMoreThanTheMachineHasWhereAGroupMayTakeAll) {
  const Machine machine("7");
  machine.write("proc/self/cgroup", "4:memory:/\n");
  machine.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  machine.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "9000000\n");
  EXPECT_EQ(machine.free(), 7u * 1024);
}

TEST(RetainedMemory, IsAskedForBeforeItIsTaken) {
  RecordingListener listener;
  const auto opened = openDump(packedDumpPath("shop-10"), {}, nullptr, {});
  ASSERT_TRUE(opened) << messageOf(opened);
  const std::uint64_t objects = opened->totals().objects;
  const auto refused = addRetained(*opened, {.memoryBytes = retainedNeedBytes(objects) - 1}, &listener, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().error().code, ErrorCode::NotEnoughMemory);
  EXPECT_EQ(refused.error().error().what,
            "Retained sizes of 33,096 objects need about 1.39 MB of memory, and 1.39 MB is what they may take.");
  EXPECT_TRUE(listener.stages.empty());
  const auto computed = addRetained(*opened, {.memoryBytes = retainedNeedBytes(objects)}, &listener, {});
  ASSERT_TRUE(computed) << messageOf(computed);
  EXPECT_TRUE(computed->has(Stage::Retained));
}

TEST(RetainedMemory, OfTwoDumpsAtTheSameTimeIsThatOfBoth) {
  const std::array<std::filesystem::path, 2> paths{packedDumpPath("shop-10"), packedDumpPath("shop-8")};
  const auto open = [&](std::optional<std::uint64_t> memoryBytes) {
    return openBoth(paths, {.retained = {.memoryBytes = memoryBytes}}, nullptr, {});
  };
  const auto both = open({});
  std::uint64_t needed = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    ASSERT_TRUE(both[i]) << messageOf(both[i]);
    EXPECT_EQ(both[i]->retainedTotals().reachableBytes,
              openSnapshot(paths[i], Stage::Retained).retainedTotals().reachableBytes);
    needed += retainedNeedBytes(both[i]->totals().objects);
  }
  const auto refused = open(needed / 2);
  for (const auto& one : refused) {
    ASSERT_FALSE(one);
    EXPECT_EQ(one.error().error().code, ErrorCode::NotEnoughMemory);
  }
  for (const auto& one : open(needed)) EXPECT_TRUE(one) << messageOf(one);
}

TEST(RetainedMemory, OfTwoDumpsIsNotAskedForWhereOneOfThemIsNone) {
  const auto opened = openBoth({packedDumpPath("shop-10"), "/proc/self/status"}, {}, nullptr, {});
  EXPECT_TRUE(opened[0]) << messageOf(opened[0]);
  EXPECT_FALSE(opened[1]);
}

TEST(RetainedMemory, IsNotNeededForWhatIsThereAlready) {
  const MemoryNeed need{.of = "Tables", .objects = 2'000'000, .bytes = 1000, .takenBytes = 600, .help = "Else all."};
  EXPECT_TRUE(checkMemory(need, 1000));
  const auto refused = checkMemory(need, 999);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message(),
            "Tables of 2.0 million objects need about 1000 bytes of memory, and 999 bytes is what they may take. "
            "Else all.");
  constexpr std::uint64_t kMoreThanAnyMachineHas = std::uint64_t{1} << 60;
  EXPECT_FALSE(checkMemory({.of = "Tables", .bytes = kMoreThanAnyMachineHas}, {}));
  EXPECT_TRUE(checkMemory({.of = "Tables", .bytes = kMoreThanAnyMachineHas, .takenBytes = kMoreThanAnyMachineHas}, {}));
}

}  // namespace
}  // namespace heapscape::engine
