// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"
#include "session/objects/retained_query.h"
#include "session/references/what_if.h"
#include "session/roots/roots_query.h"

namespace heapscape::engine {

/// Writes `retained`, `types` if types were added up, and the totals.
void writeRetained(JsonWriter& json, const Snapshot& snapshot, const RetainedList& list, const RowSelection& selection);

/// Writes `set` and the totals.
void writeRetainedSet(JsonWriter& json, const Snapshot& snapshot, const RetainedSet& set);

/// Writes what can be reached at all, and what cannot.
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

/// Output of what cuts would free.
struct WhatIfAnswer {
  const WhatIf& whatIf;
  std::vector<RetainedRow> objects;  // the outermost
  std::vector<FreedType> types;      // all
};

/// Writes the cuts as `without`, `freed`, the outermost objects as `retained`, `types`, and the totals of the heap as
/// it is.
void writeWhatIf(JsonWriter& json, const WhatIfAnswer& answer, const RowSelection& selection);
/// The objects, or types.
void writeWhatIfTsv(Output& output, const WhatIfAnswer& answer, bool byType, const RowSelection& selection);
/// The cuts, what they free together, and its objects or types.
void writeWhatIfText(Output& output, const WhatIfAnswer& answer, bool byType, const RowSelection& selection);

}  // namespace heapscape::engine
