// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "session/heap/map_colours.h"
#include "session/heap/map_highlight.h"
#include "session/heap/map_pins.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// How the map is painted. May be kept and used from any thread.
struct MapPaint {
  std::shared_ptr<const MapColours> colours = {};      // null: by generation
  std::shared_ptr<const MapHighlight> highlight = {};  // null: all objects are in full colour
  std::shared_ptr<const MapPins> pins = {};            // null: none are told
  bool operator==(const MapPaint&) const = default;
};

/// How one object is painted.
struct MapMark {
  std::uint8_t colour = 0;  // see MapColours
  bool isPale = false;      // others are highlighted
  bool isPinned = false;
};
MapMark markOf(const MapPaint& paint, const ObjectRow& object);

/// An object under the pointer.
struct MapObject {
  ObjectRow row;
  std::optional<std::uint64_t> retainedBytes = {};  // 0 for garbage; known from the stage Retained on
  std::optional<MapPin> pin = {};
  FreeSpaceSides sides = {};  // of a free object
};
/// The object that holds an address; nothing for gaps. `pins`: null where they are not known yet.
std::optional<MapObject> mapObjectAt(const Snapshot& snapshot, Address address, const MapPins* pins);

/// Contents of one slice of a segment's addresses: bytes of objects by the number of their colour, of free objects, and
/// unknown. Pale ones are those that are not highlighted.
struct MapCell {
  std::array<std::uint32_t, kMapColours> usedBytes{};
  std::array<std::uint32_t, kMapColours> paleBytes{};
  std::uint32_t freeBytes = 0;
  std::uint32_t paleFreeBytes = 0;
  std::uint32_t objects = 0;  // that start in it, free ones included
  std::uint32_t pinned = 0;   // of these
};

/// Divides `window` into `cells` slices of equal size and fills them from the objects of the segment, on all cores.
/// Each object's bytes go to the slices it lies in. Slices behind the segment's objects stay empty.
Outcome<std::vector<MapCell>> mapCells(const Snapshot& snapshot, SegmentId segment, AddressRange window,
                                       std::size_t cells, const MapPaint& paint, std::stop_token stop);

}  // namespace heapscape::engine
