// SPDX-License-Identifier: MIT
#include "widgets/link_row.h"

#include <QPainter>
#include <algorithm>

#include "widgets/drawing/colours.h"

namespace heapscape::gui {

namespace {

constexpr int kLinkRowMargin = 8;
constexpr int kLeastLetters = 12;

}  // namespace

LinkRow::LinkRow(const QString& text, QWidget* parent) : PaintedButton(parent) {
  setText(text);
  setAccessibleName(text);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setLeadsSomewhere(true);
}

void LinkRow::setWarning(bool isWarning) {
  m_isWarning = isWarning;
  update();
}

QSize LinkRow::sizeHint() const {
  return {fontMetrics().horizontalAdvance(text()) + 2 * kLinkRowMargin,
          std::max(24, qRound(fontMetrics().height() * 1.6))};
}

QSize LinkRow::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * kLeastLetters + 2 * kLinkRowMargin, sizeHint().height()};
}

void LinkRow::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  paintGround(painter);
  const QRect area = rect().adjusted(kLinkRowMargin, 0, -kLinkRowMargin, 0);
  painter.setPen(m_isWarning ? Colours(palette()).warning() : palette().color(QPalette::Link));
  painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                   fontMetrics().elidedText(text(), Qt::ElideMiddle, area.width()));
}

}  // namespace heapscape::gui
