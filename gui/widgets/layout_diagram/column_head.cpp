// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/column_head.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/drawing/colours.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {
namespace {

constexpr double kFigure = 1.2;
constexpr double kFact = 0.92;
constexpr double kLeading = 1.25;
constexpr double kChipMargin = 6;

QFont figureFont(const QFont& font) {
  return scaledFont(font, kFigure, QFont::DemiBold);
}

QFont factFont(const QFont& font) {
  return scaledFont(font, kFact);
}

double lineHeight(const QFont& font) {
  return std::ceil(QFontMetricsF(font).height() * kLeading);
}

QString titleOf(const DiagramColumn& column) {
  return column.isInForce ? u"✓ "_s + column.title : column.title;
}

QString sameText(const DiagramColumn& column) {
  return u"= %1"_s.arg(column.sameAs);
}

}  // namespace

double columnHeadHeight(const std::vector<DiagramColumn>& columns, const QFont& font) {
  qsizetype facts = 0;
  for (const DiagramColumn& column : columns) facts = std::max(facts, column.facts.size());
  return lineHeight(figureFont(font)) + static_cast<double>(facts) * lineHeight(factFont(font));
}

double columnHeadWidth(const std::vector<DiagramColumn>& columns, const QFont& font) {
  double width = 0;
  const QFontMetricsF facts(factFont(font));
  for (const DiagramColumn& column : columns) {
    width = std::max(width, QFontMetricsF(figureFont(font)).horizontalAdvance(column.figure + u"  "_s) +
                                QFontMetricsF(font).horizontalAdvance(titleOf(column)));
    for (const QString& fact : column.facts) width = std::max(width, facts.horizontalAdvance(fact));
  }
  return std::ceil(width) + 2;
}

void paintColumnHead(QPainter& painter, const QRectF& rect, const DiagramColumn& column, const QFont& font,
                     const QPalette& palette) {
  const Colours colours(palette);
  const QFont bold = figureFont(font);
  const QFontMetricsF boldMetrics(bold);
  QRectF line(rect.left(), rect.top(), rect.width(), lineHeight(bold));
  painter.setFont(bold);
  painter.setPen(palette.color(QPalette::Text));
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, column.figure);
  const double used = column.figure.isEmpty() ? 0 : boldMetrics.horizontalAdvance(column.figure) + 8;
  painter.setFont(font);
  painter.setPen(column.isInForce ? palette.color(QPalette::Text) : colours.dimmedText());
  painter.drawText(line.adjusted(used, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(font).elidedText(titleOf(column), Qt::ElideRight, rect.width() - used));
  const QFont small = factFont(font);
  painter.setFont(small);
  line.translate(0, line.height());
  line.setHeight(lineHeight(small));
  for (const QString& fact : column.facts) {
    const bool isSaving = column.isGain && &fact == &column.facts.back();
    painter.setPen(isSaving ? palette.color(QPalette::Text) : colours.dimmedText());
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(small).elidedText(fact, Qt::ElideRight, rect.width()));
    line.translate(0, line.height());
  }
}

QSizeF columnChipSize(const std::vector<DiagramColumn>& columns, const QFont& font) {
  double width = 0;
  const QFontMetricsF same(factFont(font));
  for (const DiagramColumn& column : columns) {
    if (column.sameAs.isEmpty()) continue;
    width = std::max(
        {width, QFontMetricsF(font).horizontalAdvance(column.title), same.horizontalAdvance(sameText(column))});
  }
  if (width == 0) return {};
  return {std::ceil(width) + 2 * kChipMargin, lineHeight(font) + lineHeight(factFont(font)) + kChipMargin};
}

void paintColumnChip(QPainter& painter, const QRectF& rect, const DiagramColumn& column, const QFont& font,
                     const QPalette& palette) {
  const Colours colours(palette);
  painter.setPen(QPen(colours.outline(), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  QRectF line = rect.adjusted(kChipMargin, kChipMargin / 2, -kChipMargin, 0);
  line.setHeight(lineHeight(font));
  painter.setFont(font);
  painter.setPen(palette.color(QPalette::Text));
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, column.title);
  line.translate(0, line.height());
  line.setHeight(lineHeight(factFont(font)));
  painter.setFont(factFont(font));
  painter.setPen(colours.dimmedText());
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, sameText(column));
}

void paintColumnFrame(QPainter& painter, const QRectF& around, const QPalette& palette) {
  painter.setPen(QPen(palette.color(QPalette::Text), 1.5));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(around, 5, 5);
}

}  // namespace heapscape::gui
