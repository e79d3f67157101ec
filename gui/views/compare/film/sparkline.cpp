// SPDX-License-Identifier: MIT
#include "views/compare/film/sparkline.h"

#include <QPainter>
#include <QPolygonF>
#include <algorithm>

#include "models/cells/item_painting.h"
#include "widgets/drawing/colours.h"

namespace heapscape::gui {

namespace {

constexpr double kDotRadius = 2;
constexpr double kVerticalMargin = 5;

}  // namespace

std::vector<QPointF> sparklinePoints(std::span<const std::uint64_t> values, const QRectF& area) {
  std::vector<QPointF> points;
  if (values.empty()) return points;
  const auto most = static_cast<double>(std::max<std::uint64_t>(1, std::ranges::max(values)));
  const double step = values.size() > 1 ? area.width() / static_cast<double>(values.size() - 1) : 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    points.emplace_back(area.left() + step * static_cast<double>(i),
                        area.bottom() - area.height() * static_cast<double>(values[i]) / most);
  return points;
}

void SparklineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  paintItemWithoutText(painter, item);
  const auto series = index.data(kSparklineRole).value<QList<quint64>>();
  const std::vector<std::uint64_t> values(series.begin(), series.end());
  const QRectF area = QRectF(item.rect).adjusted(kItemMargin + kDotRadius, kVerticalMargin, -kItemMargin - kDotRadius,
                                                 -kVerticalMargin);
  const std::vector<QPointF> points = sparklinePoints(values, area);
  if (points.empty()) return;
  const Colours colours(item.palette);
  const bool isGrowing = index.data(kGrowsSteadilyRole).toBool();
  const QColor line = isSelected(item) ? itemTextColour(item)
                      : isGrowing      ? colours.warning()
                                       : dimmedItemTextColour(item);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  if (!(item.state & QStyle::State_Enabled)) painter->setOpacity(0.4);
  QPolygonF below(QList<QPointF>(points.begin(), points.end()));
  below << QPointF(points.back().x(), area.bottom()) << QPointF(points.front().x(), area.bottom());
  QColor fill = line;
  fill.setAlphaF(0.15F);
  painter->setPen(Qt::NoPen);
  painter->setBrush(fill);
  painter->drawPolygon(below);
  painter->setPen(QPen(line, isGrowing ? 2 : 1.2));
  painter->drawPolyline(QPolygonF(QList<QPointF>(points.begin(), points.end())));
  painter->setPen(Qt::NoPen);
  painter->setBrush(line);
  painter->drawEllipse(points.back(), kDotRadius, kDotRadius);
  painter->restore();
}

}  // namespace heapscape::gui
