// SPDX-License-Identifier: MIT
#pragma once

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
#include "graph/object_units.h"
#include "graph/retained/reachable_set.h"
#include "graph/stored_rows.h"
#include "heap/object_types.h"

namespace heapscape::engine {

/// All references between objects by dense id, dependent handles and loader allocators included. Free objects have
/// none.
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
