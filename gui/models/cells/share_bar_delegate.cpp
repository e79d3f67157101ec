// SPDX-License-Identifier: MIT
#include "models/cells/share_bar_delegate.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "models/cells/item_painting.h"
#include "models/cells/roles.h"
#include "widgets/drawing/colours.h"

namespace heapscape::gui {
namespace {

constexpr int kThickness = 4;

/// Along the bottom of the cell, from the right, where the figure's last digit is.
QRectF barRect(const QRect& area, double share) {
  const double width = std::round(share * area.width());
  return {area.right() + 1 - width, static_cast<double>(area.bottom() - kThickness), width, kThickness};
}

}  // namespace

QSize ShareBarDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  return withItemMargins(QStyledItemDelegate::sizeHint(option, index));
}

void ShareBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  const QString text = item.text;
  const QRect area = paintItemWithoutText(painter, item);

  painter->save();
  const double share = index.data(kShareRole).toDouble();
  if (share > 0) {
    const Colours colours(item.palette);
    const QColor plain = isSelected(item) ? dimmedItemTextColour(item) : colours.heatStep(2);
    if (!(item.state & QStyle::State_Enabled)) painter->setOpacity(0.4);
    const QRectF bar = barRect(area, share);
    painter->fillRect(bar, m_bar == Bar::Padding ? colours.paddingBrush() : QBrush(plain));
    painter->setOpacity(1);
  }
  const bool isNothing = share <= 0 && !index.data(kIsNegativeRole).toBool();
  painter->setPen(isNothing ? dimmedItemTextColour(item) : itemTextColour(item));
  paintFigure(painter, item, area, text);
  painter->restore();
}

}  // namespace heapscape::gui
