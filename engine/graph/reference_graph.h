// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>

#include "base/finding.h"
#include "base/large_array.h"
#include "base/progress.h"
#include "base/result.h"
#include "graph/dominators/dominator_tree.h"
#include "graph/edge_rows.h"
#include "graph/retained/reachable_set.h"
#include "heap/object_types.h"

namespace heapscape::engine {

/// The aligned size of every object in units of 8 bytes, by ObjectId: 2 bytes an object, and more for the few that have
/// half a megabyte.
class ObjectUnits {
 public:
  static constexpr std::uint16_t kLarge = 0xffff;

  struct LargeObject {
    std::uint32_t object = 0;
    std::uint32_t units = 0;
  };

  ObjectUnits() = default;
  explicit ObjectUnits(std::uint32_t objects) : m_units(objects) {}
  /// View of what lies elsewhere, as in a mapped file, and stays there for longer than these.
  static ObjectUnits viewOf(std::span<const std::uint16_t> units, std::span<const LargeObject> large) {
    ObjectUnits view;
    view.m_units = LargeArray<std::uint16_t>::viewOf(units);
    view.m_large = LargeArray<LargeObject>::viewOf(large);
    return view;
  }

  /// Sets the units of an object that has none yet. False if they have to be given to setLarge(), too.
  [[gnu::always_inline]] bool set(std::uint32_t object, std::uint32_t units) {
    m_units[object] = static_cast<std::uint16_t>(std::min<std::uint32_t>(units, kLarge));
    return units < kLarge;
  }
  /// All of kLarge units or more, in ascending order.
  void setLarge(std::span<const LargeObject> large) {
    m_large = LargeArray<LargeObject>(large.size());
    std::ranges::copy(large, m_large.data());
  }

  /// 0 for free objects.
  [[gnu::always_inline]] std::uint32_t operator[](std::uint32_t object) const {
    const std::uint16_t units = m_units[object];
    return units < kLarge ? units : unitsOfLarge(object);
  }
  [[gnu::always_inline]] void prefetch(std::uint32_t object) const { __builtin_prefetch(&m_units[object]); }

  std::size_t size() const { return m_units.size(); }
  std::span<const std::uint16_t> small() const { return m_units.elements(); }
  std::span<const LargeObject> large() const { return m_large.elements(); }
  std::uint64_t memoryBytes() const { return m_units.memoryBytes() + m_large.memoryBytes(); }

 private:
  std::uint32_t unitsOfLarge(std::uint32_t object) const {
    const auto found = std::ranges::lower_bound(large(), object, {}, &LargeObject::object);
    return found != large().end() && found->object == object ? found->units : kLarge;
  }

  LargeArray<std::uint16_t> m_units;
  LargeArray<LargeObject> m_large;
};

/// All references between objects by dense id, with dependent handles and loader allocators. Free objects have none.
struct ReferenceGraph {
  StoredRows rows;                      // by ObjectId: where its targets begin
  LargeArray<std::uint32_t> targets;    // ObjectIds
  ObjectUnits units;                    // 0 for free objects
  std::uint64_t damagedReferences = 0;  // that lead to no object, or to a free one, and are no edges
  FindingList findings;                 // the first of those, and types whose references are unknown
  std::shared_ptr<const void> file;     // what the arrays lie in if that is a file

  std::uint32_t objectCount() const { return rows.vertexCount(); }
  std::uint64_t edgeCount() const { return targets.size(); }
  std::uint64_t bytesOf(std::uint32_t object) const { return std::uint64_t{units[object]} * 8; }
  EdgeRows edges() const { return {rows.starts(), targets.elements()}; }
  std::span<const std::uint32_t> targetsOf(std::uint32_t object) const { return edges().targetsOf(object); }
  std::uint64_t memoryBytes() const { return rows.memoryBytes() + targets.memoryBytes() + units.memoryBytes(); }
};

/// Reads the references of the whole heap on all cores. `rootSlots` (ascending) are places within objects that count as
/// roots themselves, such as the statics in the runtime's own arrays: what they refer to is not held by that object
/// too, but the edge is kept as one from the object to itself. `types`, if not null, has room for all objects and gets
/// their types on the way. Fails with Damaged if there are more references than the ids can count.
Outcome<ReferenceGraph> buildReferenceGraph(const ReferenceSources& sources, std::span<const Address> rootSlots,
                                            StageProgress& progress, std::stop_token stop,
                                            ObjectTypes* types = nullptr);

}  // namespace heapscape::engine
