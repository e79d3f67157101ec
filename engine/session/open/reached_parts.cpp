// SPDX-License-Identifier: MIT
#include "session/open/reached_parts.h"

#include <algorithm>
#include <vector>

#include "graph/retained/reached_ranges.h"

namespace heapscape::engine {
namespace {

/// A stretch of one segment that is of one generation.
struct SegmentStretch {
  std::size_t segment;
  std::size_t generation;  // its row
};

void addLive(RetainedTotals& totals, const ReachableTotals& reached) {
  totals.reachableObjects += reached.objects;
  totals.reachableBytes += reached.bytes;
}

// Whatever was counted and is no free object is one or the other.
void addGarbage(RetainedTotals& totals, const ObjectTotals& all) {
  totals.unreachableObjects = all.objects - all.freeObjects - totals.reachableObjects;
  totals.unreachableBytes = all.bytes - all.freeBytes - totals.reachableBytes;
}

}  // namespace

void addUpReachedParts(const Contents& contents, Retention& retention) {
  const std::vector<Segment>& segments = *contents.segments;
  const WalkedHeap& heap = *contents.heap;
  std::vector<SegmentStretch> stretches;
  std::vector<ObjectRange> ranges;
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    for (const GenerationRange& part : segments[i].generations) {
      const auto row = std::ranges::find_if(heap.generations, [&](const GenerationRow& each) {
        return each.generation == part.generation && each.heap == segments[i].heap;
      });
      stretches.push_back({i, static_cast<std::size_t>(row - heap.generations.begin())});
      ranges.push_back({heap.index.countBefore({i}, part.range.start), heap.index.countBefore({i}, part.range.end)});
    }
  }
  retention.totals = {};
  retention.generations.assign(heap.generations.size(), {});
  retention.segments.assign(segments.size(), {});
  const std::vector<ReachableTotals> reached = addUpReached(retention.tree, *contents.graph, ranges);
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    addLive(retention.totals, reached[i]);
    addLive(retention.segments[stretches[i].segment], reached[i]);
    if (stretches[i].generation < retention.generations.size())
      addLive(retention.generations[stretches[i].generation], reached[i]);
  }
  ObjectTotals all;
  for (std::size_t i = 0; i < heap.generations.size(); ++i) {
    addGarbage(retention.generations[i], heap.generations[i].totals);
    all += heap.generations[i].totals;
  }
  addGarbage(retention.totals, all);
  for (std::size_t i = 0; i < segments.size(); ++i) addGarbage(retention.segments[i], heap.segments[i].totals);
}

}  // namespace heapscape::engine
