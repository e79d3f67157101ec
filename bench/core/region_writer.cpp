// SPDX-License-Identifier: MIT
#include "core/region_writer.h"

#include <algorithm>

namespace heapscape::bench {

std::uint64_t RegionWriter::add(const Kind& kind, std::uint32_t components) {
  const std::uint64_t address = m_start + m_used;
  m_used += kind.sizeBytes(components);
  ++m_objects;
  set(address, kind.methodTable);
  if (kind.componentSize) set(address + 8, components);
  return address;
}

void RegionWriter::close() {
  if (m_used > m_firstObject) {
    m_core.addRegion(std::span(m_memory).first(m_used), GrownCore::kRegionBytes, false);
    std::ranges::fill(m_memory, std::byte{0});
  }
  begin();
}

std::uint64_t RegionWriter::addLarge(const Kind& kind, std::uint32_t components, std::span<const std::byte> elements) {
  close();
  std::vector<std::byte> memory(m_firstObject + kind.sizeBytes(components));
  const std::uint64_t address = m_start + m_firstObject;
  std::memcpy(memory.data() + m_firstObject, &kind.methodTable, sizeof kind.methodTable);
  std::memcpy(memory.data() + m_firstObject + 8, &components, sizeof components);
  std::memcpy(memory.data() + m_firstObject + kElementsOffset, elements.data(), elements.size());
  m_core.addRegion(memory, engine::alignUp(memory.size() + kTailBytes, GrownCore::kLargeRegionBytes), true);
  ++m_objects;
  begin();
  return address;
}

}  // namespace heapscape::bench
