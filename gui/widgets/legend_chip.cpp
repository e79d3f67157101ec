// SPDX-License-Identifier: MIT
#include "widgets/legend_chip.h"

#include <QPainter>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"

namespace heapscape::gui {

namespace {
constexpr int kChipPadding = 8;
}

LegendChip::LegendChip(const QString& text, std::function<ChipSample(const Colours&)> sample, QWidget* parent)
    : PaintedButton(parent), m_sample(std::move(sample)) {
  setText(text);
  setAccessibleName(text);
  setFocusPolicy(Qt::NoFocus);
}

void paintChipSample(QPainter& painter, const QRectF& room, const ChipSample& sample, const Colours& colours) {
  if (sample.isPin) {
    paintPinMark(painter, QPointF(room.center().x(), room.bottom()), sample.fill.color(), colours.surface());
    return;
  }
  if (sample.isTick) {
    painter.fillRect(QRectF(room.center().x() - 1, room.top() - 1, 2, room.height() + 2), sample.fill);
    return;
  }
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  // Some colours are hardly another than the ground's where they stand for little.
  painter.setPen(sample.line.style() != Qt::NoPen ? sample.line : QPen(colours.outline(), 1));
  const bool isHatched = sample.isHatched && PlainPatterns::areWanted();
  painter.setBrush(isHatched ? QBrush(colours.surface()) : sample.fill);
  painter.drawRoundedRect(room, 2, 2);
  if (isHatched) paintHatch(painter, room, colours);
  if (sample.hasArrow) paintReferenceMark(painter, room.adjusted(2, 2, -2, -2), painter.pen().color());
  if (sample.seam.isValid()) paintSeam(painter, room, sample.seam);
  painter.restore();
}

QSize LegendChip::sizeHint() const {
  const QFontMetrics metrics = fontMetrics();
  const int side = isCheckable() ? kChipPadding : 0;
  return {metrics.height() + kChipPadding / 2 + metrics.horizontalAdvance(text()) + 2 * side + 2,
          std::max(24, metrics.height() * 16 / 10)};
}

void LegendChip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Colours colours(palette());
  const bool isOn = !isCheckable() || isChecked();
  if (!isCheckable()) {
    paintGround(painter);
  } else {
    painter.setPen(hasFocus() ? focusRing(palette()) : QPen(colours.gridLine(), 1));
    painter.setBrush(underMouse() || isDown() ? palette().brush(QPalette::Midlight) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), height() / 2.0, height() / 2.0);
  }
  const int side = fontMetrics().height() * 3 / 4;
  const int left = isCheckable() ? kChipPadding : 0;
  const QRectF sample(left + 1.5, (height() - side) / 2.0 + 0.5, side - 1, side - 1);
  ChipSample look = m_sample(colours);
  if (!isOn) look = ChipSample{Qt::NoBrush};
  paintChipSample(painter, sample, look, colours);
  painter.setPen(isOn ? palette().color(QPalette::WindowText) : colours.dimmedText());
  QFont font = this->font();
  font.setStrikeOut(!isOn);
  painter.setFont(font);
  const QRectF label(sample.right() + kChipPadding / 2.0 + 2, 0, width() - sample.right() - kChipPadding / 2.0 - 2,
                     height());
  painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter, text());
}

}  // namespace heapscape::gui
