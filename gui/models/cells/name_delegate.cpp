// SPDX-License-Identifier: MIT
#include "models/cells/name_delegate.h"

#include <QPainter>

#include "models/cells/item_painting.h"
#include "models/cells/roles.h"
#include "models/rows/table_setup.h"
#include "widgets/text/elided_name.h"
#include "widgets/text/shaped_text.h"

namespace heapscape::gui {

int paintName(QPainter* painter, const QStyleOptionViewItem& item, const QRect& area, int dimmedPrefix,
              const QString& shorter) {
  const ElidedName text = elideName(item.text, dimmedPrefix, area.width(), item.font, shorter);
  constexpr Qt::Alignment kAlignment = Qt::AlignLeft | Qt::AlignVCenter;
  painter->save();
  QRect rest = area;
  if (!text.prefix.isEmpty()) {
    painter->setPen(dimmedItemTextColour(item));
    const ShapedText& prefix = shapedText(item.font, text.prefix);
    prefix.draw(painter, area, kAlignment);
    rest.setLeft(area.left() + prefix.width());
  }
  painter->setPen(itemTextColour(item));
  const ShapedText& shown = shapedText(item.font, text.rest);
  shown.draw(painter, rest, kAlignment);
  painter->restore();
  return rest.left() - area.left() + shown.width();
}

void NameDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  const QRect area = paintItemWithoutText(painter, item);
  if (item.displayAlignment & Qt::AlignRight) {
    painter->save();
    painter->setPen(itemTextColour(item));
    paintFigure(painter, item, area, item.text);
    return painter->restore();
  }
  if (index.data(kCutAtEndRole).toBool())
    item.text = item.fontMetrics.elidedText(item.text, Qt::ElideRight, area.width());
  paintName(painter, item, area, index.data(kDimmedPrefixRole).toInt(), index.data(kShortNameRole).toString());
}

QSize NameDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QSize size = withItemMargins(QStyledItemDelegate::sizeHint(option, index));
  if (option.widget) size.setHeight(tableRowHeight(*option.widget));
  return size;
}

}  // namespace heapscape::gui
