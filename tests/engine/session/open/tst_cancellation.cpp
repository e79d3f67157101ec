// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <chrono>
#include <ctime>

#include "session/heap/heap_map.h"
#include "session/heap/size_histogram.h"
#include "session/objects/object_query.h"
#include "session/types/type_query.h"
#include "support/dump_path.h"
#include "support/opened_snapshot.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kSlowness = 20;
#else
constexpr double kSlowness = 1;
#endif

/// Processor time of all our threads: what others do on the machine does not count.
double processorSeconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Asks to stop when progress has come to a fraction.
class StoppingListener : public RecordingListener {
 public:
  explicit StoppingListener(double at) : m_at(at) {}

  void progressed(const Progress& progress) override {
    RecordingListener::progressed(progress);
    if (progress.fraction >= m_at && !source.stop_requested()) {
      source.request_stop();
      askedAt = processorSeconds();
    }
  }

  std::stop_source source;
  double askedAt = 0;

 private:
  double m_at;
};

class Cancelling : public testing::TestWithParam<double> {};

TEST_P(Cancelling, EndsSoonAndIsNoError) {
  StoppingListener listener(GetParam());
  const auto opened = openDump(dumpPath("shop-10-gcore"), {}, &listener, listener.source.get_token());
  const double answered = processorSeconds();
  ASSERT_TRUE(listener.source.stop_requested());
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().isCancelled()) << messageOf(opened);
  // Half of it is the system taking back 0.7 GB of unpacked file.
  EXPECT_LT(answered - listener.askedAt, 0.2 * kSlowness);
  EXPECT_LE(listener.reports.size(), 1100u);
}

INSTANTIATE_TEST_SUITE_P(AtAFraction, Cancelling,
                         testing::Values(0.0, 0.1, 0.5, 0.74, 0.76, 0.85, 0.92, 0.96, 0.98, 0.99),
                         [](const auto& info) { return std::to_string(static_cast<int>(info.param * 1000)); });

/// Asks to stop when a stage is ready.
class StageStopper : public RecordingListener {
 public:
  explicit StageStopper(Stage stage) : m_stage(stage) {}
  void stageReady(const Snapshot& snapshot) override {
    RecordingListener::stageReady(snapshot);
    if (snapshot.stage() != m_stage) return;
    source.request_stop();
    askedAt = processorSeconds();
  }
  std::stop_source source;
  double askedAt = 0;

 private:
  Stage m_stage;
};

TEST(Cancellation, BetweenStagesKeepsThoseThatWereReady) {
  for (const Stage stage : {Stage::Summary, Stage::Segments, Stage::Objects}) {
    SCOPED_TRACE(toString(stage));
    StageStopper listener(stage);
    const auto opened = openDump(dumpPath("shop-9"), {}, &listener, listener.source.get_token());
    const double answered = processorSeconds();
    ASSERT_FALSE(opened);
    EXPECT_TRUE(opened.error().isCancelled());
    // Half of it is the system taking back 0.7 GB of unpacked file.
    EXPECT_LT(answered - listener.askedAt, 0.2 * kSlowness);
    ASSERT_FALSE(listener.stages.empty());
    EXPECT_EQ(listener.stages.back().stage(), stage);
  }
}

TEST(Cancellation, BeforeTheStartOpensNothing) {
  std::stop_source source;
  source.request_stop();
  RecordingListener listener;
  const auto opened = openDump(dumpPath("shop-9"), {}, &listener, source.get_token());
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().isCancelled());
  EXPECT_TRUE(listener.stages.empty());
}

TEST(Cancellation, AQueryIsNoError) {
  const Snapshot& snapshot = openedDump("storm-10-calm");
  std::stop_source source;
  source.request_stop();
  const std::stop_token stopped = source.get_token();
  HeapScope scope;
  scope.generation = Generation::Gen0;
  const auto isCancelled = [](const auto& outcome) { return !outcome && outcome.error().isCancelled(); };
  EXPECT_TRUE(isCancelled(countTypes(snapshot, scope, stopped)));
  EXPECT_TRUE(isCancelled(selectTypes(snapshot, snapshot.typeCounts(), {}, stopped)));
  EXPECT_TRUE(isCancelled(sizeHistogram(snapshot, {}, stopped)));
  std::uint32_t busiest = 0;
  for (std::uint32_t i = 0; i < snapshot.segments().size(); ++i) {
    if (snapshot.segmentContents()[i].totals.objects > snapshot.segmentContents()[busiest].totals.objects) busiest = i;
  }
  EXPECT_TRUE(isCancelled(mapCells(snapshot, {busiest}, snapshot.segments()[busiest].objects, 100, {}, stopped)));
  std::uint64_t visited = 0;
  EXPECT_FALSE(forEachObject(
      snapshot, {}, [&](const ObjectRow&) { return ++visited > 0; }, stopped));
  EXPECT_LT(visited, 5000u);
}

}  // namespace
}  // namespace heapscape::engine
