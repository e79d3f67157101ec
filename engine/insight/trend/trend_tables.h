// SPDX-License-Identifier: MIT
#pragma once

#include "insight/trend/trend.h"
#include "tables/table.h"

namespace heapscape::engine {

/// The lists of a trend.
const TableOf<TrendDump>& trendDumpsTable();
const TableOf<UnreadDump>& unreadDumpsTable();
const TableOf<TypeTrend>& typeTrendsTable();
const TableOf<OwnerTrend>& ownerTrendsTable();
const TableOf<RootTrend>& rootTrendsTable();
const TableOf<InsightTrend>& insightTrendsTable();

/// "2026-11-23 13:05:22 UTC".
std::string timeText(std::int64_t secondsSince1970);

}  // namespace heapscape::engine
