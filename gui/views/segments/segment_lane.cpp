// SPDX-License-Identifier: MIT
#include "views/segments/segment_lane.h"

#include <algorithm>
#include <tuple>

namespace heapscape::gui {

using engine::Generation;
using engine::Segment;
using engine::SegmentContents;
using engine::SegmentKind;

namespace {

Generation generationOfKind(SegmentKind kind) {
  switch (kind) {
    case SegmentKind::Gen0:
    case SegmentKind::Ephemeral:
      return Generation::Gen0;
    case SegmentKind::Gen1:
      return Generation::Gen1;
    case SegmentKind::Gen2:
      return Generation::Gen2;
    case SegmentKind::Large:
      return Generation::Large;
    case SegmentKind::Pinned:
      return Generation::Pinned;
    case SegmentKind::Frozen:
      return Generation::Frozen;
  }
  return Generation::Gen0;
}

bool isOn(const LaneFilter& filter, Generation generation) {
  return filter.generations[static_cast<std::size_t>(generation)];
}

}  // namespace

bool passes(const Segment& segment, const SegmentContents* contents, const LaneFilter& filter) {
  if (filter.heap && segment.heap != *filter.heap) return false;
  if (filter.hideEmpty) {
    const bool isEmpty =
        contents ? contents->totals.objects == 0 && contents->unreadBytes == 0 : segment.objects.isEmpty();
    if (isEmpty) return false;
  }
  if (segment.kind != SegmentKind::Ephemeral) return isOn(filter, generationOfKind(segment.kind));
  return std::any_of(segment.generations.begin(), segment.generations.end(),
                     [&](const engine::GenerationRange& part) { return isOn(filter, part.generation); });
}

std::vector<Lane> buildLanes(const engine::Snapshot& snapshot, const LaneFilter& filter) {
  return buildLanes(snapshot.segments(), snapshot.segmentContents(), filter);
}

std::vector<Lane> buildLanes(const std::vector<Segment>& segments, const std::vector<SegmentContents>& contents,
                             const LaneFilter& filter) {
  std::vector<Lane> lanes;
  for (std::uint32_t index = 0; index < segments.size(); ++index) {
    const SegmentContents* inside = index < contents.size() ? &contents[index] : nullptr;
    if (passes(segments[index], inside, filter)) {
      lanes.push_back({engine::SegmentId{index}, segments[index].heap, committedSpan(segments[index])});
    }
  }
  const auto rank = [&](const Lane& lane) {
    const Segment& segment = segments[lane.id.value];
    const auto kind = filter.order == LaneFilter::Order::Generation
                          ? (segment.kind == SegmentKind::Ephemeral ? 0u : static_cast<unsigned>(segment.kind) + 1)
                          : 0u;
    const std::uint64_t size = filter.order == LaneFilter::Order::Size ? ~segment.objects.sizeBytes() : 0;
    return std::make_tuple(lane.heap, kind, size, segment.objects.start.value);
  };
  std::sort(lanes.begin(), lanes.end(), [&](const Lane& left, const Lane& right) { return rank(left) < rank(right); });
  return lanes;
}

std::uint64_t committedSpan(const Segment& segment) {
  return engine::AddressRange{segment.objects.start, std::max(segment.committedEnd, segment.objects.end)}.sizeBytes();
}

std::uint64_t reservedBytes(const Segment& segment) {
  return engine::AddressRange{std::max(segment.committedEnd, segment.objects.end), segment.reservedEnd}.sizeBytes();
}

Generation mainGeneration(const Segment& segment) {
  if (segment.kind != SegmentKind::Ephemeral) return generationOfKind(segment.kind);
  const auto largest = std::max_element(segment.generations.begin(), segment.generations.end(),
                                        [](const engine::GenerationRange& left, const engine::GenerationRange& right) {
                                          return left.range.sizeBytes() < right.range.sizeBytes();
                                        });
  return largest == segment.generations.end() ? Generation::Gen0 : largest->generation;
}

std::uint64_t commonSpan(const std::vector<Lane>& lanes) {
  if (lanes.empty()) return 1;
  std::vector<std::uint64_t> spans;
  spans.reserve(lanes.size());
  for (const Lane& lane : lanes) spans.push_back(std::max<std::uint64_t>(lane.bytes, 1));
  std::sort(spans.begin(), spans.end());
  const std::uint64_t usual = spans[(spans.size() * 9 + 9) / 10 - 1];
  const auto behind = std::upper_bound(spans.begin(), spans.end(), usual > UINT64_MAX / 2 ? UINT64_MAX : usual * 2);
  return *(behind - 1);
}

LaneTotals totalsOf(const Segment& segment, const SegmentContents& contents) {
  return {contents.totals, segment.objects.sizeBytes(), contents.unreadBytes};
}

LaneTotals totalsOf(const std::vector<Lane>& lanes, std::uint32_t heap, const std::vector<Segment>& segments,
                    const std::vector<SegmentContents>& contents) {
  LaneTotals totals;
  for (const Lane& lane : lanes) {
    if (lane.heap != heap || lane.id.value >= contents.size()) continue;
    const LaneTotals one = totalsOf(segments[lane.id.value], contents[lane.id.value]);
    totals.objects += one.objects;
    totals.wholeBytes += one.wholeBytes;
    totals.unreadBytes += one.unreadBytes;
  }
  return totals;
}

}  // namespace heapscape::gui
