// SPDX-License-Identifier: MIT
#include "views/overview/fix_row.h"

#include <QPainter>
#include <algorithm>

#include "widgets/drawing/colours.h"
#include "widgets/drawing/hatch.h"
#include "widgets/text/wrapped_name.h"

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
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setLeadsSomewhere(true);
}

const FixRow::Widths& FixRow::widths() const {
  if (!m_widths) {
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    m_widths = {.figure = QFontMetrics(bold).horizontalAdvance(QStringLiteral("≥ 88.88 MB")),
                .bar = fontMetrics().averageCharWidth() * kFixBarLetters,
                .sentence = fontMetrics().horizontalAdvance(text()),
                .detail = fontMetrics().horizontalAdvance(m_line.detail)};
  }
  return *m_widths;
}

void FixRow::changeEvent(QEvent* event) {
  m_widths.reset();
  PaintedButton::changeEvent(event);
}

int FixRow::wordsWidth(int width) const {
  return width - widths().figure - widths().bar - 4 * kFixRowMargin;
}

bool FixRow::takesTwoLines(int width) const {
  return widths().sentence > wordsWidth(width);
}

int FixRow::heightForWidth(int width) const {
  return sizeHint().height() + (takesTwoLines(width) ? fontMetrics().lineSpacing() : 0);
}

QSize FixRow::sizeHint() const {
  return {widths().figure + widths().bar + widths().sentence + widths().detail + 6 * kFixRowMargin,
          std::max(24, qRound(fontMetrics().height() * 1.7))};
}

QSize FixRow::minimumSizeHint() const {
  return {widths().figure + widths().bar + fontMetrics().averageCharWidth() * kFixFewestLetters + 5 * kFixRowMargin,
          sizeHint().height()};
}

void FixRow::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Colours colours(palette());
  paintGround(painter);
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  const QRect figure(kFixRowMargin, 0, widths().figure, height());
  painter.setFont(bold);
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(figure, Qt::AlignRight | Qt::AlignVCenter, m_line.figure);
  painter.setFont(font());

  const double thickness = fontMetrics().height() * kFixBarThickness;
  const QRectF room(figure.right() + 1 + kFixRowMargin, (height() - thickness) / 2, widths().bar, thickness);
  const QRectF bar(room.topLeft(), QSizeF(std::max(kFixLeastBar, room.width() * m_line.share), thickness));
  if (m_line.goes) {
    paintHatch(painter, bar, colours);
  } else {
    painter.fillRect(bar, colours.heatStep(2));
  }

  const QRect words = rect().adjusted(qRound(room.right()) + kFixRowMargin, 0, -kFixRowMargin, 0);
  // Where room is short the sentence goes before the count.
  if (words.width() >= widths().sentence + 2 * kFixRowMargin + widths().detail) {
    painter.setPen(colours.dimmedText());
    painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, m_line.detail);
  }
  painter.setPen(palette().color(QPalette::WindowText));
  if (!takesTwoLines(width())) {
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text());
    return;
  }
  // What is left at the end of the first line is less than a word.
  const int word = fontMetrics().averageCharWidth() * kFixFewestLetters / 2;
  const QString shown = fontMetrics().elidedText(text(), Qt::ElideMiddle, 2 * words.width() - word);
  painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, breakableText(shown));
}

}  // namespace heapscape::gui
