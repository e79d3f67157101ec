// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "capture/capture_room.h"
#include "capture/processes.h"
#include "engine/capture/seeming_process.h"
#include "engine/capture/seeming_runtime.h"

namespace heapscape::test {
namespace {

using namespace engine;

/// A socket at which nobody listens any more.
void leaveSocket(const std::filesystem::path& path) {
  const SeemingRuntime listener(path, {});
}

TEST(Processes, AreFoundByTheirSockets) {
  const SeemingMachine machine;
  const SeemingProcess process(machine.places, 4000);
  leaveSocket(machine.places.temporary / process.socketName());
  const auto found = findDotnetProcesses(machine.places);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].pid, 4000u);
  EXPECT_EQ(found[0].namespacePid, 4000u);
  EXPECT_EQ(found[0].startTicks, 4711u);
  EXPECT_EQ(found[0].state, 'S');
  EXPECT_EQ(found[0].name, "dotnet");
  EXPECT_EQ(found[0].command, "dotnet shop.dll --fast");
  EXPECT_EQ(found[0].residentBytes, 4u << 20);
  EXPECT_EQ(found[0].userId, ::geteuid());
  EXPECT_EQ(found[0].gc, GcMode::Workstation);
  EXPECT_FALSE(found[0].isElsewhere);
  EXPECT_EQ(found[0].socket, machine.places.temporary / process.socketName());
  EXPECT_EQ(found[0].temporary, machine.places.temporary);
}

TEST(Processes, AreFoundInContainersByThePidThatTheyHaveThere) {
  const SeemingMachine machine;
  SeemingProcess process(machine.places, 4000);
  const auto root = machine.folder / "container";
  std::filesystem::create_directories(root / "tmp");
  process.namespacePid(1).root(root).environment({"HOME=/root", "TMPDIRECTORY=/x"});
  leaveSocket(root / "tmp" / process.socketName());
  const auto found = findDotnetProcess(machine.places, 4000);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->namespacePid, 1u);
  EXPECT_TRUE(found->isElsewhere);
  EXPECT_EQ(found->temporary, "/tmp");
  EXPECT_EQ(found->socket, process.folder() / "root/tmp" / process.socketName());
}

TEST(Processes, HaveTheirOwnFolderForTemporaryFiles) {
  const SeemingMachine machine;
  SeemingProcess process(machine.places, 4000);
  const auto root = machine.folder / "container";
  std::filesystem::create_directories(root / "run/app");
  process.root(root).environment({"A=1", "TMPDIR=/run/app/"});
  leaveSocket(root / "run/app" / process.socketName());
  EXPECT_EQ(findDotnetProcess(machine.places, 4000)->socket, process.folder() / "root/run/app" / process.socketName());
}

TEST(Processes, DoNotOwnSocketsOfOthersThatHadTheirPid) {
  const SeemingMachine machine;
  const SeemingProcess process(machine.places, 4000);
  leaveSocket(machine.places.temporary / "dotnet-diagnostic-4000-12-socket");
  std::ofstream(machine.places.temporary / process.socketName()) << "no socket";
  const auto found = findDotnetProcess(machine.places, 4000);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->socket, "");
}

TEST(Processes, AreKnownByTheirThreadsWithoutSocket) {
  const SeemingMachine machine;
  SeemingProcess(machine.places, 1).threads({"systemd"});
  SeemingProcess(machine.places, 4000);
  SeemingProcess(machine.places, 4001).threads({"dotnet", ".NET Finalizer", ".NET Server GC", ".NET Server GC"});
  SeemingProcess(machine.places, 4002).threads({"dotnet", ".NET EventPipe"});
  SeemingProcess(machine.places, 4003).state('Z');
  const auto found = findDotnetProcesses(machine.places);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].gc, GcMode::Workstation);
  EXPECT_EQ(found[1].gc, GcMode::Server);
  EXPECT_EQ(found[1].gcThreads, 2u);
  EXPECT_EQ(found[2].gc, std::nullopt);  // its heap may not be there yet
}

TEST(Processes, MayHaveAnyName) {
  const SeemingMachine machine;
  SeemingProcess process(machine.places, 4000);
  process.name("a) R 1 (b");
  const auto found = findDotnetProcess(machine.places, 4000);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "a) R 1 (b");
  EXPECT_EQ(found->startTicks, 4711u);
}

TEST(Processes, AreRefusedWhereThereIsNothing) {
  const SeemingMachine machine;
  SeemingProcess(machine.places, 1).threads({"systemd"});
  EXPECT_NE(findDotnetProcess(machine.places, 2).error().what.find("There is no process 2."), std::string::npos);
  EXPECT_NE(findDotnetProcess(machine.places, 1).error().what.find("shows nothing of .NET"), std::string::npos);
  EXPECT_TRUE(findDotnetProcesses({.processes = machine.folder / "none", .temporary = "/tmp"}).empty());
}

