// SPDX-License-Identifier: MIT
#include "session/heap/heap_check.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <mutex>
#include <optional>

#include "base/progress.h"
#include "graph/object_references.h"
#include "heap/header_reader.h"
#include "runtime/gc/handles.h"
#include "runtime/threads/sync_blocks.h"
#include "session/objects/object_query.h"
#include "session/roots/roots_query.h"
#include "session/roots/statics_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

using ObjectNumbers = std::vector<std::uint32_t>;

Outcome<std::shared_ptr<const ReferenceGraph>> graphOf(const Contents& contents, StageProgress& progress,
                                                       const std::stop_token& stop) {
  if (contents.graph) return contents.graph;
  const TypeReferences types(*contents.readers, *contents.heap);
  FindingList told;  // whoever lists the handles tells of them
  const DependentEdges dependents = readDependentEdges(contents.readers->runtime, told);
  HEAPSCAPE_TRY(ReferenceGraph graph,
                buildReferenceGraph({*contents.memory, *contents.segments, *contents.heap, types, dependents}, {},
                                    progress, stop));
  return std::make_shared<const ReferenceGraph>(std::move(graph));
}

bool isYoung(Generation generation) {
  return generation == Generation::Gen0 || generation == Generation::Gen1;
}

// All objects that some root leads to and that a background collection sweeps.
void addOldObjects(const Contents& contents, const RootDistances& reached, ObjectNumbers& objects) {
  const ObjectIndex& index = contents.heap->index;
  for (std::uint32_t i = 0; i < contents.segments->size(); ++i) {
    for (const GenerationRange& part : (*contents.segments)[i].generations) {
      if (isYoung(part.generation)) continue;
      const std::uint32_t last = index.countBefore({i}, part.range.end);
      for (std::uint32_t object = index.countBefore({i}, part.range.start); object < last; ++object) {
        if (reached.of(object)) objects.push_back(object);
      }
    }
  }
}

}  // namespace

Outcome<ObjectLiveness> ObjectLiveness::determine(const Snapshot& snapshot, StageProgress& progress,
                                                  std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  HEAPSCAPE_TRY(const RootList roots, listRoots(snapshot, {}, stop));
  HEAPSCAPE_TRY(const std::shared_ptr<const ReferenceGraph> graph, graphOf(contents, progress, stop));
  const BackgroundCollections background = contents.gc->background;
  ObjectNumbers all;
  ObjectNumbers certain;
  for (const RootRow& root : roots.roots) {
    const ObjectId object = contents.heap->index.idOf(root.object);
    if (object.isNone()) continue;
    all.push_back(object.value);
    // Without a background collection nothing stays behind that a word of a stack could lead to.
    if (root.isExact || background == BackgroundCollections::Never) certain.push_back(object.value);
  }
  const auto measure = [&](const ObjectNumbers& from) {
    return RootDistances::measure(graph->edges(), from, graph->objectCount(), progress, stop);
  };
  ObjectLiveness liveness;
  auto reached = measure(all);
  if (!reached) return tl::unexpected(Unfinished::cancelled());
  liveness.m_reached = std::move(*reached);
  if (background == BackgroundCollections::Idle) addOldObjects(contents, liveness.m_reached, certain);
  auto sure = measure(certain);
  if (!sure) return tl::unexpected(Unfinished::cancelled());
  liveness.m_certain = std::move(*sure);
  return liveness;
}

namespace {

constexpr const char* kChecking = "checking objects";
// Shares of the progress; what follows the first pass is only done if anything is wrong.
constexpr double kFirstPassEnd = 0.8;
constexpr double kLivenessEnd = 0.9;

class ObjectChecker {
 public:
  ObjectChecker(const Snapshot& snapshot, const SyncBlockOwners* syncBlocks, ProgressSink* progress,
                std::stop_token stop)
      : m_snapshot(snapshot),
        m_contents(snapshot.contents()),
        m_types(*m_contents.readers, *m_contents.heap),
        m_syncBlocks(syncBlocks),
        m_progress(progress),
        m_stop(std::move(stop)) {}

