// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "insight/trend/trend.h"
#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"
#include "tables/table.h"

namespace heapscape::engine {

/// The lists of a trend.
enum class TrendList : std::uint8_t { Types, Owners, Roots, Insights };
/// "types", "owners", "roots", "insights".
const char* toString(TrendList list);

/// One of its lists; the trend outlives it.
Table tableOf(const Trend& trend, TrendList list);

/// Writes `dumps`, `unread`, `notes` and the lists; only one of these if it is given.
void writeTrend(JsonWriter& json, const Trend& trend, std::optional<TrendList> only, const RowSelection& selection);
/// For people: the dumps, and of each list the first rows (twenty, where nobody said how many).
void writeTrendText(Output& output, const Trend& trend, std::optional<TrendList> only, const RowSelection& selection);

}  // namespace heapscape::engine
