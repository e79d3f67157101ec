// SPDX-License-Identifier: MIT
#include "views/generations/swatch_delegate.h"

#include <QPainter>

#include "views/generations/generation_table_model.h"
#include "widgets/colours.h"

namespace heapscape::gui {

namespace {

constexpr int kGap = 8;

int swatchSide(const QStyleOptionViewItem& option) {
  return option.fontMetrics.height() * 3 / 5;
}

}  // namespace

void SwatchDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const int side = swatchSide(option);
  QStyleOptionViewItem shifted = option;
  QStyledItemDelegate::paint(painter, option, QModelIndex());  // the background, under the sample too
  shifted.rect.adjust(side + kGap, 0, 0, 0);
  QStyledItemDelegate::paint(painter, shifted, index);
  const QVariant generation = index.data(GenerationTableModel::GenerationRole);
  if (!generation.isValid()) return;
  const QRect sample(option.rect.left() + kGap, option.rect.center().y() - side / 2 + 1, side, side);
  painter->fillRect(sample, Colours(option.palette).of(static_cast<engine::Generation>(generation.toInt())));
}

QSize SwatchDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  return QStyledItemDelegate::sizeHint(option, index) + QSize(swatchSide(option) + 2 * kGap, 0);
}

}  // namespace heapscape::gui
