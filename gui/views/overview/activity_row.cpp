// SPDX-License-Identifier: MIT
#include "views/overview/activity_row.h"

#include <QPainter>
#include <algorithm>

#include "widgets/drawing/colours.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr int kActivityRowMargin = 8;
constexpr int kBarWidth = 64;
constexpr double kActivityRowBarHeight = 6;

}  // namespace

ActivityRow::ActivityRow(const QString& doing, std::uint64_t threads, std::uint64_t all, QWidget* parent)
    : PaintedButton(parent),
      m_count(countText(threads)),
      m_share(all == 0 ? 0 : static_cast<double>(threads) / static_cast<double>(all)) {
  setText(doing);
  setToolTip(QStringLiteral("%1: %2").arg(countedText(threads, QStringLiteral("thread")), doing));
  setAccessibleName(toolTip());
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setLeadsSomewhere(true);
}

int ActivityRow::figureWidth() const {
  return std::max(fontMetrics().horizontalAdvance(QStringLiteral("888")), fontMetrics().horizontalAdvance(m_count));
}

QSize ActivityRow::sizeHint() const {
  return {figureWidth() + kBarWidth + fontMetrics().horizontalAdvance(text()) + 5 * kActivityRowMargin,
          std::max(24, qRound(fontMetrics().height() * 1.6))};
}

QSize ActivityRow::minimumSizeHint() const {
  return {figureWidth() + kBarWidth + fontMetrics().averageCharWidth() * 12 + 5 * kActivityRowMargin,
          sizeHint().height()};
}

void ActivityRow::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Colours colours(palette());
  paintGround(painter);
  const QRect figure(kActivityRowMargin, 0, figureWidth(), height());
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(figure, Qt::AlignRight | Qt::AlignVCenter, m_count);
  const QRectF bar(figure.right() + 1 + kActivityRowMargin, (height() - kActivityRowBarHeight) / 2, kBarWidth,
                   kActivityRowBarHeight);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colours.gridLine());
  painter.drawRoundedRect(bar, kActivityRowBarHeight / 2, kActivityRowBarHeight / 2);
  painter.setBrush(colours.heatStep(3));
  painter.drawRoundedRect(
      QRectF(bar.topLeft(), QSizeF(std::max(kActivityRowBarHeight, bar.width() * m_share), kActivityRowBarHeight)),
      kActivityRowBarHeight / 2, kActivityRowBarHeight / 2);
  const QRect words = rect().adjusted(qRound(bar.right()) + 2 * kActivityRowMargin, 0, -kActivityRowMargin, 0);
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                   fontMetrics().elidedText(text(), Qt::ElideMiddle, words.width()));
}

}  // namespace heapscape::gui
