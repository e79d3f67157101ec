// SPDX-License-Identifier: MIT
#include "graph/chunk_reader.h"

#include <algorithm>
#include <array>

namespace heapscape::engine {

void ChunkReader::read(const HeapChunk& chunk, StoredRows& rows, ObjectUnits& units, ObjectBits& isFree,
                       ObjectTypes* types) {
  m_found.clear();
  m_ends.clear();
  m_longRows.clear();
  m_largeObjects.clear();
  const SegmentObjects& objects = m_objects[chunk.segment.value];
  const ObjectReferences references(m_sources.memory, objects, m_sources.types, nullptr);
  StoredRows::Writer row(rows, chunk.firstObject);
  // Sorted as the objects are, which is faster than a look-up for each.
  auto dependent = std::lower_bound(m_dependents.begin(), m_dependents.end(),
                                    std::pair<Address, Address>{chunk.range.start, Address{}});
  std::uint32_t object = chunk.firstObject;
  m_index.forEachStart(chunk.segment, chunk.range, [&](Address address) {
    const std::size_t before = m_found.size();
    ObjectFacts facts;
    const bool isRead = objects.tryRead(address, facts);
    if (isRead) {
      if (facts.type == m_sources.heap.freeType) {
        isFree.set(object);
      } else {
        const auto size = static_cast<std::uint32_t>(facts.alignedBytes() / 8);
        if (!units.set(object, size)) m_largeObjects.push_back({object, size});
        references.forEach(facts, [&](const Edge& edge) { m_found.push_back(edge.to); });
        while (dependent != m_dependents.end() && dependent->first < address) ++dependent;
        for (; dependent != m_dependents.end() && dependent->first == address; ++dependent)
          m_found.push_back(dependent->second);
      }
    }
    if (types) types->set(object, isRead ? facts.type : TypeId());
    const auto edges = static_cast<std::uint32_t>(m_found.size() - before);
    row.add(edges, static_cast<std::uint32_t>(before));
    if (edges >= RowLine::kMany) m_longRows.push_back({object, edges});
    m_ends.push_back(static_cast<std::uint32_t>(m_found.size()));
    ++object;
    return true;
  });
}

void ChunkReader::lookUp(const HeapChunk& chunk, std::uint32_t* targets, DamagedReferences& damage) {
  std::array<std::uint64_t, kWaiting> places;
  const auto ask = [&](std::size_t edge) {
    const std::uint64_t place = m_index.placeOf(m_found[edge]);
    m_index.prefetch(place);
    places[edge % kWaiting] = place;
  };
  const std::size_t edges = m_found.size();
  for (std::size_t edge = 0; edge < std::min(edges, kWaiting); ++edge) ask(edge);
  for (std::size_t edge = 0; edge < edges; ++edge) {
    ObjectId target = m_index.idAt(places[edge % kWaiting]);
    if (target.isNone()) [[unlikely]] {
      target.value = ownerOf(chunk, edge);
      damage.add(target.value, m_found[edge]);
    }
    targets[edge] = target.value;
    if (edge + kWaiting < edges) ask(edge + kWaiting);
  }
}

std::uint32_t ChunkReader::ownerOf(const HeapChunk& chunk, std::size_t edge) const {
  return chunk.firstObject + static_cast<std::uint32_t>(std::ranges::upper_bound(m_ends, edge) - m_ends.begin());
}

}  // namespace heapscape::engine
