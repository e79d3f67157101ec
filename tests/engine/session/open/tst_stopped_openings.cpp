// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <string>
#include <thread>

#include "support/opened_snapshot.h"
#include "support/own_process.h"
#include "support/patched_core.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

TEST(StoppedOpenings, LeakNothingThoughThereAreAThousand) {
  using Clock = std::chrono::steady_clock;
  const OpenOptions kOptions{.stopAfter = Stage::Retained};
  constexpr int kOpenings = 1000;
  constexpr int kFirst = 100;  // which fill caches of libraries and the allocator's arenas
  const PatchedCore core("lookups-8");
  const auto start = Clock::now();
  ASSERT_TRUE(openDump(core.path(), kOptions, nullptr, {}));
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start).count();

  std::mt19937_64 random(20241101);
  std::size_t files = 0;
  std::size_t maps = 0;
  std::uint64_t bytes = 0;
  int stopped = 0;
  for (int i = 0; i < kOpenings; ++i) {
    if (i == kFirst) {
      files = openFiles();
      maps = mappings();
      bytes = residentBytes();
    }
    std::stop_source stop;
    const std::chrono::microseconds moment(random() % static_cast<std::uint64_t>(whole));
    const std::jthread stopper([&] {
      std::this_thread::sleep_for(moment);
      stop.request_stop();
    });
    const auto opened = openDump(core.path(), kOptions, nullptr, stop.get_token());
    ASSERT_TRUE(opened || opened.error().isCancelled()) << messageOf(opened);
    if (!opened) ++stopped;
  }
  EXPECT_GE(stopped, kOpenings / 10);
  EXPECT_EQ(openFiles(), files);
  EXPECT_LE(mappings(), maps + 8);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(HEAPSCAPE_EMULATED)
  EXPECT_LE(residentBytes(), bytes + (24u << 20));
#endif
  RecordProperty("stopped", stopped);
  RecordProperty("grownBytes", std::to_string(static_cast<std::int64_t>(residentBytes() - bytes)));
}

}  // namespace
}  // namespace heapscape::engine
