// SPDX-License-Identifier: MIT
#include "app/style/flat_menu.h"

#include <QPainter>
#include <QStyle>

#include "app/style/flat_painter.h"

namespace heapscape::gui {

namespace {

constexpr int kLeft = 12;
constexpr int kRight = 28;
constexpr int kAboveAndBelow = 6;
constexpr int kGap = 8;
constexpr int kCheckSide = 16;
constexpr int kIconSide = 16;

// All items of a menu keep the room that one of them needs, so that their texts stand below each other.
int checkRoom(const QStyleOptionMenuItem& item) {
  return item.menuHasCheckableItems ? kCheckSide + kGap : 0;
}

int iconRoom(const QStyleOptionMenuItem& item) {
  return item.maxIconWidth > 0 ? kIconSide + kGap : 0;
}

QRect besideText(const QStyleOptionMenuItem& item, int left, int side) {
  return {item.rect.left() + left, item.rect.top() + (item.rect.height() - side) / 2, side, side};
}

void drawWords(const QStyleOptionMenuItem& item, const QStyle& style, const Tones& tones, QPainter& painter) {
  const bool isEnabled = item.state.testFlag(QStyle::State_Enabled);
  const QRect words = item.rect.adjusted(kLeft + checkRoom(item) + iconRoom(item), 0, -kRight, 0);
  const qsizetype tab = item.text.indexOf(QLatin1Char('\t'));
  const int mnemonic = style.styleHint(QStyle::SH_UnderlineShortcut) ? Qt::TextShowMnemonic : Qt::TextHideMnemonic;
  constexpr int kForm = Qt::AlignVCenter | Qt::TextDontClip | Qt::TextSingleLine;
  painter.setFont(item.font);
  painter.setPen(QColor::fromRgb(isEnabled ? tones.text : tones.disabled));
  painter.drawText(words, kForm | mnemonic, item.text.left(tab));
  if (tab < 0) return;
  painter.setPen(QColor::fromRgb(isEnabled ? tones.dimmed : tones.disabled));
  painter.drawText(words, kForm | Qt::AlignRight, item.text.mid(tab + 1));
}

}  // namespace

QSize menuItemSize(const QStyleOptionMenuItem& item, const QSize& contents) {
  if (item.menuItemType == QStyleOptionMenuItem::Separator) return {10, 9};
  const int shortcutGap = item.text.contains(QLatin1Char('\t')) ? 2 * kGap : 0;
  return {contents.width() + kLeft + kRight + checkRoom(item) + iconRoom(item) + shortcutGap,
          contents.height() + 2 * kAboveAndBelow};
}

void drawMenuItem(const QStyleOptionMenuItem& item, const QStyle& style, const Tones& tones, QPainter& painter) {
  const FlatPainter parts(tones, painter);
  if (item.menuItemType == QStyleOptionMenuItem::Separator) return parts.menuSeparator(item.rect);
  const bool isEnabled = item.state.testFlag(QStyle::State_Enabled);
  painter.save();
  if (isEnabled) parts.menuGround(item);
  if (item.checkType != QStyleOptionMenuItem::NotCheckable) {
    QStyleOption box;
    box.rect = besideText(item, kLeft, kCheckSide);
    box.state = isEnabled ? QStyle::State_Enabled : QStyle::State_None;
    if (item.checked) box.state |= QStyle::State_On;
    parts.checkBox(box, item.checkType == QStyleOptionMenuItem::Exclusive);
  }
  item.icon.paint(&painter, besideText(item, kLeft + checkRoom(item), kIconSide), Qt::AlignCenter,
                  isEnabled ? QIcon::Normal : QIcon::Disabled);
  drawWords(item, style, tones, painter);
  if (item.menuItemType == QStyleOptionMenuItem::SubMenu) {
    QStyleOption arrow(item);
    arrow.rect = besideText(item, item.rect.width() - kRight + kGap, kIconSide / 2);
    style.drawPrimitive(QStyle::PE_IndicatorArrowRight, &arrow, &painter);
  }
  painter.restore();
}

}  // namespace heapscape::gui
