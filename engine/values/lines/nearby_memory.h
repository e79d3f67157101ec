// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "base/bounded_reader.h"
#include "memory/address_space.h"

namespace heapscape::engine {

/// AddressSpace::prefix() for millions of addresses that mostly lie in the same piece of the dump: all of that piece is
/// kept, so that it is not looked for again. For one thread.
class NearbyMemory {
 public:
  /// The memory outlives this.
  explicit NearbyMemory(const AddressSpace& memory) : m_memory(memory) {}

  /// What lies in one piece from the address on, at most `size` bytes; empty if the first byte is missing.
  [[gnu::always_inline]] Bytes prefix(Address address, std::uint64_t size) {
    std::uint64_t offset = address.value - m_start.value;
    if (offset >= m_piece.size()) [[unlikely]] {
      m_piece = m_memory.prefix(address, UINT64_MAX);
      m_start = address;
      offset = 0;
    }
    return m_piece.subspan(offset, std::min<std::uint64_t>(size, m_piece.size() - offset));
  }
  /// As AddressSpace has it, also across pieces.
  bool tryRead(Address address, std::span<std::byte> target) {
    const Bytes bytes = prefix(address, target.size());
    if (bytes.size() < target.size()) return m_memory.tryRead(address, target);
    std::ranges::copy(bytes, target.begin());
    return true;
  }
  template <class T>
  requires std::is_trivially_copyable_v<T>
  [[gnu::always_inline]] bool tryRead(Address address, T& value) {
    return tryReadAt(prefix(address, sizeof value), 0, value) || m_memory.tryRead(address, value);
  }

 private:
  const AddressSpace& m_memory;
  Address m_start;
  Bytes m_piece = {};  // as far as it goes from there
};

}  // namespace heapscape::engine
