// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace heapscape::engine {

/// Keeps millions of short texts where they do not move, one behind the other. For one thread at a time.
class TextStore {
 public:
  /// Bytes to be written to; good as long as this is.
  char* roomFor(std::size_t bytes) {
    if (m_blocks.empty() || bytes > m_left) {
      m_left = std::max(bytes, kBlockBytes);
      m_blocks.push_back(std::make_unique_for_overwrite<char[]>(m_left));
      m_next = m_blocks.back().get();
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
  static constexpr std::size_t kBlockBytes = 1 << 20;
  std::vector<std::unique_ptr<char[]>> m_blocks;
  char* m_next = nullptr;
  std::size_t m_left = 0;  // bytes of the last one
};

}  // namespace heapscape::engine
