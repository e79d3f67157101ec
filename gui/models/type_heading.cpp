// SPDX-License-Identifier: MIT
#include "models/type_heading.h"

#include <QPainter>

#include "models/generation_cells.h"
#include "models/generation_cells_delegate.h"
#include "widgets/colours.h"

namespace heapscape::gui {

TypeHeading::TypeHeading(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
  setSectionsClickable(true);
  setSectionsMovable(false);
  setHighlightSections(false);
  setStretchLastSection(true);
  setTextElideMode(Qt::ElideRight);
}

void TypeHeading::paintSection(QPainter* painter, const QRect& rect, int section) const {
  if (section != GenerationsColumn) return QHeaderView::paintSection(painter, rect, section);
  painter->save();
  QStyleOptionHeader option;
  initStyleOption(&option);
  option.rect = rect;
  option.section = section;
  style()->drawControl(QStyle::CE_HeaderSection, &option, painter, this);
  painter->setPen(Colours(palette()).dimmedText());
  const auto cells = generationCells(GenerationCellsDelegate::pictureArea(rect), {});
  for (const engine::Generation generation : engine::kGenerations) {
    QRectF letter = cells[static_cast<std::size_t>(generation)].frame;
    letter.setTop(rect.top());
    letter.setBottom(rect.bottom());
    painter->drawText(letter.adjusted(-4, 0, 4, 0), Qt::AlignCenter, generationLetter(generation));
  }
  painter->restore();
}

}  // namespace heapscape::gui
