// SPDX-License-Identifier: MIT
#include "views/overview/share_row.h"

#include <QPainter>

#include "widgets/drawing/colours.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr int kShareRowMargin = 8;

}  // namespace

ShareRow::ShareRow(const AgeShare& share, std::uint64_t wholeBytes, QWidget* parent)
    : PaintedButton(parent),
      m_share(share),
      m_bytes(bytesText(share.bytes)),
      m_percent(percentText(share.bytes, wholeBytes)) {
  const QString counted =
      share.generation ? countedText(share.objects, QStringLiteral("object"))
                       : QStringLiteral("%1 between objects").arg(countedText(share.objects, QStringLiteral("gap")));
  setText(ageShareName(share));
  setToolTip(QStringLiteral("%1\n%2").arg(counted, exactBytesText(share.bytes)));
  setAccessibleName(QStringLiteral("%1: %2, %3").arg(text(), m_bytes, m_percent));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setMaximumWidth(sizeHint().width() * 3 / 2);  // figures stay near their name
  setLeadsSomewhere(share.generation.has_value());
}

QSize ShareRow::sizeHint() const {
  const QFontMetrics metrics = fontMetrics();
  const int swatch = qRound(metrics.height() * 0.7);
  const int name = metrics.horizontalAdvance(QStringLiteral("free between"));
  const int bytes = metrics.horizontalAdvance(QStringLiteral("88.8 MB"));
  const int percent = metrics.horizontalAdvance(QStringLiteral(">99.9%"));
  return {swatch + name + bytes + percent + 8 * kShareRowMargin, qMax(24, qRound(metrics.height() * 1.6))};
}

void ShareRow::enterEvent(QEnterEvent* event) {
  PaintedButton::enterEvent(event);
  Q_EMIT hovered(true);
}

void ShareRow::leaveEvent(QEvent* event) {
  PaintedButton::leaveEvent(event);
  Q_EMIT hovered(false);
}

void ShareRow::focusInEvent(QFocusEvent* event) {
  PaintedButton::focusInEvent(event);
  Q_EMIT hovered(true);
}

void ShareRow::focusOutEvent(QFocusEvent* event) {
  PaintedButton::focusOutEvent(event);
  Q_EMIT hovered(false);
}

void ShareRow::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Colours colours(palette());
  paintGround(painter);
  const int side = qRound(fontMetrics().height() * 0.7);
  painter.setPen(m_share.generation ? QPen(Qt::NoPen) : QPen(colours.outline(), 1));
  painter.setBrush(m_share.generation ? QBrush(colours.of(*m_share.generation)) : colours.freeSpaceBrush());
  painter.drawRoundedRect(QRectF(kShareRowMargin, (height() - side) / 2.0, side, side), 2, 2);

  const int percentWidth = fontMetrics().horizontalAdvance(QStringLiteral(">99.9%"));
  const QRect body = rect().adjusted(kShareRowMargin * 2 + side, 0, -kShareRowMargin, 0);
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(body, Qt::AlignLeft | Qt::AlignVCenter, text());
  painter.drawText(body.adjusted(0, 0, -percentWidth - kShareRowMargin * 2, 0), Qt::AlignRight | Qt::AlignVCenter,
                   m_bytes);
  painter.setPen(colours.dimmedText());
  painter.drawText(body, Qt::AlignRight | Qt::AlignVCenter, m_percent);
}

}  // namespace heapscape::gui
