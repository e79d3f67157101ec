// SPDX-License-Identifier: MIT
// Hashes are the same only where all of their bits are.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <random>
#include <utility>

#include "query/objects/same_hashes.h"

namespace heapscape::engine {
namespace {

/// The first place of each that is not the first itself.
std::map<std::uint32_t, std::uint32_t> firstsOf(const LargeArray<Hash128>& hashes) {
  std::map<std::uint32_t, std::uint32_t> firsts;
  std::mutex mutex;
  forEachSame(hashes, hashes.size(),
              [&](std::uint32_t first, std::uint32_t later) {
                const std::lock_guard lock(mutex);
                EXPECT_TRUE(firsts.emplace(later, first).second);
              },
              {});
  return firsts;
}

void expectThoseOfALoop(const LargeArray<Hash128>& hashes) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> known;
  std::map<std::uint32_t, std::uint32_t> expected;
  for (std::uint32_t i = 0; i < hashes.size(); ++i) {
    const auto [first, isNew] = known.try_emplace({hashes[i].low, hashes[i].high}, i);
    if (!isNew) expected.emplace(i, first->second);
  }
  EXPECT_EQ(firstsOf(hashes), expected);
}

TEST(SameHashes, AreTheSameInBothHalves) {
  for (const std::size_t count : {0, 1, 2, 5'000, 200'000}) {
    std::mt19937_64 random(count);
    LargeArray<Hash128> hashes(count);
    // Few halves, so that many hashes have one in common.
    for (std::size_t i = 0; i < count; ++i) hashes[i] = {random() % 300, random() % 300 * 0x100'0000'0001};
    expectThoseOfALoop(hashes);
  }
}

TEST(SameHashes, OfOneBucketAreToldApart) {
  LargeArray<Hash128> hashes(30'000);
  for (std::size_t i = 0; i < hashes.size(); ++i) hashes[i] = {42, (i % 10'000) << 32};
  expectThoseOfALoop(hashes);
}

}  // namespace
}  // namespace heapscape::engine
