// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "output/json_writer.h"
#include "session/door/snapshot.h"

namespace heapscape::engine {

/// Each writes the member of that name. `limit`: at most so many rows.
void writeInfo(JsonWriter& json, const Snapshot& snapshot);
void writeSegments(JsonWriter& json, const Snapshot& snapshot, std::size_t limit);
void writeGenerations(JsonWriter& json, const Snapshot& snapshot, std::size_t limit);
void writeModules(JsonWriter& json, const Snapshot& snapshot, std::size_t limit);
/// Needs the Layouts stage, as paddings are in it.
void writeTypes(JsonWriter& json, const Snapshot& snapshot, std::span<const TypeId> types);

}  // namespace heapscape::engine
