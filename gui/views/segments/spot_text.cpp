// SPDX-License-Identifier: MIT
#include "views/segments/spot_text.h"

#include <algorithm>

#include "models/names/reach_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

QString withExactBytes(std::uint64_t bytes) {
  return bytes < 1024 ? exactBytesText(bytes) : u"%1 (%2)"_s.arg(bytesText(bytes), exactBytesText(bytes));
}

}  // namespace

std::array<QString, kFigureColumns> figureTexts(const LaneTotals& totals) {
  const engine::ObjectTotals& objects = totals.objects;
  std::array<QString, kFigureColumns> texts;
  if (objects.bytes > 0) {
    texts = {bytesText(objects.bytes - objects.freeBytes),
             bytesText(objects.freeBytes),
             percentText(objects.freeBytes, objects.bytes),
             {}};
  } else {
    texts.front() = u"empty"_s;
  }
  const std::uint64_t unread = std::min(totals.unreadBytes, totals.wholeBytes);
  if (totals.wholeBytes > 0)
    texts.back() = (unread > 0 ? u"⚠ "_s : QString()) + percentText(totals.wholeBytes - unread, totals.wholeBytes);
  return texts;
}

BubbleText segmentText(const MapState& state, const Colours& colours, std::size_t lane) {
  const engine::Segment& segment = state.segment(lane);
  BubbleText text;
  text.swatch = colours.of(mainGeneration(segment));
  text.title = u"%1, %2"_s.arg(segmentKindText(segment.kind), u"heap %1"_s.arg(segment.heap));
  text.facts << u"%1 – %2"_s.arg(addressText(segment.objects.start), addressText(segment.objects.end));
  if (const engine::SegmentContents* contents = state.contents(lane)) {
    const engine::ObjectTotals& totals = contents->totals;
    const std::uint64_t objects = totals.objects - totals.freeObjects;
    text.facts << countedText(objects, u"object"_s);
    text.facts << u"used %1"_s.arg(withExactBytes(totals.bytes - totals.freeBytes));
    text.facts << u"free %1, free objects: %2"_s.arg(withExactBytes(totals.freeBytes), countText(totals.freeObjects));
    if (contents->unreadBytes > 0) text.facts << u"⚠ not readable: %1"_s.arg(withExactBytes(contents->unreadBytes));
    if (contents->doubtfulBytes > 0)
      text.facts << u"%1 in arrays that may lie over other objects"_s.arg(withExactBytes(contents->doubtfulBytes));
  }
  text.facts << u"committed %1"_s.arg(withExactBytes(committedSpan(segment)));
  text.facts << u"reserved behind it %1"_s.arg(withExactBytes(reservedBytes(segment)));
  return text;
}

BubbleText spotText(const MapState& state, const Colours& colours, const MapSpot& spot) {
  const engine::Segment& segment = state.segment(spot.lane);
  BubbleText text;
  switch (spot.kind) {
    case MapSpot::Kind::Committed:
      text.title = u"Committed, not used"_s;
      text.facts << withExactBytes(committedSpan(segment) - segment.objects.sizeBytes());
      return text;
    case MapSpot::Kind::Reserved:
      text.title = u"Reserved address space"_s;
      text.facts << withExactBytes(reservedBytes(segment)) << u"not drawn to scale"_s;
      return text;
    case MapSpot::Kind::Objects:
      text.title = u"Walking the heap…"_s;
      text.facts << addressText(spot.address);
      return text;
    case MapSpot::Kind::Outside:
      break;
  }
  return segmentText(state, colours, spot.lane);
}

BubbleText gapText(const MapState& state, const MapSpot& spot) {
  BubbleText text;
  const engine::SegmentContents* contents = state.contents(spot.lane);
  const bool isDamaged = contents && contents->unreadBytes > 0;
  text.title = isDamaged ? u"⚠ Not readable"_s : u"No object"_s;
  text.facts << addressText(spot.address);
  text.facts << (isDamaged ? u"damaged, or missing from the dump"_s : u"kept ready for a thread to allocate in"_s);
  return text;
}

