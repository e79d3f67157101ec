// SPDX-License-Identifier: MIT
#include "models/rows/type_heading.h"

#include <QPainter>

#include "models/cells/generation_cells.h"
#include "models/cells/generation_cells_delegate.h"
#include "models/cells/item_painting.h"
#include "models/rows/table_setup.h"
#include "models/rows/type_figures.h"

namespace heapscape::gui {

void TypeHeading::paintContent(QPainter* painter, const QRect& rect, int section) const {
  if (section != GenerationsColumn) {
    TableHeading::paintContent(painter, rect, section);
    return;
  }
  // The width of the cells depends on the height of a row, not on that of the heading.
  const QRect row(rect.left() - kItemMargin, rect.top(), rect.width() + 2 * kItemMargin, tableRowHeight(*this));
  const auto cells = generationCells(GenerationCellsDelegate::pictureArea(row), {});
  for (const engine::Generation generation : engine::kGenerations) {
    QRectF letter = cells[static_cast<std::size_t>(generation)].frame;
    letter.setTop(rect.top());
    letter.setBottom(rect.bottom());
    painter->drawText(letter.adjusted(-4, 0, 4, 0), Qt::AlignCenter, generationLetter(generation));
  }
}

}  // namespace heapscape::gui
