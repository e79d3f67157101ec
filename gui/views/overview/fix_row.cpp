// SPDX-License-Identifier: MIT
#include "views/overview/fix_row.h"

#include <QPainter>
#include <algorithm>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/hatch.h"

namespace heapscape::gui {

namespace {

constexpr int kFixRowMargin = 8;
constexpr int kFixBarLetters = 10;
constexpr int kFixFewestLetters = 18;
constexpr double kFixBarThickness = 0.6;  // of a line of text
constexpr double kFixLeastBar = 3;

}  // namespace

FixRow::FixRow(const FixLine& line, QWidget* parent) : PaintedButton(parent), m_line(line) {
  setText(line.sentence);
  setToolTip(line.tip);
  setAccessibleName(QStringLiteral("%1: %2").arg(line.figure, line.sentence));
  setAccessibleDescription(line.detail);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setLeadsSomewhere(true);
}

int FixRow::figureWidth() const {
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  return QFontMetrics(bold).horizontalAdvance(QStringLiteral("≥ 88.88 MB"));
}

int FixRow::barWidth() const {
  return fontMetrics().averageCharWidth() * kFixBarLetters;
}

QSize FixRow::sizeHint() const {
  return {figureWidth() + barWidth() + fontMetrics().horizontalAdvance(text()) +
              fontMetrics().horizontalAdvance(m_line.detail) + 6 * kFixRowMargin,
          std::max(24, qRound(fontMetrics().height() * 1.7))};
}

QSize FixRow::minimumSizeHint() const {
  return {figureWidth() + barWidth() + fontMetrics().averageCharWidth() * kFixFewestLetters + 5 * kFixRowMargin,
          sizeHint().height()};
}

void FixRow::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Colours colours(palette());
  paintGround(painter);
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  const QRect figure(kFixRowMargin, 0, figureWidth(), height());
  painter.setFont(bold);
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(figure, Qt::AlignRight | Qt::AlignVCenter, m_line.figure);
  painter.setFont(font());

  const double thickness = fontMetrics().height() * kFixBarThickness;
  const QRectF room(figure.right() + 1 + kFixRowMargin, (height() - thickness) / 2, barWidth(), thickness);
  const QRectF bar(room.topLeft(), QSizeF(std::max(kFixLeastBar, room.width() * m_line.share), thickness));
  if (m_line.goes) {
    paintHatch(painter, bar, colours);
  } else {
    painter.fillRect(bar, colours.heatStep(2));
  }

  QRect words = rect().adjusted(qRound(room.right()) + kFixRowMargin, 0, -kFixRowMargin, 0);
  const int detail = fontMetrics().horizontalAdvance(m_line.detail);
  // Where room is short the sentence goes before the count.
  if (words.width() > detail + 2 * kFixRowMargin + fontMetrics().averageCharWidth() * 2 * kFixFewestLetters) {
    painter.setPen(colours.dimmedText());
    painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, m_line.detail);
    words.setRight(words.right() - detail - 2 * kFixRowMargin);
  }
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                   fontMetrics().elidedText(text(), Qt::ElideMiddle, words.width()));
}

}  // namespace heapscape::gui
