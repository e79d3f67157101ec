// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/large_array.h"
#include "base/progress.h"
#include "base/result.h"
#include "graph/reverse_references.h"
#include "heap/segment_objects.h"
#include "query/objects/object_schema.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {

/// One object as the fields of a query see it.
struct ObjectView {
  std::uint32_t id = 0;  // ObjectId
  ObjectFacts facts = {};
  SegmentId segment = {};
  Generation generation = Generation::Gen0;
};

/// How a field of objects is read.
enum class ObjectFieldForm : std::uint8_t {
  Symbol,  // one of few texts, by number
  Number,  // from arrays that are there, or from the object's head
  Flag,
  Memory,  // the object's own memory has to be read: see object_values.h
};
ObjectFieldForm formOf(const QueryFieldReference& reference);
/// Known from the stage Retained on.
bool needsRetained(ObjectField field);
/// Whether a recorded heap tells it.
bool isRecordedField(ObjectField field);

/// Values of the fields of objects that are no memory of theirs. Safe from any thread; refers to the snapshot.
class ObjectFields {
 public:
  static constexpr std::uint32_t kNoSymbol = 0xffffffff;

  /// Makes ready what these fields need. Fails with BadQuery for one that needs a stage which is not there.
  /// `sets`: what the field of that name asks for; null for none.
  static Outcome<ObjectFields> make(const Snapshot& snapshot, std::span<const QueryFieldReference> fields,
                                    ProgressSink* progress, std::stop_token stop,
                                    std::shared_ptr<const ObjectSets> sets = {});

  const Snapshot& snapshot() const { return m_snapshot; }
  const Contents& contents() const { return m_snapshot.contents(); }
  const std::vector<SegmentObjects>& segments() const { return m_segments; }
  /// kNoSymbol for null.
  std::uint32_t symbol(ObjectField field, const ObjectView& object) const;
  /// All that a field may be; several may be the same text.
  const std::vector<std::string>& symbols(ObjectField field) const {
    return m_symbols[static_cast<std::size_t>(field)];
  }
  /// The symbol of a field that follows from the type alone.
  std::uint32_t symbolOfType(ObjectField field, TypeId type) const;
  /// The number that a field holds; nothing for an object that has none.
  std::optional<std::uint64_t> number(ObjectField field, const ObjectView& object) const;
  bool flag(ObjectField field, const ObjectView& object) const;
  /// Names of the sets that an object belongs to, as many as there are.
  std::vector<std::string_view> setsOf(const ObjectView& object) const;

 private:
  explicit ObjectFields(const Snapshot& snapshot);
  bool isAsked(std::span<const QueryFieldReference> fields, ObjectField field) const;
  Outcome<void> findPinned(std::stop_token stop);
  void nameTypes(ObjectField field);
  void findOwners();
  std::uint32_t numberOf(const ObjectView& object) const;

  const Snapshot m_snapshot;
  std::vector<SegmentObjects> m_segments;
  std::vector<std::vector<std::string>> m_symbols;        // by ObjectField
  std::vector<std::vector<std::uint32_t>> m_typeSymbols;  // by ObjectField, then TypeId; empty where that is the TypeId
  std::shared_ptr<const ObjectTypes> m_types;             // for who holds whom
  LargeArray<std::uint32_t> m_owners;                     // symbol by number in the dominator tree
  std::vector<bool> m_isPinned;                           // by ObjectId
  std::shared_ptr<const ReverseReferences> m_reverse;
  std::shared_ptr<const ObjectSets> m_sets;
};

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
