// SPDX-License-Identifier: MIT
#include "views/overview/insight_card.h"

#include <QPainter>

#include "models/names/insight_text.h"
#include "widgets/drawing/colours.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

constexpr int kInsightCardMargin = 12;
constexpr double kFigureSize = 1.4;
constexpr int kColumns = 40;
constexpr int kFewestColumns = 26;

}  // namespace

InsightCard::InsightCard(const engine::InsightList& list, const engine::InsightRow& row, QWidget* parent)
    : PaintedButton(parent),
      m_bytes(row.bytes == 0 ? QStringLiteral("Time") : bytesText(row.bytes)),
      m_kind(insightKindText(row.kind)) {
  const engine::Insight& costliest = list.insights[row.insights.front()];
  m_subject = insightSubject(costliest);
  if (row.isGroup()) {
    m_title = fromEngine(engine::insightGroupTitle(row.kind, row.insights.size(), row.objects));
    if (!m_subject.isEmpty()) m_subject = QStringLiteral("the costliest: %1").arg(m_subject);
    setText(m_title);
  } else {
    m_title = shortInsightTitle(costliest);
    setText(fromEngine(costliest.title));
  }
  QString tip = QStringLiteral("%1: %2\n%3")
                    .arg(m_kind, text(), row.isGroup() ? exactBytesText(row.bytes) : insightBytesTip(costliest));
  if (!m_subject.isEmpty()) tip += QLatin1Char('\n') + m_subject;
  setToolTip(tip);
  setAccessibleName(QStringLiteral("%1: %2, %3").arg(m_kind, m_bytes, text()));
  setLeadsSomewhere(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize InsightCard::sizeHint() const {
  const int lines = QFontMetrics(scaledFont(font(), kFigureSize)).height() + 2 * fontMetrics().lineSpacing() + 4;
  return {fontMetrics().averageCharWidth() * kColumns, lines + 2 * kInsightCardMargin};
}

QSize InsightCard::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * kFewestColumns, sizeHint().height()};
}

void InsightCard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Colours colours(palette());
  painter.setPen(hasFocus() ? QPen(palette().color(QPalette::Highlight), 2) : QPen(colours.gridLine(), 1));
  painter.setBrush(underMouse() || isDown() ? palette().color(QPalette::Midlight) : colours.surface());
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 8, 8);

  const QRect body = rect().adjusted(kInsightCardMargin, kInsightCardMargin, -kInsightCardMargin, -kInsightCardMargin);
  const QFont large = scaledFont(font(), kFigureSize, QFont::DemiBold);
  const QFontMetrics largeMetrics(large);
  const QRect first(body.left(), body.top(), body.width(), largeMetrics.height());
  const int figureWidth = largeMetrics.horizontalAdvance(m_bytes);
  painter.setPen(palette().color(QPalette::WindowText));
  painter.setFont(large);
  painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter, m_bytes);
  painter.setFont(font());
  QRect line(body.left(), first.bottom() + 3, body.width(), fontMetrics().lineSpacing());
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                   fontMetrics().elidedText(m_title, Qt::ElideRight, line.width()));
  painter.setPen(colours.dimmedText());
  const int kindRoom = first.width() - figureWidth - kInsightCardMargin;
  painter.drawText(first, Qt::AlignRight | Qt::AlignVCenter,
                   fontMetrics().elidedText(m_kind, Qt::ElideRight, kindRoom));
  line.translate(0, line.height());
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                   fontMetrics().elidedText(m_subject, Qt::ElideMiddle, line.width()));
}

}  // namespace heapscape::gui
