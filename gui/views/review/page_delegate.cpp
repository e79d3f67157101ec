// SPDX-License-Identifier: MIT
#include "views/review/page_delegate.h"

#include <QApplication>
#include <QPainter>

#include "views/review/review_model.h"
#include "widgets/colours.h"

namespace heapscape::gui {
namespace {

constexpr int kPadding = 8;
constexpr int kIconSide = 16;

}  // namespace

void PageDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem ground = option;
  QApplication::style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &ground, painter, option.widget);
  const bool isSelected = (option.state & QStyle::State_Selected) != 0;
  const QPalette& palette = option.palette;
  const QColor ink = palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text);
  const QColor dimmed = isSelected ? ink : Colours(palette).dimmedText();

  const QFontMetrics metrics = option.fontMetrics;
  const int line = metrics.lineSpacing();
  const QRect inner = option.rect.adjusted(kPadding, kPadding, -kPadding, -kPadding);
  const QString number = QString::number(index.row() + 1);
  const int numberWidth = metrics.horizontalAdvance(QStringLiteral("88"));
  painter->save();
  painter->setFont(option.font);
  painter->setPen(dimmed);
  painter->drawText(QRect(inner.left(), inner.top(), numberWidth, line), Qt::AlignRight, number);
  const QRect icon(inner.left() + numberWidth + kPadding, inner.top() + (line - kIconSide) / 2, kIconSide, kIconSide);
  index.data(Qt::DecorationRole).value<QIcon>().paint(painter, icon);
  const int left = icon.right() + kPadding;
  const int room = inner.right() - left;
  painter->setPen(ink);
  painter->drawText(QRect(left, inner.top(), room, line), Qt::AlignLeft,
                    metrics.elidedText(index.data().toString(), Qt::ElideRight, room));
  painter->setPen(dimmed);
  painter->drawText(QRect(left, inner.top() + line, room, line), Qt::AlignLeft,
                    metrics.elidedText(index.data(ReviewModel::kSubtitleRole).toString(), Qt::ElideRight, room));
  painter->restore();
}

QSize PageDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  return {160, option.fontMetrics.lineSpacing() * 2 + 2 * kPadding};
}

void PageDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex&) const {
  editor->setGeometry(option.rect.adjusted(kPadding, kPadding / 2, -kPadding, -kPadding / 2));
}

}  // namespace heapscape::gui
