// SPDX-License-Identifier: MIT
#include "views/generations/swatch_delegate.h"

#include <QApplication>
#include <QPainter>
#include <QPixmap>

#include "views/generations/generation_rows.h"
#include "widgets/drawing/colours.h"

namespace heapscape::gui {

namespace {
constexpr int kPadding = 5;
}

void SwatchDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  // The background fills the cell, what is in it stands in line with the heading.
  const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
  style->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter, option.widget);
  QStyleOptionViewItem inside = option;
  inside.rect.adjust(kPadding, 0, -kPadding, 0);
  QStyledItemDelegate::paint(painter, inside, index);
}

void SwatchDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  if (index.data(kEmptyRole).toBool()) {
    option->palette.setColor(QPalette::Text, option->palette.color(QPalette::PlaceholderText));
  }
  if (index.column() != GenerationNameColumn) return;
  const QVariant generation = index.data(kGenerationRole);
  const int side = option->fontMetrics.height() * 3 / 5;
  const double ratio = option->widget ? option->widget->devicePixelRatioF() : 1;
  QPixmap sample((QSizeF(side, side) * ratio).toSize());
  sample.setDevicePixelRatio(ratio);
  sample.fill(generation.isValid() ? Colours(option->palette).of(static_cast<engine::Generation>(generation.toInt()))
                                   : QColor(Qt::transparent));
  option->features |= QStyleOptionViewItem::HasDecoration;
  option->decorationSize = QSize(side, side);
  option->icon = QIcon(sample);
}

}  // namespace heapscape::gui
