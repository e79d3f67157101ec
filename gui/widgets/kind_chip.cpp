// SPDX-License-Identifier: MIT
#include "widgets/kind_chip.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/drawing/colours.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr int kKindChipMargin = 8;
constexpr int kGap = 6;
constexpr double kBarHeight = 3;

}  // namespace

KindChip::KindChip(const QString& name, std::uint64_t count, std::uint64_t all, QWidget* parent)
    : PaintedButton(parent),
      m_count(countText(count)),
      m_share(all == 0 ? 0 : static_cast<double>(count) / static_cast<double>(all)) {
  setText(name);
  setAccessibleName(QStringLiteral("%1: %2").arg(name, m_count));
  setCheckable(true);
  setFocusPolicy(Qt::TabFocus);
}

QSize KindChip::sizeHint() const {
  const QFontMetrics metrics = fontMetrics();
  const int width =
      metrics.horizontalAdvance(text()) + kGap + metrics.horizontalAdvance(m_count) + 2 * kKindChipMargin + 2;
  return {width, std::max(28, metrics.height() * 18 / 10)};
}

void KindChip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Colours colours(palette());
  const QColor accent = palette().color(QPalette::Highlight);
  QColor ground = underMouse() || isDown() ? palette().color(QPalette::Midlight) : QColor(Qt::transparent);
  if (isChecked()) {
    ground = accent;
    ground.setAlphaF(0.16F);
  }
  painter.setPen(hasFocus() ? focusRing(palette()) : QPen(isChecked() ? accent : colours.outline(), 1));
  painter.setBrush(ground);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);

  const QRect area = rect().adjusted(kKindChipMargin + 1, 0, -kKindChipMargin, -static_cast<int>(kBarHeight));
  painter.setPen(isEnabled() ? palette().color(QPalette::WindowText) : colours.dimmedText());
  painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text());
  painter.setPen(colours.dimmedText());
  painter.drawText(area, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, m_count);

  const QRectF bar(kKindChipMargin + 1, height() - kBarHeight - 4, width() - 2 * kKindChipMargin - 2, kBarHeight);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colours.gridLine());
  painter.drawRoundedRect(bar, 1.5, 1.5);
  if (m_share <= 0) return;
  painter.setBrush(colours.heatStep(3));
  painter.drawRoundedRect(QRectF(bar.topLeft(), QSizeF(std::max(kBarHeight, bar.width() * m_share), kBarHeight)), 1.5,
                          1.5);
}

}  // namespace heapscape::gui
