// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/large_array.h"
#include "base/limits.h"
#include "graph/heap_chunk.h"
#include "graph/object_bits.h"
#include "graph/object_references.h"
#include "graph/object_units.h"
#include "graph/retained/reachable_set.h"
#include "graph/stored_rows.h"
#include "heap/object_types.h"

namespace heapscape::engine {

/// References that lead to no object.
struct DamagedReferences {
  struct Reference {
    std::uint32_t object;
    Address target;
  };
  std::uint64_t count = 0;
  std::vector<Reference> first = {};  // no more than there are findings

  void add(std::uint32_t object, Address target) {
    ++count;
    if (first.size() < kLimits.findings) first.push_back({object, target});
  }
};

/// Reads the references of one chunk after the other on one thread: first what its objects refer to, then which objects
/// these are, each looked up a while after its word of the index was asked for, so that it has come from memory by
/// then.
class ChunkReader {
 public:
  /// `dependents`: key and secondary, sorted.
  ChunkReader(const ReferenceSources& sources, std::span<const SegmentObjects> objects,
              std::span<const std::pair<Address, Address>> dependents)
      : m_sources(sources), m_index(sources.heap.index), m_objects(objects), m_dependents(dependents) {}

  /// Sets the rows of the chunk's objects, counted from the chunk's first target, their units, the bits of free ones,
  /// and their types if `types` is not null.
  void read(const HeapChunk& chunk, StoredRows& rows, ObjectUnits& units, ObjectBits& isFree, ObjectTypes* types);
  /// What read() has found.
  std::size_t targetCount() const { return m_foundCount; }
  std::span<const LongRow> longRows() const { return m_longRows; }
  std::span<const ObjectUnits::LargeObject> largeObjects() const { return m_largeObjects; }

  /// Writes all targets that read() has found; what leads to no object becomes an edge from the object to itself.
  void lookUp(const HeapChunk& chunk, std::uint32_t* targets, DamagedReferences& damage);

 private:
  static constexpr std::size_t kWaiting = 64;  // look-ups at a time; found by measuring
  using Dependent = std::pair<Address, Address>;
  using Places = std::array<std::uint64_t, kWaiting>;

  void addReferences(const SegmentObjects& objects, const ObjectFacts& facts);
  void addVarying(const SegmentObjects& objects, ObjectFacts facts);
  Address* roomFor(std::size_t references);
  void makeRoom(std::size_t references);
  void ask(std::size_t first, std::size_t count, Places& places) const;

  std::uint32_t ownerOf(const HeapChunk& chunk, std::size_t edge) const;

  const ReferenceSources& m_sources;
  const ObjectIndex& m_index;
  std::span<const SegmentObjects> m_objects;  // by SegmentId
  std::span<const std::pair<Address, Address>> m_dependents;
  LargeArray<Address> m_found;  // what the chunk's objects refer to, and room for more
  std::size_t m_foundCount = 0;
  std::vector<std::uint32_t> m_ends;  // by object in the chunk: where its targets end
  std::vector<LongRow> m_longRows;
  std::vector<ObjectUnits::LargeObject> m_largeObjects;
};

}  // namespace heapscape::engine
