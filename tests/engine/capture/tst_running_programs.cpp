// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include "capture/running_programs.h"
#include "engine/capture/seeming_process.h"
#include "engine/capture/seeming_runtime.h"
#include "support/builders/nettrace_builder.h"

namespace heapscape::test {
namespace {

using namespace engine;
using namespace std::chrono_literals;

constexpr ListingLimits kShort{.info = 300ms, .heap = 300ms};

std::uint32_t ownPid() {
  return static_cast<std::uint32_t>(::getpid());
}

/// Tells the size of the heap as a runtime does, and then waits for the request to stop.
void streamCounters(const SeemingRequest& request, const SeemingConnection& connection) {
  if (request.command == DiagnosticCommand::StopTracing) return connection.answer(request.payload);
  ASSERT_EQ(request.command, DiagnosticCommand::CollectTracing2);
  connection.answer(FileBytes(8, std::byte{5}));
  connection.send(NettraceBuilder().counter("cpu-usage", 1, "%").counter("gc-heap-size", 12.5, "MB").bytes());
  connection.stayOpen();
}

std::vector<RunningProgram> listed(const SeemingMachine& machine, const ListingLimits& limits = kShort) {
  auto programs = listRunningPrograms(machine.places, limits, {});
  EXPECT_TRUE(programs);
  return programs ? *programs : std::vector<RunningProgram>();
}

TEST(RunningPrograms, TellWhatTheirRuntimeSays) {
  const SeemingMachine machine;
  const SeemingProcess process(machine.places, ownPid());
  const SeemingRuntime runtime(machine.places.temporary / process.socketName(), streamCounters);
  const auto programs = listed(machine);
  ASSERT_EQ(programs.size(), 1u);
  ASSERT_TRUE(programs[0].info);
  EXPECT_EQ(programs[0].info->runtimeVersion, "10.0.12");
  EXPECT_EQ(programs[0].name(), "shop");
  EXPECT_EQ(programs[0].command(), "dotnet shop.dll");
  EXPECT_EQ(programs[0].heapBytes, 12'500'000u);
  EXPECT_TRUE(programs[0].missing.empty());
  EXPECT_EQ(runtime.commands().back(), DiagnosticCommand::StopTracing);
}

TEST(RunningPrograms, WithoutCountersSayWhy) {
  const SeemingMachine machine;
  const SeemingProcess process(machine.places, ownPid());
  const SeemingRuntime runtime(
      machine.places.temporary / process.socketName(),
      [](const SeemingRequest&, const SeemingConnection& connection) { connection.refuse(0x80131515); });
  const auto programs = listed(machine);
  ASSERT_EQ(programs.size(), 1u);
  EXPECT_TRUE(programs[0].info);
  EXPECT_FALSE(programs[0].heapBytes);
  ASSERT_EQ(programs[0].missing.size(), 1u);
  EXPECT_NE(programs[0].missing[0].what.find("does not let its counters be read"), std::string::npos);
}

TEST(RunningPrograms, ThatDoNotAnswerAreListedWithTheReason) {
  const SeemingMachine machine;
  SeemingProcess process(machine.places, ownPid());
  const SeemingRuntime runtime(machine.places.temporary / process.socketName(), {});
  SeemingProcess(machine.places, 1).threads({".NET Finalizer", ".NET Server GC"});
  const auto start = std::chrono::steady_clock::now();
  const auto programs = listed(machine);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
  ASSERT_EQ(programs.size(), 2u);
  EXPECT_NE(programs[0].missing.at(0).what.find("has no diagnostic socket"), std::string::npos);
  EXPECT_EQ(programs[0].process.gc, GcMode::Server);
  EXPECT_NE(programs[1].missing.at(0).what.find("does not answer in time"), std::string::npos);
  EXPECT_EQ(programs[1].command(), "dotnet shop.dll --fast");
  process.state('T');
  EXPECT_NE(listed(machine)[1].missing.at(0).what.find("is stopped"), std::string::npos);
}

TEST(RunningPrograms, OfOthersSayWhoMaySeeThem) {
  const SeemingMachine machine;
  SeemingProcess process(machine.places, 1);
  process.userId(1654).root(machine.folder / "not to be seen");
  const auto programs = listed(machine);
  ASSERT_EQ(programs.size(), 1u);
  EXPECT_EQ(programs[0].missing.at(0).what, "Process 1, of user 1654, does not let this user see its files.");
}

TEST(RunningPrograms, ThatTellNonsenseAreListedWithTheReason) {
  const SeemingMachine machine;
  const SeemingProcess process(machine.places, ownPid());
  const std::filesystem::path socket = machine.places.temporary / process.socketName();
  for (const FileBytes& stream : {bytesOfText("HTTP/1.1 200"), NettraceBuilder().end().bytes(), FileBytes()}) {
    std::filesystem::remove(socket);
    const SeemingRuntime runtime(socket, [&](const SeemingRequest&, const SeemingConnection& connection) {
      connection.answer(FileBytes(8));
      connection.send(stream);
    });
    const auto programs = listed(machine);
    ASSERT_EQ(programs.size(), 1u);
    EXPECT_FALSE(programs[0].heapBytes);
    EXPECT_EQ(programs[0].missing.size(), 1u);
  }
}

TEST(RunningPrograms, AreNotTakenForOthersThatListen) {
  const SeemingMachine machine;
  const SeemingProcess process(machine.places, 1);  // the socket is ours
  const SeemingRuntime runtime(machine.places.temporary / process.socketName(), streamCounters);
  const auto programs = listed(machine);
  ASSERT_EQ(programs.size(), 1u);
  EXPECT_FALSE(programs[0].info);
  EXPECT_NE(programs[0].missing.at(0).what.find("another process listens"), std::string::npos);
  EXPECT_TRUE(runtime.commands().empty());
}

TEST(RunningPrograms, AreReachedThroughLongPaths) {
  SeemingMachine machine;
  machine.places.temporary = machine.folder / std::string(120, 'x');
  std::filesystem::create_directories(machine.places.temporary);
  const SeemingProcess process(machine.places, ownPid());
  const SeemingRuntime runtime(machine.places.temporary / process.socketName(), streamCounters);
  EXPECT_EQ(listed(machine).at(0).heapBytes, 12'500'000u);
}

TEST(RunningPrograms, AreNotWaitedForAfterAnInterruption) {
  const SeemingMachine machine;
  const SeemingProcess process(machine.places, ownPid());
  const SeemingRuntime runtime(machine.places.temporary / process.socketName(), {});
  std::stop_source source;
  std::jthread stopper([&source] {
    std::this_thread::sleep_for(100ms);
    source.request_stop();
  });
  const auto start = std::chrono::steady_clock::now();
  const auto programs = listRunningPrograms(machine.places, {.info = 30s, .heap = 30s}, source.get_token());
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
  ASSERT_FALSE(programs);
  EXPECT_TRUE(programs.error().isCancelled());
}

}  // namespace
}  // namespace heapscape::test
