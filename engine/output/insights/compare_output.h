// SPDX-License-Identifier: MIT
#pragma once

#include "insight/comparison/comparison.h"
#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"

namespace heapscape::engine {

/// Writes `before`, `after`, `types`, `figures`, `insights`, `layouts` and `totals`.
void writeComparison(JsonWriter& json, const Comparison& comparison, const RowSelection& selection);

/// For people: the types that grew and shrunk most (twenty of each, where nobody said how many), then what else has
/// changed.
void writeComparisonText(Output& output, const Comparison& comparison, GrowthColumn column,
                         const RowSelection& selection);

}  // namespace heapscape::engine
