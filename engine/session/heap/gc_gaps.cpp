// SPDX-License-Identifier: MIT
#include "session/heap/gc_gaps.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/progress.h"
#include "heap/segment_objects.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

struct Neighbour {
  GapNeighbour row;
  std::uint64_t largestGap = 0;
};

/// One generation of one heap while its objects go by.
struct Counted {
  GenerationGaps gaps;
  std::unordered_map<std::uint32_t, Neighbour> neighbours;  // by TypeId

  void end(std::uint64_t gap, const ObjectFacts& object, bool isPinned) {
    Neighbour& neighbour = neighbours[object.type.value];
    ++neighbour.row.gaps;
    neighbour.row.gapBytes += gap;
    neighbour.row.objectBytes += object.alignedBytes();
    if (isPinned) ++neighbour.row.pinned;
    if (gap > neighbour.largestGap) {
      neighbour.largestGap = gap;
      neighbour.row.example = object.address;
    }
  }
};

}  // namespace

Outcome<std::vector<GenerationGaps>> findGaps(const Snapshot& snapshot, const std::unordered_set<Address>& pinned,
                                              std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  const WalkedHeap& heap = *contents.heap;
  std::map<std::pair<std::uint32_t, Generation>, Counted> counted;
  std::uint32_t steps = 0;
  for (std::uint32_t i = 0; i < snapshot.segments().size(); ++i) {
    const Segment& segment = snapshot.segments()[i];
    const SegmentObjects objects(*contents.memory, heap.index, heap.types, {i}, segment);
    for (const GenerationRange& part : segment.generations) {
      Counted& generation = counted[{segment.heap, part.generation}];
      std::uint64_t gap = 0;
      const bool isDone = objects.forEach(part.range, [&](const ObjectFacts& object) {
        const std::uint64_t bytes = object.alignedBytes();
        generation.gaps.bytes += bytes;
        if (object.type == heap.freeType) {
          gap += bytes;  // several may lie side by side
          generation.gaps.freeBytes += bytes;
        } else if (gap) {
          ++generation.gaps.gaps;
          generation.gaps.largestGapBytes = std::max(generation.gaps.largestGapBytes, gap);
          generation.end(gap, object, pinned.contains(object.address));
          gap = 0;
        }
        return ++steps % kStopInterval != 0 || !stop.stop_requested();
      });
      if (!isDone) return tl::unexpected(Unfinished::cancelled());
      if (gap) {
        ++generation.gaps.gaps;
        generation.gaps.largestGapBytes = std::max(generation.gaps.largestGapBytes, gap);
      }
    }
  }
  std::vector<GenerationGaps> found;
  for (auto& [key, generation] : counted) {
    generation.gaps.heap = key.first;
    generation.gaps.generation = key.second;
    for (auto& [type, neighbour] : generation.neighbours) {
      neighbour.row.typeName = snapshot.types()[type].name;
      neighbour.row.methodTable = snapshot.types()[type].methodTable;
      generation.gaps.neighbours.push_back(std::move(neighbour.row));
    }
    std::ranges::sort(generation.gaps.neighbours, [](const GapNeighbour& left, const GapNeighbour& right) {
      return std::tie(right.gapBytes, left.typeName) < std::tie(left.gapBytes, right.typeName);
    });
    found.push_back(std::move(generation.gaps));
  }
  return found;
}

}  // namespace heapscape::engine
