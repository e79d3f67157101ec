// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "session/snapshot/snapshot.h"

namespace heapscape::engine {

/// What a segment has of the objects that the map shows in full colour.
struct HighlightedPart {
  SegmentId segment;
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;  // aligned
  AddressRange range;       // from the first one's start to the last one's end
};

/// Objects that the map shows in full colour while it pales the others: all of one type, or a set. Safe from any
/// thread.
class MapHighlight {
 public:
  /// Slices of the heap that density() has.
  static constexpr std::size_t kDensityCells = 1024;

  /// Goes through the heap once, on all cores. Needs the stage Objects.
  static Outcome<std::shared_ptr<const MapHighlight>> ofType(const Snapshot& snapshot, TypeId type,
                                                             std::stop_token stop);
  /// `objects`: ObjectIds, ascending.
  static Outcome<std::shared_ptr<const MapHighlight>> ofObjects(const Snapshot& snapshot,
                                                                const std::vector<std::uint32_t>& objects,
                                                                std::stop_token stop);

  bool has(ObjectId id, TypeId type) const {
    return m_type.isNone() ? id.value < m_isMember.size() && m_isMember[id.value] : type == m_type;
  }
  /// Segments that have some, in the order of their addresses.
  const std::vector<HighlightedPart>& parts() const { return m_parts; }
  std::uint64_t objects() const;
  std::uint64_t bytes() const;
  /// Share of each slice's bytes that are theirs, 0 to 1: the segments one behind the other in the order of their
  /// addresses, without what lies between them.
  const std::vector<float>& density() const { return m_density; }

 private:
  Outcome<void> find(const Snapshot& snapshot, const std::stop_token& stop);

  TypeId m_type;                 // none for a set
  std::vector<bool> m_isMember;  // by ObjectId, of a set
  std::vector<HighlightedPart> m_parts;
  std::vector<float> m_density;
};

/// Where in density() an address lies, 0 to 1; in the order that it puts the segments in.
double placeInHeap(const Snapshot& snapshot, SegmentId segment, Address address);
/// The other way round: the address at a share of the heap, 0 to 1; 0 if there is no segment with objects.
Address addressInHeap(const Snapshot& snapshot, double place);

}  // namespace heapscape::engine
