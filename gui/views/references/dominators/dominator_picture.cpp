// SPDX-License-Identifier: MIT
#include "views/references/dominators/dominator_picture.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QVariantAnimation>
#include <QWheelEvent>
#include <algorithm>
#include <utility>

#include "views/references/dominators/dominator_text.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/hover_bubble.h"
#include "widgets/motion.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

// One turn of the wheel is many events, one step of zoom is enough.
constexpr qint64 kWheelRestMs = 250;
constexpr double kDimmed = 0.2;    // of the colour
constexpr double kLeastFreed = 2;  // of it that is seen
constexpr double kBarMargin = 8;
constexpr double kBarGap = 4;
constexpr double kLeastRow = 24;
constexpr double kLeastBarWidth = 3;
constexpr std::size_t kMostBars = 12;

}  // namespace

DominatorPicture::DominatorPicture(const QString& name, QWidget* parent)
    : QWidget(parent), PictureItems(this), m_motion(new QVariantAnimation(this)), m_bubble(new HoverBubble(this)) {
  m_motion->setStartValue(0.0);
  m_motion->setEndValue(1.0);
  m_motion->setEasingCurve(QEasingCurve::OutCubic);
  connect(m_motion, &QVariantAnimation::valueChanged, this, [this] { update(); });
  connect(m_motion, &QVariantAnimation::finished, this, [this] { m_before = {}; });
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(name);
  setMinimumSize(240, 160);
  const auto paint = [this](QPainter& painter, QSize) {
    if (m_scene) paintPicture(painter, Colours(palette()));
  };
  addPictureActions(this, paint, u"dominators"_s, PictureContents::Hides);
  setContextMenuPolicy(Qt::DefaultContextMenu);
}

void DominatorPicture::setScene(SharedScene scene, std::uint64_t wholeBytes) {
  m_motion->stop();
  const bool moves = m_scene && scene && m_scene->grouping == scene->grouping && isVisible() && !m_drawn.isNull() &&
                     shapes()[0].node.node != scene->shapes[0].node.node && motionMs(*this) > 0;
  const std::uint32_t topBefore = moves ? shapes()[0].node.node : 0;
  QPixmap before = moves ? m_drawn : QPixmap();
  // Where the new top is in the picture that still stands.
  QRectF area;
  if (const auto inner = moves ? shapeOf(scene->shapes[0].node.node) : std::nullopt) area = areaOf(*inner);
  const bool isInward = !area.isEmpty();
  m_scene = std::move(scene);
  m_wholeBytes = wholeBytes;
  m_hovered.reset();
  m_marked.reset();
  m_matches.reset();
  m_freed.reset();
  placeAnew();
  tellItemsChanged();
  if (const auto inner = moves && !isInward ? shapeOf(topBefore) : std::nullopt) area = areaOf(*inner);
  if (!area.isEmpty()) move(std::move(before), area, isInward);
  if (underMouse()) hoverAt(mapFromGlobal(QCursor::pos()));
}

void DominatorPicture::placeAnew() {
  m_drawn = {};
  m_motion->stop();
  m_before = {};
  m_bubble->hide();
  if (m_scene) place();
  update();
}

std::vector<DominatorPicture::AncestorBar> DominatorPicture::ancestorBars() const {
  std::vector<AncestorBar> bars;
  if (!standsAlone()) return bars;
  const DominatorWay& way = m_scene->way;
  const double height = std::max(kLeastRow, fontMetrics().height() * 1.6);
  const auto fitting = static_cast<std::size_t>(std::max(2.0, (this->height() - 2 * kBarMargin) / (height + kBarGap)));
  const std::size_t shown = std::min({way.size(), fitting, kMostBars});
  const double room = width() - 2 * kBarMargin;
  const double whole = static_cast<double>(std::max<std::uint64_t>(1, way.front().retainedBytes));
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t step = i == 0 ? 0 : way.size() - shown + i;
    const QRectF row(kBarMargin, kBarMargin + static_cast<double>(i) * (height + kBarGap), room, height);
    QRectF bar = row;
    bar.setWidth(std::max(kLeastBarWidth, room * static_cast<double>(way[step].retainedBytes) / whole));
    bars.push_back({step, row, bar});
  }
  return bars;
}

