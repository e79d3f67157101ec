// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"
#include "session/layouts/layout_check.h"
#include "session/layouts/layout_comparison.h"
#include "session/layouts/waste_query.h"

namespace heapscape::engine {

/// A member {compared, equal, different, notComputed}.
void writeLayoutCheck(JsonWriter& json, std::string_view name, const LayoutCheck& check);
/// "Layouts: 512 of 512 types as the rules give them."
std::string summaryOf(const LayoutCheck& check);
/// The summary and what is different or could not be computed, `limit` of each.
void writeLayoutCheck(Output& output, const LayoutCheck& check, std::size_t limit);

/// The member `comparison`; `limit`: at most so many changed, added and removed types each.
void writeLayoutComparison(JsonWriter& json, const LayoutComparison& comparison, std::size_t limit);
void writeLayoutComparison(Output& output, const LayoutComparison& comparison, std::size_t limit);

/// Writes `waste`, `groups` if they are asked for, and `totals`. `type` is the name in metadata's form.
void writeWaste(JsonWriter& json, const Waste& waste, std::optional<WasteGrouping> grouping,
                const RowSelection& selection);

/// A table of types, or of groups if they are asked for, and the heap as a whole.
void writeWasteText(Output& output, const Waste& waste, std::optional<WasteGrouping> grouping,
                    const RowSelection& selection);

}  // namespace heapscape::engine
