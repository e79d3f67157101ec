// SPDX-License-Identifier: MIT
#include "session/objects/objects_of_types.h"

#include <tbb/parallel_for.h>

#include "heap/segment_objects.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kPieceBytes = 2 << 20;  // small enough to share a classic segment among the cores

struct Piece {
  SegmentId segment;
  AddressRange range;
  std::vector<TypedObject> found;
};

std::vector<Piece> piecesOf(const std::vector<Segment>& segments) {
  std::vector<Piece> pieces;
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    const AddressRange objects = segments[i].objects;
    for (Address start = objects.start; start < objects.end; start += kPieceBytes)
      pieces.push_back({{i}, {start, std::min(start + kPieceBytes, objects.end)}, {}});
  }
  return pieces;
}

}  // namespace

std::optional<std::vector<TypedObject>> objectsOfTypes(const Contents& contents,
                                                       const std::vector<std::uint8_t>& isWanted,
                                                       const std::stop_token& stop) {
  const ObjectIndex& index = contents.heap->index;
  const auto objects = objectsOfAll(*contents.memory, index, contents.heap->types, *contents.segments);
  std::vector<Piece> pieces = piecesOf(*contents.segments);
  tbb::parallel_for(std::size_t{0}, pieces.size(), [&](std::size_t i) {
    if (stop.stop_requested()) return;
    Piece& piece = pieces[i];
    std::uint32_t id = index.countBefore(piece.segment, piece.range.start);
    index.forEachStart(piece.segment, piece.range, [&](Address address) {
      const ObjectId object{id++};
      ObjectFacts facts;
      if (objects[piece.segment.value].tryRead(address, facts) && facts.type.value < isWanted.size() &&
          isWanted[facts.type.value])
        piece.found.push_back({object, facts.type});
      return true;
    });
  });
  if (stop.stop_requested()) return std::nullopt;
  std::vector<TypedObject> all;
  for (const Piece& piece : pieces) all.insert(all.end(), piece.found.begin(), piece.found.end());
  return all;
}

}  // namespace heapscape::engine
