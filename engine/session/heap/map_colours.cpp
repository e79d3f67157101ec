// SPDX-License-Identifier: MIT
#include "session/heap/map_colours.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "session/snapshot/contents.h"

namespace heapscape::engine {

namespace {

std::uint8_t colourOfCode(CodeOwner owner) {
  switch (owner) {
    case CodeOwner::Own:
      return kOwnCodeColour;
    case CodeOwner::Package:
      return kPackageColour;
    case CodeOwner::Framework:
      break;
  }
  return kFrameworkColour;
}

}  // namespace

bool isColouringKnown(const Snapshot& snapshot, MapColouring colouring) {
  const bool isByRoots = colouring == MapColouring::Liveness || colouring == MapColouring::Retained;
  return snapshot.has(isByRoots ? Stage::Retained : Stage::Objects);
}

std::shared_ptr<const MapColours> MapColours::of(const Snapshot& snapshot, MapColouring colouring, TypeId picked,
                                                 std::shared_ptr<const MapPins> pins) {
  const bool isKnown = isColouringKnown(snapshot, colouring) && (colouring != MapColouring::Pinned || pins != nullptr);
  // Not make_shared: the constructor is private.
  std::shared_ptr<MapColours> colours(new MapColours(snapshot, isKnown ? colouring : MapColouring::Generation));
  colours->m_pins = std::move(pins);
  std::vector<std::uint8_t>& colourOfType = colours->m_colourOfType;
  switch (colours->m_colouring) {
    case MapColouring::LargestTypes:
      colours->findLargestTypes();
      break;
    case MapColouring::PickedType:
      colourOfType.assign(snapshot.types().size(), kOtherTypesColour);
      if (picked.value >= colourOfType.size()) break;
      colourOfType[picked.value] = kPickedColour;
      colours->m_types = {picked};
      break;
    case MapColouring::Code:
      for (const TypeRow& type : snapshot.types())
        colourOfType.push_back(colourOfCode(snapshot.contents().ownerOf(type)));
      break;
    default:
      break;
  }
  return colours;
}

void MapColours::findLargestTypes() {
  const std::vector<TypeRow>& types = m_snapshot.types();
  const std::vector<std::uint64_t>& bytes = m_snapshot.typeCounts().bytes;
  for (std::uint32_t i = 0; i < types.size(); ++i) {
    if (!types[i].isFree && bytes[i] > 0) m_types.push_back({i});
  }
  const std::size_t shown = std::min(m_types.size(), kLargestTypesOnMap);
  std::partial_sort(
      m_types.begin(), m_types.begin() + static_cast<std::ptrdiff_t>(shown), m_types.end(),
      [&](TypeId a, TypeId b) { return std::pair(bytes[b.value], a.value) < std::pair(bytes[a.value], b.value); });
  m_types.resize(shown);
  m_colourOfType.assign(types.size(), kLargestTypesOnMap);
  for (std::size_t i = 0; i < shown; ++i) m_colourOfType[m_types[i].value] = static_cast<std::uint8_t>(i);
}

std::uint8_t MapColours::colourOf(ObjectId id, TypeId type, Address object, Generation generation) const {
  switch (m_colouring) {
    case MapColouring::Generation:
      break;
    case MapColouring::LargestTypes:
    case MapColouring::PickedType:
    case MapColouring::Code:
      return m_colourOfType[type.value];
    case MapColouring::Liveness:
      return m_snapshot.contents().retention->isGarbage(id.value) ? kGarbageColour : kLiveColour;
    case MapColouring::Retained: {
      const Retention& retention = *m_snapshot.contents().retention;
      const std::uint32_t number = retention.tree.numberOf(id.value);
      if (retention.isGarbage(id.value)) return kRetainsNothingColour;
      const auto step = std::ranges::upper_bound(kRetainedSteps, number ? retention.sizes.bytes[number] : 0);
      return static_cast<std::uint8_t>(step - kRetainedSteps.begin());
    }
    case MapColouring::Pinned:
      return generation == Generation::Pinned || m_pins->find(object) ? kPinnedColour : kNotPinnedColour;
  }
  return static_cast<std::uint8_t>(generation);
}

}  // namespace heapscape::engine
