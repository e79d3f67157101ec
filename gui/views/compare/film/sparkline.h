// SPDX-License-Identifier: MIT
#pragma once

#include <QPointF>
#include <QRectF>
#include <QStyledItemDelegate>
#include <cstdint>
#include <span>
#include <vector>

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

}  // namespace heapscape::gui
