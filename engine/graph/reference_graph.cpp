// SPDX-License-Identifier: MIT
#include "graph/reference_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <optional>
#include <vector>

#include <tbb/parallel_for.h>

#include "graph/object_references.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kChunkBytes = 1 << 20;  // what a chunk finds stays in the core's own cache
constexpr std::size_t kFetchAhead = 32;
constexpr double kReadingShare = 0.85;

/// A part of one segment, and the edges that begin in it.
struct Chunk {
  SegmentId segment;
  AddressRange range;
  std::uint32_t firstObject = 0;
  std::uint32_t endObject = 0;
  std::uint64_t firstTarget = 0;       // in the whole graph
  std::vector<std::uint32_t> targets;  // emptied once they are in the graph
};

/// The references of a chunk as they stand in memory, before they are looked up.
struct RawReferences {
  std::vector<Address> targets;
  std::vector<std::uint32_t> counts;  // by object of the chunk
};

class GraphBuilder {
 public:
  GraphBuilder(const ReferenceSources& sources, std::span<const Address> rootSlots, StageProgress& progress,
               std::stop_token stop)
      : m_sources(sources),
        m_rootSlots(rootSlots),
        m_progress(progress),
        m_stop(std::move(stop)),
        m_objects(objectsOfAll(sources.memory, sources.heap.index, sources.heap.types, sources.segments)),
        m_isFree(sources.heap.index.objectCount()) {
    m_dependents.assign(sources.dependents.begin(), sources.dependents.end());
    std::sort(m_dependents.begin(), m_dependents.end());
  }

  Outcome<ReferenceGraph> run() {
    const std::uint32_t objects = m_sources.heap.index.objectCount();
    m_graph.findings.append(m_sources.types.findings());
    m_graph.rows = LargeArray<std::uint32_t>(std::size_t{objects} + 1);
    m_graph.units = LargeArray<std::uint32_t>(objects);
    makeChunks();
    readChunks();
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    HEAPSCAPE_CHECK(joinChunks());
    cutRootSlots();
    m_progress.report(1);
    return std::move(m_graph);
  }

 private:
  void makeChunks() {
    const ObjectIndex& index = m_sources.heap.index;
    for (std::uint32_t i = 0; i < m_sources.segments.size(); ++i) {
      const AddressRange& objects = m_sources.segments[i].objects;
      std::uint32_t first = index.objectsOf({i}).first.value;
      for (Address start = objects.start; start < objects.end; start += kChunkBytes) {
        const Address end = std::min(objects.end, start + kChunkBytes);
        const std::uint32_t next = index.countBefore({i}, end);
        if (next > first) m_chunks.push_back({{i}, {start, end}, first, next, 0, {}});
        first = next;
      }
    }
  }

  void readChunks() {
    std::atomic<std::size_t> done = 0;
    tbb::parallel_for(std::size_t{0}, m_chunks.size(), [&](std::size_t i) {
      if (m_stop.stop_requested()) return;
      readChunk(m_chunks[i]);
      const std::size_t finished = ++done;
      const std::unique_lock lock(m_mutex, std::try_to_lock);
      if (lock) m_progress.report(kReadingShare * static_cast<double>(finished) / static_cast<double>(m_chunks.size()));
    });
  }

  void readChunk(Chunk& chunk) {
    thread_local RawReferences raw;
    raw.targets.clear();
    raw.counts.clear();
    const SegmentObjects& objects = m_objects[chunk.segment.value];
    const ObjectReferences references(m_sources.memory, objects, m_sources.types, nullptr);
    // Sorted as the objects are, which is faster than a look-up for each.
    auto dependent = std::lower_bound(m_dependents.begin(), m_dependents.end(),
                                      std::pair<Address, Address>{chunk.range.start, Address{}});
    std::uint32_t object = chunk.firstObject;
    m_sources.heap.index.forEachStart(chunk.segment, chunk.range, [&](Address address) {
      const std::size_t before = raw.targets.size();
      ObjectFacts facts;
      if (objects.tryRead(address, facts)) {
        if (facts.type == m_sources.heap.freeType) {
          markFree(object);
        } else {
          m_graph.units[object] = static_cast<std::uint32_t>(facts.alignedBytes() / 8);
          references.forEach(facts, [&](const Edge& edge) { raw.targets.push_back(edge.to); });
          while (dependent != m_dependents.end() && dependent->first < address) ++dependent;
          for (; dependent != m_dependents.end() && dependent->first == address; ++dependent)
            raw.targets.push_back(dependent->second);
        }
      }
      raw.counts.push_back(static_cast<std::uint32_t>(raw.targets.size() - before));
      ++object;
      return true;
    });
    resolve(chunk, raw);
  }

  // Rows count from the chunk's first target until the chunks are joined.
  void resolve(Chunk& chunk, const RawReferences& raw) {
    const ObjectIndex& index = m_sources.heap.index;
    chunk.targets.reserve(raw.targets.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < raw.counts.size(); ++i) {
      const auto object = chunk.firstObject + static_cast<std::uint32_t>(i);
      m_graph.rows[object] = static_cast<std::uint32_t>(chunk.targets.size());
      for (const std::size_t end = next + raw.counts[i]; next < end; ++next) {
        if (next + kFetchAhead < raw.targets.size()) index.prefetch(raw.targets[next + kFetchAhead]);
        const ObjectId target = index.idOf(raw.targets[next]);
        if (target.isNone()) {
          addDamage(object, raw.targets[next]);
        } else {
          chunk.targets.push_back(target.value);
        }
      }
    }
  }

