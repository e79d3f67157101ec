// SPDX-License-Identifier: MIT
#include "widgets/figure_tile.h"

#include <QPainter>
#include <algorithm>

#include "widgets/drawing/colours.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

constexpr double kFigureSize = 2.0;
constexpr int kFewestColumns = 20;
constexpr int kNoteFlags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

}  // namespace

FigureTile::FigureTile(const QString& label, QWidget* parent) : QWidget(parent), m_label(label) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  clear();
}

void FigureTile::setFigure(const QString& figure, const QString& note, const QString& detail) {
  m_figure = figure;
  m_note = note;
  m_noteHeight = {};
  setToolTip(detail);
  setAccessibleName(u"%1: %2"_s.arg(m_label, figure));
  setAccessibleDescription(note);
  updateGeometry();
  update();
}

void FigureTile::clear() {
  setFigure(u"–"_s, QString());
}

QSize FigureTile::sizeHint() const {
  const int width =
      std::max(fontMetrics().averageCharWidth() * kFewestColumns, fontMetrics().horizontalAdvance(m_label) + 1);
  return {width, heightAboveNote() + fontMetrics().lineSpacing()};
}

int FigureTile::heightAboveNote() const {
  return qRound(fontMetrics().lineSpacing() * (kFigureSize + 1.5));
}

int FigureTile::heightForWidth(int width) const {
  const int line = fontMetrics().lineSpacing();
  if (m_noteHeight.width != width) {
    const QRect room(0, 0, width, 0);
    m_noteHeight = {width, m_note.isEmpty() ? 0 : fontMetrics().boundingRect(room, kNoteFlags, m_note).height()};
  }
  return heightAboveNote() + std::max(line, m_noteHeight.height);
}

void FigureTile::changeEvent(QEvent* event) {
  m_noteHeight = {};
  QWidget::changeEvent(event);
}

void FigureTile::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Colours colours(palette());
  const int line = fontMetrics().lineSpacing();
  const QFont large = scaledFont(font(), kFigureSize, QFont::DemiBold);
  const QFontMetrics largeMetrics(large);
  const QRect label(0, 0, width(), line);
  const QRect figure(0, label.bottom() + 2, width(), largeMetrics.height());
  const QRect note(0, figure.bottom() + 2, width(), height() - figure.bottom() - 2);
  painter.setPen(colours.dimmedText());
  painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(m_label, Qt::ElideRight, width()));
  painter.drawText(note, kNoteFlags, m_note);
  painter.setPen(palette().color(QPalette::WindowText));
  painter.setFont(large);
  painter.drawText(figure, Qt::AlignLeft | Qt::AlignVCenter,
                   largeMetrics.elidedText(m_figure, Qt::ElideRight, width()));
}

}  // namespace heapscape::gui
