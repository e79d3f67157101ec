// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/address.h"
#include "base/ids.h"
#include "base/large_array.h"
#include "heap/recorded_objects.h"
#include "heap/segment.h"

namespace heapscape::engine {

/// Which addresses are object starts, and the dense number of each: one bit per 8 bytes of heap, with the number of
/// objects before each word of bits. 12 bytes per 512 bytes of heap. Words never span two segments.
class ObjectIndex {
 public:
  static constexpr std::uint64_t kBytesPerWord = 64 * 8;  // heap bytes that one word of bits covers

  /// An index with room for these segments (in address order) and no objects yet.
  explicit ObjectIndex(const std::vector<Segment>& segments);

  /// Where the bits of a segment begin: the word for the first kBytesPerWord bytes behind its start.
  std::uint64_t* wordsOf(SegmentId segment) { return m_bits.data() + m_parts[segment.value].firstWord; }
  /// Counts the bits; call once all are set.
  void finish();

  /// For a heap that was recorded: what its objects are, as many as there are bits.
  void setRecorded(std::shared_ptr<const RecordedObjects> objects) { m_recorded = std::move(objects); }
  /// Null where objects are read from memory.
  const RecordedObjects* recorded() const { return m_recorded.get(); }

  std::uint32_t objectCount() const { return m_objectCount; }
  /// Objects of a segment: [first, last).
  std::pair<ObjectId, ObjectId> objectsOf(SegmentId segment) const;
  /// Whether an object begins there: quicker than its number.
  [[gnu::always_inline]] bool isStart(Address address) const {
    const std::uint64_t place = placeOf(address);
    return m_bits[place / 64] >> place % 64 & 1;
  }
  /// Returns ObjectId{} for an address that is no object's start.
  ObjectId idOf(Address address) const { return idAt(placeOf(address)); }
  Address addressOf(ObjectId id) const;
  SegmentId segmentOf(Address address) const;
  SegmentId segmentOf(ObjectId id) const;
  /// Objects of the whole heap that start before an address of the segment, or before its end.
  std::uint32_t countBefore(SegmentId segment, Address address) const;
  /// idOf() in two steps, so that many look-ups can wait for memory at once: the place of an address' bit, or of one
  /// that is never set where no object can start; and the object there.
  [[gnu::always_inline]] std::uint64_t placeOf(Address address) const {
    const Part* part = partAt(address);
    if (!part || (address - part->range.start) % 8) [[unlikely]]
      return nowhere();
    return part->firstWord * 64 + (address - part->range.start) / 8;
  }
  [[gnu::always_inline]] void prefetch(std::uint64_t place) const {
    __builtin_prefetch(&m_bits[place / 64]);
    __builtin_prefetch(&m_ranks[place / 64]);
  }
  [[gnu::always_inline]] ObjectId idAt(std::uint64_t place) const {
    const std::uint64_t word = m_bits[place / 64];
    const std::uint64_t bit = 1ull << place % 64;
    if (!(word & bit)) return {};
    return {m_ranks[place / 64] + static_cast<std::uint32_t>(__builtin_popcountll(word & (bit - 1)))};
  }
  /// The last object that starts at or before the address, in the same segment.
  std::optional<Address> startAtOrBefore(Address address) const;

  /// Calls visit(Address) for object starts in [range.start, range.end) of one segment, in order, until false.
  template <class Visit>
  bool forEachStart(SegmentId segment, AddressRange range, Visit visit) const {
    const Part& part = m_parts[segment.value];
    const Address from = std::max(range.start, part.range.start);
    const Address to = std::min(range.end, part.range.end);
    if (from >= to) return true;
    const std::uint64_t lastOffset = to - part.range.start - 1;
    std::uint64_t word = (from - part.range.start) / kBytesPerWord;
    std::uint64_t bits = m_bits[part.firstWord + word] & ~0ull << ((from - part.range.start) / 8 % 64);
    for (;;) {
      for (; bits; bits &= bits - 1) {
        const std::uint64_t offset = word * kBytesPerWord + 8 * static_cast<std::uint64_t>(__builtin_ctzll(bits));
        if (offset > lastOffset) return true;
        if (!visit(part.range.start + offset)) return false;
      }
      if (++word > lastOffset / kBytesPerWord) return true;
      bits = m_bits[part.firstWord + word];
    }
  }

  /// A bit for every 8 bytes of all segments, one behind the other.
  std::span<const std::uint64_t> words() const { return m_bits.elements().first(wordCount()); }

  std::uint64_t memoryBytes() const { return m_bits.memoryBytes() + m_ranks.memoryBytes(); }

 private:
  struct Part {
    AddressRange range;
    std::uint64_t firstWord = 0;
    std::uint32_t firstObject = 0;
  };

  std::size_t wordCount() const { return m_bits.size() - 1; }
  std::uint64_t nowhere() const { return std::uint64_t{wordCount()} * 64; }

  /// The segment that holds an address; null if none does.
  [[gnu::always_inline]] const Part* partAt(Address address) const {
    if (address < m_all.start || address >= m_all.end) [[unlikely]]
      return nullptr;
    const Part* part = &m_parts[m_hints[(address - m_all.start) >> m_hintBits]];
    while (part->range.end <= address) ++part;
    return part->range.start <= address ? part : nullptr;
  }
  // The first segment that may hold an address, one entry for so many bytes from the first segment on, as a region of
  // the GC has, and more only if the heap is spread over terabytes.
  static constexpr std::uint32_t kLeastHintBits = 22;
  static constexpr std::uint64_t kMaximumHints = 1 << 20;
  void makeHints();

  AddressRange m_all;                  // from the first segment's start to the last one's end
  std::vector<Part> m_parts;           // index: SegmentId
  std::vector<std::uint32_t> m_hints;  // SegmentIds
  std::uint32_t m_hintBits = kLeastHintBits;
  LargeArray<std::uint64_t> m_bits;   // and a word of none behind them
  LargeArray<std::uint32_t> m_ranks;  // objects before each word, over the whole heap
  std::uint32_t m_objectCount = 0;
  std::shared_ptr<const RecordedObjects> m_recorded;
};

}  // namespace heapscape::engine
