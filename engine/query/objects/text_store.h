// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "base/large_array.h"

namespace heapscape::engine {

/// Keeps millions of short texts where they do not move, one behind the other. For one thread at a time.
class TextStore {
 public:
  /// Bytes to be written to; good as long as this is.
  char* roomFor(std::size_t bytes) {
    if (m_blocks.empty() || bytes > m_left) {
      m_left = std::max(bytes, kBlockBytes);
      m_next = m_blocks.emplace_back(m_left).data();
    }
    m_left -= bytes;
    return std::exchange(m_next, m_next + bytes);
  }
  std::string_view keep(std::string_view text) {
    char* const room = roomFor(text.size());
    std::memcpy(room, text.data(), text.size());
    return {room, text.size()};
  }

 private:
  static constexpr std::size_t kBlockBytes = 1 << 21;  // a huge page, since they are sorted later
  std::vector<LargeArray<char>> m_blocks;
  char* m_next = nullptr;
  std::size_t m_left = 0;  // bytes of the last one
};

}  // namespace heapscape::engine
