// SPDX-License-Identifier: MIT
#include "session/heap/heap_map.h"

#include <algorithm>

#include "base/progress.h"
#include "heap/segment_objects.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

__extension__ using Wide = unsigned __int128;  // bytes × cells may need more than 64 bits

// Spreads an object's bytes over the cells it lies in.
class CellFiller {
 public:
  CellFiller(AddressRange window, std::size_t cells) : m_window(window), m_cells(cells) {}

  void add(const ObjectFacts& facts, Generation generation, bool isFree) {
    const AddressRange object{facts.address, facts.address + facts.alignedBytes()};
    const Address from = std::max(object.start, m_window.start);
    const Address to = std::min(object.end, m_window.end);
    if (from >= to) return;
    const std::size_t first = cellOf(from);
    if (object.start >= m_window.start) ++m_cells[first].objects;
    const std::size_t last = cellOf(to - 1);
    for (std::size_t i = first; i <= last; ++i) {
      const Address cellFrom = std::max(from, startOf(i));
      const Address cellTo = std::min(to, startOf(i + 1));
      if (cellFrom >= cellTo) continue;
      addTo(isFree ? m_cells[i].freeBytes : m_cells[i].usedBytes[static_cast<std::size_t>(generation)],
            cellTo - cellFrom);
    }
  }

  std::vector<MapCell> take() { return std::move(m_cells); }

 private:
  // A cell of more than 4 GB stays full.
  static void addTo(std::uint32_t& sum, std::uint64_t bytes) {
    sum = static_cast<std::uint32_t>(std::min<std::uint64_t>(sum + bytes, UINT32_MAX));
  }
  std::size_t cellOf(Address address) const {
    const auto share = static_cast<Wide>(address - m_window.start) * m_cells.size() / m_window.sizeBytes();
    return static_cast<std::size_t>(share);
  }
  // The first address that cellOf puts into the cell.
  Address startOf(std::size_t cell) const {
    const auto bytes = static_cast<Wide>(cell) * m_window.sizeBytes();
    return m_window.start + static_cast<std::uint64_t>((bytes + m_cells.size() - 1) / m_cells.size());
  }

  AddressRange m_window;
  std::vector<MapCell> m_cells;
};

}  // namespace

Outcome<std::vector<MapCell>> mapCells(const Snapshot& snapshot, SegmentId segmentId, AddressRange window,
                                       std::size_t cells, std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  if (!contents.heap || segmentId.value >= contents.segments->size() || window.isEmpty() || cells == 0) {
    return std::vector<MapCell>(cells);
  }
  const Segment& segment = (*contents.segments)[segmentId.value];
  const ObjectIndex& index = contents.heap->index;
  const SegmentObjects objects(*contents.memory, index, contents.heap->types, segmentId, segment);
  CellFiller filler(window, cells);
  // An object that starts in front of the window may reach into it.
  Address from = std::max(window.start, segment.objects.start);
  if (segment.objects.contains(from)) from = index.startAtOrBefore(from).value_or(from);
  std::uint64_t steps = 0;
  const bool done = objects.forEach({from, window.end}, [&](const ObjectFacts& facts) {
    if (++steps % kStopInterval == 0 && stop.stop_requested()) return false;
    filler.add(facts, segment.generationOf(facts.address), facts.type == contents.heap->freeType);
    return true;
  });
  if (!done) return tl::unexpected(Unfinished::cancelled());
  return filler.take();
}

}  // namespace heapscape::engine
