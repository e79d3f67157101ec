// SPDX-License-Identifier: MIT
#include "widgets/layout_diagram/side_by_side_painter.h"

#include <QPainter>
#include <QPainterPath>

#include "widgets/drawing/colours.h"
#include "widgets/layout_diagram/column_heads.h"
#include "widgets/layout_diagram/layout_diagram_painter.h"

namespace heapscape::gui {

SideBySidePainter::SideBySidePainter(const std::vector<DiagramColumn>& columns, const FieldMatches& matches,
                                     const SideBySideGeometry& geometry, const Look& look)
    : m_columns(columns), m_matches(matches), m_geometry(geometry), m_look(look) {}

void SideBySidePainter::paint(QPainter& painter, const QRectF& exposed) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t column = 0; column < m_geometry.columns.size(); ++column) {
    const LayoutDiagramPainter::Look look{m_look.palette,
                                          m_look.font,
                                          m_matches.itemOf(column, m_look.selected),
                                          m_matches.itemOf(column, m_look.hovered),
                                          m_look.isBar,
                                          !m_look.isBar || column == 0,
                                          column == 0,
                                          m_look.focused == column};
    LayoutDiagramPainter(*m_columns[column].items, m_geometry.columns[column], look).paint(painter, exposed);
    if (m_geometry.heads[column].intersects(exposed)) {
      paintColumnHead(painter, m_geometry.heads[column], m_columns[column], m_look.font, m_look.palette);
    }
  }
  // What is pointed at lies above the calm ones.
  for (const bool emphasised : {false, true}) {
    for (const FieldCurve& curve : m_geometry.curves) {
      const QRectF around = QRectF(curve.from, curve.to).normalized().adjusted(-4, -4, 4, 4);
      if (isEmphasised(curve.field) == emphasised && around.intersects(exposed)) paintCurve(painter, curve);
    }
  }
  painter.restore();
}

bool SideBySidePainter::isEmphasised(std::uint32_t field) const {
  return field == m_look.selected || field == m_look.hovered;
}

void SideBySidePainter::paintCurve(QPainter& painter, const FieldCurve& curve) const {
  const bool emphasised = isEmphasised(curve.field);
  const QColor calm = Colours(m_look.palette).outline();
  const QColor colour = emphasised ? m_look.palette.color(QPalette::Highlight) : calm;
  const QPointF middle = (curve.from + curve.to) / 2;
  QPainterPath path(curve.from);
  if (m_look.isBar) {
    path.cubicTo({curve.from.x(), middle.y()}, {curve.to.x(), middle.y()}, curve.to);
  } else {
    path.cubicTo({middle.x(), curve.from.y()}, {middle.x(), curve.to.y()}, curve.to);
  }
  painter.setPen(QPen(colour, emphasised ? 2 : 1, Qt::SolidLine, Qt::RoundCap));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
  constexpr double kDot = 2.5;
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  for (const QPointF& end : {curve.from, curve.to}) painter.drawEllipse(end, kDot, kDot);
}

}  // namespace heapscape::gui
