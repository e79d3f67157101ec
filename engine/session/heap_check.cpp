// SPDX-License-Identifier: MIT
#include "session/heap_check.h"

#include <fmt/format.h>

#include <atomic>
#include <mutex>

#include <tbb/parallel_for.h>

#include "graph/object_references.h"
#include "heap/header_reader.h"
#include "runtime/handles.h"
#include "runtime/sync_blocks.h"
#include "session/contents.h"
#include "session/object_query.h"
#include "session/statics_query.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kStopInterval = 4096;
// Shares of the progress: objects outweigh all else.
constexpr double kObjectsShare = 0.9;
constexpr double kHandlesShare = 0.95;

class HeapChecker {
 public:
  HeapChecker(const Snapshot& snapshot, ProgressSink* progress, std::stop_token stop)
      : m_snapshot(snapshot),
        m_contents(snapshot.contents()),
        m_types(*m_contents.readers, *m_contents.heap),
        m_syncBlocks(readSyncBlocks(m_contents.readers->runtime, m_check.findings)),
        m_progress(progress),
        m_stop(std::move(stop)) {
    for (const SyncBlock& block : m_syncBlocks) m_objectOf[block.index] = block.object;
  }

  Outcome<HeapCheck> run() {
    m_check.findings.append(m_types.findings());
    checkObjects();
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    checkSyncBlocks();
    checkHandles();
    report("checking statics", kHandlesShare);
    HEAPSCAPE_CHECK(checkStatics());
    HEAPSCAPE_CHECK(checkTypes());
    report("checking statics", 1);
    return std::move(m_check);
  }

 private:
  struct Counts {
    std::uint64_t objects = 0;
    std::uint64_t references = 0;
  };

  void report(const char* activity, double fraction) {
    if (m_progress) m_progress->progressed({activity, fraction});
  }

  void checkObjects() {
    const std::vector<Segment>& segments = *m_contents.segments;
    std::uint64_t whole = 1;
    for (const Segment& segment : segments) whole += segment.objects.sizeBytes();
    std::atomic<std::uint64_t> done = 0;
    tbb::parallel_for(std::size_t{0}, segments.size(), [&](std::size_t i) {
      const Counts counts = checkSegment({static_cast<std::uint32_t>(i)}, segments[i]);
      const std::uint64_t bytes = done += segments[i].objects.sizeBytes();
      const std::lock_guard lock(m_mutex);
      m_check.objects += counts.objects;
      m_check.references += counts.references;
      report("checking objects", kObjectsShare * static_cast<double>(bytes) / static_cast<double>(whole));
    });
  }

  Counts checkSegment(SegmentId id, const Segment& segment) {
    const WalkedHeap& heap = *m_contents.heap;
    const SegmentObjects objects(*m_contents.memory, heap.index, heap.types, id, segment);
    const ObjectReferences references(*m_contents.memory, objects, m_types,
                                      nullptr);  // handles are checked by themselves
    Counts counts;
    std::uint64_t steps = 0;
    objects.forEach(segment.objects, [&](const ObjectFacts& facts) {
      if (++steps % kStopInterval == 0 && m_stop.stop_requested()) return false;
      if (facts.type == heap.freeType) return true;  // its header and contents are left over
      ++counts.objects;
      checkHeader(facts);
      references.forEach(facts, [&](const Edge& edge) {
        ++counts.references;
        if (!isObject(edge.to)) addReference(edge, facts);
      });
      return true;
    });
    return counts;
  }

  bool isObject(Address address) const {
    const ObjectIndex& index = m_contents.heap->index;
    if (index.idOf(address).isNone()) return false;
    std::uint64_t methodTable = 0;
    return !m_contents.memory->tryRead(address, methodTable) || !isFree(methodTable);
  }

  bool isFree(std::uint64_t word) const {
    const TypeIndex::Slot* slot = m_contents.heap->types.find(word & kMethodTableMask);
    return slot && slot->freeMask != 0;
  }

  // In words, what a reference that leads to no object leads to.
  std::string whatIsAt(Address address) const {
    const auto row = objectAt(m_snapshot, address);
    if (row && m_snapshot.types()[row->type.value].isFree) return "free space";
    if (row) return "the inside of the object at " + toString(row->address);
    return m_contents.heap->index.segmentOf(address).isNone() ? "no place of the heap" : "a gap between objects";
  }

  void add(FindingKind kind, Address address, std::string message) {
    const std::lock_guard lock(m_mutex);
    m_check.findings.add(kind, address, std::move(message));
  }

