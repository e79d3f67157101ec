// SPDX-License-Identifier: MIT
#pragma once

#include "output/json_writer.h"
#include "output/output.h"
#include "session/door/snapshot.h"

namespace heapscape::engine {

/// The member "info".
void writeInfo(JsonWriter& json, const Snapshot& snapshot);

/// The same as in snapshot_json.h, for people.
void writeInfoText(Output& output, const Snapshot& snapshot);

}  // namespace heapscape::engine
