// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "graph/heap_chunk.h"
#include "graph/object_references.h"
#include "graph/retained/reachable_set.h"

namespace heapscape::engine {

/// One bit an object.
class ObjectBits {
 public:
  explicit ObjectBits(std::uint32_t objects) : m_words(std::size_t{objects} / 64 + 1) {}
  bool operator[](std::uint32_t object) const { return m_words[object / 64] >> object % 64 & 1; }
  /// From any thread.
  void set(std::uint32_t object) {
    std::atomic_ref<std::uint64_t>(m_words[object / 64]).fetch_or(1ull << object % 64, std::memory_order_relaxed);
  }

 private:
  std::vector<std::uint64_t> m_words;
};

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

/// Reads the references of one chunk after the other on one thread. Each target is looked up a while after it was read,
/// so that what the index has about it has come from memory by then.
class ChunkReader {
 public:
  /// `dependents`: keys and secondaries, sorted.
  ChunkReader(const ReferenceSources& sources, std::span<const SegmentObjects> objects,
              std::span<const std::pair<Address, Address>> dependents)
      : m_sources(sources), m_index(sources.heap.index), m_objects(objects), m_dependents(dependents) {}

  /// Sets the rows of the chunk's objects, counted from the chunk's first target, their units, and the bits of free
  /// ones. What leads to no object is in targets() all the same, as an edge from the object to itself.
  void read(const HeapChunk& chunk, std::uint32_t* rows, std::uint32_t* units, ObjectBits& isFree);

  std::span<const std::uint32_t> targets() const { return m_targets; }
  const DamagedReferences& damage() const { return m_damage; }

 private:
  struct LookUp {
    std::uint64_t place;
    Address target;
    std::uint32_t object;
  };
  static constexpr std::size_t kWaiting = 64;  // look-ups at a time; found by measuring

  void add(std::uint32_t object, Address target) {
    if (m_added - m_done == kWaiting) finishOne();
    const std::uint64_t place = m_index.placeOf(target);
    m_index.prefetch(place);
    m_lookUps[m_added++ % kWaiting] = {place, target, object};
  }
  void finishOne() {
    const LookUp& lookUp = m_lookUps[m_done++ % kWaiting];
    const ObjectId id = m_index.idAt(lookUp.place);
    if (id.isNone()) m_damage.add(lookUp.object, lookUp.target);
    m_targets.push_back(id.isNone() ? lookUp.object : id.value);
  }

  const ReferenceSources& m_sources;
  const ObjectIndex& m_index;
  std::span<const SegmentObjects> m_objects;  // by SegmentId
  std::span<const std::pair<Address, Address>> m_dependents;
  std::array<LookUp, kWaiting> m_lookUps;
  std::size_t m_added = 0;  // of all look-ups in the chunk
  std::size_t m_done = 0;
  std::vector<std::uint32_t> m_targets;
  DamagedReferences m_damage;
};

}  // namespace heapscape::engine
