// SPDX-License-Identifier: MIT
#pragma once

#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStyledItemDelegate>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "insight/trend/trend.h"
#include "models/rows/row_list.h"

namespace heapscape::gui {

/// The part of its row that a cell with a sparkline has, beside its text.
enum SparklineRole : int {
  kSparklineRole = Qt::UserRole + 200,  // QList<quint64>: the figures
  kGrowsSteadilyRole,                   // bool
};

/// Where the points of a sparkline lie: from left to right, 0 at the bottom, the largest figure at the top.
std::vector<QPointF> sparklinePoints(std::span<const std::uint64_t> values, const QRectF& area);

/// A row's figures over all dumps as a line. What grows steadily has the colour of warnings and a thicker line. Nothing
/// is said by it alone: the same is in the cell's tooltip, and the verdict in a column of its own.
class SparklineDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

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
