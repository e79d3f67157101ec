// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "session/heap/map_pins.h"
#include "session/objects/object_query.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// What the colours of the map of segments tell.
enum class MapColouring : std::uint8_t {
  Generation,
  Liveness,      // live or frozen, garbage: whether it waits to be collected
  LargestTypes,  // those with most bytes, others
  PickedType,    // one type, others
  Code,          // the reader's own types, those of packages, of .NET
  Retained,      // by steps of what an object retains, garbage
  Pinned,        // kept in place, not
};

/// As many colours as any of these has.
inline constexpr std::size_t kMapColours = 9;
inline constexpr std::size_t kLargestTypesOnMap = kMapColours - 1;
/// Objects that retain less than the first, the second … of these bytes have a colour each, and the rest one.
inline constexpr std::array<std::uint64_t, 4> kRetainedSteps{1ull << 10, 16ull << 10, 256ull << 10, 4ull << 20};

/// Numbers of colours, as MapColours::colourOf() gives them; of generations and types that is their index.
inline constexpr std::uint8_t kLiveColour = 0, kGarbageColour = 1;
inline constexpr std::uint8_t kPickedColour = 0, kOtherTypesColour = 1;
inline constexpr std::uint8_t kOwnCodeColour = 0, kPackageColour = 1, kFrameworkColour = 2;
inline constexpr std::uint8_t kRetainsNothingColour = kRetainedSteps.size() + 1;  // garbage
inline constexpr std::uint8_t kPinnedColour = 0, kNotPinnedColour = 1;

/// Whether a colouring can be had from this stage on: some need to know what the roots reach.
bool isColouringKnown(const Snapshot& snapshot, MapColouring colouring);

/// Tells the colour of every object by what it is to tell. Made once, then asked for each object; safe from any thread.
class MapColours {
 public:
  /// Needs the stage Objects. `pins` for Pinned, `picked` for PickedType; a colouring that is not known yet is that by
  /// generation.
  static std::shared_ptr<const MapColours> of(const Snapshot& snapshot, MapColouring colouring, TypeId picked,
                                              std::shared_ptr<const MapPins> pins);

  MapColouring colouring() const { return m_colouring; }
  /// Types that have a colour of their own, by its number.
  const std::vector<TypeId>& types() const { return m_types; }
  std::uint8_t colourOf(ObjectId id, TypeId type, Address object, Generation generation) const;
  std::uint8_t colourOf(const ObjectRow& row) const {
    return colourOf(row.id, row.type, row.address, row.generation.value_or(Generation::Gen2));
  }

 private:
  MapColours(const Snapshot& snapshot, MapColouring colouring) : m_snapshot(snapshot), m_colouring(colouring) {}
  void findLargestTypes();

  const Snapshot m_snapshot;
  MapColouring m_colouring;
  std::vector<TypeId> m_types;
  std::vector<std::uint8_t> m_colourOfType;  // by TypeId, where the type decides
  std::shared_ptr<const MapPins> m_pins;
};

}  // namespace heapscape::engine
