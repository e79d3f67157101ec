// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "output/json_writer.h"
#include "session/door/snapshot.h"

namespace heapscape::engine {

/// Each writes the member of that name. `limit`: at most so many rows.
void writeInfo(JsonWriter& json, const Snapshot& snapshot);
void writeSegments(JsonWriter& json, const Snapshot& snapshot, std::size_t limit);
void writeGenerations(JsonWriter& json, const Snapshot& snapshot, std::size_t limit);

}  // namespace heapscape::engine
