// SPDX-License-Identifier: MIT
#include "models/cells/name_delegate.h"

#include <QPainter>

#include "models/cells/item_painting.h"
#include "models/cells/roles.h"
#include "models/rows/table_setup.h"
#include "widgets/text/elided_name.h"

namespace heapscape::gui {

int paintName(QPainter* painter, const QStyleOptionViewItem& item, const QRect& area, int dimmedPrefix,
              const QString& shorter) {
  const QFontMetrics metrics(item.font);
  const ElidedName text = elideName(item.text, dimmedPrefix, area.width(), metrics, shorter);
  painter->save();
  painter->setFont(item.font);
  QRect rest = area;
  if (!text.prefix.isEmpty()) {
    painter->setPen(dimmedItemTextColour(item));
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text.prefix);
    rest.setLeft(area.left() + metrics.horizontalAdvance(text.prefix));
  }
  painter->setPen(itemTextColour(item));
  painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text.rest);
  painter->restore();
  return rest.left() - area.left() + metrics.horizontalAdvance(text.rest);
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
