// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <set>

#include "session/snapshot/contents.h"
#include "support/opened_snapshot.h"
#include "support/patched_core.h"
#include "support/truth.h"

namespace heapscape::engine {
namespace {

using namespace heapscape::test;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kRandomCuts = 20;
constexpr int kCutDumpsSeconds = 60;
#else
constexpr std::size_t kRandomCuts = 100;
constexpr int kCutDumpsSeconds = 10;  // of wall time on a busy machine; alone it takes a tenth of a second
#endif

/// Lengths at which something begins or ends, and others, the longest first.
std::set<std::uint64_t, std::greater<>> cutsOf(const PatchedCore& file) {
  std::set<std::uint64_t, std::greater<>> cuts{1, 4, 15, 16, 63, 64, 65, 119, 120, 121, 4095, 4096, 4097};
  const auto& loads = file.core().loads;
  for (std::size_t i = 0; i < loads.size(); i += std::max<std::size_t>(loads.size() / 12, 1)) {
    cuts.insert(loads[i].fileOffset);
    cuts.insert(loads[i].fileOffset + 1);
    cuts.insert(loads[i].fileOffset + loads[i].fileBytes);
  }
  const std::uint64_t size = file.sizeBytes();
  cuts.insert({size - 1, size - 4096, size / 2});
  std::mt19937_64 random(20241101);
  for (std::size_t i = 0; i < kRandomCuts; ++i) cuts.insert(random() % size);
  cuts.erase(0);
  return cuts;
}

class CutDump : public testing::TestWithParam<std::string> {};

TEST_P(CutDump, GivesAClearErrorOrWhatIsThereWithAFinding) {
  PatchedCore file(GetParam());
  const Snapshot whole = openSnapshot(file.path(), Stage::Objects);
  std::uint64_t end = 0;
  for (const LoadSegment& load : file.core().loads) end = std::max(end, load.fileOffset + load.fileBytes);
  std::size_t partial = 0;
  for (const std::uint64_t length : cutsOf(file)) {
    if (length >= end) continue;
    SCOPED_TRACE(length);
    file.cut(length);
    const auto start = std::chrono::steady_clock::now();
    const auto opened = openDump(file.path(), {}, nullptr, {});
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(kCutDumpsSeconds));
    if (!opened) {
      ASSERT_FALSE(opened.error().isCancelled());
      const Error& error = opened.error().error();
      EXPECT_TRUE(error.code == ErrorCode::Truncated || error.code == ErrorCode::NotACoreDump) << error.message();
      EXPECT_TRUE(error.what.ends_with('.')) << error.message();
      EXPECT_EQ(error.message().find('\n'), std::string::npos);
      EXPECT_EQ(error.message().find("mini"), std::string::npos) << error.message();
      continue;
    }
    ++partial;
    EXPECT_TRUE(hasFinding(*opened, FindingKind::DumpTruncated)) << findingsText(*opened);
    EXPECT_FALSE(opened->isComplete());
    EXPECT_FALSE(opened->summary().missing.empty());
    EXPECT_LE(opened->totals().objects, whole.totals().objects);
    EXPECT_LE(opened->coverage(), 1.0);
    // Every byte of the heap is walked, in an allocation context, or said to be missing.
    std::uint64_t bytes = 0;
    std::uint64_t unread = 0;
    for (const Segment& segment : opened->segments()) bytes += segment.objects.sizeBytes();
    for (const SegmentContents& contents : opened->segmentContents()) unread += contents.unreadBytes;
    EXPECT_LE(opened->totals().bytes + unread, bytes);
    if (opened->totals().objects < whole.totals().objects && opened->segments().size() == whole.segments().size()) {
      EXPECT_GT(unread, 0u);
      EXPECT_LT(opened->coverage(), 1.0);
    }
  }
  EXPECT_GT(partial, 0u);
}

INSTANTIATE_TEST_SUITE_P(Data, CutDump, testing::Values("shop-10", "shop-11", "shop-9-segments", "storm-8-calm"),
                         [](const auto& info) { return testName(info.param); });

}  // namespace
}  // namespace heapscape::engine
