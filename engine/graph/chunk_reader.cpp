// SPDX-License-Identifier: MIT
#include "graph/chunk_reader.h"

#include <algorithm>

namespace heapscape::engine {

void ChunkReader::read(const HeapChunk& chunk, std::uint32_t* rows, std::uint32_t* units, ObjectBits& isFree) {
  m_added = m_done = 0;
  m_targets.clear();
  m_damage = {};
  const SegmentObjects& objects = m_objects[chunk.segment.value];
  const ObjectReferences references(m_sources.memory, objects, m_sources.types, nullptr);
  // Sorted as the objects are, which is faster than a look-up for each.
  auto dependent = std::lower_bound(m_dependents.begin(), m_dependents.end(),
                                    std::pair<Address, Address>{chunk.range.start, Address{}});
  std::uint32_t object = chunk.firstObject;
  m_index.forEachStart(chunk.segment, chunk.range, [&](Address address) {
    rows[object] = static_cast<std::uint32_t>(m_added);
    ObjectFacts facts;
    if (objects.tryRead(address, facts)) {
      if (facts.type == m_sources.heap.freeType) {
        isFree.set(object);
      } else {
        units[object] = static_cast<std::uint32_t>(facts.alignedBytes() / 8);
        references.forEach(facts, [&](const Edge& edge) { add(object, edge.to); });
        while (dependent != m_dependents.end() && dependent->first < address) ++dependent;
        for (; dependent != m_dependents.end() && dependent->first == address; ++dependent)
          add(object, dependent->second);
      }
    }
    ++object;
    return true;
  });
  while (m_done < m_added) finishOne();
}

}  // namespace heapscape::engine
