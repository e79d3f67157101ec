// SPDX-License-Identifier: MIT
#include "widgets/figure_tile.h"

#include <QPainter>

#include "widgets/drawing/colours.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

constexpr double kFigureSize = 2.0;
constexpr int kFewestColumns = 22;

}  // namespace

FigureTile::FigureTile(const QString& label, QWidget* parent) : QWidget(parent), m_label(label) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  clear();
}

void FigureTile::setFigure(const QString& figure, const QString& note, const QString& detail) {
  m_figure = figure;
  m_note = note;
  setToolTip(detail);
  setAccessibleName(QStringLiteral("%1: %2").arg(m_label, figure));
  setAccessibleDescription(note);
  update();
}

void FigureTile::clear() {
  setFigure(QStringLiteral("–"), QString());
}

QSize FigureTile::sizeHint() const {
  return {fontMetrics().averageCharWidth() * kFewestColumns, qRound(fontMetrics().lineSpacing() * (kFigureSize + 2.5))};
}

void FigureTile::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Colours colours(palette());
  const int line = fontMetrics().lineSpacing();
  const QFont large = scaledFont(font(), kFigureSize, QFont::DemiBold);
  const QFontMetrics largeMetrics(large);
  const QRect label(0, 0, width(), line);
  const QRect figure(0, label.bottom() + 2, width(), largeMetrics.height());
  const QRect note(0, figure.bottom() + 2, width(), line);
  painter.setPen(colours.dimmedText());
  painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(m_label, Qt::ElideRight, width()));
  painter.drawText(note, Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(m_note, Qt::ElideRight, width()));
  painter.setPen(palette().color(QPalette::WindowText));
  painter.setFont(large);
  painter.drawText(figure, Qt::AlignLeft | Qt::AlignVCenter,
                   largeMetrics.elidedText(m_figure, Qt::ElideRight, width()));
}

}  // namespace heapscape::gui
