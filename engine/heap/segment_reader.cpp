// SPDX-License-Identifier: MIT
#include "heap/segment_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/limits.h"

namespace heapscape::engine {
namespace {

// Positions in the GC's table of generations (gcpriv.h).
constexpr std::size_t kGen2 = 2;
constexpr std::size_t kLargeGeneration = 3;
constexpr std::array kListGenerations{Generation::Gen0, Generation::Gen1, Generation::Gen2, Generation::Large,
                                      Generation::Pinned};
constexpr std::array kListKinds{SegmentKind::Gen0, SegmentKind::Gen1, SegmentKind::Gen2, SegmentKind::Large,
                                SegmentKind::Pinned};
// The index takes memory for every byte of a segment, so one that is many times as large as the whole dump is damage:
// of a file cut so short there would be nothing to show.
constexpr std::uint64_t kMostHeapPerHeldByte = 20;

class SegmentReader {
 public:
  SegmentReader(const ClrRuntime& runtime, const GcState& gc, FindingList& findings)
      : m_runtime(runtime), m_gc(gc), m_findings(findings) {}

  std::vector<Segment> read() {
    for (std::size_t heap = 0; heap < m_gc.heaps.size(); ++heap) {
      const auto& generations = m_gc.heaps[heap].generations;
      // Classic segments: generation 2's list holds those of 0 and 1 as well.
      for (std::size_t i = m_gc.hasRegions ? 0 : kGen2; i < std::min(generations.size(), kListGenerations.size());
           ++i) {
        readList(static_cast<std::uint32_t>(heap), i);
      }
    }
    dropImpossible();
    sortAndDropOverlaps();
    return std::move(m_segments);
  }

 private:
  void readList(std::uint32_t heap, std::size_t list) {
    Address next = m_gc.heaps[heap].generations[list].firstSegment;
    for (std::size_t count = 0; next; ++count) {
      if (count >= kLimits.segmentsPerGeneration || !m_seen.insert(next).second) {
        if (m_gc.hasRegions || list >= kLargeGeneration) {
          m_findings.add(FindingKind::RuntimeDataDamaged, next, "A list of heap segments runs in a circle.");
        }
        return;
      }
      const auto record = readHeapSegment(m_runtime, next);
      if (!record) {
        m_findings.add(
            FindingKind::MemoryMissing, next,
            fmt::format("A list of heap segments breaks off in heap {} at {}.", heap, toString(kListKinds[list])));
        return;
      }
      add(*record, heap, list);
      next = record->next;
    }
  }

  void add(const HeapSegment& record, std::uint32_t heapIndex, std::size_t list) {
    const GcHeap& heap = m_gc.heaps[heapIndex];
    const bool isEphemeral = record.address == heap.ephemeralSegment;
    Segment segment;
    segment.address = record.address;
    segment.heap = heapIndex;
    // The GC publishes the end of the segment it allocates from separately (alloc_allocated).
    segment.objects = {record.memory, isEphemeral ? heap.allocationEnd : record.allocated};
    segment.committedEnd = record.committed;
    segment.reservedEnd = record.reserved;
    if (segment.objects.end < segment.objects.start || segment.objects.end > segment.reservedEnd ||
        segment.objects.start.value % kPointerBytes != 0) {
      m_findings.add(
          FindingKind::RuntimeDataDamaged, record.address,
          fmt::format("The heap segment at {} contradicts itself and is left out.", toString(record.memory)));
      return;
    }
    if (record.isReadOnly) {
      segment.kind = SegmentKind::Frozen;
      segment.generations = {{Generation::Frozen, segment.objects}};
    } else if (isEphemeral && !m_gc.hasRegions) {
      segment.kind = SegmentKind::Ephemeral;
      segment.generations = ephemeralParts(heap, segment.objects);
    } else {
      segment.kind = kListKinds[list];
      segment.generations = {{kListGenerations[list], segment.objects}};
    }
    m_segments.push_back(std::move(segment));
  }

  // An ephemeral segment holds the end of generation 2, then 1, then 0.
  std::vector<GenerationRange> ephemeralParts(const GcHeap& heap, AddressRange objects) {
    const Address gen1 = heap.generations[1].allocationStart;
    const Address gen0 = heap.generations[0].allocationStart;
    if (gen1 < objects.start || gen0 < gen1 || objects.end < gen0 || (gen1.value | gen0.value) % kPointerBytes != 0) {
      m_findings.add(
          FindingKind::RuntimeDataDamaged, objects.start,
          "The bounds of the generations in the ephemeral segment contradict themselves: all its objects are "
          "counted as generation 2.");
      return {{Generation::Gen2, objects}};
    }
    return {{Generation::Gen2, {objects.start, gen1}},
            {Generation::Gen1, {gen1, gen0}},
            {Generation::Gen0, {gen0, objects.end}}};
  }

  void dropImpossible() {
    std::uint64_t left = 0;
    for (const AddressRange& part : m_runtime.memory().present({{0}, {~0ull}})) left += part.sizeBytes();
    left *= kMostHeapPerHeldByte;
    // The smallest are kept, so that one damaged record does not take the others with it.
    std::stable_sort(m_segments.begin(), m_segments.end(),
                     [](const Segment& a, const Segment& b) { return a.objects.sizeBytes() < b.objects.sizeBytes(); });
    std::erase_if(m_segments, [&](const Segment& segment) {
      if (segment.objects.sizeBytes() <= left) {
        left -= segment.objects.sizeBytes();
        return false;
      }
      m_findings.add(
          FindingKind::RuntimeDataDamaged, segment.address,
          fmt::format(
              "The heap segment at {} claims {} bytes of objects, far more than the dump can hold, and is left out.",
              toString(segment.objects.start), segment.objects.sizeBytes()));
      return true;
    });
  }

  void sortAndDropOverlaps() {
    std::stable_sort(m_segments.begin(), m_segments.end(),
                     [](const Segment& a, const Segment& b) { return a.objects.start < b.objects.start; });
    std::vector<Segment> kept;
    for (Segment& segment : m_segments) {
      if (!kept.empty() && segment.objects.start < kept.back().objects.end) {
        m_findings.add(
            FindingKind::RuntimeDataDamaged, segment.address,
            fmt::format("The heap segment at {} overlaps another and is left out.", toString(segment.objects.start)));
        continue;
      }
      kept.push_back(std::move(segment));
    }
    m_segments = std::move(kept);
  }

  const ClrRuntime& m_runtime;
  const GcState& m_gc;
  FindingList& m_findings;
  std::unordered_set<Address> m_seen;
  std::vector<Segment> m_segments;
};

}  // namespace

std::vector<Segment> readSegments(const ClrRuntime& runtime, const GcState& gc, FindingList& findings) {
  return SegmentReader(runtime, gc, findings).read();
}

}  // namespace heapscape::engine
