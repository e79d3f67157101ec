// SPDX-License-Identifier: MIT
#include "query/objects/same_hashes.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>
#include <vector>

namespace heapscape::engine {
namespace {

constexpr std::size_t kHashesInPart = 1 << 16;
constexpr std::size_t kBuckets = 256;

/// A hash with what its bucket does not tell of it but for a few bits, which are looked up where all else is the same.
struct Entry {
  std::uint64_t low = 0;
  std::uint32_t place = 0;
};

/// Entries of one bucket together and each bucket's in the order of their places, so that a bucket's fit into a cache.
struct Buckets {
  LargeArray<Entry> entries;
  std::array<std::size_t, kBuckets + 1> starts = {};
};

Buckets bucketed(const LargeArray<Hash128>& hashes, std::size_t count, const std::stop_token& stop) {
  using Counts = std::array<std::uint32_t, kBuckets>;
  Buckets result{.entries = LargeArray<Entry>(count)};
  const std::size_t parts = (count + kHashesInPart - 1) / kHashesInPart;
  std::vector<Counts> next(parts);  // how many each part has of a bucket, then where its next one goes
  const auto visit = [&](auto take) {
    tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t part) {
      if (stop.stop_requested()) return;
      const std::size_t end = std::min(count, (part + 1) * kHashesInPart);
      for (std::size_t i = part * kHashesInPart; i < end; ++i) take(next[part][hashes[i].high % kBuckets], i);
    });
  };
  visit([](std::uint32_t& ofBucket, std::size_t) { ++ofBucket; });
  std::uint32_t before = 0;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    result.starts[bucket] = before;
    for (Counts& counts : next) before += std::exchange(counts[bucket], before);
  }
  result.starts[kBuckets] = before;
  visit([&](std::uint32_t& place, std::size_t i) {
    result.entries[place++] = {hashes[i].low, static_cast<std::uint32_t>(i)};
  });
  return result;
}

}  // namespace

void forEachSame(const LargeArray<Hash128>& hashes, std::size_t count,
                 const std::function<void(std::uint32_t first, std::uint32_t later)>& same,
                 const std::stop_token& stop) {
  const Buckets buckets = bucketed(hashes, count, stop);
  tbb::parallel_for(std::size_t{0}, kBuckets, [&](std::size_t bucket) {
    if (stop.stop_requested()) return;
    const std::size_t start = buckets.starts[bucket];
    const auto entries = buckets.entries.elements().subspan(start, buckets.starts[bucket + 1] - start);
    std::vector<std::uint32_t> table(std::bit_ceil(2 * entries.size() + 1));  // of entries, from 1 on; 0: free
    const std::size_t mask = table.size() - 1;
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
      const Entry& entry = entries[i];
      const auto isSame = [&](const Entry& other) {
        return other.low == entry.low && hashes[other.place].high == hashes[entry.place].high;
      };
      std::size_t slot = entry.low & mask;
      while (table[slot] && !isSame(entries[table[slot] - 1])) slot = (slot + 1) & mask;
      if (table[slot]) {
        same(entries[table[slot] - 1].place, entry.place);
      } else {
        table[slot] = i + 1;
      }
    }
  });
}

}  // namespace heapscape::engine