namespace {

QString typeText(const MapState& state, const engine::ObjectRow& object) {
  const auto& types = state.snapshot()->types();
  return object.type.value < types.size() ? fromEngine(types[object.type.value].name) : u"?"_s;
}

QString pinText(const engine::MapPin& pin) {
  const QString kind = pin.kind == engine::HandleKind::AsyncPinned ? u"async pinned handle"_s : u"pinned handle"_s;
  return u"pinned by the %1 %2"_s.arg(kind, addressText(pin.handle));
}

QStringList sideTexts(const MapState& state, const QString& where,
                      const std::optional<engine::FreeSpaceNeighbour>& neighbour) {
  if (!neighbour) return {u"%1: no object"_s.arg(where)};
  const engine::ObjectRow& object = neighbour->object;
  QStringList texts{u"%1: %2 %3"_s.arg(where, typeText(state, object), addressText(object.address))};
  if (neighbour->pin) texts << pinText(*neighbour->pin);
  return texts;
}

// In the pinned heap every object stays where it is, without a handle.
QStringList textsOfSides(const MapState& state, const engine::MapObject& object) {
  const engine::FreeSpaceSides& sides = object.sides;
  QStringList texts = sideTexts(state, u"before it"_s, sides.before) + sideTexts(state, u"after it"_s, sides.after);
  const bool isPinnedBeside = (sides.before && sides.before->pin) || (sides.after && sides.after->pin);
  if (object.row.generation == engine::Generation::Pinned) {
    texts << u"kept free by the pinned heap, where no object moves"_s;
  } else if (!isPinnedBeside) {
    texts << u"no handle pins what stands beside it"_s;
  }
  return texts;
}

}  // namespace

BubbleText objectText(const MapState& state, const Colours& colours, const engine::MapObject& found,
                      std::uint64_t neighbours) {
  const engine::ObjectRow& object = found.row;
  BubbleText text;
  const auto& types = state.snapshot()->types();
  const bool isFree = object.type.value < types.size() && types[object.type.value].isFree;
  const auto& segments = state.snapshot()->segments();
  const std::uint32_t heap = object.segment.value < segments.size() ? segments[object.segment.value].heap : 0;
  text.swatch = isFree ? colours.freeSpace() : colours.of(object.generation.value_or(engine::Generation::Gen2));
  text.title = isFree ? u"Free space"_s : typeText(state, object);
  text.facts << u"%1 · %2 · %3"_s.arg(addressText(object.address), generationText(object.generation),
                                      u"heap %1"_s.arg(heap));
  text.facts << withExactBytes(isFree ? object.alignedBytes : object.sizeBytes);
  if (found.retainedBytes)
    text.facts << (*found.retainedBytes > 0 ? u"retains %1"_s.arg(withExactBytes(*found.retainedBytes))
                                            : unreachedText(object.generation != engine::Generation::Frozen));
  if (found.pin) text.facts << pinText(*found.pin);
  if (isFree && (found.sides.before || found.sides.after)) text.facts << textsOfSides(state, found);
  if (neighbours > 1) text.facts << u"1 of %1 objects here: zoom in"_s.arg(countText(neighbours));
  return text;
}

std::uint64_t objectsAt(const LaneContent& content, engine::Address address) {
  const std::uint64_t bytes = content.question.window.sizeBytes();
  if (bytes == 0 || content.cells.empty() || !content.question.window.contains(address)) return 0;
  const double share = static_cast<double>(address - content.question.window.start) / static_cast<double>(bytes);
  const auto index = static_cast<std::size_t>(share * static_cast<double>(content.cells.size()));
  return content.cells[std::min(index, content.cells.size() - 1)].objects;
}

}  // namespace heapscape::gui
