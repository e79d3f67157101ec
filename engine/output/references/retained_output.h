// SPDX-License-Identifier: MIT
#pragma once

#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"
#include "session/objects/retained_query.h"
#include "session/roots/roots_query.h"

namespace heapscape::engine {

/// Writes `retained`, `types` if types were added up, and the totals.
void writeRetained(JsonWriter& json, const Snapshot& snapshot, const RetainedList& list, const RowSelection& selection);

/// Writes `set` and the totals.
void writeRetainedSet(JsonWriter& json, const Snapshot& snapshot, const RetainedSet& set);

/// What can be reached at all, and what cannot.
void writeRetainedTotals(JsonWriter& json, const RetainedTotals& totals);

/// The largest objects, or types.
void writeRetainedTsv(Output& output, const Snapshot& snapshot, const RetainedList& list, bool byType,
                      const RowSelection& selection);
/// A line of figures below a line of titles.
void writeRetainedSetTsv(Output& output, const RetainedSet& set);

/// The largest objects, or types, and what can be reached at all.
void writeRetainedText(Output& output, const Snapshot& snapshot, const RetainedList& list, bool byType,
                       const RowSelection& selection);

/// One sentence.
void writeRetainedSetText(Output& output, const RetainedSet& set);

}  // namespace heapscape::engine
