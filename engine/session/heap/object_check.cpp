// SPDX-License-Identifier: MIT
#include "session/heap/object_check.h"

#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <optional>

#include <tbb/parallel_for.h>

#include "base/progress.h"
#include "graph/object_references.h"
#include "heap/header_reader.h"
#include "session/heap/object_liveness.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
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
  /// What one segment has.
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

}  // namespace heapscape::engine
