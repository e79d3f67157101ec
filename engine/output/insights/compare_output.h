// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/enum_names.h"
#include "insight/comparison/comparison.h"
#include "insight/trend/trend.h"
#include "output/json_writer.h"
#include "output/output.h"
#include "output/row_selection.h"
#include "tables/table.h"

namespace heapscape::engine {

/// Writes `before`, `after`, `types`, `figures`, `insights`, `layouts` and `totals`.
void writeComparison(JsonWriter& json, const Comparison& comparison, const RowSelection& selection);

/// For people: the types that grew and shrunk most (twenty of each by default), then what else has changed.
void writeComparisonText(Output& output, const Comparison& comparison, GrowthColumn column,
                         const RowSelection& selection);

/// The lists of a trend.
enum class TrendList : std::uint8_t { Types, Owners, Roots, Insights };

template <>
inline constexpr auto kEnumNames<TrendList> = std::to_array<EnumName<TrendList>>({{TrendList::Types, "types"},
                                                                                  {TrendList::Owners, "owners"},
                                                                                  {TrendList::Roots, "roots"},
                                                                                  {TrendList::Insights, "insights"}});

/// One of its lists; the trend outlives it.
Table tableOf(const Trend& trend, TrendList list);

/// Writes `dumps`, `unread`, `notes` and the lists; only one of these if it is given.
void writeTrend(JsonWriter& json, const Trend& trend, std::optional<TrendList> only, const RowSelection& selection);
/// For people: the dumps, and of each list the first rows (twenty, where nobody said how many).
void writeTrendText(Output& output, const Trend& trend, std::optional<TrendList> only, const RowSelection& selection);

}  // namespace heapscape::engine