void DominatorPicture::paintAncestors(QPainter& painter, const Colours& colours) const {
  constexpr double kGround = 0.45;  // of the colour, so that what is written on it and beside it is legible
  const QFontMetricsF metrics(painter.font());
  std::size_t before = 0;
  for (const AncestorBar& bar : ancestorBars()) {
    const engine::DominatorNode& node = m_scene->way[bar.step];
    painter.fillRect(bar.bar, mixed(dominatorColour(dominatorFamily(node), colours), colours.surface(), kGround));
    painter.setPen(QPen(colours.outline(), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar.bar.adjusted(0.5, 0.5, -0.5, -0.5));
    const QString bytes = bytesText(node.retainedBytes);
    QRectF text = bar.row.adjusted(kBarMargin, 0, -kBarMargin, 0);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter, bytes);
    text.setRight(text.right() - metrics.horizontalAdvance(bytes) - kBarMargin);
    const std::size_t leftOut = bar.step > before + 1 ? bar.step - before - 1 : 0;
    const QString name =
        leftOut ? u"… %1 between … "_s.arg(countText(leftOut)) + dominatorLabel(node) : dominatorLabel(node);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(name, Qt::ElideMiddle, text.width()));
    before = bar.step;
  }
}

void DominatorPicture::paintPicture(QPainter& painter, const Colours& colours) const {
  if (standsAlone()) {
    paintAncestors(painter, colours);
  } else {
    paintShapes(painter, colours);
  }
}

std::optional<std::uint32_t> DominatorPicture::shapeUnder(QPointF point) const {
  if (!standsAlone()) return shapeAt(point);
  return ancestorBars().back().row.contains(point) ? std::optional<std::uint32_t>(0) : std::nullopt;
}

QPainterPath DominatorPicture::shownOutline(std::uint32_t shape) const {
  if (!standsAlone()) return outlineOf(shape);
  QPainterPath path;
  path.addRect(ancestorBars().back().row.adjusted(0.5, 0.5, -0.5, -0.5));
  return path;
}

std::optional<std::uint32_t> DominatorPicture::shapeOf(std::uint32_t node) const {
  const auto isIt = [node](const engine::DominatorShape& shape) {
    return !shape.isRest && (shape.node.node == node ||
                             std::ranges::find(shape.folded, node, &engine::DominatorNode::node) != shape.folded.end());
  };
  const auto found = std::ranges::find_if(shapes(), isIt);
  return found == shapes().end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(found - shapes().begin()));
}

void DominatorPicture::mark(std::optional<std::uint32_t> node) {
  m_marked.reset();
  if (m_scene && node) m_marked = shapeOf(*node);
  tellCurrent();
}

void DominatorPicture::setMatches(std::shared_ptr<const DominatorMatches> matches) {
  if (!m_matches && !matches) return;
  m_matches = std::move(matches);
  m_drawn = {};
  update();
}

void DominatorPicture::setFreed(std::shared_ptr<const std::vector<std::uint64_t>> freed) {
  if (!m_freed && !freed) return;
  const bool isOther = hasFreed() != (freed != nullptr);
  m_freed = std::move(freed);
  m_drawn = {};
  if (isOther) placeAnew();
  update();
}

double DominatorPicture::freedShare(std::uint32_t shape) const {
  const std::uint64_t retained = shapes()[shape].node.retainedBytes;
  if (!m_freed || retained == 0) return 0;
  return static_cast<double>((*m_freed)[shape]) / static_cast<double>(retained);
}

double DominatorPicture::freedHeight(std::uint32_t shape, const QRectF& part) const {
  if (freedShare(shape) <= 0) return 0;
  return std::clamp(part.height() / 5, std::min(kLeastFreed, part.height()), kFreedStrip);
}

void DominatorPicture::paintFreed(QPainter& painter, const Colours& colours, std::uint32_t shape,
                                  const QRectF& part) const {
  const double share = freedShare(shape);
  if (share <= 0) return;
  const double height = freedHeight(shape, part);
  const double width = std::clamp(part.width() * share, std::min(kLeastFreed, part.width()), part.width());
  paintHatch(painter, {part.left(), part.bottom() - height, width, height}, colours);
}

bool DominatorPicture::isMoving() const {
  return m_motion->state() == QAbstractAnimation::Running;
}

QBrush DominatorPicture::fillOf(std::uint32_t shape, const Colours& colours) const {
  if (shapes()[shape].isRest) return colours.freeSpaceBrush();
  const QColor colour = dominatorColour(shapes()[shape], colours);
  return isDimmed(shape) ? mixed(colour, colours.surface(), kDimmed) : colour;
}

QColor DominatorPicture::textOn(std::uint32_t shape, const Colours& colours) const {
  if (shapes()[shape].isRest || isDimmed(shape)) return colours.dimmedText();
  return Colours::textOn(dominatorColour(shapes()[shape], colours));
}

