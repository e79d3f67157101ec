// SPDX-License-Identifier: MIT
#include "session/heap/heap_map.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>

#include "base/progress.h"
#include "heap/segment_objects.h"
#include "session/objects/retained_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

__extension__ using Wide = unsigned __int128;  // bytes × cells may need more than 64 bits

constexpr std::size_t kCellsAtOnce = 64;  // that one core fills

/// How a window is divided into cells.
class CellGrid {
 public:
  CellGrid(AddressRange window, std::size_t cells) : m_window(window), m_cells(cells) {}

  std::size_t cellOf(Address address) const {
    return static_cast<std::size_t>(static_cast<Wide>(address - m_window.start) * m_cells / m_window.sizeBytes());
  }
  /// The first address that cellOf puts into the cell.
  Address startOf(std::size_t cell) const {
    const auto bytes = static_cast<Wide>(cell) * m_window.sizeBytes();
    return m_window.start + static_cast<std::uint64_t>((bytes + m_cells - 1) / m_cells);
  }

 private:
  AddressRange m_window;
  std::size_t m_cells;
};

// A cell of more than 4 GB stays full.
void addTo(std::uint32_t& sum, std::uint64_t bytes) {
  sum = static_cast<std::uint32_t>(std::min<std::uint64_t>(sum + bytes, UINT32_MAX));
}

/// Spreads an object's bytes over the cells it lies in, as far as they belong to `part` of the window.
void addToCells(std::vector<MapCell>& cells, const CellGrid& grid, AddressRange part, const ObjectFacts& facts,
                const MapMark& mark, bool isFree) {
  const AddressRange object{facts.address, facts.address + facts.alignedBytes()};
  const Address from = std::max(object.start, part.start);
  const Address to = std::min(object.end, part.end);
  if (from >= to) return;
  const std::size_t first = grid.cellOf(from);
  if (object.start >= part.start) {
    ++cells[first].objects;
    cells[first].pinned += mark.isPinned;
  }
  const std::size_t last = grid.cellOf(to - 1);
  for (std::size_t i = first; i <= last; ++i) {
    const Address cellFrom = std::max(from, grid.startOf(i));
    const Address cellTo = std::min(to, grid.startOf(i + 1));
    if (cellFrom >= cellTo) continue;
    MapCell& cell = cells[i];
    std::uint32_t& bytes = isFree ? (mark.isPale ? cell.paleFreeBytes : cell.freeBytes)
                                  : (mark.isPale ? cell.paleBytes : cell.usedBytes)[mark.colour];
    addTo(bytes, cellTo - cellFrom);
  }
}

MapMark markOf(const MapPaint& paint, ObjectId id, TypeId type, Address object, Generation generation) {
  return {.colour = paint.colours ? paint.colours->colourOf(id, type, object, generation)
                                  : static_cast<std::uint8_t>(generation),
          .isPale = paint.highlight && !paint.highlight->has(id, type),
          .isPinned = paint.pins && (generation == Generation::Pinned || paint.pins->find(object))};
}

}  // namespace

MapMark markOf(const MapPaint& paint, const ObjectRow& object) {
  return markOf(paint, object.id, object.type, object.address, object.generation.value_or(Generation::Gen2));
}

std::optional<MapObject> mapObjectAt(const Snapshot& snapshot, Address address, const MapPins* pins) {
  const auto row = objectAt(snapshot, address);
  if (!row) return std::nullopt;
  MapObject object{.row = *row};
  const bool isFree = snapshot.types()[row->type.value].isFree;
  if (!isFree) object.retainedBytes = retainedBytesAt(snapshot, row->address);
  if (!pins) return object;
  if (const MapPin* pin = pins->find(row->address)) object.pin = *pin;
  if (isFree) object.sides = sidesOf(snapshot, *row, *pins);
  return object;
}

Outcome<std::vector<MapCell>> mapCells(const Snapshot& snapshot, SegmentId segmentId, AddressRange window,
                                       std::size_t cellCount, const MapPaint& paint, std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  std::vector<MapCell> cells(cellCount);
  if (!contents.heap || segmentId.value >= contents.segments->size() || window.isEmpty() || cellCount == 0)
    return cells;
  const Segment& segment = (*contents.segments)[segmentId.value];
  const ObjectIndex& index = contents.heap->index;
  const SegmentObjects objects(*contents.memory, index, contents.heap->types, segmentId, segment);
  const CellGrid grid(window, cellCount);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, cellCount, kCellsAtOnce), [&](const auto& some) {
    const AddressRange part{grid.startOf(some.begin()), grid.startOf(some.end())};
    // An object that starts in front of the part may reach into it.
    Address from = std::max(part.start, segment.objects.start);
    if (segment.objects.contains(from)) from = index.startAtOrBefore(from).value_or(from);
    std::uint32_t next = index.countBefore(segmentId, from);
    std::uint64_t steps = 0;
    index.forEachStart(segmentId, {from, part.end}, [&](Address address) {
      if (++steps % kStopInterval == 0 && stop.stop_requested()) return false;
      const ObjectId id{next++};
      ObjectFacts facts;
      if (!objects.tryRead(address, facts)) return true;
      const Generation generation = segment.generationOf(address);
      const bool isFree = facts.type == contents.heap->freeType;
      const MapMark mark = markOf(paint, id, facts.type, address, generation);
      addToCells(cells, grid, part, facts, isFree ? MapMark{.colour = 0, .isPale = mark.isPale} : mark, isFree);
      return true;
    });
  });
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  return cells;
}

}  // namespace heapscape::engine
