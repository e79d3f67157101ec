// SPDX-License-Identifier: MIT
// How the map draws itself: headings, labels and figures here, what lies along the addresses in LanePainter.
#include <QPainter>
#include <QScrollBar>

#include "views/segments/map_header.h"
#include "views/segments/segment_map.h"
#include "views/segments/spot_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/heap_figures.h"

namespace heapscape::gui {

namespace {

QString magnificationText(double magnification) {
  if (magnification < 1) return QStringLiteral("1/%1 scale").arg(qRound(1 / magnification * 10) / 10.0);
  if (magnification < 10) return QStringLiteral("%1× zoom").arg(qRound(magnification * 10) / 10.0);
  return QStringLiteral("%1× zoom").arg(countText(static_cast<std::uint64_t>(magnification + 0.5)));
}

}  // namespace

void SegmentMap::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  paintMap(painter);
}

void SegmentMap::paintMap(QPainter& painter) {
  painter.fillRect(viewport()->rect(), m_look.colours.surface());
  const int top = verticalScrollBar()->value();
  const int bottom = top + viewport()->height();
  painter.translate(0, -top);
  for (const HeadingRow& heading : m_state.geometry().headings) {
    if (heading.row.bottom() >= top && heading.row.top() <= bottom) paintHeading(painter, heading);
  }
  const auto& rows = m_state.geometry().lanes;
  for (std::size_t lane = m_state.geometry().firstLaneBelow(top); lane < rows.size(); ++lane) {
    if (rows[lane].row.top() > bottom) break;
    paintLane(painter, rows[lane], true);
  }
  painter.translate(0, top);
}

// Vector files know no clipping: what the edges would cut is left out, and nothing is drawn beyond its own row.
void SegmentMap::paintPicture(QPainter& painter) {
  m_header->paint(painter);
  const MapGeometry& geometry = m_state.geometry();
  const int top = verticalScrollBar()->value();
  for (const PicturedRow& row : picturedRows(geometry, top, top + viewport()->height())) {
    const QRect& place = row.isHeading ? geometry.headings[row.index].row : geometry.lanes[row.index].row;
    const int down = m_header->height() + row.y - place.top();
    painter.translate(0, down);
    row.isHeading ? paintHeading(painter, geometry.headings[row.index])
                  : paintLane(painter, geometry.lanes[row.index], false);
    painter.translate(0, -down);
  }
}

void SegmentMap::paintHeading(QPainter& painter, const HeadingRow& heading) {
  if (heading.row.top() > 0) {
    painter.fillRect(heading.row.adjusted(0, 0, 0, 1 - heading.row.height()), m_look.colours.gridLine());
  }
  painter.setFont(m_look.boldFont);
  painter.setPen(m_look.text);
  painter.drawText(heading.label, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("Heap %1").arg(heading.heap));
  if (!m_state.hasObjects()) {
    painter.setFont(m_look.font);
    painter.setPen(m_look.colours.dimmedText());
    painter.drawText(heading.figures.front().united(heading.figures.back()), Qt::AlignRight | Qt::AlignVCenter,
                     QStringLiteral("walking…"));
    return;
  }
  const engine::Snapshot& snapshot = *m_state.snapshot();
  paintFigures(painter, heading.figures,
               totalsOf(m_state.lanes(), heading.heap, snapshot.segments(), snapshot.segmentContents()),
               m_look.boldFont);
}

void SegmentMap::paintLane(QPainter& painter, const LaneRow& row, bool forScreen) {
  const std::size_t lane = row.lane;
  const engine::Segment& segment = m_state.segment(lane);
  const engine::SegmentContents* contents = m_state.contents(lane);
  if (forScreen && m_current == lane) {
    QColor tint = m_look.accent;
    tint.setAlphaF(0.07F);
    painter.fillRect(row.row, tint);
    painter.fillRect(QRect(row.row.left(), row.row.top(), hasFocus() ? 4 : 2, row.row.height()), m_look.accent);
    if (hasFocus()) {
      const QPen ring = focusRing(palette());
      const int inset = static_cast<int>(ring.widthF() / 2);
      painter.setPen(ring);
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(row.row.adjusted(inset, inset, -inset - 1, -inset - 1));
    }
  }
  paintLabel(painter, row);

  const QRectF bar = row.bar;
  const AddressScale scale = m_state.scale(lane);
  LanePainter lanePainter(painter, m_look);
  lanePainter.paintOutside(bar, scale, segment, m_state.metrics().tailWidth);
  painter.save();
  painter.setClipRect(bar);
  const LaneContent* home = m_loader->find(m_state.lanes()[lane].id, LanePart::Home);
  const LaneContent* view = m_state.isZoomed(lane) ? m_loader->find(m_state.lanes()[lane].id, LanePart::View) : nullptr;
  if (home) paintContent(painter, row, *home);
  if (view) paintContent(painter, row, *view);
  if (!home && !view) lanePainter.paintUnwalked(bar, scale, segment);
  lanePainter.paintGenerationNames(bar, scale, segment);
  painter.restore();
  if (m_marked && m_marked->segment == m_state.lanes()[lane].id) lanePainter.paintSelection(bar, scale, *m_marked);
  paintFigures(painter, row.figures, contents ? std::optional(totalsOf(segment, *contents)) : std::nullopt,
               m_look.font);
}

