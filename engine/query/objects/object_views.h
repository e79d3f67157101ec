// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "query/objects/object_fields.h"

namespace heapscape::engine {

/// Reads objects by their ids, one after the other. Where the ids ascend and lie close together, each is found from the
/// one before and not searched for. For one thread; refers to the fields.
class ObjectViews {
 public:
  explicit ObjectViews(const ObjectFields& fields)
      : m_fields(fields), m_index(fields.contents().heap->index), m_words(m_index.words()) {}

  /// Null for an object that cannot be read any more. Good until the next one is asked for.
  const ObjectView* of(std::uint32_t id) {
    if (id < m_lowest || id >= m_end || id - m_lowest > kFar) seek(id);
    for (std::uint32_t inWord = 0; id - m_lowest >= (inWord = static_cast<std::uint32_t>(std::popcount(m_bits)));) {
      m_lowest += inWord;
      m_bits = m_words[++m_word];
    }
    for (; m_lowest < id; ++m_lowest) m_bits &= m_bits - 1;
    const Address address = m_start + 8 * (m_word * 64 + static_cast<std::uint64_t>(std::countr_zero(m_bits)));
    if (!m_fields.segments()[m_view.segment.value].tryRead(address, m_view.facts)) return nullptr;
    m_view.id = id;
    if (!m_sameGeneration.contains(address)) findGeneration(address);
    return &m_view;
  }

 private:
  static constexpr std::uint32_t kFar = 1024;  // from there on a search is quicker

  void seek(std::uint32_t id) {
    const Address address = m_index.addressOf({id});
    m_view.segment = m_index.segmentOf(ObjectId{id});
    m_end = m_index.objectsOf(m_view.segment).second.value;
    const std::uint64_t place = m_index.placeOf(address);
    m_start = Address{address.value - 8 * place};
    m_word = place / 64;
    m_bits = m_words[m_word] & ~0ull << place % 64;
    m_lowest = id;
  }

  void findGeneration(Address address) {
    const Segment& segment = (*m_fields.contents().segments)[m_view.segment.value];
    m_view.generation = segment.generationOf(address);
    m_sameGeneration = {address, address + 1};
    for (const GenerationRange& part : segment.generations) {
      if (part.range.contains(address)) m_sameGeneration = part.range;
    }
  }

  const ObjectFields& m_fields;
  const ObjectIndex& m_index;
  const std::span<const std::uint64_t> m_words;
  ObjectView m_view;
  Address m_start;             // of place 0 in the index, if all places lay in this segment
  std::uint64_t m_word = 0;    // that holds the last object
  std::uint64_t m_bits = 0;    // of it, from the last object on
  std::uint32_t m_lowest = 0;  // the last object
  std::uint32_t m_end = 0;     // behind the segment's objects
  AddressRange m_sameGeneration;
};

}  // namespace heapscape::engine
