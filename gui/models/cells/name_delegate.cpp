// SPDX-License-Identifier: MIT
#include "models/cells/name_delegate.h"

#include <QPainter>

#include "models/cells/item_painting.h"
#include "models/cells/roles.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

int paintName(QPainter* painter, const QStyleOptionViewItem& item, const QRect& area, int dimmedPrefix,
              const QString& shorter) {
  const ElidedName text = elideName(item.text, dimmedPrefix, area.width(), item.font, shorter);
  painter->save();
  const int used = drawName(*painter, area, item.font, text, dimmedItemTextColour(item), itemTextColour(item));
  painter->restore();
  return used;
}

void NameDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  const QRect area = paintItemWithoutText(painter, item);
  if (item.displayAlignment & Qt::AlignRight) {
    painter->save();
    painter->setPen(itemTextColour(item));
    paintFigure(painter, item, area, item.text);
    painter->restore();
    return;
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
