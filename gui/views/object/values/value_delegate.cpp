// SPDX-License-Identifier: MIT
#include "views/object/values/value_delegate.h"

#include <QPainter>
#include <algorithm>

#include "models/cells/item_painting.h"
#include "models/cells/roles.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

constexpr int kGap = 6;
constexpr int kBeforeSuffix = 10;

int sampleSide(const QStyleOptionViewItem& item) {
  return std::max(8, item.fontMetrics.height() / 2);
}

void paintSample(QPainter* painter, const QStyleOptionViewItem& item, QRect& area, const QVariant& kind) {
  const int side = sampleSide(item);
  const QRect sample(area.left(), area.center().y() - side / 2, side, side);
  area.setLeft(area.left() + side + kGap + 2);
  if (!kind.isValid()) return;
  const auto fieldKind = static_cast<engine::FieldKind>(kind.toInt());
  QColor colour = Colours(item.palette).of(fieldKind);
  if (fieldKind == engine::FieldKind::Reference) {
    paintReferenceMark(*painter, QRectF(sample).adjusted(-1, -1, 1, 1), colour);
    return;
  }
  painter->setPen(Qt::NoPen);
  painter->setBrush(colour);
  if (colour.alpha() < 255) {
    colour.setAlpha(255);
    painter->setPen(QPen(colour, 1));
  }
  painter->setRenderHint(QPainter::Antialiasing);
  painter->drawRoundedRect(QRectF(sample).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
}

void paintWarningSign(QPainter* painter, const QStyleOptionViewItem& item, QRect& area) {
  const int side = item.fontMetrics.height();
  const QPixmap sign =
      symbolPixmap(u"warning"_s, Colours(item.palette).warning(), side, painter->device()->devicePixelRatioF());
  painter->drawPixmap(area.left(), area.center().y() - side / 2, sign);
  area.setLeft(area.left() + side + kGap);
}

void paintSuffix(QPainter* painter, const QStyleOptionViewItem& item, const QRect& area, const QString& suffix) {
  const QFont fixed = fixedFont(item.font);
  const QFontMetrics metrics(fixed);
  constexpr int kLeast = 60;
  if (suffix.isEmpty() || area.width() < kLeast) return;
  painter->setFont(fixed);
  painter->setPen(dimmedItemTextColour(item));
  painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                    metrics.elidedText(suffix, Qt::ElideLeft, area.width()));
}

}  // namespace

void ValueDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const bool isName = index.data(kIsNameRole).toBool();
  const bool isValue = index.data(kIsDimmedRole).isValid();
  if (!isName && !isValue) {
    NameDelegate::paint(painter, option, index);
    return;
  }
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  const QString text = item.text;
  QRect area = paintItemWithoutText(painter, item);
  painter->save();
  painter->setClipRect(option.rect);
  const bool isWarning = index.data(kIsWarningRole).toBool();
  const bool isDimmed = index.data(kIsDimmedRole).toBool();
  if (isName) paintSample(painter, item, area, index.data(kFieldKindRole));
  if (isWarning) paintWarningSign(painter, item, area);
  painter->setFont(item.font);
  painter->setPen(isDimmed ? dimmedItemTextColour(item) : itemTextColour(item));
  const QString shown = item.fontMetrics.elidedText(text, Qt::ElideRight, area.width());
  painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, shown);
  area.setLeft(area.left() + item.fontMetrics.horizontalAdvance(shown) + kBeforeSuffix);
  if (!isName && shown == text) paintSuffix(painter, item, area, index.data(kValueSuffixRole).toString());
  painter->restore();
}

// With all that is painted before and behind the text.
QSize ValueDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QSize size = NameDelegate::sizeHint(option, index);
  const bool isName = index.data(kIsNameRole).toBool();
  if (!isName && !index.data(kIsDimmedRole).isValid()) return size;
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  if (isName) size.rwidth() += sampleSide(item) + kGap + 2;
  if (index.data(kIsWarningRole).toBool()) size.rwidth() += item.fontMetrics.height() + kGap;
  const QString suffix = isName ? QString() : index.data(kValueSuffixRole).toString();
  if (!suffix.isEmpty()) size.rwidth() += kBeforeSuffix + QFontMetrics(fixedFont(item.font)).horizontalAdvance(suffix);
  return size;
}

}  // namespace heapscape::gui
