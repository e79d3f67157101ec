// SPDX-License-Identifier: MIT
#include "session/process/memory_claims.h"

#include <algorithm>
#include <queue>

namespace heapscape::engine {

void MemoryClaims::add(AddressRange range, MemoryOwner owner, std::string name, std::string path) {
  if (range.isEmpty()) return;
  const std::string& key = path.empty() ? name : path;
  const auto [place, isNew] = m_partyOf.emplace(std::pair(owner, key), static_cast<std::uint32_t>(m_parties.size()));
  if (isNew) m_parties.push_back({owner, std::move(name), std::move(path)});
  m_claims.push_back({range, place->second});
}

Outcome<std::vector<MemoryPart>> MemoryClaims::divide(const std::vector<Mapping>& mappings, const AddressSpace& memory,
                                                      std::stop_token stop) const {
  std::vector<MemoryPart> parts;
  for (const Party& party : m_parties) {
    MemoryPart& part = parts.emplace_back();
    part.owner = party.owner;
    part.name = party.name;
    part.path = party.path;
  }
  std::vector<std::size_t> lastMapping(parts.size(), SIZE_MAX);
  std::vector<std::uint32_t> order(m_claims.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [this](std::uint32_t left, std::uint32_t right) {
    return std::pair(m_claims[left].range.start, left) < std::pair(m_claims[right].range.start, right);
  });

  // Claims that have begun, the first entered on top. Those that have ended are dropped once they come up.
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> begun;
  std::size_t next = 0;
  std::size_t steps = 0;
  for (std::size_t m = 0; m < mappings.size(); ++m) {
    const AddressRange mapping = mappings[m].range;
    for (Address at = mapping.start; at < mapping.end;) {
      if (++steps % 4096 == 0 && stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      for (; next < order.size() && m_claims[order[next]].range.start <= at; ++next) begun.push(order[next]);
      while (!begun.empty() && m_claims[begun.top()].range.end <= at) begun.pop();
      Address until = next < order.size() ? std::min(mapping.end, m_claims[order[next]].range.start) : mapping.end;
      if (!begun.empty()) {
        const Claim& claim = m_claims[begun.top()];
        until = std::min(until, claim.range.end);
        MemoryPart& part = parts[claim.party];
        if (!part.bytes) part.address = at;
        if (std::exchange(lastMapping[claim.party], m) != m) ++part.mappings;
        part.bytes += until - at;
        for (const AddressRange& present : memory.present({at, until})) part.inDumpBytes += present.sizeBytes();
      }
      at = until;
    }
  }
  std::erase_if(parts, [](const MemoryPart& part) { return part.bytes == 0; });
  return parts;
}

}  // namespace heapscape::engine