void SegmentMap::paintContent(QPainter& painter, const LaneRow& row, const LaneContent& content) {
  const AddressScale scale = m_state.scale(row.lane);
  const double left = std::max<double>(row.bar.left(), scale.xOf(content.question.window.start));
  const double right = std::min<double>(row.bar.right() + 1, scale.xOf(content.question.window.end));
  if (right <= left) return;
  const QRectF bar(left, row.bar.top(), right - left, row.bar.height());
  const engine::SegmentContents* contents = m_state.contents(row.lane);
  const bool isDamaged = contents && contents->unreadBytes > 0;
  // Where objects are drawn one by one, what shows between them was not read.
  const bool showsUnread = isDamaged && content.hasObjects;
  painter.fillRect(bar.adjusted(0, 1, 0, -1), showsUnread ? m_look.unreadBrush : QBrush(m_look.colours.surface()));
  LanePainter lanePainter(painter, m_look);
  if (content.hasObjects) {
    lanePainter.paintObjects(bar, scale, content, m_state.snapshot()->types());
    return;
  }
  const int height = static_cast<int>(bar.height() * m_look.pixelRatio);
  lanePainter.paintDensity(bar, densityRuns(content, scale, left, right, 1 / m_look.pixelRatio, height), isDamaged);
}

void SegmentMap::paintLabel(QPainter& painter, const LaneRow& row) {
  const engine::Segment& segment = m_state.segment(row.lane);
  const engine::SegmentContents* contents = m_state.contents(row.lane);
  const QFontMetrics metrics(m_look.font);
  const double magnification = m_state.magnification(row.lane);
  const bool hasBadge =
      (m_state.isZoomed(row.lane) || magnification < 0.98) && row.row.height() >= metrics.height() * 2.2;
  QRect line = row.label;
  if (hasBadge) line.setHeight(row.row.height() / 2);
  const int side = metrics.height() * 3 / 5;
  const QRect swatch(line.left(), line.center().y() - side / 2 + 1, side, side);
  painter.fillRect(swatch, contents ? m_look.colours.of(mainGeneration(segment)) : m_look.neutral);
  QRect name = line.adjusted(side + m_state.metrics().padding, 0, -m_state.metrics().addressWidth, 0);
  painter.setFont(m_look.font);
  painter.setPen(m_look.text);
  const bool isDamaged = contents && contents->unreadBytes > 0;
  if (isDamaged) painter.setPen(m_look.colours.warning());
  const QString kind = segmentKindText(segment.kind);
  painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(isDamaged ? kind + QStringLiteral(" ⚠") : kind, Qt::ElideRight, name.width()));
  if (m_state.metrics().addressWidth > 0) {
    painter.setFont(m_look.fixedFont);
    painter.setPen(m_look.colours.dimmedText());
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, addressText(segment.objects.start));
  }
  if (hasBadge) {
    painter.setFont(m_look.smallFont);
    painter.setPen(m_look.colours.dimmedText());
    name.setRight(row.label.right());
    painter.drawText(name.translated(0, line.height() - m_state.metrics().padding / 4), Qt::AlignLeft | Qt::AlignTop,
                     magnificationText(magnification));
  }
}

void SegmentMap::paintFigures(QPainter& painter, const std::array<QRect, kFigureColumns>& columns,
                              const std::optional<LaneTotals>& totals, const QFont& font) {
  painter.setFont(font);
  painter.setPen(m_look.colours.dimmedText());
  if (!totals) {
    painter.drawText(columns.front(), Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("…"));
    return;
  }
  const std::array<QString, kFigureColumns> texts = figureTexts(*totals);
  for (std::size_t column = 0; column < kFigureColumns; ++column) {
    const bool isCoverage = column == kFigureColumns - 1;
    const bool isDimmed = totals->objects.bytes == 0 ||
                          (isCoverage ? totals->unreadBytes == 0 : column > 0 && totals->objects.freeBytes == 0);
    painter.setPen(isCoverage && totals->unreadBytes > 0 ? m_look.colours.warning()
                   : isDimmed                            ? m_look.colours.dimmedText()
                                                         : m_look.text);
    painter.drawText(columns[column], Qt::AlignRight | Qt::AlignVCenter, texts[column]);
  }
}

}  // namespace heapscape::gui
