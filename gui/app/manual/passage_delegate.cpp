// SPDX-License-Identifier: MIT
#include "app/manual/passage_delegate.h"

#include <QGuiApplication>
#include <QPainter>

#include "models/cells/item_painting.h"

namespace heapscape::gui {

namespace {

constexpr int kLine = Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine;

}  // namespace

QString excerptAround(const QString& passage, const QString& word, const QFontMetrics& metrics, int width) {
  const qsizetype at = passage.indexOf(word, 0, Qt::CaseInsensitive);
  if (at <= 0 || metrics.horizontalAdvance(passage) <= width) return metrics.elidedText(passage, Qt::ElideRight, width);
  // As much before it as behind it, as long as the word itself is seen.
  const int before = (width - metrics.horizontalAdvance(passage.mid(at, word.size()))) / 2;
  const QChar dots(0x2026);
  qsizetype from = at;
  while (from > 0 && metrics.horizontalAdvance(dots + passage.mid(from - 1, at - from + 1)) <= before) --from;
  const qsizetype space = passage.lastIndexOf(QLatin1Char(' '), at);
  if (from > 0 && space >= from) from = passage.indexOf(QLatin1Char(' '), from) + 1;
  return metrics.elidedText(from > 0 ? dots + passage.mid(from) : passage, Qt::ElideRight, width);
}

void PassageDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const bool isPassage = !m_words.isEmpty() && index.parent().isValid();
  if (!isPassage) return QStyledItemDelegate::paint(painter, option, index);
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  const QString passage = item.text;
  const QRect room = paintItemWithoutText(painter, item);
  const QString shown = excerptAround(passage, m_words.first(), item.fontMetrics, room.width());
  painter->save();
  painter->setFont(item.font);
  painter->setPen(itemTextColour(item));
  painter->drawText(room, kLine, shown);
  const QPalette look = QGuiApplication::palette();  // a list's own has another highlight: that of what is picked
  painter->setPen(look.color(QPalette::HighlightedText));
  for (const QString& word : m_words) {
    for (qsizetype at = shown.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
         at = shown.indexOf(word, at + word.size(), Qt::CaseInsensitive)) {
      const int left = room.left() + item.fontMetrics.horizontalAdvance(shown.first(at));
      const QString found = shown.mid(at, word.size());
      const QRect mark(left, room.center().y() - item.fontMetrics.height() / 2,
                       item.fontMetrics.horizontalAdvance(found), item.fontMetrics.height());
      painter->fillRect(mark, look.color(QPalette::Highlight));
      painter->drawText(mark, kLine | Qt::TextDontClip, found);
    }
  }
  painter->restore();
}

}  // namespace heapscape::gui
