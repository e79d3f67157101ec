// SPDX-License-Identifier: MIT
#include "stacks/gc_info/nibble_reader.h"

namespace heapscape::engine {
namespace {

constexpr unsigned kBitsInNibble = 3;
constexpr std::uint32_t kAnotherFollows = 8;
constexpr unsigned kMostNibbles = 11;  // of a number of 32 bits

}  // namespace

std::uint32_t NibbleReader::readNibble() {
  std::uint8_t byte = 0;
  if (m_failed || !tryReadAt(m_bytes, m_position / 2, byte)) {
    m_failed = true;
    return 0;
  }
  const unsigned shift = m_position % 2 == 0 ? 0 : 4;
  ++m_position;
  return byte >> shift & 0xfu;
}

std::uint32_t NibbleReader::readUnsigned() {
  std::uint32_t value = 0;
  for (unsigned count = 0; count < kMostNibbles; ++count) {
    const std::uint32_t nibble = readNibble();
    value = value << kBitsInNibble | (nibble & (kAnotherFollows - 1));
    if ((nibble & kAnotherFollows) == 0) return m_failed ? 0 : value;
  }
  m_failed = true;
  return 0;
}

std::int32_t NibbleReader::readSigned() {
  const std::uint32_t value = readUnsigned();
  const auto magnitude = static_cast<std::int32_t>(value >> 1);
  return (value & 1) != 0 ? -magnitude : magnitude;
}

}  // namespace heapscape::engine
