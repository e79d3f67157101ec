// SPDX-License-Identifier: MIT
#include "graph/reference_graph.h"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <ranges>
#include <thread>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "graph/heap_chunk.h"
#include "graph/object_bits.h"
#include "graph/object_references.h"

namespace heapscape::engine {
namespace {

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
  /// Number of targets that read() has found.
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

constexpr std::size_t kFirstRoom = 1 << 18;  // of references; memory is taken as they come

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
  if (!m_sources.types.isFixed(facts.type)) {
    addVarying(objects, facts);
    return;
  }
  const std::span<const std::uint32_t> places = m_sources.types.fixedPlaces(facts.type);
  if (places.empty()) return;
  const std::byte* const from = objects.wholeObject(facts);
  if (!from) [[unlikely]] {
    addVarying(objects, facts);
    return;
  }
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

/// Gives parts of something their places one behind the other, in order, as soon as their sizes are known. Parts must
/// be begun in order, so that those before are under way whenever one has to wait for them.
class OrderedPlaces {
 public:
  /// Waits until all parts before this one have their places; then calls place(start), where what it does is done in
  /// order, too.
  template <class Place>
  void take(std::uint32_t part, std::uint64_t size, Place place) {
    for (std::uint32_t turn = m_turn.load(std::memory_order_acquire); turn != part;
         turn = m_turn.load(std::memory_order_acquire))
      m_turn.wait(turn, std::memory_order_acquire);
    place(m_end);
    m_end += size;
    m_turn.store(part + 1, std::memory_order_release);
    m_turn.notify_all();
  }

  /// Size of all parts together; once all have their places.
  std::uint64_t size() const { return m_end; }

 private:
  std::atomic<std::uint32_t> m_turn = 0;
  std::uint64_t m_end = 0;
};

constexpr std::uint64_t kChunkBytes = 1 << 20;  // what a chunk finds stays in the core's own cache
constexpr double kReadingShare = 0.95;
// Numbers of vertices have 31 bits where dominators are found; groups and roots are vertices, too.
constexpr std::uint32_t kMaximumObjects = 0x7000'0000;

class GraphBuilder {
 public:
  GraphBuilder(const ReferenceSources& sources, std::span<const Address> rootSlots, StageProgress& progress,
               std::stop_token stop, ObjectTypes* types)
      : m_sources(sources),
        m_rootSlots(rootSlots),
        m_progress(progress),
        m_stop(std::move(stop)),
        m_types(types),
        m_objects(objectsOfAll(sources.memory, sources.heap.index, sources.heap.types, sources.segments)),
        m_dependents(sources.dependents.begin(), sources.dependents.end()),
        m_chunks(makeChunks(sources.heap.index, sources.segments, kChunkBytes)),
        m_damage(m_chunks.size()),
        m_isFree(sources.heap.index.objectCount()) {
    std::sort(m_dependents.begin(), m_dependents.end());
  }

  Outcome<ReferenceGraph> run() {
    const std::uint32_t objects = m_sources.heap.index.objectCount();
    if (objects > kMaximumObjects) return tooMany("objects", objects);
    m_graph.findings.append(m_sources.types.findings());
    m_graph.rows = StoredRows(objects);
    m_graph.units = ObjectUnits(objects);
    m_graph.targets = LargeArray<std::uint32_t>(mostTargets());
    readChunks();
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    if (m_places.size() > m_graph.targets.size()) return tooMany("references", m_places.size());
    m_graph.targets.truncate(m_places.size());
    m_graph.rows.finish(m_longRows, static_cast<std::uint32_t>(m_places.size()));
    m_graph.units.setLarge(m_largeObjects);
    for (const DamagedReferences& damage : m_damage) addDamage(damage);
    cutEdgesToFree();
    cutRootSlots();
    m_progress.report(1);
    return std::move(m_graph);
  }

 private:
  static tl::unexpected<Unfinished> tooMany(const char* what, std::uint64_t count) {
    return tl::unexpected(Unfinished(
        Error{ErrorCode::Damaged, fmt::format("The heap has {} {}, more than can be counted.", count, what)}));
  }

  // More do not fit into the objects.
  std::size_t mostTargets() const {
    std::uint64_t most = m_dependents.size();
    for (const Segment& segment : m_sources.segments) most += segment.objects.sizeBytes() / GcDesc::kReferenceBytes;
    return std::min<std::uint64_t>(most, std::numeric_limits<std::uint32_t>::max());
  }

