// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace heapscape::test {

/// A PE32+ image with one section of 0x200 bytes, at 0x1000 when mapped and at 0x400 in the file.
class WrittenImage {
 public:
  explicit WrittenImage(std::uint16_t magic = 0x20b) : m_bytes(0x1200) {
    put<std::uint16_t>(0, 0x5a4d);
    put<std::uint32_t>(0x3c, kPe);
    put<std::uint32_t>(kPe, 0x4550);
    put<std::uint16_t>(kPe + 6, 1);
    put<std::uint16_t>(kPe + 20, kOptionalSize);
    put<std::uint16_t>(kOptional, magic);
    put<std::uint32_t>(kOptional + 56, 0x1200);
    put<std::uint32_t>(kOptional + 60, 0x400);
    const std::size_t directories = kOptional + (magic == 0x20b ? 112 : 96);
    put<std::uint32_t>(directories - 4, 16);
    put<std::uint32_t>(directories + std::size_t{14} * 8, 0x1010);
    put<std::uint32_t>(directories + std::size_t{14} * 8 + 4, 72);
    put<std::uint32_t>(kOptional + kOptionalSize + 8, 0x200);
    put<std::uint32_t>(kOptional + kOptionalSize + 12, 0x1000);
    put<std::uint32_t>(kOptional + kOptionalSize + 16, 0x200);
    put<std::uint32_t>(kOptional + kOptionalSize + 20, 0x400);
    for (const std::size_t section : {0x400, 0x1000}) {
      put<std::uint32_t>(section + 0x10 + 8, 0x1100);
      put<std::uint32_t>(section + 0x10 + 12, 0x80);
    }
  }

  template <class T>
  void put(std::size_t offset, T value) {
    std::memcpy(m_bytes.data() + offset, &value, sizeof value);
  }

  void putBytes(std::size_t offset, const std::vector<std::byte>& bytes) {
    if (m_bytes.size() < offset + bytes.size()) m_bytes.resize(offset + bytes.size());
    std::copy(bytes.begin(), bytes.end(), m_bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  }

  const std::vector<std::byte>& bytes() const { return m_bytes; }

  static constexpr std::size_t kPe = 0x80;
  static constexpr std::size_t kOptional = kPe + 24;
  static constexpr std::uint16_t kOptionalSize = 240;

 private:
  std::vector<std::byte> m_bytes;
};

}  // namespace heapscape::test
