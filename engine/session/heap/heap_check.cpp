// SPDX-License-Identifier: MIT
#include "session/heap/heap_check.h"

#include <fmt/format.h>

#include "heap/header_reader.h"
#include "runtime/gc/handles.h"
#include "runtime/threads/sync_blocks.h"
#include "session/objects/object_query.h"
#include "session/roots/statics_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
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
    FractionOf objectsProgress(m_progress, kObjectsShare);
    HEAPSCAPE_TRY(const ObjectCheck check, checkObjects(m_snapshot, &m_objectOf, &objectsProgress, m_stop));
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
