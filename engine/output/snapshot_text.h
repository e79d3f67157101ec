// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "base/finding.h"
#include "output/output.h"
#include "session/door/snapshot.h"

namespace heapscape::engine {

/// The same as in snapshot_json.h, for people.
void writeInfoText(Output& output, const Snapshot& snapshot);
void writeSegmentsText(Output& output, const Snapshot& snapshot, std::size_t limit);
void writeGenerationsText(Output& output, const Snapshot& snapshot, std::size_t limit);
void writeModulesText(Output& output, const Snapshot& snapshot, std::size_t limit);
void writeTypesText(Output& output, const Snapshot& snapshot, std::span<const TypeId> types);

/// A header line and a tab-separated line a type, its generations a column each.
void writeTypesTsv(Output& output, const Snapshot& snapshot, std::span<const TypeId> types);

}  // namespace heapscape::engine
