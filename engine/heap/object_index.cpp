// SPDX-License-Identifier: MIT
#include "heap/object_index.h"

#include <algorithm>
#include <bit>

namespace heapscape::engine {

ObjectIndex::ObjectIndex(const std::vector<Segment>& segments) {
  std::uint64_t words = 0;
  m_parts.reserve(segments.size());
  for (const Segment& segment : segments) {
    m_parts.push_back({segment.objects, words, 0});
    words += (segment.objects.sizeBytes() + kBytesPerWord - 1) / kBytesPerWord;
  }
  m_bits = LargeArray<std::uint64_t>(words + 1);
  if (!m_parts.empty()) m_all = {m_parts.front().range.start, m_parts.back().range.end};
  makeHints();
}

void ObjectIndex::makeHints() {
  if (m_parts.empty()) return;
  while (m_all.sizeBytes() >> m_hintBits >= kMaximumHints) ++m_hintBits;
  const std::uint64_t hints = (m_all.sizeBytes() >> m_hintBits) + 1;
  m_hints.reserve(hints);
  std::uint32_t part = 0;
  for (std::uint64_t i = 0; i < hints; ++i) {
    while (part + 1 < m_parts.size() && m_parts[part].range.end <= m_all.start + (i << m_hintBits)) ++part;
    m_hints.push_back(part);
  }
}

void ObjectIndex::finish() {
  m_ranks = LargeArray<std::uint32_t>(m_bits.size());
  std::uint32_t rank = 0;
  for (std::size_t part = 0; part < m_parts.size(); ++part) {
    m_parts[part].firstObject = rank;
    const std::uint64_t last = part + 1 < m_parts.size() ? m_parts[part + 1].firstWord : wordCount();
    for (std::uint64_t word = m_parts[part].firstWord; word < last; ++word) {
      m_ranks[word] = rank;
      rank += static_cast<std::uint32_t>(std::popcount(m_bits[word]));
    }
  }
  m_objectCount = rank;
}

std::pair<ObjectId, ObjectId> ObjectIndex::objectsOf(SegmentId segment) const {
  const std::uint32_t end = segment.value + 1 < m_parts.size() ? m_parts[segment.value + 1].firstObject : m_objectCount;
  return {{m_parts[segment.value].firstObject}, {end}};
}

SegmentId ObjectIndex::segmentOf(Address address) const {
  const Part* part = partAt(address);
  return part ? SegmentId{static_cast<std::uint32_t>(part - m_parts.data())} : SegmentId{};
}

std::uint32_t ObjectIndex::countBefore(SegmentId segment, Address address) const {
  const Part& part = m_parts[segment.value];
  if (address >= part.range.end) return objectsOf(segment).second.value;
  const std::uint64_t offset = address - part.range.start;
  const std::uint64_t word = part.firstWord + offset / kBytesPerWord;
  // The bits below that of the first place at or behind the address.
  const std::uint64_t places = alignUp(offset % kBytesPerWord, 8) / 8;
  const std::uint64_t before = places == 64 ? ~0ull : (1ull << places) - 1;
  return m_ranks[word] + static_cast<std::uint32_t>(std::popcount(m_bits[word] & before));
}

SegmentId ObjectIndex::segmentOf(ObjectId id) const {
  const auto after = std::upper_bound(m_parts.begin(), m_parts.end(), id.value,
                                      [](std::uint32_t number, const Part& part) { return number < part.firstObject; });
  return {static_cast<std::uint32_t>(after - m_parts.begin() - 1)};
}

Address ObjectIndex::addressOf(ObjectId id) const {
  const SegmentId segment = segmentOf(id);
  const Part& part = m_parts[segment.value];
  const std::uint32_t* first = m_ranks.data() + part.firstWord;
  const std::uint32_t* last =
      m_ranks.data() + (segment.value + 1 < m_parts.size() ? m_parts[segment.value + 1].firstWord : wordCount());
  const auto word = static_cast<std::uint64_t>(std::upper_bound(first, last, id.value) - m_ranks.data()) - 1;
  std::uint64_t bits = m_bits[word];
  for (std::uint32_t skip = id.value - m_ranks[word]; skip > 0; --skip) bits &= bits - 1;
  return part.range.start + (word - part.firstWord) * kBytesPerWord +
         8 * static_cast<std::uint64_t>(std::countr_zero(bits));
}

std::optional<Address> ObjectIndex::startAtOrBefore(Address address) const {
  const SegmentId segment = segmentOf(address);
  if (segment.isNone()) return std::nullopt;
  const Part& part = m_parts[segment.value];
  const std::uint64_t slot = (address - part.range.start) / 8;
  std::uint64_t word = slot / 64;
  std::uint64_t bits = m_bits[part.firstWord + word] & ~0ull >> (63 - slot % 64);
  while (!bits) {
    if (word == 0) return std::nullopt;
    bits = m_bits[part.firstWord + --word];
  }
  return part.range.start + (word * 64 + 63 - static_cast<std::uint64_t>(std::countl_zero(bits))) * 8;
}

}  // namespace heapscape::engine