  Outcome<bool> joinChunks() {
    std::uint64_t edges = 0;
    for (Chunk& chunk : m_chunks) {
      chunk.firstTarget = edges;
      edges += chunk.targets.size();
    }
    if (edges > std::numeric_limits<std::uint32_t>::max())
      return tl::unexpected(Unfinished(
          Error{ErrorCode::Damaged, fmt::format("The heap has {} references, more than can be counted.", edges)}));
    m_graph.targets = LargeArray<std::uint32_t>(edges);
    m_graph.rows[m_graph.rows.size() - 1] = static_cast<std::uint32_t>(edges);
    tbb::parallel_for(std::size_t{0}, m_chunks.size(), [&](std::size_t i) { join(m_chunks[i]); });
    return true;
  }

  void join(Chunk& chunk) {
    const auto first = static_cast<std::uint32_t>(chunk.firstTarget);
    for (std::uint32_t object = chunk.firstObject; object < chunk.endObject; ++object) {
      const std::uint32_t start = m_graph.rows[object] += first;
      const std::uint32_t end = object + 1 < chunk.endObject ? m_graph.rows[object + 1] + first
                                                             : first + static_cast<std::uint32_t>(chunk.targets.size());
      for (std::uint32_t edge = start; edge < end; ++edge) {
        std::uint32_t target = chunk.targets[edge - first];
        if (isFree(target)) {
          addDamage(object, m_sources.heap.index.addressOf({target}));
          target = object;  // an edge to itself holds nothing
        }
        m_graph.targets[edge] = target;
      }
    }
    chunk.targets = {};
  }

  void cutRootSlots() {
    const ObjectIndex& index = m_sources.heap.index;
    for (std::size_t first = 0; first < m_rootSlots.size();) {
      const std::optional<Address> owner = index.startAtOrBefore(m_rootSlots[first]);
      std::size_t end = first + 1;
      if (owner) {
        const Address next = cutRootSlotsOf(*owner, m_rootSlots.subspan(first));
        while (end < m_rootSlots.size() && m_rootSlots[end] < next) ++end;
      }
      first = end;
    }
  }

  // Gives the end of the object.
  Address cutRootSlotsOf(Address owner, std::span<const Address> slots) {
    const ObjectId object = m_sources.heap.index.idOf(owner);
    const SegmentObjects& objects = m_objects[m_sources.heap.index.segmentOf(owner).value];
    ObjectFacts facts;
    if (!objects.tryRead(owner, facts)) return owner;
    std::uint32_t edge = m_graph.rows[object.value];
    const ObjectReferences references(m_sources.memory, objects, m_sources.types, nullptr);
    references.forEach(facts, [&](const Edge& reference) {
      if (m_sources.heap.index.idOf(reference.to).isNone()) return;  // has no edge
      if (reference.kind != EdgeKind::Loader &&
          std::binary_search(slots.begin(), slots.end(), owner + reference.offset))
        m_graph.targets[edge] = object.value;
      ++edge;
    });
    return owner + facts.alignedBytes();
  }

  // Chunks share words of the set at their borders.
  void markFree(std::uint32_t object) {
    std::atomic_ref<std::uint64_t>(m_isFree.words[object / 64])
        .fetch_or(1ull << object % 64, std::memory_order_relaxed);
  }
  bool isFree(std::uint32_t object) const { return m_isFree.words[object / 64] >> object % 64 & 1; }

  void addDamage(std::uint32_t object, Address target) {
    const std::lock_guard lock(m_mutex);
    ++m_graph.damagedReferences;
    m_graph.findings.add(FindingKind::ReferenceDamaged, m_sources.heap.index.addressOf({object}),
                         fmt::format("A reference of this object leads to {}, where no object is.", toString(target)));
  }

  struct BitSet {
    explicit BitSet(std::size_t bits) : words(bits / 64 + 1) {}
    std::vector<std::uint64_t> words;
  };

  const ReferenceSources& m_sources;
  std::span<const Address> m_rootSlots;
  StageProgress& m_progress;
  std::stop_token m_stop;
  std::vector<std::pair<Address, Address>> m_dependents;  // key, secondary; sorted
  std::vector<SegmentObjects> m_objects;                  // by SegmentId
  std::vector<Chunk> m_chunks;
  BitSet m_isFree;  // by ObjectId
  std::mutex m_mutex;
  ReferenceGraph m_graph;
};

}  // namespace

Outcome<ReferenceGraph> buildReferenceGraph(const ReferenceSources& sources, std::span<const Address> rootSlots,
                                            StageProgress& progress, std::stop_token stop) {
  return GraphBuilder(sources, rootSlots, progress, std::move(stop)).run();
}

}  // namespace heapscape::engine
