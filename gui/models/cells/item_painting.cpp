// SPDX-License-Identifier: MIT
#include "models/cells/item_painting.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QPainter>
#include <QStyle>
#include <algorithm>
#include <cmath>

#include "models/cells/roles.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"
#include "widgets/text/shaped_text.h"

namespace heapscape::gui {
namespace {

QPalette::ColorGroup groupOf(const QStyleOptionViewItem& item) {
  if (!(item.state & QStyle::State_Enabled)) return QPalette::Disabled;
  return item.state & QStyle::State_Active ? QPalette::Active : QPalette::Inactive;
}

constexpr int kThickness = 4;

/// Along the bottom of the cell, from the right, where the figure's last digit is.
QRectF barRect(const QRect& area, double share) {
  const double width = std::round(share * area.width());
  return {area.right() + 1 - width, static_cast<double>(area.bottom() - kThickness), width, kThickness};
}

constexpr int kPadding = 6;
constexpr int kWordsDelegateGap = 4;

int chipWidth(const QString& word, const QFont& font) {
  return shapedText(font, word).width() + 2 * kPadding;
}

QString restText(qsizetype left) {
  return u"+%1"_s.arg(left);
}

}  // namespace

QRect paintItemWithoutText(QPainter* painter, QStyleOptionViewItem item) {
  item.text.clear();
  const QStyle* style = item.widget ? item.widget->style() : QApplication::style();
  style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
  item.features |= QStyleOptionViewItem::HasDisplay;
  return style->subElementRect(QStyle::SE_ItemViewItemText, &item, item.widget)
      .adjusted(kItemMargin, 0, -kItemMargin, 0);
}

bool isSelected(const QStyleOptionViewItem& item) {
  return item.state & QStyle::State_Selected;
}

QColor itemTextColour(const QStyleOptionViewItem& item) {
  return item.palette.color(groupOf(item), isSelected(item) ? QPalette::HighlightedText : QPalette::Text);
}

QColor dimmedItemTextColour(const QStyleOptionViewItem& item) {
  const bool isEnabled = item.state & QStyle::State_Enabled;
  if (isEnabled && !isSelected(item)) return Colours(item.palette).dimmedText();
  QColor colour = itemTextColour(item);
  colour.setAlphaF(0.75f);
  return colour;
}

void paintFigure(QPainter* painter, const QStyleOptionViewItem& item, const QRect& area, const QString& figure) {
  QRect seen = area;
  if (const auto* view = qobject_cast<const QAbstractItemView*>(item.widget)) {
    seen.setLeft(std::max(area.left(), 0));
    seen.setRight(std::min(area.right(), view->viewport()->width() - 1));
  }
  const ShapedText& shaped = shapedText(item.font, figure);
  const QSize size(shaped.width(), area.height());
  const QRect written = QStyle::alignedRect(Qt::LeftToRight, item.displayAlignment, size, area);
  const bool isWhole = written.left() >= seen.left() && written.right() <= seen.right();
  if (isWhole)
    shaped.draw(painter, area, item.displayAlignment);
  else
    shapedText(item.font, QChar(0x2026)).draw(painter, seen, item.displayAlignment);
}

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

QSize ShareBarDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  return withItemMargins(QStyledItemDelegate::sizeHint(option, index));
}

void ShareBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  const QString text = item.text;
  const QRect area = paintItemWithoutText(painter, item);

  painter->save();
  const double share = index.data(kShareRole).toDouble();
  if (share > 0) {
    const Colours colours(item.palette);
    const QColor plain = isSelected(item) ? dimmedItemTextColour(item) : colours.heatStep(2);
    if (!(item.state & QStyle::State_Enabled)) painter->setOpacity(0.4);
    const QRectF bar = barRect(area, share);
    if (index.data(kIsNegativeRole).toBool()) {  // as the picture of growth has what is less than it was
      const QColor less = isSelected(item) ? plain : colours.of(engine::Generation::Gen0);
      painter->setPen(less);
      painter->drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
    } else {
      painter->fillRect(bar, m_bar == Bar::Padding ? colours.paddingBrush() : QBrush(plain));
    }
    painter->setOpacity(1);
  }
  const bool isNothing = share <= 0 && !index.data(kIsNegativeRole).toBool();
  painter->setPen(isNothing ? dimmedItemTextColour(item) : itemTextColour(item));
  paintFigure(painter, item, area, text);
  painter->restore();
}

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