  Outcome<ObjectCheck> run() {
    m_check.findings.append(m_types.findings());
    pass(0, kFirstPassEnd);
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    if (!m_isAnythingWrong) return std::move(m_check);
    StageProgress searching(m_progress, kChecking, kFirstPassEnd, kLivenessEnd);
    HEAPSCAPE_TRY(m_liveness, ObjectLiveness::determine(m_snapshot, searching, m_stop));
    pass(kLivenessEnd, 1);
    if (m_stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
    return std::move(m_check);
  }

 private:
  /// Counts of one segment.
  struct Counts {
    std::uint64_t objects = 0, references = 0;
    Remains ofDead, ofDoubtful;
  };
  /// The wrong things of one object.
  struct Wrong {
    std::uint64_t headers = 0, references = 0;
  };

  // The first pass only sees whether anything is wrong; the second one knows which objects live, and tells.
  void pass(double from, double to) {
    const std::vector<Segment>& segments = *m_contents.segments;
    std::uint64_t whole = 1;
    for (const Segment& segment : segments) whole += segment.objects.sizeBytes();
    std::uint64_t done = 0;  // bytes; under the lock, so that progress never goes back
    m_check.objects = m_check.references = 0;
    tbb::parallel_for(std::size_t{0}, segments.size(), [&](std::size_t i) {
      const Counts counts = checkSegment({static_cast<std::uint32_t>(i)}, segments[i]);
      const std::lock_guard lock(m_mutex);
      done += segments[i].objects.sizeBytes();
      m_check.objects += counts.objects;
      m_check.references += counts.references;
      addUp(counts.ofDead, m_check.ofDead);
      addUp(counts.ofDoubtful, m_check.ofDoubtful);
      if (!m_progress) return;
      m_progress->progressed({kChecking, from + (to - from) * static_cast<double>(done) / static_cast<double>(whole)});
    });
  }

  static void addUp(const Remains& some, Remains& all) {
    all.objects += some.objects;
    all.references += some.references;
    all.headers += some.headers;
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
      Wrong wrong{.headers = isHeaderWrong(facts) ? 1u : 0u};
      references.forEach(facts, [&](const Edge& edge) {
        ++counts.references;
        wrong.references += isObjectStart(m_snapshot, edge.to) ? 0 : 1;
      });
      if (wrong.headers || wrong.references) tell(facts, wrong, references, counts);
      return true;
    });
    return counts;
  }

  void tell(const ObjectFacts& facts, const Wrong& wrong, const ObjectReferences& references, Counts& counts) {
    m_isAnythingWrong = true;
    if (!m_liveness) return;
    const Liveness liveness = m_liveness->of(m_contents.heap->index.idOf(facts.address));
    if (liveness != Liveness::Alive) {
      addUp({1, wrong.references, wrong.headers}, liveness == Liveness::Dead ? counts.ofDead : counts.ofDoubtful);
      return;
    }
    if (wrong.headers) addHeader(facts);
    references.forEach(facts, [&](const Edge& edge) {
      if (!isObjectStart(m_snapshot, edge.to)) addReference(edge, facts);
    });
  }

  std::optional<std::uint32_t> syncBlockOf(const ObjectFacts& facts) const {
    std::uint32_t word = 0;
    if (!m_contents.memory->tryRead(facts.address - kHeaderDistance, word) || word == 0) return std::nullopt;
    const ObjectHeader header = decodeHeader(m_contents.readers->runtime.contract(), word);
    return header.kind == HeaderKind::SyncBlock ? std::optional(header.syncBlockIndex) : std::nullopt;
  }

  bool isHeaderWrong(const ObjectFacts& facts) const {
    const auto index = m_syncBlocks ? syncBlockOf(facts) : std::nullopt;
    if (!index) return false;
    const auto found = m_syncBlocks->find(*index);
    return found == m_syncBlocks->end() || found->second != facts.address;
  }

  void addHeader(const ObjectFacts& facts) {
    const std::uint32_t index = syncBlockOf(facts).value_or(0);
    const auto found = m_syncBlocks->find(index);
    const std::string what = found == m_syncBlocks->end() ? std::string("is not in use")
                                                          : "belongs to the object at " + toString(found->second);
    add(FindingKind::SyncBlockMismatch, facts.address,
        fmt::format("The header names sync block {}, which {}.", index, what));
  }

  void addReference(const Edge& edge, const ObjectFacts& facts) {
    add(FindingKind::ReferenceDamaged, edge.from,
        fmt::format("The reference at offset {} of this {} leads to {}, which is {}.", edge.offset,
                    m_snapshot.types()[facts.type.value].name, toString(edge.to), whatIsAt(m_snapshot, edge.to)));
  }

  void add(FindingKind kind, Address address, std::string message) {
    const std::lock_guard lock(m_mutex);
    m_check.findings.add(kind, address, std::move(message));
  }

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  TypeReferences m_types;
  const SyncBlockOwners* m_syncBlocks;
  ProgressSink* m_progress;
  std::stop_token m_stop;
  std::mutex m_mutex;
  std::atomic<bool> m_isAnythingWrong = false;
  std::optional<ObjectLiveness> m_liveness;  // none in the first pass
  ObjectCheck m_check;
};

}  // namespace

Outcome<ObjectCheck> checkObjects(const Snapshot& snapshot, const SyncBlockOwners* syncBlocks, ProgressSink* progress,
                                  std::stop_token stop) {
  return ObjectChecker(snapshot, syncBlocks, progress, std::move(stop)).run();
}

bool isObjectStart(const Snapshot& snapshot, Address address) {
  const Contents& contents = snapshot.contents();
  if (contents.heap->index.idOf(address).isNone()) return false;
  std::uint64_t methodTable = 0;
  if (!contents.memory->tryRead(address, methodTable)) return true;
  const TypeIndex::Slot* slot = contents.heap->types.find(methodTable & kMethodTableMask);
  return !slot || slot->freeMask == 0;
}

