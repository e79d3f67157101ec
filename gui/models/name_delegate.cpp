// SPDX-License-Identifier: MIT
#include "models/name_delegate.h"

#include <QPainter>

#include "models/elided_name.h"
#include "models/item_painting.h"
#include "models/roles.h"
#include "models/table_setup.h"

namespace heapscape::gui {

void NameDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  const QString name = item.text;
  const QRect area = paintItemWithoutText(painter, item);

  const QFontMetrics metrics(item.font);
  ElidedName text = elideName(name, index.data(kDimmedPrefixRole).toInt(), area.width(), metrics);
  if (text.prefix.isEmpty() && text.rest != name) {
    const QString shorter = index.data(kShortNameRole).toString();
    if (!shorter.isEmpty()) text.rest = metrics.elidedText(shorter, Qt::ElideMiddle, area.width());
  }
  painter->save();
  painter->setFont(item.font);
  if (item.displayAlignment & Qt::AlignRight) {
    painter->setPen(itemTextColour(item));
    painter->drawText(area, static_cast<int>(item.displayAlignment) | Qt::TextSingleLine,
                      metrics.elidedText(name, Qt::ElideLeft, area.width()));
    return painter->restore();
  }
  QRect rest = area;
  if (!text.prefix.isEmpty()) {
    painter->setPen(dimmedItemTextColour(item));
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text.prefix);
    rest.setLeft(area.left() + QFontMetrics(item.font).horizontalAdvance(text.prefix));
  }
  painter->setPen(itemTextColour(item));
  painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text.rest);
  painter->restore();
}

QSize NameDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QSize size = QStyledItemDelegate::sizeHint(option, index);
  if (option.widget) size.setHeight(tableRowHeight(*option.widget));
  return size;
}

}  // namespace heapscape::gui
