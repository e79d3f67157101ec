// SPDX-License-Identifier: MIT
#pragma once

#include "output/output.h"
#include "output/row_selection.h"
#include "session/references/retained_query.h"
#include "session/roots/roots_query.h"

namespace heapscape::engine {

/// The largest objects, or types, and what can be reached at all.
void writeRetainedText(Output& output, const Snapshot& snapshot, const RetainedList& list, bool byType,
                       const RowSelection& selection);

/// One sentence.
void writeRetainedSetText(Output& output, const RetainedSet& set);

}  // namespace heapscape::engine
