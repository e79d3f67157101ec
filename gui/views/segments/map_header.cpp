// SPDX-License-Identifier: MIT
#include "views/segments/map_header.h"

#include <QMouseEvent>
#include <QPainter>

#include "views/segments/spot_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr int kGap = 6;

int stripHeight(const QFontMetrics& metrics) {
  return std::max(12, metrics.height() * 4 / 5);
}

}  // namespace

MapHeader::MapHeader(QWidget* parent) : QWidget(parent) {
  setToolTip(u"The whole segment; the frame shows which part of it is in view. Drag to move it."_s);
}

int MapHeader::heightFor(const QFontMetrics& metrics) {
  return stripHeight(metrics) + metrics.height() + 8 + 3 * kGap;
}

void MapHeader::setSubject(const HeaderSubject& subject) {
  m_subject = subject;
  update();
}

QRect MapHeader::stripRect() const {
  const QRect bar = barRect(rect(), m_subject.state->metrics());
  return {bar.left(), kGap, bar.width(), stripHeight(fontMetrics())};
}

QRect MapHeader::rulerRow() const {
  const int top = kGap + stripHeight(fontMetrics()) + kGap;
  return {0, top, width(), height() - top};
}

void MapHeader::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint(painter);
}

void MapHeader::paint(QPainter& painter) const {
  if (!m_subject.state || !m_subject.look) return;
  painter.fillRect(rect(), m_subject.look->colours.surface());
  paintCaptions(painter);
  if (m_subject.lane && *m_subject.lane < m_subject.state->lanes().size()) {
    paintStrip(painter);
    paintRuler(painter);
  }
  painter.fillRect(QRectF(0, height() - 1, width(), 1), m_subject.look->colours.gridLine());
}

void MapHeader::paintStrip(QPainter& painter) const {
  const MapState& state = *m_subject.state;
  const MapLook& look = *m_subject.look;
  const std::size_t lane = *m_subject.lane;
  const engine::Segment& segment = state.segment(lane);
  const QRectF strip = stripRect();
  const AddressScale whole = state.wholeScale(lane, strip.left(), strip.width());
  LanePainter lanePainter(painter, look);
  if (m_subject.strip) {
    const int height = static_cast<int>(strip.height() * look.pixelRatio);
    lanePainter.paintDensity(
        strip, densityRuns(*m_subject.strip, whole, strip.left(), strip.right(), 1 / look.pixelRatio, height),
        shadesFor(look, *m_subject.strip, *state.snapshot()), false);
  } else {
    lanePainter.paintUnwalked(strip, whole, segment);
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(look.colours.outline(), 1));
  painter.drawRect(strip.adjusted(0.5, 0.5, -0.5, -0.5));

  const engine::AddressRange window = state.scale(lane).window();
  const double left = std::max(strip.left(), whole.xOf(window.start));
  const double right = std::min(strip.right(), whole.xOf(window.end));
  if (state.isZoomed(lane) && right - left < strip.width() - 1) {
    QColor veil = look.colours.surface();
    veil.setAlphaF(look.colours.isContrast ? 0.3F : 0.6F);
    painter.fillRect(QRectF(strip.topLeft(), QPointF(left, strip.bottom())), veil);
    painter.fillRect(QRectF(QPointF(right, strip.top()), strip.bottomRight()), veil);
    const double width = std::max(right - left, 4.0);
    painter.setPen(QPen(look.accent, 2));
    painter.drawRect(QRectF((left + right - width) / 2, strip.top() - 1, width, strip.height() + 2));
  }
  const int labelWidth = state.metrics().labelWidth + state.metrics().padding;
  const QRect label(state.metrics().padding, 0, labelWidth, stripRect().height() + 2 * kGap);
  painter.setFont(look.boldFont);
  painter.setPen(look.text);
  const QString name = u"%1, heap %2"_s.arg(segmentKindText(segment.kind)).arg(segment.heap);
  painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetrics(look.boldFont).elidedText(name, Qt::ElideRight, label.width()));
  painter.setFont(look.smallFont);
  painter.setPen(look.colours.dimmedText());
  const QRect besides(stripRect().right() + 1, 0, width() - stripRect().right() - 1 - state.metrics().padding,
                      stripRect().height() + 2 * kGap);
  painter.drawText(besides, Qt::AlignRight | Qt::AlignVCenter,
                   u"%1 committed"_s.arg(bytesText(state.lanes()[lane].bytes)));
}

// A lane with a scale of its own has its ruler itself.
void MapHeader::paintRuler(QPainter& painter) const {
  const MapState& state = *m_subject.state;
  if (!state.geometry().lanes[*m_subject.lane].ruler.isEmpty()) return;
  const AddressScale scale = state.scale(*m_subject.lane);
  QRectF room = rulerRow();
  room.setLeft(state.metrics().padding);
  room.setRight(scale.right() + 8);
  LanePainter(painter, *m_subject.look).paintRuler(room, scale, m_subject.pointer, false);
}

void MapHeader::paintCaptions(QPainter& painter) const {
  const std::array<QRect, kFigureColumns> columns = figureRects(rulerRow(), m_subject.state->metrics());
  const std::array<QString, kFigureColumns> captions{u"used"_s, u"free"_s, u"free %"_s, u"read"_s};
  painter.setFont(m_subject.look->smallFont);
  painter.setPen(m_subject.look->colours.dimmedText());
  for (std::size_t column = 0; column < kFigureColumns; ++column) {
    painter.drawText(columns[column].adjusted(0, 0, 0, -6), Qt::AlignRight | Qt::AlignVCenter, captions[column]);
  }
}

void MapHeader::mousePressEvent(QMouseEvent* event) {
  mouseMoveEvent(event);
}

void MapHeader::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton) || !m_subject.state || !m_subject.lane) return;
  const QRect strip = stripRect();
  Q_EMIT moved(std::clamp((event->position().x() - strip.left()) / std::max(strip.width(), 1), 0.0, 1.0));
}

}  // namespace heapscape::gui
