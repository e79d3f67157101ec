// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <memory>
#include <span>
#include <vector>

#include "insight/trend/trend.h"
#include "models/rows/row_list.h"

namespace heapscape::gui {

/// A trend ready to be shown; made on the engine thread.
struct FilmRows {
  engine::Trend trend;                      // without its lists, which are in the rows
  std::shared_ptr<const RowList> types;     // of engine::TypeTrend
  std::shared_ptr<const RowList> owners;    // of engine::OwnerTrend
  std::shared_ptr<const RowList> roots;     // of engine::RootTrend
  std::shared_ptr<const RowList> insights;  // of engine::InsightTrend
};

/// Rows lead to their type or object in the dump that is open, where it has it.
std::shared_ptr<const FilmRows> filmRowsOf(const engine::Snapshot& open, std::span<const engine::SampledDump> film);

/// The columns alone.
std::vector<ColumnSetup> typeTrendColumns();
std::vector<ColumnSetup> ownerTrendColumns();
std::vector<ColumnSetup> rootTrendColumns();
std::vector<ColumnSetup> insightTrendColumns();

/// "grows steadily"; kinds of the rows are engine::TrendVerdict.
QString verdictText(engine::TrendVerdict verdict);

}  // namespace heapscape::gui
