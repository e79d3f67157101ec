// SPDX-License-Identifier: MIT
#include "models/cells/words_delegate.h"

#include <QPainter>

#include "models/cells/item_painting.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/figures.h"
#include "widgets/text/shaped_text.h"

namespace heapscape::gui {

namespace {

constexpr int kPadding = 6;
constexpr int kWordsDelegateGap = 4;

int chipWidth(const QString& word, const QFont& font) {
  return shapedText(font, word).width() + 2 * kPadding;
}

QString restText(qsizetype left) {
  return u"+%1"_s.arg(left);
}

}  // namespace

QString wordsText(const std::vector<std::string>& words) {
  QStringList texts;
  for (const std::string& word : words) texts << fromEngine(word);
  return texts.join(wordSeparator());
}

qsizetype wordsThatFit(const QStringList& words, int width, const QFont& font) {
  int used = 0;
  for (qsizetype fitting = 0; fitting < words.size(); ++fitting) {
    used += chipWidth(words[fitting], font) + kWordsDelegateGap;
    const qsizetype left = words.size() - fitting - 1;
    const int rest = left == 0 ? -kWordsDelegateGap : shapedText(font, restText(left)).width();
    if (used + rest > width) return fitting;
  }
  return words.size();
}

void paintWords(QPainter* painter, const QStyleOptionViewItem& item, const QRect& area, const QStringList& words) {
  const qsizetype fitting = wordsThatFit(words, area.width(), item.font);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  const int height = item.fontMetrics.height() + 2;
  int left = area.left();
  for (qsizetype word = 0; word < fitting; ++word) {
    const QRect chip(left, area.center().y() - height / 2, chipWidth(words[word], item.font), height);
    painter->setPen(isSelected(item) ? dimmedItemTextColour(item) : Colours(item.palette).outline());
    painter->drawRoundedRect(QRectF(chip).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter->setPen(itemTextColour(item));
    shapedText(item.font, words[word]).draw(painter, chip, Qt::AlignCenter);
    left = chip.right() + 1 + kWordsDelegateGap;
  }
  painter->setPen(dimmedItemTextColour(item));
  const QRect rest(left, area.top(), area.right() - left + 1, area.height());
  if (fitting < words.size()) {
    const QString others = fitting == 0
                               ? item.fontMetrics.elidedText(words.join(wordSeparator()), Qt::ElideRight, rest.width())
                               : restText(words.size() - fitting);
    shapedText(item.font, others).draw(painter, rest, Qt::AlignLeft | Qt::AlignVCenter);
  }
  painter->restore();
}

int widthOfWords(const QStringList& words, const QFont& font) {
  int width = 0;
  for (const QString& word : words) width += chipWidth(word, font) + kWordsDelegateGap;
  return width;
}

QSize WordsDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QSize size = withItemMargins(QStyledItemDelegate::sizeHint(option, index));
  const QStringList words = index.data().toString().split(wordSeparator(), Qt::SkipEmptyParts);
  size.setWidth(widthOfWords(words, option.font) + 2 * kItemMargin);
  return size;
}

void WordsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  const QStringList words = item.text.split(wordSeparator(), Qt::SkipEmptyParts);
  paintWords(painter, item, paintItemWithoutText(painter, item), words);
}

}  // namespace heapscape::gui
