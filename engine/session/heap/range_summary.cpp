// SPDX-License-Identifier: MIT
#include "session/heap/range_summary.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <tuple>

#include "base/progress.h"
#include "heap/segment_objects.h"
#include "session/objects/object_query.h"
#include "session/snapshot/contents.h"

namespace heapscape::engine {
namespace {

constexpr std::uint64_t kSummaryPieceBytes = 1 << 20;

struct SummaryPiece {
  SegmentId segment;
  AddressRange range;
};

/// What one core has counted.
struct RangeCounts {
  std::vector<RangeType> types;  // by TypeId
  std::uint64_t garbageBytes = 0;
};

std::vector<SummaryPiece> summaryPieces(const std::vector<Segment>& segments, AddressRange wanted) {
  std::vector<SummaryPiece> pieces;
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    const Address end = std::min(segments[i].objects.end, wanted.end);
    for (Address start = std::max(segments[i].objects.start, wanted.start); start < end; start += kSummaryPieceBytes)
      pieces.push_back({{i}, {start, std::min(start + kSummaryPieceBytes, end)}});
  }
  return pieces;
}

}  // namespace

Outcome<RangeSummary> summaryOfRange(const Snapshot& snapshot, AddressRange range, std::stop_token stop) {
  const Contents& contents = snapshot.contents();
  const ObjectIndex& index = contents.heap->index;
  const auto segments = objectsOfAll(*contents.memory, index, contents.heap->types, *contents.segments);
  const std::vector<SummaryPiece> pieces = summaryPieces(*contents.segments, range);
  const Retention* retention = contents.retention.get();
  const TypeId free = contents.heap->freeType;
  tbb::enumerable_thread_specific<RangeCounts> counts;
  tbb::parallel_for(std::size_t{0}, pieces.size(), [&](std::size_t i) {
    if (stop.stop_requested()) return;
    RangeCounts& local = counts.local();
    local.types.resize(snapshot.types().size());
    std::uint32_t next = index.countBefore(pieces[i].segment, pieces[i].range.start);
    index.forEachStart(pieces[i].segment, pieces[i].range, [&](Address address) {
      const std::uint32_t id = next++;
      ObjectFacts facts;
      if (!segments[pieces[i].segment.value].tryRead(address, facts)) return true;
      RangeType& counted = local.types[facts.type.value];
      ++counted.objects;
      counted.bytes += facts.alignedBytes();
      if (retention && facts.type != free && retention->isGarbage(id)) local.garbageBytes += facts.alignedBytes();
      return true;
    });
  });
  if (stop.stop_requested()) return tl::unexpected(Unfinished::cancelled());
  RangeSummary summary{.range = range};
  if (retention) summary.garbageBytes = 0;
  std::vector<RangeType> types(snapshot.types().size());
  for (const RangeCounts& local : counts) {
    if (retention) *summary.garbageBytes += local.garbageBytes;
    for (std::size_t i = 0; i < local.types.size(); ++i) {
      types[i].objects += local.types[i].objects;
      types[i].bytes += local.types[i].bytes;
    }
  }
  for (std::uint32_t i = 0; i < types.size(); ++i) {
    types[i].type = {i};
    if (types[i].objects == 0) continue;
    if (TypeId{i} == free) {
      summary.freeBytes = types[i].bytes;
      continue;
    }
    summary.objects += types[i].objects;
    summary.bytes += types[i].bytes;
    summary.types.push_back(types[i]);
  }
  std::ranges::sort(summary.types, [&](const RangeType& a, const RangeType& b) {
    return std::tie(b.bytes, snapshot.typeName(a.type)) < std::tie(a.bytes, snapshot.typeName(b.type));
  });
  return summary;
}

Outcome<std::vector<std::uint32_t>> objectsIn(const Snapshot& snapshot, AddressRange range, std::stop_token stop) {
  std::vector<std::uint32_t> ids;
  ObjectFilter filter;
  filter.addresses = range;
  const bool isWhole = forEachObject(
      snapshot, filter,
      [&](const ObjectRow& row) {
        if (!snapshot.types()[row.type.value].isFree) ids.push_back(row.id.value);
        return true;
      },
      std::move(stop));
  if (!isWhole) return tl::unexpected(Unfinished::cancelled());
  return ids;
}

}  // namespace heapscape::engine
