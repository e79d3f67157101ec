// SPDX-License-Identifier: MIT
#include "session/heap/map_highlight.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <numeric>

#include "base/progress.h"
#include "heap/segment_objects.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kHighlightPieceBytes = 2 << 20;  // small enough to share a classic segment among the cores

/// What a piece of a segment has of the objects looked for.
struct HighlightPiece {
  SegmentId segment;
  AddressRange range;
  std::uint64_t heapOffset = 0;  // of its start, with the segments one behind the other
  HighlightedPart found = {};
  std::size_t firstCell = 0;
  std::vector<std::uint64_t> cells = {};  // bytes by slice of the heap, from `firstCell` on
};

std::uint64_t heapBytes(const std::vector<Segment>& segments) {
  return std::accumulate(segments.begin(), segments.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Segment& segment) { return sum + segment.objects.sizeBytes(); });
}

std::vector<HighlightPiece> highlightPieces(const std::vector<Segment>& segments) {
  std::vector<HighlightPiece> pieces;
  std::uint64_t before = 0;
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    const AddressRange objects = segments[i].objects;
    for (Address start = objects.start; start < objects.end; start += kHighlightPieceBytes) {
      const AddressRange range{start, std::min(start + kHighlightPieceBytes, objects.end)};
      pieces.push_back({.segment = {i}, .range = range, .heapOffset = before + (start - objects.start)});
    }
    before += objects.sizeBytes();
  }
  return pieces;
}

/// The whole heap, cut into as many slices as the density has.
struct HeapSlices {
  double bytesEach = 1;

  std::size_t sliceOf(std::uint64_t offset) const {
    return std::min(static_cast<std::size_t>(static_cast<double>(offset) / bytesEach), MapHighlight::kDensityCells - 1);
  }
  double startOf(std::size_t slice) const { return static_cast<double>(slice) * bytesEach; }
};

void addHighlighted(HighlightPiece& piece, const ObjectFacts& facts, const HeapSlices& slices) {
  const std::uint64_t bytes = facts.alignedBytes();
  HighlightedPart& found = piece.found;
  if (found.objects++ == 0) found.range.start = facts.address;
  found.range.end = facts.address + bytes;
  found.bytes += bytes;
  const std::uint64_t from = piece.heapOffset + (facts.address - piece.range.start);
  const std::size_t last = slices.sliceOf(from + bytes - 1);
  for (std::size_t slice = slices.sliceOf(from); slice <= last; ++slice) {
    if (piece.cells.empty()) piece.firstCell = slice;
    if (slice - piece.firstCell >= piece.cells.size()) piece.cells.resize(slice - piece.firstCell + 1);
    const double inSlice = std::min(static_cast<double>(from + bytes), slices.startOf(slice + 1)) -
                           std::max(static_cast<double>(from), slices.startOf(slice));
    piece.cells[slice - piece.firstCell] += static_cast<std::uint64_t>(std::max(inSlice, 0.0));
  }
}

}  // namespace

Outcome<std::shared_ptr<const MapHighlight>> MapHighlight::ofType(const Snapshot& snapshot, TypeId type,
                                                                  std::stop_token stop) {
  auto highlight = std::make_shared<MapHighlight>();
  highlight->m_type = type;
  if (type.isNone()) return ofObjects(snapshot, {}, stop);
  HEAPSCAPE_CHECK(highlight->find(snapshot, stop));
  return std::shared_ptr<const MapHighlight>(std::move(highlight));
}

Outcome<std::shared_ptr<const MapHighlight>> MapHighlight::ofObjects(const Snapshot& snapshot,
                                                                     const std::vector<std::uint32_t>& objects,
                                                                     std::stop_token stop) {
  auto highlight = std::make_shared<MapHighlight>();
  highlight->m_isMember.resize(snapshot.contents().heap->index.objectCount());
  for (const std::uint32_t object : objects) {
    if (object < highlight->m_isMember.size()) highlight->m_isMember[object] = true;
  }
  HEAPSCAPE_CHECK(highlight->find(snapshot, stop));
  return std::shared_ptr<const MapHighlight>(std::move(highlight));
}

Outcome<void> MapHighlight::find(const Snapshot& snapshot, const std::stop_token& stop) {
  const Contents& contents = snapshot.contents();
  const ObjectIndex& index = contents.heap->index;
  const auto objects = objectsOfAll(*contents.memory, index, contents.heap->types, *contents.segments);
  const std::uint64_t whole = heapBytes(*contents.segments);
  const HeapSlices slices{std::max(static_cast<double>(whole) / static_cast<double>(kDensityCells), 1.0)};
  std::vector<HighlightPiece> pieces = highlightPieces(*contents.segments);
  tbb::parallel_for(std::size_t{0}, pieces.size(), [&](std::size_t i) {
    if (stop.stop_requested()) return;
    HighlightPiece& piece = pieces[i];
    std::uint32_t id = index.countBefore(piece.segment, piece.range.start);
    index.forEachStart(piece.segment, piece.range, [&](Address address) {
      const ObjectId object{id++};
      if (m_type.isNone() && !m_isMember[object.value]) return true;
      ObjectFacts facts;
      if (objects[piece.segment.value].tryRead(address, facts) && has(object, facts.type))
        addHighlighted(piece, facts, slices);
      return true;
    });
  });
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  std::vector<std::uint64_t> cells(kDensityCells);
  for (const HighlightPiece& piece : pieces) {
    if (piece.found.objects == 0) continue;
    for (std::size_t i = 0; i < piece.cells.size(); ++i) cells[piece.firstCell + i] += piece.cells[i];
    if (m_parts.empty() || m_parts.back().segment != piece.segment)
      m_parts.push_back({.segment = piece.segment, .range = piece.found.range});
    HighlightedPart& part = m_parts.back();
    part.objects += piece.found.objects;
    part.bytes += piece.found.bytes;
    part.range.end = piece.found.range.end;
  }
  for (const std::uint64_t bytes : cells)
    m_density.push_back(static_cast<float>(std::min(static_cast<double>(bytes) / slices.bytesEach, 1.0)));
  return {};
}

std::uint64_t MapHighlight::objects() const {
  return std::accumulate(m_parts.begin(), m_parts.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const HighlightedPart& part) { return sum + part.objects; });
}

std::uint64_t MapHighlight::bytes() const {
  return std::accumulate(m_parts.begin(), m_parts.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const HighlightedPart& part) { return sum + part.bytes; });
}

double placeInHeap(const Snapshot& snapshot, SegmentId segment, Address address) {
  const std::vector<Segment>& segments = snapshot.segments();
  const std::uint64_t whole = heapBytes(segments);
  if (whole == 0 || segment.value >= segments.size()) return 0;
  const AddressRange objects = segments[segment.value].objects;
  std::uint64_t before = 0;
  for (std::uint32_t i = 0; i < segment.value; ++i) before += segments[i].objects.sizeBytes();
  before += std::clamp(address, objects.start, std::max(objects.start, objects.end)) - objects.start;
  return static_cast<double>(before) / static_cast<double>(whole);
}

Address addressInHeap(const Snapshot& snapshot, double place) {
  const std::vector<Segment>& segments = snapshot.segments();
  const std::uint64_t whole = heapBytes(segments);
  if (whole == 0) return {};
  auto left = static_cast<std::uint64_t>(std::clamp(place, 0.0, 1.0) * static_cast<double>(whole));
  left = std::min(left, whole - 1);
  for (const Segment& segment : segments) {
    if (left < segment.objects.sizeBytes()) return segment.objects.start + left;
    left -= segment.objects.sizeBytes();
  }
  return {};
}

}  // namespace heapscape::engine
