// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace heapscape::engine {

/// How many items each bucket of a hash table has: a byte each, since a table may have millions of them and a hash is
/// seldom poor, and somewhere else what is beyond.
class BucketCounts {
 public:
  explicit BucketCounts(std::uint32_t buckets) : m_low(buckets) {}

  /// With one more, so many.
  std::uint32_t add(std::uint32_t bucket) {
    if (++m_low[bucket] == 0) ++m_high[bucket];
    if (m_high.empty()) return m_low[bucket];
    const auto high = m_high.find(bucket);
    return (high == m_high.end() ? 0 : high->second << 8) + m_low[bucket];
  }

 private:
  std::vector<std::uint8_t> m_low;
  std::unordered_map<std::uint32_t, std::uint32_t> m_high;  // by bucket: times 256
};

}  // namespace heapscape::engine
