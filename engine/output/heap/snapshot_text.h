// SPDX-License-Identifier: MIT
#pragma once

#include "output/output.h"
#include "session/door/snapshot.h"

namespace heapscape::engine {

/// The same as in snapshot_json.h, for people.
void writeInfoText(Output& output, const Snapshot& snapshot);

}  // namespace heapscape::engine
