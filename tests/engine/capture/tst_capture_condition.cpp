// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "capture/capture_condition.h"
#include "engine/capture/seeming_process.h"
#include "engine/capture/seeming_runtime.h"
#include "support/builders/nettrace_builder.h"

namespace heapscape::test {
namespace {

using namespace engine;
using namespace std::chrono_literals;

class LastProgress : public ProgressSink {
 public:
  void progressed(const Progress& progress) override { activity = progress.activity; }
  std::string activity;
};

TEST(CaptureCondition, WaitsUntilTheProcessIsAsLarge) {
  const SeemingMachine machine;
  SeemingProcess process(machine.places, 4000);
  process.residentKilobytes(1024);
  std::jthread growing([&] {
    std::this_thread::sleep_for(300ms);
    process.residentKilobytes(4096);
  });
  LastProgress progress;
  const auto size = waitFor({ProcessSize::Resident, 2u << 20}, machine.places, *findDotnetProcess(machine.places, 4000),
                            &progress, {});
  ASSERT_TRUE(size);
  EXPECT_EQ(*size, 4u << 20);
  EXPECT_EQ(progress.activity, "waiting: rss is 1.00 MB of 2.00 MB");
}

TEST(CaptureCondition, WaitsUntilTheHeapIsAsLarge) {
  const SeemingMachine machine;
  const auto pid = static_cast<std::uint32_t>(::getpid());
  const SeemingProcess process(machine.places, pid);
  double megabytes = 1;
  const SeemingRuntime runtime(machine.places.temporary / process.socketName(),
                               [&](const SeemingRequest& request, const SeemingConnection& connection) {
                                 if (request.command == DiagnosticCommand::StopTracing)
                                   return connection.answer(request.payload);
                                 connection.answer(FileBytes(8));
                                 connection.send(NettraceBuilder().counter("gc-heap-size", ++megabytes, "MB").bytes());
                                 connection.stayOpen();
                               });
  const auto size =
      waitFor({ProcessSize::Heap, 2'500'000}, machine.places, *findDotnetProcess(machine.places, pid), nullptr, {});
  ASSERT_TRUE(size);
  EXPECT_EQ(*size, 3'000'000u);
}

TEST(CaptureCondition, EndsWithTheProcess) {
  const SeemingMachine machine;
  const SeemingProcess process(machine.places, 4000);
  const auto found = *findDotnetProcess(machine.places, 4000);
  std::jthread ending([&] {
    std::this_thread::sleep_for(200ms);
    process.end();
  });
  const auto size = waitFor({ProcessSize::Resident, 1ull << 40}, machine.places, found, nullptr, {});
  ASSERT_FALSE(size);
  EXPECT_EQ(size.error().error().what, "Process 4000 ended before its size was reached.");
}

TEST(CaptureCondition, CanBeInterrupted) {
  const SeemingMachine machine;
  const SeemingProcess process(machine.places, 4000);
  std::stop_source source;
  source.request_stop();
  const auto size = waitFor({ProcessSize::Resident, 1ull << 40}, machine.places,
                            *findDotnetProcess(machine.places, 4000), nullptr, source.get_token());
  ASSERT_FALSE(size);
  EXPECT_TRUE(size.error().isCancelled());
}

}  // namespace
}  // namespace heapscape::test
