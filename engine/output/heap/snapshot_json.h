// SPDX-License-Identifier: MIT
#pragma once

#include "output/json_writer.h"
#include "session/door/snapshot.h"

namespace heapscape::engine {

/// The member "info".
void writeInfo(JsonWriter& json, const Snapshot& snapshot);

}  // namespace heapscape::engine
