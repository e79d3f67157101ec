// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "layout/type_layout.h"
#include "session/objects/object_query.h"
#include "session/snapshot/snapshot.h"
#include "widgets/fact_list.h"

namespace heapscape::gui {

/// What the engine says about a picked type; `id` only if it has objects on the heap.
struct InspectedType {
  engine::Address methodTable;
  std::optional<engine::TypeId> id;
  std::optional<engine::TypeLayout> layout;
};

std::vector<Fact> objectFacts(const engine::Snapshot& snapshot, const engine::ObjectRow& object);
/// The first of what an object holds: fields, elements, items or text. Empty if it cannot be read.
std::vector<Fact> contentFacts(const engine::Snapshot& snapshot, engine::Address object);
std::vector<Fact> typeFacts(const engine::Snapshot& snapshot, const InspectedType& type);
std::vector<Fact> segmentFacts(const engine::Snapshot& snapshot, engine::SegmentId segment);

/// The type's full name, or its method table's address if it has none.
QString typeTitle(const engine::Snapshot& snapshot, const InspectedType& type);
/// "gen2 segment of heap 0".
QString segmentTitle(const engine::Segment& segment);

}  // namespace heapscape::gui