  void readChunks() {
    std::atomic<std::uint32_t> next = 0;
    const std::thread::id caller = std::this_thread::get_id();
    tbb::parallel_for(0, tbb::this_task_arena::max_concurrency(), [&](int) {
      ChunkReader reader(m_sources, m_objects, m_dependents);
      // Whoever has begun a chunk finishes it, since others wait for its place.
      while (!m_stop.stop_requested()) {
        const std::uint32_t chunk = next++;
        if (chunk >= m_chunks.size()) break;
        readChunk(reader, chunk);
        if (std::this_thread::get_id() == caller)
          m_progress.report(kReadingShare * chunk / static_cast<double>(m_chunks.size()));
      }
    });
  }

  void readChunk(ChunkReader& reader, std::uint32_t number) {
    const HeapChunk& chunk = m_chunks[number];
    reader.read(chunk, m_graph.rows, m_graph.units, m_isFree, m_types);
    const std::size_t targets = reader.targetCount();
    std::uint64_t first = 0;
    m_places.take(number, targets, [&](std::uint64_t start) {
      first = start;
      m_longRows.insert(m_longRows.end(), reader.longRows().begin(), reader.longRows().end());
      m_largeObjects.insert(m_largeObjects.end(), reader.largeObjects().begin(), reader.largeObjects().end());
    });
    if (first + targets > m_graph.targets.size()) return;
    m_graph.rows.moveBack(chunk.firstObject, chunk.endObject, static_cast<std::uint32_t>(first));
    reader.lookUp(chunk, m_graph.targets.data() + first, m_damage[number]);
  }

  // Which objects are free is known only when all have been read.
  void cutEdgesToFree() {
    if (m_sources.heap.freeType.isNone()) return;
    std::vector<DamagedReferences> damage(m_chunks.size());
    tbb::parallel_for(std::size_t{0}, m_chunks.size(), [&](std::size_t i) {
      const RowStarts rows = m_graph.rows.starts();
      const auto objects = std::views::iota(m_chunks[i].firstObject, m_chunks[i].endObject);
      const std::uint32_t end = rows[m_chunks[i].endObject];
      for (std::uint32_t edge = rows[m_chunks[i].firstObject]; edge < end; ++edge) {
        std::uint32_t& target = m_graph.targets[edge];
        if (!m_isFree[target]) continue;
        const auto behind =
            std::ranges::upper_bound(objects, edge, {}, [&](std::uint32_t object) { return rows[object]; });
        const std::uint32_t owner = m_chunks[i].firstObject + static_cast<std::uint32_t>(behind - objects.begin()) - 1;
        damage[i].add(owner, m_sources.heap.index.addressOf({target}));
        target = owner;
      }
    });
    for (const DamagedReferences& one : damage) addDamage(one);
  }

  void addDamage(const DamagedReferences& damage) {
    m_graph.damagedReferences += damage.count;
    for (const auto& [object, target] : damage.first) {
      m_graph.findings.add(
          FindingKind::ReferenceDamaged, m_sources.heap.index.addressOf({object}),
          fmt::format("A reference of this object leads to {}, where no object is.", toString(target)));
    }
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
      if (reference.kind != EdgeKind::Loader &&
          std::binary_search(slots.begin(), slots.end(), owner + reference.offset))
        m_graph.targets[edge] = object.value;
      ++edge;
    });
    return owner + facts.alignedBytes();
  }

  const ReferenceSources& m_sources;
  std::span<const Address> m_rootSlots;
  StageProgress& m_progress;
  std::stop_token m_stop;
  ObjectTypes* m_types;                                   // may be null
  std::vector<SegmentObjects> m_objects;                  // by SegmentId
  std::vector<std::pair<Address, Address>> m_dependents;  // key, secondary; sorted
  std::vector<HeapChunk> m_chunks;
  OrderedPlaces m_places;  // of the chunks' targets
  std::vector<LongRow> m_longRows;
  std::vector<ObjectUnits::LargeObject> m_largeObjects;
  std::vector<DamagedReferences> m_damage;  // by chunk
  ObjectBits m_isFree;
  ReferenceGraph m_graph;
};

}  // namespace

Outcome<ReferenceGraph> buildReferenceGraph(const ReferenceSources& sources, std::span<const Address> rootSlots,
                                            StageProgress& progress, std::stop_token stop, ObjectTypes* types) {
  return GraphBuilder(sources, rootSlots, progress, std::move(stop), types).run();
}

}  // namespace heapscape::engine
