// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/address.h"

namespace heapscape::engine {

/// Sorted stretches of addresses, joined where they touch, to look many words up in.
class MappedAddresses {
 public:
  MappedAddresses() = default;
  explicit MappedAddresses(std::vector<AddressRange> ranges) {
    std::erase_if(ranges, [](const AddressRange& range) { return range.isEmpty(); });
    std::ranges::sort(ranges, {}, [](const AddressRange& range) { return range.start; });
    for (const AddressRange& range : ranges) {
      if (!m_ranges.empty() && range.start <= m_ranges.back().end)
        m_ranges.back().end = std::max(m_ranges.back().end, range.end);
      else
        m_ranges.push_back(range);
    }
    if (!m_ranges.empty()) m_all = {m_ranges.front().start, m_ranges.back().end};
  }

  bool contains(std::uint64_t word) const {
    const Address address{word};
    if (!m_all.contains(address)) return false;
    const auto next =
        std::ranges::upper_bound(m_ranges, address, {}, [](const AddressRange& range) { return range.end; });
    return next != m_ranges.end() && next->start <= address;
  }
  const std::vector<AddressRange>& ranges() const { return m_ranges; }

 private:
  std::vector<AddressRange> m_ranges;
  AddressRange m_all;
};

}  // namespace heapscape::engine
