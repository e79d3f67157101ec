// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"
#include "session/layouts/waste_query.h"

namespace heapscape::engine {

/// Writes `waste`, `groups` if they are asked for, and `totals`. `type` is the name in metadata's form.
void writeWaste(JsonWriter& json, const Waste& waste, std::optional<WasteGrouping> grouping,
                const RowSelection& selection);

/// A table of types, or of groups if they are asked for, and the heap as a whole.
void writeWasteText(Output& output, const Waste& waste, std::optional<WasteGrouping> grouping,
                    const RowSelection& selection);

}  // namespace heapscape::engine