  void addReference(const Edge& edge, const ObjectFacts& facts) {
    add(FindingKind::ReferenceDamaged, edge.from,
        fmt::format("The reference at offset {} of this {} leads to {}, which is {}.", edge.offset,
                    m_snapshot.types()[facts.type.value].name, toString(edge.to), whatIsAt(edge.to)));
  }

  void checkHeader(const ObjectFacts& facts) {
    const ClrRuntime& runtime = m_contents.readers->runtime;
    std::uint32_t word = 0;
    if (!m_contents.memory->tryRead(facts.address - kHeaderDistance, word) || word == 0) return;
    const ObjectHeader header = decodeHeader(runtime.contract(), word);
    if (header.kind != HeaderKind::SyncBlock) return;
    const auto found = m_objectOf.find(header.syncBlockIndex);
    if (found == m_objectOf.end()) {
      add(FindingKind::SyncBlockMismatch, facts.address,
          fmt::format("The header names sync block {}, which is not in use.", header.syncBlockIndex));
    } else if (found->second != facts.address) {
      add(FindingKind::SyncBlockMismatch, facts.address,
          fmt::format("The header names sync block {}, which belongs to the object at {}.", header.syncBlockIndex,
                      toString(found->second)));
    }
  }

  void checkSyncBlocks() {
    for (const SyncBlock& block : m_syncBlocks) {
      ++m_check.syncBlocks;
      if (!block.object) continue;
      if (!isObject(block.object)) {
        add(FindingKind::SyncBlockMismatch, block.object,
            fmt::format("Sync block {} belongs to {}, which is {}.", block.index, toString(block.object),
                        whatIsAt(block.object)));
        continue;
      }
      const auto header = readHeader(m_contents.readers->runtime, block.object);
      if (header && (header->kind != HeaderKind::SyncBlock || header->syncBlockIndex != block.index)) {
        add(FindingKind::SyncBlockMismatch, block.object,
            fmt::format("Sync block {} belongs to this object, whose header {:#010x} does not name it.", block.index,
                        header->value));
      }
    }
  }

  void checkHandles() {
    for (const GcHandle& handle : readHandles(m_contents.readers->runtime, false, m_check.findings)) {
      ++m_check.handles;
      const bool mayPointInside = handle.kind == HandleKind::WeakInteriorPointer;
      checkSlot(handle.address, handle.object, mayPointInside, toString(handle.kind) + std::string(" handle"));
      checkSlot(handle.address, handle.dependent, false, "secondary of a dependent handle");
    }
  }

  void checkSlot(Address slot, Address object, bool mayPointInside, const std::string& what) {
    if (!object || isObject(object)) return;
    const auto row = mayPointInside ? objectAt(m_snapshot, object) : std::nullopt;
    if (row && !m_snapshot.types()[row->type.value].isFree) return;
    add(FindingKind::ReferenceDamaged, slot,
        fmt::format("The {} leads to {}, which is {}.", what, toString(object), whatIsAt(object)));
  }

  Outcome<bool> checkStatics() {
    HEAPSCAPE_TRY(const StaticList list, listStatics(m_snapshot, {}, m_stop));
    for (const StaticRow& row : list.statics) {
      if (!row.isInitialised) continue;
      ++m_check.statics;
      if (row.value.value.kind != ValueKind::Damaged || !row.value.value.object) continue;
      add(FindingKind::ReferenceDamaged, row.address,
          fmt::format("The static field {}.{} leads to {}, which is {}.", row.typeName, row.field,
                      toString(row.value.value.object), whatIsAt(row.value.value.object)));
    }
    return true;
  }

  Outcome<bool> checkTypes() {
    HEAPSCAPE_TRY(const LayoutLaboratory laboratory, LayoutLaboratory::ofDump(m_snapshot));
    HEAPSCAPE_TRY(m_check.layouts, checkLayouts(m_snapshot, laboratory, false, m_stop));
    addFindings(m_check.layouts, m_check.findings);
    return true;
  }

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  HeapCheck m_check;
  TypeReferences m_types;
  std::vector<SyncBlock> m_syncBlocks;
  std::unordered_map<std::uint32_t, Address> m_objectOf;  // object by index of its sync block
  ProgressSink* m_progress;
  std::stop_token m_stop;
  std::mutex m_mutex;
};

}  // namespace

Outcome<HeapCheck> checkHeap(const Snapshot& snapshot, ProgressSink* progress, std::stop_token stop) {
  if (!snapshot.contents().heap) return HeapCheck{};
  return HeapChecker(snapshot, progress, std::move(stop)).run();
}

}  // namespace heapscape::engine
