// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "core/grown_core.h"

namespace heapscape::bench {

/// Puts objects one behind the other into regions, as allocation does. What is reserved together lies in one region,
/// and can be written to until the next reservation.
class RegionWriter {
 public:
  RegionWriter(GrownCore& core, std::uint64_t firstObjectOffset)
      : m_core(core), m_firstObject(firstObjectOffset), m_memory(GrownCore::kRegionBytes) {
    begin();
  }

  /// At most 3 MB.
  void reserve(std::size_t bytes) {
    if (m_used + bytes > GrownCore::kRegionBytes - kTailBytes) close();
  }
  std::uint64_t add(const Kind& kind, std::uint32_t components = 0);
  /// An array of a large region of its own, with these elements as they are.
  std::uint64_t addLarge(const Kind& kind, std::uint32_t components, std::span<const std::byte> elements);

  template <class T>
  void set(std::uint64_t address, T value) {
    if (address >= m_start) {
      std::memcpy(m_memory.data() + (address - m_start), &value, sizeof value);
    } else {
      m_core.patch(address, value);
    }
  }
  void setElement(std::uint64_t array, std::size_t index, std::uint64_t value) {
    set(array + kElementsOffset + index * sizeof value, value);
  }
  std::byte* at(std::uint64_t address) { return m_memory.data() + (address - m_start); }

  /// Ends the region that is being filled.
  void close();
  std::uint64_t objects() const { return m_objects; }

  static constexpr std::uint64_t kElementsOffset = 16;

 private:
  static constexpr std::size_t kTailBytes = 64;

  void begin() {
    m_start = m_core.nextRegion();
    m_used = m_firstObject;
  }

  GrownCore& m_core;
  std::uint64_t m_firstObject;
  std::vector<std::byte> m_memory;
  std::uint64_t m_start = 0;
  std::uint64_t m_used = 0;
  std::uint64_t m_objects = 0;
};

}  // namespace heapscape::bench