std::string whatIsAt(const Snapshot& snapshot, Address address) {
  const auto row = objectAt(snapshot, address);
  if (row && snapshot.types()[row->type.value].isFree) return "free space";
  if (row) return "the inside of the object at " + toString(row->address);
  return snapshot.contents().heap->index.segmentOf(address).isNone() ? "no place of the heap" : "a gap between objects";
}

namespace {

// Shares of the progress: objects outweigh all else.
constexpr double kObjectsShare = 0.97;
constexpr double kHandlesShare = 0.98;

/// Hands on the progress of a part of the whole.
class FractionOf : public ProgressSink {
 public:
  FractionOf(ProgressSink* whole, double share) : m_whole(whole), m_share(share) {}
  void progressed(const Progress& part) override {
    if (m_whole) m_whole->progressed({part.activity, m_share * part.fraction});
  }

 private:
  ProgressSink* m_whole;
  double m_share;
};

class HeapChecker {
 public:
  HeapChecker(const Snapshot& snapshot, ProgressSink* progress, std::stop_token stop)
      : m_snapshot(snapshot),
        m_contents(snapshot.contents()),
        m_syncBlocks(readSyncBlocks(m_contents.readers->runtime, m_check.findings)),
        m_progress(progress),
        m_stop(std::move(stop)) {
    for (const SyncBlock& block : m_syncBlocks) m_objectOf[block.index] = block.object;
  }

  Outcome<HeapCheck> run() {
    HEAPSCAPE_CHECK(checkAllObjects());
    checkSyncBlocks();
    checkHandles();
    report("checking statics", kHandlesShare);
    HEAPSCAPE_CHECK(checkStatics());
    HEAPSCAPE_CHECK(checkTypes());
    report("checking statics", 1);
    return std::move(m_check);
  }

 private:
  void report(const char* activity, double fraction) {
    if (m_progress) m_progress->progressed({activity, fraction});
  }

  Outcome<void> checkAllObjects() {
    const bool areBlocksKnown = hasSyncBlocks(m_contents.readers->runtime);
    FractionOf objectsProgress(m_progress, kObjectsShare);
    HEAPSCAPE_TRY(const ObjectCheck check,
                  checkObjects(m_snapshot, areBlocksKnown ? &m_objectOf : nullptr, &objectsProgress, m_stop));
    m_check.objects = check.objects;
    m_check.references = check.references;
    m_check.ofDead = check.ofDead;
    m_check.ofDoubtful = check.ofDoubtful;
    m_check.findings.append(check.findings);
    return {};
  }

  void add(FindingKind kind, Address address, std::string message) {
    m_check.findings.add(kind, address, std::move(message));
  }

  void checkSyncBlocks() {
    for (const SyncBlock& block : m_syncBlocks) {
      ++m_check.syncBlocks;
      if (!block.object) continue;
      if (!isObjectStart(m_snapshot, block.object)) {
        add(FindingKind::SyncBlockMismatch, block.object,
            fmt::format("Sync block {} belongs to {}, which is {}.", block.index, toString(block.object),
                        whatIsAt(m_snapshot, block.object)));
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
    if (!object || isObjectStart(m_snapshot, object)) return;
    const auto row = mayPointInside ? objectAt(m_snapshot, object) : std::nullopt;
    if (row && !m_snapshot.types()[row->type.value].isFree) return;
    add(FindingKind::ReferenceDamaged, slot,
        fmt::format("The {} leads to {}, which is {}.", what, toString(object), whatIsAt(m_snapshot, object)));
  }

  Outcome<void> checkStatics() {
    HEAPSCAPE_TRY(const StaticList list, listStatics(m_snapshot, {}, m_stop));
    for (const StaticRow& row : list.statics) {
      if (!row.isInitialised) continue;
      ++m_check.statics;
      if (row.value.value.kind != ValueKind::Damaged || !row.value.value.object) continue;
      add(FindingKind::ReferenceDamaged, row.address,
          fmt::format("The static field {}.{} leads to {}, which is {}.", row.typeName, row.field,
                      toString(row.value.value.object), whatIsAt(m_snapshot, row.value.value.object)));
    }
    return {};
  }

  Outcome<void> checkTypes() {
    if (!m_snapshot.hasAssemblies()) return {};
    HEAPSCAPE_TRY(const DeclaredLayouts layouts, DeclaredLayouts::ofDump(m_snapshot));
    HEAPSCAPE_TRY(m_check.layouts, checkLayouts(m_snapshot, layouts, false, m_stop));
    addFindings(m_check.layouts, m_check.findings);
    return {};
  }

  const Snapshot& m_snapshot;
  const Contents& m_contents;
  HeapCheck m_check;
  std::vector<SyncBlock> m_syncBlocks;
  SyncBlockOwners m_objectOf;
  ProgressSink* m_progress;
  std::stop_token m_stop;
};

}  // namespace

Outcome<HeapCheck> checkHeap(const Snapshot& snapshot, ProgressSink* progress, std::stop_token stop) {
  if (!snapshot.contents().heap) return HeapCheck{};
  return HeapChecker(snapshot, progress, std::move(stop)).run();
}

}  // namespace heapscape::engine
