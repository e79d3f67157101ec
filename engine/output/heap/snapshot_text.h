// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "base/finding.h"
#include "output/output.h"
#include "session/door/snapshot.h"

namespace heapscape::engine {

/// The same as in snapshot_json.h, for people.
void writeInfoText(Output& output, const Snapshot& snapshot);
void writeSegmentsText(Output& output, const Snapshot& snapshot, std::size_t limit);
void writeGenerationsText(Output& output, const Snapshot& snapshot, std::size_t limit);

}  // namespace heapscape::engine
