// SPDX-License-Identifier: MIT
#include "print/contents_line.h"

#include <QFontMetricsF>
#include <QPainter>

namespace heapscape::gui {
namespace {

constexpr double kContentsLineFontSize = 9.5;  // in points
constexpr double kNumberWidth = 22;
constexpr double kSheetWidth = 30;

}  // namespace

ContentsLine::ContentsLine(const PrintStyle& style, std::size_t number, const QString& title)
    : m_style(style), m_number(number), m_title(title) {
  const QFont font(style.font(kContentsLineFontSize), const_cast<QPaintDevice*>(style.device));
  flow.height = QFontMetricsF(font).lineSpacing() * 1.35;
}

void ContentsLine::paint(QPainter& painter, double y) const {
  const QFont font = m_style.font(kContentsLineFontSize);
  const QFontMetricsF metrics(QFont(font, const_cast<QPaintDevice*>(m_style.device)));
  painter.setFont(font);
  const double base = y + metrics.ascent();
  const double numberWidth = m_style.points(kNumberWidth);
  const double room = m_style.width - numberWidth - m_style.points(kSheetWidth);
  const QString title = metrics.elidedText(m_title, Qt::ElideRight, room);
  painter.setPen(QColor(0x5b, 0x63, 0x6e));
  painter.drawText(QPointF(0, base), QString::number(m_number));
  const QString sheet = QString::number(m_sheet);
  painter.drawText(QPointF(m_style.width - metrics.horizontalAdvance(sheet), base), sheet);
  painter.setPen(QColor(0x1f, 0x23, 0x28));
  painter.drawText(QPointF(numberWidth, base), title);
}

}  // namespace heapscape::gui