bool DominatorPicture::isRoot(std::uint32_t shape) const {
  return !shapes()[shape].isRest && dominatorFamily(shapes()[shape].node) == DominatorFamily::Roots;
}

void DominatorPicture::move(QPixmap before, QRectF area, bool isInward) {
  draw();
  m_before = std::move(before);
  m_movingArea = area;
  m_isInward = isInward;
  m_motion->setDuration(motionMs(*this));
  m_motion->start();
}

// Two pictures that are drawn already are put on each other: a frame costs the same whatever is in them.
void DominatorPicture::paintMotion(QPainter& painter) const {
  const double way = m_motion->currentValue().toDouble();
  const double open = m_isInward ? way : 1 - way;
  const QRectF whole = rect();
  const auto between = [open](double from, double to) { return from + (to - from) * open; };
  const QRectF inner(
      QPointF(between(m_movingArea.left(), 0), between(m_movingArea.top(), 0)),
      QPointF(between(m_movingArea.right(), whole.width()), between(m_movingArea.bottom(), whole.height())));
  const double across = inner.width() / m_movingArea.width(), along = inner.height() / m_movingArea.height();
  const QRectF outer(inner.left() - m_movingArea.left() * across, inner.top() - m_movingArea.top() * along,
                     whole.width() * across, whole.height() * along);
  const QPixmap& outerPicture = m_isInward ? m_before : m_drawn;
  const QPixmap& innerPicture = m_isInward ? m_drawn : m_before;
  painter.drawPixmap(outer, outerPicture, outerPicture.rect());
  painter.setOpacity(open);
  painter.drawPixmap(inner, innerPicture, innerPicture.rect());
}

BubbleText DominatorPicture::itemText(std::size_t item) const {
  BubbleText text = dominatorBubble(shapes()[item], m_wholeBytes, Colours(palette()), m_scene->isOfGarbage);
  if (const auto shape = static_cast<std::uint32_t>(item); freedShare(shape) > 0)
    text.facts.append(u"%1 of that would be freed"_s.arg(exactBytesText((*m_freed)[shape])));
  return text;
}

QRectF DominatorPicture::itemRect(std::size_t item) const {
  return shownOutline(static_cast<std::uint32_t>(item)).boundingRect();
}

void DominatorPicture::pick(std::uint32_t shape) {
  m_marked = shape;
  tellCurrent();
  Q_EMIT picked(shape);
}

void DominatorPicture::zoomInto(std::uint32_t shape) {
  if (shape == 0) {
    Q_EMIT zoomOutWanted();
  } else if (shapes()[shape].isRest) {
    // They are drawn as soon as their parent has the whole width.
    if (shapes()[shape].parent != 0) Q_EMIT zoomWanted(shapes()[shape].parent);
  } else if (shapes()[shape].node.children > 0) {
    Q_EMIT zoomWanted(shape);
  }
}

void DominatorPicture::hoverAt(std::optional<QPointF> point) {
  const auto hovered = m_scene && point ? shapeUnder(*point) : std::nullopt;
  std::optional<BubbleText> text;
  if (hovered) text = itemText(*hovered);
  m_bubble->showOrHide(point, text);
  if (hovered == m_hovered) return;
  m_hovered = hovered;
  update();
}

bool DominatorPicture::event(QEvent* event) {
  if (event->type() == QEvent::Leave) hoverAt(std::nullopt);
  return QWidget::event(event);
}

void DominatorPicture::draw() {
  if (!m_drawn.isNull()) return;
  const Colours colours(palette());
  m_drawn = QPixmap(size() * devicePixelRatioF());
  m_drawn.setDevicePixelRatio(devicePixelRatioF());
  m_drawn.fill(colours.surface());
  QPainter drawing(&m_drawn);
  drawing.setFont(font());
  paintPicture(drawing, colours);
}

void DominatorPicture::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Colours colours(palette());
  if (!m_scene) {
    painter.fillRect(rect(), colours.surface());
    return;
  }
  draw();
  if (isMoving() && !m_before.isNull()) {
    paintMotion(painter);
    return;
  }
  painter.drawPixmap(0, 0, m_drawn);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  if (m_hovered && m_hovered != m_marked) {
    painter.setPen(QPen(palette().color(QPalette::Text), 1));
    painter.drawPath(shownOutline(*m_hovered));
  }
  if (m_marked) {
    painter.setPen(markPen(palette(), hasFocus()));
    painter.drawPath(shownOutline(*m_marked));
  }
}

void DominatorPicture::resizeEvent(QResizeEvent*) {
  placeAnew();
}

