// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <vector>

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include "heap/segment_objects.h"
#include "insight/insight_input.h"

namespace heapscape::engine {

/// An object in the hands of a scan.
struct ScannedObject {
  std::uint32_t id = 0;  // ObjectId
  ObjectFacts facts;
  Bytes bytes;             // from its address on, aligned size
  bool isInPlace = false;  // these bytes stay until the end of the scan, not only of the visit
};

/// Looks at all reachable objects of some types on all cores, in address order on each: visit(local, ScannedObject),
/// where `local` is one of the core's own accumulators. `isWanted`: by TypeId. Only their pages are touched. Objects
/// that the dump does not hold are left out. False if it was stopped.
template <class Local, class Visit>
bool scanObjects(const InsightInput& input, const std::vector<std::uint8_t>& isWanted,
                 tbb::enumerable_thread_specific<Local>& locals, Visit visit, const std::stop_token& stop) {
  constexpr std::uint64_t kPieceBytes = 2 << 20;  // small enough to share a classic segment among the cores
  struct Piece {
    std::uint32_t segment = 0;
    AddressRange range;
  };
  const Contents& contents = input.contents;
  const std::vector<Segment>& segments = *contents.segments;
  std::vector<Piece> pieces;
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    for (Address start = segments[i].objects.start; start < segments[i].objects.end; start += kPieceBytes)
      pieces.push_back({i, {start, std::min(start + kPieceBytes, segments[i].objects.end)}});
  }
  const auto objects = objectsOfAll(*contents.memory, contents.heap->index, contents.heap->types, segments);
  tbb::parallel_for(std::size_t{0}, pieces.size(), [&](std::size_t i) {
    if (stop.stop_requested()) return;
    Local& local = locals.local();
    const auto& [segment, range] = pieces[i];
    std::uint32_t id = contents.heap->index.countBefore({segment}, range.start);
    contents.heap->index.forEachStart({segment}, range, [&](Address address) {
      const std::uint32_t object = id++;
      const std::uint32_t type = input.objectTypes[object];
      if (type >= isWanted.size() || !isWanted[type] || !input.isReachable(object)) return true;
      ScannedObject scanned{object, {}, {}};
      if (!objects[segment].tryRead(address, scanned.facts) || scanned.facts.type.value != type) return true;
      scanned.bytes = objects[segment].bytesOf(scanned.facts);
      scanned.isInPlace = !scanned.bytes.empty();
      MemoryView copy;
      if (!scanned.isInPlace) {
        auto view = contents.memory->view({address, address + scanned.facts.sizeBytes});
        if (!view) return true;
        copy = std::move(*view);
        scanned.bytes = copy.bytes;
      }
      visit(local, scanned);
      return true;
    });
  });
  return !stop.stop_requested();
}

}  // namespace heapscape::engine
