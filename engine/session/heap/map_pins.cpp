// SPDX-License-Identifier: MIT
#include "session/heap/map_pins.h"

#include <algorithm>
#include <utility>

#include "base/finding.h"
#include "session/roots/handles_query.h"

namespace heapscape::engine {

Outcome<std::shared_ptr<const MapPins>> MapPins::of(const Snapshot& snapshot, std::stop_token stop) {
  auto pins = std::make_shared<MapPins>();
  FindingList findings;  // the list of handles tells them
  HEAPSCAPE_TRY(const std::vector<GcHandle> handles, checkHandles(snapshot, false, findings, std::move(stop)));
  const ObjectIndex& index = snapshot.contents().heap->index;
  for (const GcHandle& handle : handles) {
    if (handle.kind != HandleKind::Pinned && handle.kind != HandleKind::AsyncPinned) continue;
    if (!index.idOf(handle.object).isNone()) pins->m_pins.push_back({handle.object, handle.kind, handle.address});
  }
  std::ranges::stable_sort(pins->m_pins, {}, &MapPin::object);
  const auto repeated = std::ranges::unique(pins->m_pins, {}, &MapPin::object);
  pins->m_pins.erase(repeated.begin(), repeated.end());
  return std::shared_ptr<const MapPins>(std::move(pins));
}

const MapPin* MapPins::find(Address object) const {
  const auto found = std::ranges::lower_bound(m_pins, object, {}, &MapPin::object);
  return found != m_pins.end() && found->object == object ? &*found : nullptr;
}

std::span<const MapPin> MapPins::in(AddressRange range) const {
  const auto first = std::ranges::lower_bound(m_pins, range.start, {}, &MapPin::object);
  const auto last = std::ranges::lower_bound(first, m_pins.end(), range.end, {}, &MapPin::object);
  return {first, last};
}

FreeSpaceSides sidesOf(const Snapshot& snapshot, const ObjectRow& freeObject, const MapPins& pins) {
  const AddressRange range = snapshot.segments()[freeObject.segment.value].objects;
  const auto neighbour = [&](const std::optional<ObjectRow>& row) -> std::optional<FreeSpaceNeighbour> {
    if (!row || row->segment != freeObject.segment) return std::nullopt;
    const MapPin* pin = pins.find(row->address);
    return FreeSpaceNeighbour{*row, pin ? std::optional(*pin) : std::nullopt};
  };
  FreeSpaceSides sides;
  // One byte in front of an object belongs to its header, and that is told as its own.
  if (freeObject.address > range.start) sides.before = neighbour(objectAt(snapshot, freeObject.address - 8));
  const Address behind = freeObject.address + freeObject.alignedBytes;
  if (range.contains(behind)) sides.after = neighbour(objectAt(snapshot, behind));
  return sides;
}

}  // namespace heapscape::engine
