// SPDX-License-Identifier: MIT
#pragma once

#include "insight/comparison/comparison.h"
#include "output/json_writer.h"
#include "output/row_selection.h"

namespace heapscape::engine {

/// Writes `before`, `after`, `types`, `figures`, `insights`, `layouts` and `totals`.
void writeComparison(JsonWriter& json, const Comparison& comparison, const RowSelection& selection);

}  // namespace heapscape::engine
