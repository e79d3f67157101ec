// SPDX-License-Identifier: MIT
#include "views/insights/owner_row.h"

#include <QPainter>
#include <algorithm>

#include "widgets/drawing/colours.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr int kOwnerRowMargin = 8;
constexpr double kBarHeight = 4;
constexpr int kFewestCharacters = 24;

}  // namespace

OwnerRow::OwnerRow(const engine::InsightOwner& owner, std::uint64_t wholeBytes, QWidget* parent)
    : PaintedButton(parent),
      m_bytes(owner.bytes > 0 ? bytesText(owner.bytes) : QString()),
      m_objects(countText(owner.objects)),
      m_share(wholeBytes == 0 ? 0 : std::min(1.0, static_cast<double>(owner.bytes) / static_cast<double>(wholeBytes))) {
  setText(fromEngine(owner.name));
  QString tip = QStringLiteral("%1\n%2, %3")
                    .arg(text(), countedText(owner.objects, QStringLiteral("object")), exactBytesText(owner.bytes));
  if (wholeBytes > 0)
    tip += QStringLiteral(", %1 of it").arg(percentText(std::min(owner.bytes, wholeBytes), wholeBytes));
  setToolTip(tip);
  setAccessibleName(QStringLiteral("%1: %2").arg(text(), m_bytes));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setLeadsSomewhere(owner.object || owner.methodTable);
}

QSize OwnerRow::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 48, std::max(28, fontMetrics().height() * 2)};
}

QSize OwnerRow::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * kFewestCharacters, sizeHint().height()};
}

void OwnerRow::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Colours colours(palette());
  paintGround(painter);
  const QRect body = rect().adjusted(kOwnerRowMargin, 0, -kOwnerRowMargin, -static_cast<int>(kBarHeight) - 2);
  const int objectsWidth = fontMetrics().horizontalAdvance(m_objects);
  const int bytesWidth = fontMetrics().horizontalAdvance(QStringLiteral("88,888 KB"));
  const int figures = bytesWidth + objectsWidth + 2 * kOwnerRowMargin;
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(body.adjusted(0, 0, -figures - kOwnerRowMargin, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   fontMetrics().elidedText(text(), Qt::ElideMiddle, body.width() - figures - kOwnerRowMargin));
  painter.drawText(body, Qt::AlignRight | Qt::AlignVCenter, m_bytes);
  painter.setPen(colours.dimmedText());
  painter.drawText(body.adjusted(0, 0, -bytesWidth - kOwnerRowMargin, 0), Qt::AlignRight | Qt::AlignVCenter, m_objects);
  painter.setPen(Qt::NoPen);
  const QRectF bar(kOwnerRowMargin, height() - kBarHeight - 3, width() - 2 * kOwnerRowMargin, kBarHeight);
  painter.fillRect(bar, colours.gridLine());
  painter.fillRect(QRectF(bar.topLeft(), QSizeF(bar.width() * m_share, kBarHeight)), colours.heatStep(3));
}

}  // namespace heapscape::gui
