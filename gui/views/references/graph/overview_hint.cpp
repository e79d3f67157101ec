// SPDX-License-Identifier: MIT
#include "views/references/graph/overview_hint.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/drawing/colours.h"

namespace heapscape::gui {

namespace {

constexpr double kMostShare = 0.22;   // of the view's sides
constexpr int kOverviewHintGap = 12;  // to the view's corner
constexpr double kInset = 6;
constexpr double kTolerance = 2;  // scene units that may be outside

}  // namespace

OverviewHint::OverviewHint(QWidget* view) : QWidget(view) {
  setObjectName(QStringLiteral("graphOverview"));
  setAccessibleName(QStringLiteral("Overview of the graph"));
  setToolTip(QStringLiteral("The graph is larger than the view: click or drag to go elsewhere"));
  setCursor(Qt::PointingHandCursor);
  hide();
}

void OverviewHint::show(std::vector<QRectF> nodes, const QRectF& seen, const QRect& room) {
  m_nodes = std::move(nodes);
  m_seen = seen;
  m_bounds = {};
  for (const QRectF& node : m_nodes) m_bounds |= node;
  const QRectF nearlyAll = m_bounds.adjusted(kTolerance, kTolerance, -kTolerance, -kTolerance);
  if (m_nodes.empty() || seen.contains(nearlyAll)) return hide();
  m_scale = std::min(room.width() * kMostShare / m_bounds.width(), room.height() * kMostShare / m_bounds.height());
  const QSize size = (m_bounds.size() * m_scale + QSizeF(2 * kInset, 2 * kInset)).toSize();
  setGeometry(QRect(
      QPoint(room.right() - size.width() - kOverviewHintGap, room.bottom() - size.height() - kOverviewHintGap), size));
  QWidget::show();
  raise();
  update();
}

void OverviewHint::paintEvent(QPaintEvent*) {
  const Colours colours(palette());
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(colours.outline(), 1));
  painter.setBrush(palette().color(QPalette::Base));
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  painter.setClipRect(QRectF(rect()).adjusted(1, 1, -1, -1));
  painter.translate(kInset, kInset);
  painter.scale(m_scale, m_scale);
  painter.translate(-m_bounds.topLeft());
  painter.setPen(Qt::NoPen);
  painter.setBrush(colours.outline());
  for (const QRectF& node : m_nodes) painter.drawRect(node);
  QPen frame(palette().color(QPalette::Highlight), 2);
  frame.setCosmetic(true);
  painter.setPen(frame);
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(m_seen);
}

void OverviewHint::pickAt(QPointF position) {
  Q_EMIT placePicked(m_bounds.topLeft() + (position - QPointF(kInset, kInset)) / m_scale);
}

void OverviewHint::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) pickAt(event->position());
}

void OverviewHint::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) pickAt(event->position());
}

}  // namespace heapscape::gui
