// SPDX-License-Identifier: MIT
#include "views/references/graph/overview_hint.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <array>
#include <limits>

#include "widgets/drawing/colours.h"

namespace heapscape::gui {

namespace {

constexpr std::array kShares{0.22, 0.16, 0.11};  // of the view's sides; smaller ones where there is no room for more
constexpr int kOverviewHintGap = 12;             // to the view's edges
constexpr double kInset = 6;
constexpr double kTolerance = 2;  // scene units that may be outside

// The corners first, that at the bottom and right before the others, then the middles of the edges.
std::array<QRect, 8> spotsFor(const QSize& size, const QRect& room) {
  const QRect within = room.adjusted(kOverviewHintGap, kOverviewHintGap, -kOverviewHintGap, -kOverviewHintGap);
  const int left = within.left(), right = within.right() - size.width();
  const int top = within.top(), bottom = within.bottom() - size.height();
  const int middle = (left + right) / 2, centre = (top + bottom) / 2;
  const auto at = [&](int x, int y) { return QRect(QPoint(x, y), size); };
  return {at(right, bottom),  at(left, bottom), at(right, top),    at(left, top),
          at(middle, bottom), at(middle, top),  at(right, centre), at(left, centre)};
}

}  // namespace

OverviewHint::OverviewHint(QWidget* view) : QWidget(view) {
  setObjectName(u"graphOverview"_s);
  setAccessibleName(u"Overview of the graph"_s);
  setToolTip(u"The graph is larger than the view: click or drag to go elsewhere"_s);
  setCursor(Qt::PointingHandCursor);
  hide();
}

void OverviewHint::show(std::vector<QRectF> nodes, const QRectF& seen, const QRect& room) {
  m_nodes = std::move(nodes);
  m_seen = seen;
  m_bounds = {};
  for (const QRectF& node : m_nodes) m_bounds |= node;
  const QRectF nearlyAll = m_bounds.adjusted(kTolerance, kTolerance, -kTolerance, -kTolerance);
  if (m_nodes.empty() || seen.contains(nearlyAll)) {
    hide();
    return;
  }
  if (!m_isHeld) place(room);
  QWidget::show();
  raise();
  update();
}

// Where it hides no node; if there is no such spot, where it hides least.
void OverviewHint::place(const QRect& room) {
  const double scale = room.width() / m_seen.width();
  double leastHidden = std::numeric_limits<double>::max();
  for (const double share : kShares) {
    const double fitting = std::min(room.width() * share / m_bounds.width(), room.height() * share / m_bounds.height());
    const QSize size = (m_bounds.size() * fitting + QSizeF(2 * kInset, 2 * kInset)).toSize();
    for (const QRect& spot : spotsFor(size, room)) {
      double hidden = 0;
      for (const QRectF& node : m_nodes) {
        const QRectF seen((node.topLeft() - m_seen.topLeft()) * scale, node.size() * scale);
        const QRectF both = seen & QRectF(spot);
        hidden += both.width() * both.height();
      }
      if (hidden >= leastHidden) continue;
      leastHidden = hidden;
      m_scale = fitting;
      setGeometry(spot);
    }
    if (leastHidden == 0) return;
  }
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
  if (event->button() != Qt::LeftButton) return;
  m_isHeld = true;  // it would move away from below the pointer
  pickAt(event->position());
}

void OverviewHint::mouseReleaseEvent(QMouseEvent*) {
  m_isHeld = false;
}

void OverviewHint::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) pickAt(event->position());
}

}  // namespace heapscape::gui
