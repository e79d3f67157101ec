// SPDX-License-Identifier: MIT
#include "models/cells/generation_cells_delegate.h"

#include <QPainter>

#include "models/cells/generation_cells.h"
#include "models/cells/item_painting.h"
#include "models/cells/roles.h"
#include "widgets/drawing/colours.h"

namespace heapscape::gui {

QRectF GenerationCellsDelegate::pictureArea(const QRect& cell) {
  return QRectF(cell).adjusted(kItemMargin, 5, -kItemMargin, -5);
}

void GenerationCellsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                    const QModelIndex& index) const {
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  paintItemWithoutText(painter, item);

  const Colours colours(item.palette);
  const auto cells = generationCells(pictureArea(item.rect), index.data(kGenerationsRole).value<GenerationBytes>());
  const bool isEnabled = item.state & QStyle::State_Enabled;
  painter->save();
  painter->setPen(Qt::NoPen);
  if (!isEnabled) painter->setOpacity(0.4);
  for (const engine::Generation generation : engine::kGenerations) {
    const GenerationCell& cell = cells[static_cast<std::size_t>(generation)];
    painter->fillRect(cell.frame, isSelected(item) ? item.palette.color(QPalette::Base) : colours.freeSpace());
    if (!cell.fill.isEmpty()) painter->fillRect(cell.fill, colours.of(generation));
  }
  painter->restore();
}

QSize GenerationCellsDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  const int height = option.fontMetrics.height();
  return {height * 7, height};
}

}  // namespace heapscape::gui
