// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heapscape::test {

/// Writes numbers as the runtime's debug info has them: three bits a nibble, the highest first, the fourth set in all
/// but the last.
class NibbleWriter {
 public:
  NibbleWriter& add(std::uint32_t value) {
    unsigned shift = 0;
    while (value >> shift > 7) shift += 3;
    for (; shift > 0; shift -= 3) addNibble((value >> shift & 7) | 8);
    addNibble(value & 7);
    return *this;
  }
  NibbleWriter& addSigned(std::int32_t value) {
    return add(value < 0 ? static_cast<std::uint32_t>(-value) << 1 | 1 : static_cast<std::uint32_t>(value) << 1);
  }
  const std::vector<std::byte>& bytes() const { return m_bytes; }

 private:
  void addNibble(std::uint32_t nibble) {
    if (m_isHalf) {
      m_bytes.back() |= static_cast<std::byte>(nibble << 4);
    } else {
      m_bytes.push_back(static_cast<std::byte>(nibble));
    }
    m_isHalf = !m_isHalf;
  }

  std::vector<std::byte> m_bytes;
  bool m_isHalf = false;
};

}  // namespace heapscape::test
