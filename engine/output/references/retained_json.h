// SPDX-License-Identifier: MIT
#pragma once

#include "output/json_writer.h"
#include "output/row_selection.h"
#include "session/references/retained_query.h"
#include "session/roots/roots_query.h"

namespace heapscape::engine {

/// Writes `retained`, `types` if types were added up, and the totals.
void writeRetained(JsonWriter& json, const Snapshot& snapshot, const RetainedList& list, const RowSelection& selection);

/// Writes `set` and the totals.
void writeRetainedSet(JsonWriter& json, const Snapshot& snapshot, const RetainedSet& set);

}  // namespace heapscape::engine