void DominatorPicture::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) placeAnew();
}

void DominatorPicture::mouseMoveEvent(QMouseEvent* event) {
  hoverAt(event->position());
}

void DominatorPicture::mousePressEvent(QMouseEvent* event) {
  if (!m_scene || event->button() != Qt::LeftButton) {
    QWidget::mousePressEvent(event);
    return;
  }
  if (standsAlone()) {
    for (const AncestorBar& bar : ancestorBars()) {
      if (bar.step + 1 < m_scene->way.size() && bar.row.contains(event->position())) {
        Q_EMIT stepWanted(bar.step);
        return;
      }
    }
  }
  const auto shape = shapeUnder(event->position());
  m_pressed.reset();
  if (!shape) return;
  if (!shapes()[*shape].isRest) {
    m_pressed = shapes()[*shape].node;
    pick(*shape);
  }
  zoomInto(*shape);
}

void DominatorPicture::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !m_scene || !m_pressed) return;
  // The first click has zoomed already: it is about what was under the pointer then.
  const auto isIt = [this](const engine::DominatorShape& shape) {
    return !shape.isRest && shape.node.node == m_pressed->node;
  };
  const auto found = std::ranges::find_if(shapes(), isIt);
  if (found != shapes().end()) Q_EMIT opened(static_cast<std::uint32_t>(found - shapes().begin()));
}

void DominatorPicture::wheelEvent(QWheelEvent* event) {
  event->accept();
  if (!m_scene || event->angleDelta().y() == 0) return;
  if (m_sinceWheel.isValid() && m_sinceWheel.elapsed() < kWheelRestMs) return;
  m_sinceWheel.start();
  if (event->angleDelta().y() < 0) {
    Q_EMIT zoomOutWanted();
  } else if (const auto shape = shapeUnder(event->position()); shape && *shape != 0) {
    zoomInto(*shape);
  }
}

std::optional<std::uint32_t> DominatorPicture::sibling(std::uint32_t shape, int step) const {
  // Siblings stand side by side in the list, too.
  const std::int64_t other = static_cast<std::int64_t>(shape) + step;
  if (shape == 0 || other < 1 || other >= static_cast<std::int64_t>(shapes().size())) return std::nullopt;
  const auto index = static_cast<std::uint32_t>(other);
  return shapes()[index].parent == shapes()[shape].parent && isDrawn(index) ? std::optional(index) : std::nullopt;
}

std::optional<std::uint32_t> DominatorPicture::firstChild(std::uint32_t shape) const {
  for (std::uint32_t i = shape + 1; i < shapes().size(); ++i) {
    if (shapes()[i].parent == shape) return isDrawn(i) ? std::optional(i) : std::nullopt;
  }
  return std::nullopt;
}

std::uint32_t DominatorPicture::neighbour(std::uint32_t shape, int key) const {
  switch (key) {
    case Qt::Key_Up:
      return shapes()[shape].parent;
    case Qt::Key_Down:
      return firstChild(shape).value_or(shape);
    case Qt::Key_Left:
      return sibling(shape, -1).value_or(shape);
    default:
      return sibling(shape, 1).value_or(shape);
  }
}

void DominatorPicture::keyPressEvent(QKeyEvent* event) {
  if (!m_scene) {
    QWidget::keyPressEvent(event);
    return;
  }
  const std::uint32_t marked = m_marked.value_or(0);
  switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
      pick(m_marked ? neighbour(marked, event->key()) : 0);
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier)) {
        Q_EMIT opened(marked);
      } else {
        zoomInto(marked);
      }
      return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      if (marked != 0) zoomInto(marked);
      return;
    case Qt::Key_Minus:
    case Qt::Key_Backspace:
    case Qt::Key_Escape:
      Q_EMIT zoomOutWanted();
      return;
    case Qt::Key_Home:
    case Qt::Key_0:
      Q_EMIT wholeWanted();
      return;
    default:
      if (takesKey(event->key())) return;
      QWidget::keyPressEvent(event);
  }
}

void DominatorPicture::contextMenuEvent(QContextMenuEvent* event) {
  if (!m_scene) return;
  const bool byKeyboard = event->reason() == QContextMenuEvent::Keyboard;
  const std::uint32_t shape = byKeyboard ? m_marked.value_or(0) : shapeUnder(event->pos()).value_or(0);
  m_bubble->hide();
  Q_EMIT menuWanted(shape, byKeyboard ? mapToGlobal(pointIn(shape).toPoint()) : event->globalPos());
}

}  // namespace heapscape::gui
