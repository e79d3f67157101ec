// SPDX-License-Identifier: MIT
#include "views/review/page_delegate.h"

#include <QApplication>
#include <QPainter>
#include <algorithm>

#include "views/review/page_thumbnail.h"
#include "views/review/review_model.h"
#include "widgets/drawing/colours.h"

namespace heapscape::gui {
namespace {

constexpr int kPadding = 8;

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
  const int top = inner.center().y() - line;  // of the words, in the middle beside the picture
  const QString number = QString::number(index.row() + 1);
  const int numberWidth = metrics.horizontalAdvance(QStringLiteral("88"));
  painter->save();
  painter->setFont(option.font);
  painter->setPen(dimmed);
  painter->drawText(QRect(inner.left(), top, numberWidth, line), Qt::AlignRight, number);
  const QRect thumbnail(QPoint(inner.left() + numberWidth + kPadding, inner.top()), kThumbnailSize);
  painter->drawPixmap(thumbnail.topLeft(), index.data(Qt::DecorationRole).value<QPixmap>());
  painter->setPen(Colours(palette).outline());
  painter->setBrush(Qt::NoBrush);
  painter->drawRect(QRectF(thumbnail).adjusted(-0.5, -0.5, 0.5, 0.5));
  const int left = thumbnail.right() + kPadding + 2;
  const int room = inner.right() - left;
  painter->setPen(ink);
  painter->drawText(QRect(left, top, room, line), Qt::AlignLeft,
                    metrics.elidedText(index.data().toString(), Qt::ElideRight, room));
  painter->setPen(dimmed);
  painter->drawText(QRect(left, top + line, room, line), Qt::AlignLeft,
                    metrics.elidedText(index.data(ReviewModel::kSubtitleRole).toString(), Qt::ElideRight, room));
  painter->restore();
}

QSize PageDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  return {160, std::max(option.fontMetrics.lineSpacing() * 2, kThumbnailSize.height()) + 2 * kPadding};
}

void PageDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex&) const {
  editor->setGeometry(option.rect.adjusted(kPadding, kPadding / 2, -kPadding, -kPadding / 2));
}

}  // namespace heapscape::gui
