// SPDX-License-Identifier: MIT
#include "session/open/reached_parts.h"

#include <algorithm>
#include <span>
#include <vector>

#include "graph/retained/reached_ranges.h"
#include "session/objects/object_query.h"

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
void addUnreachable(RetainedTotals& totals, const ObjectTotals& all) {
  totals.unreachableObjects = all.objects - all.freeObjects - totals.reachableObjects;
  totals.unreachableBytes = all.bytes - all.freeBytes - totals.reachableBytes;
}

void addFrozen(RetainedTotals& totals, std::uint64_t bytes) {
  ++totals.frozenObjects;
  totals.frozenBytes += bytes;
}

// What of the frozen objects no root leads to: these alone are looked at one by one, and they are few.
void addUpFrozen(const Contents& contents, std::span<const SegmentStretch> stretches,
                 std::span<const ObjectRange> ranges, Retention& retention) {
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if ((*contents.segments)[stretches[i].segment].kind != SegmentKind::Frozen) continue;
    retention.frozen.push_back(ranges[i]);
    for (std::uint32_t object = ranges[i].first; object < ranges[i].end; ++object) {
      if (retention.tree.numberOf(object) || contents.graph->units[object] == 0) continue;
      const std::uint64_t bytes = contents.graph->bytesOf(object);
      addFrozen(retention.totals, bytes);
      addFrozen(retention.segments[stretches[i].segment], bytes);
      if (stretches[i].generation < retention.generations.size())
        addFrozen(retention.generations[stretches[i].generation], bytes);
      ReachableTotals& ofType = retention.unreachableFrozen[typeOfObject(contents, object).value];
      ++ofType.objects;
      ofType.bytes += bytes;
    }
  }
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
    addUnreachable(retention.generations[i], heap.generations[i].totals);
    all += heap.generations[i].totals;
  }
  addUnreachable(retention.totals, all);
  for (std::size_t i = 0; i < segments.size(); ++i) addUnreachable(retention.segments[i], heap.segments[i].totals);
  retention.frozen.clear();
  retention.unreachableFrozen.clear();
  addUpFrozen(contents, stretches, ranges, retention);
}

}  // namespace heapscape::engine