TEST(Processes, WhoseFilesAreDamagedAreNone) {
  const SeemingMachine machine;
  const SeemingProcess process(machine.places, 4000);
  for (const char* text : {"", "4000", "4000 (dotnet", "4000 (dotnet) ", "4000 (dotnet) S 1 2 3",
                           "4000 (dotnet) S x 1 1 0 -1 0 1 0 0 0 10 5 0 0 20 0 3 0 99999999999999999999 1 2"}) {
    std::ofstream(process.folder() / "stat", std::ios::trunc) << text;
    EXPECT_FALSE(findDotnetProcess(machine.places, 4000)) << text;
  }
}

TEST(Processes, AreTheSameOnlyWithTheirStart) {
  const SeemingMachine machine;
  const SeemingProcess process(machine.places, 4000);
  auto found = *findDotnetProcess(machine.places, 4000);
  EXPECT_TRUE(isStillThere(machine.places, found));
  found.startTicks = 4712;
  EXPECT_FALSE(isStillThere(machine.places, found));
  found.startTicks = 4711;
  process.end();
  EXPECT_FALSE(isStillThere(machine.places, found));
}

constexpr const char* kMappings =
    "7f0000000000-7f0000001000 r--p 00000000 08:01 11 /opt/my app/libcoreclr.so\n"
    "7f0000001000-7f0000003000 r-xp 00001000 08:01 11 /opt/my app/libcoreclr.so\n"
    "7f0000003000-7f0000007000 rw-p 00000000 00:00 0 \n"
    "7f0000007000-7f000000f000 rw-s 00000000 00:01 5 /memfd:doublemapper (deleted)\n"
    "7f0000010000-7f8000010000 ---p 00000000 00:00 0\n"
    "nonsense\n"
    "7f8000010000-7f0000000000 rw-p 00000000 00:00 0\n";

TEST(Processes, HaveMemoryThatDumpsHold) {
  const SeemingMachine machine;
  SeemingProcess(machine.places, 4000).maps(kMappings);
  const auto mapped = mappedBytesOf(machine.places, 4000);
  ASSERT_TRUE(mapped);
  EXPECT_EQ(mapped->readable, 0x1000u + 0x2000 + 0x4000 + 0x8000);
  EXPECT_EQ(mapped->privateWritable, 0x4000u);
  EXPECT_EQ(mapped->readableFiles, 0x1000u + 0x2000 + 0x8000);
  EXPECT_EQ(expectedDumpBytes(CaptureKind::Full, machine.places, 4000), mapped->readable);
  EXPECT_EQ(expectedDumpBytes(CaptureKind::Heap, machine.places, 4000), 0x4000u + 0xb000 / 4);
  EXPECT_FALSE(mappedBytesOf(machine.places, 4001));
  EXPECT_FALSE(expectedDumpBytes(CaptureKind::Mini, machine.places, 4001));
}

TEST(Processes, LookForCreatedumpBesideTheirRuntime) {
  const SeemingMachine machine;
  SeemingProcess process(machine.places, 4000);
  EXPECT_EQ(createdumpPathOf(machine.places, 4000), std::nullopt);
  process.maps(kMappings);
  EXPECT_EQ(createdumpPathOf(machine.places, 4000), "/opt/my app/createdump");
  process.environment({"DOTNET_DbgCreateDumpToolPath=/opt/tools"});
  EXPECT_EQ(createdumpPathOf(machine.places, 4000), std::nullopt);
  // A program in a single file has it inside.
  process.environment({}).maps("7f0000000000-7f0000001000 r--p 00000000 08:01 11 /opt/shop\n");
  EXPECT_EQ(createdumpPathOf(machine.places, 4000), std::nullopt);
}

TEST(Processes, HaveACreatedumpAtWork) {
  const SeemingMachine machine;
  SeemingProcess(machine.places, 1);
  SeemingProcess(machine.places, 4000).name("createdump");
  auto process = *findDotnetProcess(machine.places, 1);
  EXPECT_EQ(createdumpOf(machine.places, process), 4000u);
  EXPECT_EQ(processorTicksOf(machine.places, 4000), 15u);
  SeemingProcess(machine.places, 4000).name(".NET EventPipe");
  EXPECT_EQ(createdumpOf(machine.places, process), 4000u);
  SeemingProcess(machine.places, 4000).name("shop");
  EXPECT_EQ(createdumpOf(machine.places, process), 0u);
  SeemingProcess(machine.places, 4000).name("createdump");
  process.pid = 2;
  EXPECT_EQ(createdumpOf(machine.places, process), 0u);
}

}  // namespace
}  // namespace heapscape::test
