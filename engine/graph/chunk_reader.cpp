// SPDX-License-Identifier: MIT
#include "graph/chunk_reader.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace heapscape::engine {
namespace {

constexpr std::size_t kFirstRoom = 1 << 18;  // of references; memory is taken as they come

}  // namespace

void ChunkReader::read(const HeapChunk& chunk, StoredRows& rows, ObjectUnits& units, ObjectBits& isFree,
                       ObjectTypes* types) {
  m_foundCount = 0;
  m_ends.resize(chunk.objectCount());
  m_longRows.clear();
  m_largeObjects.clear();
  const SegmentObjects& objects = m_objects[chunk.segment.value];
  StoredRows::Writer row(rows, chunk.firstObject);
  // Sorted as the objects are, which is faster than a look-up for each.
  const auto* dependent =
      std::to_address(std::ranges::lower_bound(m_dependents, chunk.range.start, {}, &Dependent::first));
  const auto* const lastDependent = std::to_address(m_dependents.end());
  std::uint32_t object = chunk.firstObject;
  m_index.forEachStart(chunk.segment, chunk.range, [&](Address address) {
    const std::size_t before = m_foundCount;
    ObjectFacts facts;
    const bool isRead = objects.tryRead(address, facts);
    if (isRead) {
      if (facts.type == m_sources.heap.freeType) {
        isFree.set(object);
      } else {
        const auto size = static_cast<std::uint32_t>(facts.alignedBytes() / 8);
        if (!units.set(object, size)) [[unlikely]]
          m_largeObjects.push_back({object, size});
        addReferences(objects, facts);
        while (dependent != lastDependent && dependent->first < address) [[unlikely]]++ dependent;
        for (; dependent != lastDependent && dependent->first == address; ++dependent) {
          *roomFor(1) = dependent->second;
          ++m_foundCount;
        }
      }
    }
    if (types) types->set(object, isRead ? facts.type : TypeId());
    const auto edges = static_cast<std::uint32_t>(m_foundCount - before);
    row.add(edges, static_cast<std::uint32_t>(before));
    if (edges >= RowLine::kMany) [[unlikely]]
      m_longRows.push_back({object, edges});
    m_ends[object - chunk.firstObject] = static_cast<std::uint32_t>(m_foundCount);
    ++object;
    return true;
  });
}

// Most objects are of types whose references are in few places, always the same ones.
[[gnu::always_inline]] inline void ChunkReader::addReferences(const SegmentObjects& objects, const ObjectFacts& facts) {
  if (!m_sources.types.isFixed(facts.type)) return addVarying(objects, facts);
  const std::span<const std::uint32_t> places = m_sources.types.fixedPlaces(facts.type);
  if (places.empty()) return;
  const std::byte* const from = objects.wholeObject(facts);
  if (!from) [[unlikely]]
    return addVarying(objects, facts);
  Address* const first = roomFor(places.size());
  Address* next = first;
  for (const std::uint32_t place : places) {
    std::memcpy(next, from + place, sizeof *next);
    if (*next) ++next;
  }
  m_foundCount += static_cast<std::size_t>(next - first);
}

[[gnu::noinline]] void ChunkReader::addVarying(const SegmentObjects& objects, ObjectFacts facts) {
  const ObjectReferences references(m_sources.memory, objects, m_sources.types, nullptr);
  // No more fit into the object, and one may come from its type.
  Address* const first = roomFor(facts.alignedBytes() / GcDesc::kReferenceBytes + 1);
  Address* next = first;
  references.forEach(facts, [&next](const Edge& edge) { *next++ = edge.to; });
  m_foundCount += static_cast<std::size_t>(next - first);
}

// Room for so many more, and one to write to in vain.
[[gnu::always_inline]] inline Address* ChunkReader::roomFor(std::size_t references) {
  if (m_found.size() <= m_foundCount + references) [[unlikely]]
    makeRoom(references);
  return m_found.data() + m_foundCount;
}

[[gnu::noinline]] void ChunkReader::makeRoom(std::size_t references) {
  LargeArray<Address> larger(std::max(kFirstRoom, 2 * (m_foundCount + references)));
  std::copy_n(m_found.data(), m_foundCount, larger.data());
  m_found = std::move(larger);
}

void ChunkReader::lookUp(const HeapChunk& chunk, std::uint32_t* targets, DamagedReferences& damage) {
  Places places[2];
  Places* waiting = &places[0];
  Places* next = &places[1];
  std::size_t count = std::min(m_foundCount, kWaiting);
  ask(0, count, *waiting);
  for (std::size_t first = 0; first < m_foundCount;) {
    const std::size_t behind = first + count;
    const std::size_t nextCount = std::min(m_foundCount - behind, kWaiting);
    ask(behind, nextCount, *next);
    for (std::size_t i = 0; i < count; ++i) {
      ObjectId target = m_index.idAt((*waiting)[i]);
      if (target.isNone()) [[unlikely]] {
        target.value = ownerOf(chunk, first + i);
        damage.add(target.value, m_found[first + i]);
      }
      targets[first + i] = target.value;
    }
    std::swap(waiting, next);
    first = behind;
    count = nextCount;
  }
}

[[gnu::always_inline]] inline void ChunkReader::ask(std::size_t first, std::size_t count, Places& places) const {
  const Address* const addresses = m_found.data() + first;
  for (std::size_t i = 0; i < count; ++i) {
    places[i] = m_index.placeOf(addresses[i]);
    m_index.prefetch(places[i]);
  }
}

std::uint32_t ChunkReader::ownerOf(const HeapChunk& chunk, std::size_t edge) const {
  return chunk.firstObject + static_cast<std::uint32_t>(std::ranges::upper_bound(m_ends, edge) - m_ends.begin());
}

}  // namespace heapscape::engine
