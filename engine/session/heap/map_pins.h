// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "runtime/gc/handles.h"
#include "session/objects/object_query.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// An object that a handle keeps in place.
struct MapPin {
  Address object;
  HandleKind kind = HandleKind::Pinned;  // or AsyncPinned
  Address handle;
};

/// The objects that handles keep in place, each once, by address. Those of the pinned heap need no handle.
class MapPins {
 public:
  /// Needs the stage Objects.
  static Outcome<std::shared_ptr<const MapPins>> of(const Snapshot& snapshot, std::stop_token stop);

  /// Null for an object that no handle pins.
  const MapPin* find(Address object) const;
  /// Those of objects that start in the range.
  std::span<const MapPin> in(AddressRange range) const;

 private:
  std::vector<MapPin> m_pins;
};

/// An object that stands beside a free one.
struct FreeSpaceNeighbour {
  ObjectRow object;
  std::optional<MapPin> pin = {};  // the handle that keeps it in place, if one does
};

/// Objects on both sides of a free object; none at the ends of its segment, and where no object adjoins it.
struct FreeSpaceSides {
  std::optional<FreeSpaceNeighbour> before, after;
};

FreeSpaceSides sidesOf(const Snapshot& snapshot, const ObjectRow& freeObject, const MapPins& pins);

}  // namespace heapscape::engine
