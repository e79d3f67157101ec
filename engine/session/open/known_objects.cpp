// SPDX-License-Identifier: MIT
#include "session/open/known_objects.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/progress.h"
#include "graph/gc_desc.h"
#include "heap/walk_types.h"
#include "runtime/gc/handles.h"
#include "runtime/threads/sync_blocks.h"
#include "runtime/threads/threads.h"
#include "session/roots/statics_query.h"
#include "session/snapshot/contents.h"
#include "session/stacks/stacks_query.h"
#include "stacks/exception_handling.h"

namespace heapscape::engine {
namespace {

// The references of larger objects are passed over: all that a dump of this kind holds of them is a page here and
// there.
constexpr std::uint64_t kLargestFollowed = 16 << 20;
// Of an object, where no segment says how far it may go.
constexpr std::uint64_t kLargestUnlisted = 1 << 20;

class ObjectFinder {
 public:
  ObjectFinder(const Contents& contents, const std::vector<Segment>& segments, Address freeMethodTable,
               std::stop_token stop)
      : m_contents(contents),
        m_memory(*contents.memory),
        m_segments(segments),
        m_types(contents.readers->methodTables, freeMethodTable),
        m_stop(std::move(stop)) {}

  Outcome<KnownObjects> find() {
    addThreads();
    HEAPSCAPE_CHECK(addStacks());
    addHandles();
    HEAPSCAPE_CHECK(addStatics());
    for (std::uint64_t steps = 0; !m_open.empty(); ++steps) {
      if (steps % kStopInterval == 0 && m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
      const Found found = m_open.back();
      m_open.pop_back();
      follow(found);
    }
    return finish();
  }

 private:
  struct Found {
    Address object;
    const TypeIndex::Slot* type = nullptr;
    std::uint64_t alignedBytes = 0;
  };

  void addThreads() {
    FindingList known;  // whoever lists them tells of damage
    for (const RuntimeThread& thread : readThreads(m_contents.readers->runtime, known)) {
      const ThreadDetails details = readThreadDetails(*m_contents.readers, thread);
      add(details.managedThread);
      add(details.exception);
      for (const ExceptionOnItsWay& exception : exceptionsOf(m_contents.readers->runtime, thread.address))
        add(exception.object);
    }
  }

  Outcome<void> addStacks() {
    const Snapshot snapshot(std::make_shared<const Contents>(m_contents));
    HEAPSCAPE_TRY(const StackList list, readStacks(snapshot, {}, m_stop));
    for (const ThreadStackRow& stack : list.threads)
      for (const StackRootRow& root : stack.roots) add(root.object);
    return {};
  }

  void addHandles() {
    FindingList known;
    for (const GcHandle& handle : readHandles(m_contents.readers->runtime, false, known)) {
      add(handle.object);
      add(handle.dependent);
    }
    for (const SyncBlock& block : readSyncBlocks(m_contents.readers->runtime, known)) add(block.object);
  }

  Outcome<void> addStatics() {
    const Snapshot snapshot(std::make_shared<const Contents>(m_contents));
    HEAPSCAPE_TRY(const StaticList list, listStatics(snapshot, {.includeUninitialised = false}, m_stop));
    for (const StaticRow& row : list.statics) {
      Address object = row.value.value.object;
      if (row.isBoxed && !m_memory.tryRead(row.address, object)) continue;
      add(object);
    }
    return {};
  }

  /// Where an object at an address has to end: with its segment, or if none is listed with what the dump holds there.
  AddressRange placeOf(Address object) const {
    if (m_segments.empty()) {
      for (const AddressRange& part : m_memory.present({object, object + kLargestUnlisted}))
        return part.start == object ? part : AddressRange{};
      return {};
    }
    const auto segment =
        std::upper_bound(m_segments.begin(), m_segments.end(), object,
                         [](Address address, const Segment& one) { return address < one.objects.end; });
    return segment != m_segments.end() && segment->objects.contains(object) ? segment->objects : AddressRange{};
  }

  /// Nothing where no object can begin, or where one is known already.
  void add(Address object) {
    if (!object || object.value % kPointerBytes != 0 || m_found.contains(object)) return;
    const AddressRange place = placeOf(object);
    std::uint64_t head = 0;
    std::uint32_t components = 0;
    if (place.isEmpty() || !m_memory.tryRead(object, head) ||
        !m_memory.tryRead(object + kComponentsOffset, components)) {
      return;
    }
    const TypeIndex::Slot* type = m_types.find(head & kMethodTableMask);
    if (!type) return;
    const std::uint64_t bytes = alignUp(objectSize(type->baseSize, type->componentSize, components), kPointerBytes);
    if (bytes > place.end - object && (!m_segments.empty() || bytes > kLargestUnlisted)) return;
    m_found.emplace(object, bytes);
    m_met.emplace(type->methodTable, m_types.index().shape({type->type}));
    m_open.push_back({object, type, bytes});
  }

  void follow(const Found& found) {
    add(found.object + found.alignedBytes);  // the next one in the heap
    if (found.type->freeMask || found.alignedBytes > kLargestFollowed) return;
    const std::optional<GcDesc>& places = placesOf(found.type->methodTable);
    if (!places) return;
    places->forEachPlace(found.alignedBytes, [&](std::uint64_t offset) {
      Address target;
      if (m_memory.tryRead(found.object + offset, target)) add(target);
    });
  }

  const std::optional<GcDesc>& placesOf(std::uint64_t methodTable) {
    const auto [known, isNew] = m_places.try_emplace(methodTable);
    if (!isNew) return known->second;
    const auto type = m_contents.readers->methodTables.read({methodTable});
    auto places = type ? readGcDesc(m_contents.readers->runtime, *type) : Result<GcDesc>(GcDesc());
    if (places && !places->isEmpty()) known->second = std::move(*places);
    return known->second;
  }

  /// Parts of memory that objects lie in, each from its first object to the end of its last.
  std::vector<Segment> segmentsAroundObjects() const {
    std::vector<Segment> segments;
    Address partEnd;  // of what the dump holds behind the last object
    for (const auto& [object, bytes] : m_found) {
      const Address end = object + bytes;
      if (segments.empty() || object >= partEnd) segments.emplace_back().objects = {object, end};
      Segment& segment = segments.back();
      segment.objects.end = std::max(segment.objects.end, end);
      segment.committedEnd = segment.reservedEnd = segment.objects.end;
      segment.generations = {{Generation::Gen0, segment.objects}};
      partEnd = std::max(partEnd, Address{alignUp(end.value, kPageBytes)});
    }
    return segments;
  }

  KnownObjects finish() {
    std::vector<Segment> segments = m_segments.empty() ? segmentsAroundObjects() : m_segments;
    ObjectIndex index(segments);
    for (const auto& [object, bytes] : m_found) {
      const SegmentId segment = index.segmentOf(object);
      if (segment.isNone()) continue;
      const std::uint64_t place = (object - segments[segment.value].objects.start) / kPointerBytes;
      index.wordsOf(segment)[place / 64] |= 1ull << place % 64;
    }
    index.finish();
    WalkedHeap heap{std::move(index), {}, TypeCounts(m_met.size()), {}, {}, {}, {}};
    for (const auto& [methodTable, shape] : m_met) {
      const TypeId id = heap.types.insert({methodTable}, shape);
      if (shape.isFree) heap.freeType = id;
    }
    for (const Segment& segment : segments)
      heap.segments.push_back({.totals = {}, .unreadBytes = segment.objects.sizeBytes()});
    return {std::move(segments), std::move(heap)};
  }

  const Contents& m_contents;
  const AddressSpace& m_memory;
  const std::vector<Segment>& m_segments;  // by address; empty where the dump lists none
  WalkTypes m_types;
  std::stop_token m_stop;
  std::map<Address, std::uint64_t> m_found;    // with the bytes that each takes up
  std::map<std::uint64_t, ObjectShape> m_met;  // by method table
  std::unordered_map<std::uint64_t, std::optional<GcDesc>> m_places;
  std::vector<Found> m_open;
};

}  // namespace

Outcome<KnownObjects> findKnownObjects(const Contents& contents, const std::vector<Segment>& segments,
                                       std::stop_token stop) {
  HEAPSCAPE_TRY(const Address freeMethodTable, contents.readers->runtime.globalPointer("FreeObjectMethodTable"));
  return ObjectFinder(contents, segments, freeMethodTable, std::move(stop)).find();
}

}  // namespace heapscape::engine
