// SPDX-License-Identifier: MIT
#include "widgets/hover_bubble.h"

#include <QPainter>
#include <algorithm>

#include "widgets/drawing/colours.h"

namespace heapscape::gui {

namespace {

constexpr int kBubblePadding = 8;
constexpr int kDistance = 16;
constexpr int kSwatch = 10;

QFont titleFont(const QFont& font) {
  QFont bold = font;
  bold.setWeight(QFont::DemiBold);
  return bold;
}

int lineHeight(const QFontMetrics& metrics) {
  return metrics.height() + 2;
}

}  // namespace

QPoint bubblePosition(QPoint point, QSize bubble, QRect bounds) {
  const auto place = [](int at, int size, int low, int high) {
    int position = at + kDistance;
    if (position + size > high) position = at - kDistance - size;
    return std::max(low, std::min(position, high - size));
  };
  return {place(point.x(), bubble.width(), bounds.left(), bounds.right() + 1),
          place(point.y(), bubble.height(), bounds.top(), bounds.bottom() + 1)};
}

HoverBubble::HoverBubble(QWidget* picture) : QWidget(picture) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  hide();
}

QSize HoverBubble::wantedSize() const {
  const QFontMetrics bold(titleFont(font()));
  const int swatch = m_text.swatch.isValid() ? kSwatch + kBubblePadding : 0;
  int width = bold.horizontalAdvance(m_text.title) + swatch;
  for (const QString& fact : m_text.facts) width = std::max(width, fontMetrics().horizontalAdvance(fact) + swatch);
  const int widest = parentWidget() ? parentWidget()->width() * 2 / 3 : width;
  return {std::min(width, widest) + 2 * kBubblePadding + 2,
          lineHeight(bold) + static_cast<int>(m_text.facts.size()) * lineHeight(fontMetrics()) + 2 * kBubblePadding};
}

void HoverBubble::showAt(QPoint point, const BubbleText& text) {
  if (!(m_text == text)) {
    m_text = text;
    update();
  }
  resize(wantedSize());
  move(bubblePosition(point, size(), parentWidget()->rect()));
  if (!isVisible()) show();
  raise();
}

void HoverBubble::showOrHide(std::optional<QPointF> point, const std::optional<BubbleText>& text) {
  const bool isAtShape = point && text;
  if (isAtShape) {
    showAt(point->toPoint(), *text);
  } else {
    hide();
  }
  parentWidget()->setCursor(isAtShape ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void HoverBubble::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Colours colours(palette());
  painter.setPen(colours.outline());
  painter.setBrush(palette().color(QPalette::Base));
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);

  QRect line = rect().adjusted(kBubblePadding, kBubblePadding, -kBubblePadding, 0);
  const QFontMetrics bold(titleFont(font()));
  line.setHeight(lineHeight(bold));
  if (m_text.swatch.isValid()) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_text.swatch);
    painter.drawRoundedRect(QRect(line.left(), line.center().y() - kSwatch / 2 + 1, kSwatch, kSwatch), 2, 2);
    line.setLeft(line.left() + kSwatch + kBubblePadding);
  }
  painter.setFont(titleFont(font()));
  painter.setPen(palette().color(QPalette::Text));
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                   bold.elidedText(m_text.title, Qt::ElideMiddle, line.width()));
  painter.setFont(font());
  painter.setPen(colours.dimmedText());
  line.translate(0, line.height());
  line.setHeight(lineHeight(fontMetrics()));
  for (const QString& fact : m_text.facts) {
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(fact, Qt::ElideMiddle, line.width()));
    line.translate(0, line.height());
  }
}

}  // namespace heapscape::gui
