// SPDX-License-Identifier: MIT
#include "widgets/treemap/treemap.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "widgets/actions_menu.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/text/figures.h"
#include "widgets/treemap/treemap_painter.h"

namespace heapscape::gui {

Treemap::Treemap(const QString& title, const QString& name, QWidget* parent)
    : QWidget(parent), PictureItems(this), m_bubble(new HoverBubble(this)) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(title);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  addPictureActions(
      this, [this](QPainter& painter, QSize) { draw(painter); }, name, PictureContents::Hides);
  offerActions(this);
}

void Treemap::setGroups(std::vector<TreemapPart> groups) {
  m_groups = std::move(groups);
  m_bytes = 0;
  for (const TreemapPart& group : m_groups) m_bytes += group.bytes;
  m_marked.reset();
  m_hovered.reset();
  m_bubble->hide();
  if (std::exchange(m_zoomed, std::nullopt)) Q_EMIT zoomChanged();
  tellItemsChanged();
  update();
}

const TreemapPart& Treemap::partOf(const TreemapSpot& spot) const {
  const TreemapPart& group = m_groups[spot.group];
  return spot.isGroup() ? group : group.parts[spot.part];
}

QString Treemap::nameOf(const TreemapSpot& spot) const {
  const TreemapPart& group = m_groups[spot.group];
  if (spot.isGroup() || partOf(spot).name == group.name) return group.name;
  return QStringLiteral("%1 › %2").arg(group.name, partOf(spot).name);
}

BubbleText Treemap::textOf(const TreemapSpot& spot) const {
  const TreemapPart& part = partOf(spot);
  const QColor swatch = part.sample ? part.sample(Colours(palette())).fill.color() : QColor();
  return {.swatch = swatch, .title = nameOf(spot), .facts = factsOf(spot)};
}

std::optional<std::size_t> Treemap::currentItem() const {
  const std::vector<TreemapTile> shown = tiles();
  const auto found = std::ranges::find_if(shown, [this](const TreemapTile& tile) { return tile.spot == m_marked; });
  return found == shown.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - shown.begin()));
}

void Treemap::pressItem(std::size_t item) {
  const TreemapSpot spot = tiles()[item].spot;
  pick(spot);
  enter(spot);
}

QStringList Treemap::factsOf(const TreemapSpot& spot) const {
  const TreemapPart& part = partOf(spot);
  QStringList facts{QStringLiteral("%1, %2 of all").arg(bytesText(part.bytes), percentText(part.bytes, m_bytes)),
                    exactBytesText(part.bytes)};
  if (part.bytes < 1024) facts.removeLast();
  return facts + part.facts;
}

double Treemap::headingHeight() const {
  return fontMetrics().height() * 1.4;
}

std::vector<TreemapTile> Treemap::tiles() const {
  return treemapTiles(m_groups, m_zoomed, QRectF(rect()), headingHeight());
}

QSize Treemap::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 80, fontMetrics().height() * 20};
}

QSize Treemap::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 24, fontMetrics().height() * 8};
}

void Treemap::mark(std::optional<TreemapSpot> spot) {
  m_marked = spot;
  if (spot && m_zoomed && spot->group != *m_zoomed) zoom(std::nullopt);
  tellCurrent();
}

void Treemap::zoom(std::optional<std::size_t> group) {
  if (group == m_zoomed || (group && *group >= m_groups.size())) return;
  m_zoomed = group;
  m_hovered.reset();
  m_bubble->hide();
  tellItemsChanged();
  update();
  Q_EMIT zoomChanged();
}

void Treemap::pick(const TreemapSpot& spot) {
  if (spot == m_marked) return;
  mark(spot);
  Q_EMIT picked(spot);
}

void Treemap::enter(const TreemapSpot& spot) {
  const bool isDeepest = m_zoomed || m_groups[spot.group].parts.size() < 2;
  if (isDeepest) {
    Q_EMIT activated(spot);
  } else {
    zoom(spot.group);
  }
}

void Treemap::move(int key) {
  const std::vector<TreemapTile> shown = tiles();
  const auto current = std::ranges::find_if(shown, [this](const TreemapTile& tile) { return tile.spot == m_marked; });
  const TreemapTile* next = nullptr;
  if (current != shown.end()) {
    next = treemapNeighbour(shown, *current, key);
  } else {
    next = treemapTileAt(shown, QPointF(1, headingHeight() + 1));
  }
  if (next) pick(next->spot);
}

void Treemap::mouseMoveEvent(QMouseEvent* event) {
  const std::vector<TreemapTile> shown = tiles();
  const TreemapTile* tile = treemapTileAt(shown, event->position());
  const std::optional<TreemapSpot> spot = tile ? std::optional(tile->spot) : std::nullopt;
  if (spot != m_hovered) {
    m_hovered = spot;
    update();
  }
  if (!spot) return m_bubble->hide();
  m_bubble->showAt(event->pos(), textOf(*spot));
}

void Treemap::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  const std::vector<TreemapTile> shown = tiles();
  if (const TreemapTile* tile = treemapTileAt(shown, event->position())) pick(tile->spot);
}

void Treemap::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const std::vector<TreemapTile> shown = tiles();
  if (const TreemapTile* tile = treemapTileAt(shown, event->position())) enter(tile->spot);
}

void Treemap::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  m_hovered.reset();
  m_bubble->hide();
  update();
}

void Treemap::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
      return move(event->key());
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (m_marked) enter(*m_marked);
      return;
    case Qt::Key_Escape:
    case Qt::Key_Backspace:
      if (m_zoomed) return zoom(std::nullopt);
      break;
    default:
      if (takesKey(event->key())) return;
      break;
  }
  QWidget::keyPressEvent(event);
}

void Treemap::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing, false);
  draw(painter);
  const QColor accent = palette().color(QPalette::Highlight);
  if (m_hovered && m_hovered != m_marked) outline(painter, *m_hovered, QPen(palette().color(QPalette::WindowText), 1));
  if (m_marked) outline(painter, *m_marked, markPen(palette(), hasFocus()));
  if (hasFocus() && !m_marked) {
    painter.setPen(QPen(accent, focusRing(palette()).widthF(), Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(1, 1, -2, -2));
  }
}

void Treemap::draw(QPainter& painter) const {
  painter.setFont(font());
  paintTreemap(painter, m_groups, tiles(), palette());
}

void Treemap::outline(QPainter& painter, const TreemapSpot& spot, const QPen& pen) const {
  for (const TreemapTile& tile : tiles()) {
    if (tile.spot != spot) continue;
    const double half = pen.widthF() / 2;
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(tile.rect.adjusted(half, half, -half - 1, -half - 1));
  }
}

}  // namespace heapscape::gui
