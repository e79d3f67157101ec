// SPDX-License-Identifier: MIT
// How the map answers the mouse and the keyboard.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>
#include <cmath>

#include "views/segments/map_header.h"
#include "views/segments/segment_map.h"
#include "views/segments/spot_text.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr double kSegmentMapInputZoomStep = 1.5;
constexpr double kPanStep = 0.125;
constexpr double kWheelUnit = 120;

}  // namespace

void SegmentMap::setupActions() {
  const auto add = [this](const QString& text, auto run) {
    auto* action = new QAction(text, this);
    connect(action, &QAction::triggered, this, run);
    addAction(action);
    return action;
  };
  m_openObject = add(u"Open the selected object"_s, [this] {
    if (m_marked) Q_EMIT opened(m_selection);
  });
  m_openObject->setEnabled(false);
  add(u"Fit this segment"_s, [this] {
    if (!m_current) return;
    m_state.toggleFit(*m_current);
    afterZoom();
  });
  add(u"Fit all segments"_s, [this] { fitAll(); });
  add(u"Select the addresses in view"_s, [this] { brushView(); });
  m_copyAddress = add(u"Copy address of the selected object"_s, [this] {
    if (m_marked) QGuiApplication::clipboard()->setText(addressText(m_marked->address));
  });
  m_copyAddress->setEnabled(false);
  addPictureActions(
      this, [this](QPainter& painter, QSize) { paintPicture(painter); }, u"segments"_s, PictureContents::None);
}

bool SegmentMap::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave) {
    m_pointer.reset();
    m_bubble->hide();
    updateHeader();
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void SegmentMap::wheelEvent(QWheelEvent* event) {
  const QPointF point = event->position();
  const auto lane = m_state.geometry().laneAt(static_cast<int>(std::floor(toMap(point).y())));
  const bool isOnBar = lane && point.x() >= m_state.geometry().lanes[*lane].bar.left() &&
                       point.x() <= m_state.geometry().lanes[*lane].bar.right();
  const bool isScrolling = event->modifiers() & Qt::ShiftModifier;
  if (!isOnBar || isScrolling) {
    QScrollBar* bar = verticalScrollBar();
    const int delta = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    bar->setValue(bar->value() - static_cast<int>(std::lround(delta / kWheelUnit * 3 * bar->singleStep())));
    event->accept();
    return;
  }
  const QRect bar = m_state.geometry().lanes[*lane].bar;
  const double share = (point.x() - bar.left()) / bar.width();
  LaneView view = m_state.view(*lane);
  if (event->angleDelta().y() != 0) {
    view = zoomed(view, std::pow(kSegmentMapInputZoomStep, -event->angleDelta().y() / kWheelUnit), share,
                  m_state.limits(*lane));
  }
  if (event->angleDelta().x() != 0) {
    view = panned(view, -event->angleDelta().x() / kWheelUnit * kPanStep / 2, m_state.limits(*lane));
  }
  m_state.setView(*lane, view);
  setCurrentLane(lane);
  afterZoom();
  hoverAt(point);
  event->accept();
}

void SegmentMap::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const MapSpot spot = m_state.spotAt(toMap(event->position()));
  const auto lane = m_state.geometry().laneAt(static_cast<int>(std::floor(toMap(event->position()).y())));
  m_drag = Drag{event->position(), event->position(), lane ? std::optional(spot.lane) : std::nullopt, false};
  if (lane) setCurrentLane(lane);
  if (lane && (event->modifiers() & Qt::ShiftModifier) && m_state.hasObjects())
    m_drag->brushFrom = m_state.scale(*lane).addressAt(event->position().x());
}

void SegmentMap::mouseMoveEvent(QMouseEvent* event) {
  const QPointF point = event->position();
  if (!m_drag || !(event->buttons() & Qt::LeftButton)) {
    hoverAt(point);
    return;
  }
  if (!m_drag->isMoving && (point - m_drag->start).manhattanLength() < QApplication::startDragDistance()) return;
  m_drag->isMoving = true;
  m_bubble->hide();
  if (m_drag->brushFrom) {
    brushTo(point.x());
    return;
  }
  viewport()->setCursor(Qt::ClosedHandCursor);
  const QPointF moved = point - m_drag->last;
  m_drag->last = point;
  if (m_drag->lane && m_state.isZoomed(*m_drag->lane)) {
    const double width = m_state.geometry().lanes[*m_drag->lane].bar.width();
    m_state.setView(*m_drag->lane,
                    panned(m_state.view(*m_drag->lane), -moved.x() / width, m_state.limits(*m_drag->lane)));
  }
  verticalScrollBar()->setValue(verticalScrollBar()->value() - static_cast<int>(std::lround(moved.y())));
  m_pointer = point;
  afterZoom();
}

void SegmentMap::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !m_drag) return;
  const bool wasMoving = m_drag->isMoving;
  const bool wasBrushing = m_drag->brushFrom.has_value();
  m_drag.reset();
  viewport()->unsetCursor();
  if (!wasMoving && !wasBrushing) pickAt(event->position());
  hoverAt(event->position());
}

// To whole words of the heap, so that the range that is told of is the one that was brushed.
void SegmentMap::brushTo(double x) {
  const std::size_t lane = *m_drag->lane;
  const engine::AddressRange objects = m_state.segment(lane).objects;
  const QRect bar = m_state.geometry().lanes[lane].bar;
  const double inside = std::clamp<double>(x, bar.left(), bar.right() + 1);
  const auto [from, to] = std::minmax({*m_drag->brushFrom, m_state.scale(lane).addressAt(inside)});
  brush({std::max(objects.start, engine::Address{from.value & ~7ull}),
         std::min(objects.end, engine::Address{engine::alignUp(to.value, 8)})});
}

void SegmentMap::brushView() {
  if (!m_current || !m_state.hasObjects()) return;
  const engine::AddressRange objects = m_state.segment(*m_current).objects;
  const engine::AddressRange shown = m_state.scale(*m_current).window();
  brush({std::max(objects.start, engine::Address{shown.start.value & ~7ull}),
         std::min(objects.end, engine::Address{engine::alignUp(shown.end.value, 8)})});
}

void SegmentMap::mouseDoubleClickEvent(QMouseEvent* event) {
  const auto lane = m_state.geometry().laneAt(static_cast<int>(std::floor(toMap(event->position()).y())));
  if (!lane || event->button() != Qt::LeftButton) return;
  const MapSpot spot = m_state.spotAt(toMap(event->position()));
  const LaneContent* content = spot.kind == MapSpot::Kind::Objects ? contentAt(spot.lane, spot.address) : nullptr;
  const engine::ObjectRow* object = content && content->hasObjects ? content->objectAt(spot.address) : nullptr;
  if (object) {
    pickObject(*object);
    Q_EMIT opened(m_selection);
    return;
  }
  m_state.toggleFit(*lane);
  afterZoom();
}

BubbleText SegmentMap::itemText(std::size_t item) const {
  if (item < m_state.lanes().size()) return segmentText(m_state, m_look.colours, item);
  return objectText(m_state, m_look.colours, {.row = *m_marked}, 1);
}

QRectF SegmentMap::itemRect(std::size_t item) const {
  const QPointF down(0, verticalScrollBar()->value());
  const auto& rows = m_state.geometry().lanes;
  if (item < rows.size()) return QRectF(rows[item].row).translated(-down);
  const auto lane = m_state.laneOf(m_marked->segment);
  if (!lane) return {};
  const AddressScale scale = m_state.scale(*lane);
  QRectF rect = rows[*lane].bar;
  rect.setLeft(scale.xOf(m_marked->address));
  rect.setRight(std::max(rect.left() + 1, scale.xOf(m_marked->address + m_marked->alignedBytes)));
  return (rect & QRectF(rows[*lane].bar)).translated(-down);
}

std::optional<std::size_t> SegmentMap::currentItem() const {
  return m_isOnObject ? std::optional(m_state.lanes().size()) : m_current;
}

void SegmentMap::goToItem(std::size_t item) {
  m_isOnObject = item == m_state.lanes().size();
  if (m_isOnObject) {
    revealMarked();
  } else {
    setCurrentLane(item);
    revealLane(item);
  }
  tellCurrent();
}

void SegmentMap::pressItem(std::size_t item) {
  if (item == m_state.lanes().size()) {
    Q_EMIT opened(m_selection);
    return;
  }
  Selection segment;
  segment.segment = m_state.lanes()[item].id;
  Q_EMIT picked(segment);
}

void SegmentMap::zoomAtPointer(double factor) {
  if (!m_current) return;
  const QRect bar = m_state.geometry().lanes[*m_current].bar;
  const bool isOver = m_pointer && bar.contains(toMap(*m_pointer).toPoint());
  const double share = isOver ? (m_pointer->x() - bar.left()) / bar.width() : 0.5;
  m_state.setView(*m_current, zoomed(m_state.view(*m_current), factor, share, m_state.limits(*m_current)));
  afterZoom();
}

void SegmentMap::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && m_brushed) {
    brush({});
    return;
  }
  if (!m_current || !(handleZoomKey(event->key()) || handleMoveKey(event->key(), event->modifiers()))) {
    QAbstractScrollArea::keyPressEvent(event);
  }
}

bool SegmentMap::handleZoomKey(int key) {
  switch (key) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoomBy(1 / kSegmentMapInputZoomStep);
      return true;
    case Qt::Key_Minus:
      zoomBy(kSegmentMapInputZoomStep);
      return true;
    case Qt::Key_W:
      zoomAtPointer(1 / kSegmentMapInputZoomStep);
      return true;
    case Qt::Key_S:
      zoomAtPointer(kSegmentMapInputZoomStep);
      return true;
    case Qt::Key_B:
      brushView();
      return true;
    case Qt::Key_0:
      fitAll();
      return true;
    case Qt::Key_F:
      m_state.toggleFit(*m_current);
      afterZoom();
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (m_marked && m_marked->segment == m_state.lanes()[*m_current].id) {
        revealMarked();
      } else {
        pickNeighbour(true);
      }
      return true;
    default:
      return false;
  }
}

bool SegmentMap::handleMoveKey(int key, Qt::KeyboardModifiers modifiers) {
  const std::size_t lane = *m_current;
  LaneView view = m_state.view(lane);
  switch (key) {
    case Qt::Key_Up:
      moveLane(-1);
      return true;
    case Qt::Key_Down:
      moveLane(1);
      return true;
    case Qt::Key_PageUp:
      moveLane(-std::max(1, viewport()->height() / m_state.metrics().laneHeight - 1));
      return true;
    case Qt::Key_PageDown:
      moveLane(std::max(1, viewport()->height() / m_state.metrics().laneHeight - 1));
      return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (modifiers & Qt::ControlModifier) {
        pickNeighbour(key == Qt::Key_Right);
        return true;
      }
      view = panned(view, key == Qt::Key_Right ? kPanStep : -kPanStep, m_state.limits(lane));
      break;
    case Qt::Key_A:
    case Qt::Key_D:
      view = panned(view, key == Qt::Key_D ? kPanStep : -kPanStep, m_state.limits(lane));
      break;
    case Qt::Key_Home:
      view.offset = 0;
      break;
    case Qt::Key_End:
      view.offset = static_cast<double>(m_state.segment(lane).objects.sizeBytes()) - view.span * 0.95;
      break;
    default:
      return false;
  }
  m_state.setView(lane, view);
  afterZoom();
  return true;
}

void SegmentMap::moveLane(int steps) {
  const auto last = static_cast<long>(m_state.lanes().size()) - 1;
  const long wanted = std::clamp(static_cast<long>(m_current.value_or(0)) + steps, 0L, std::max(last, 0L));
  goToItem(static_cast<std::size_t>(wanted));
}

void SegmentMap::setCurrentLane(std::optional<std::size_t> lane) {
  if (m_current == lane) return;
  m_current = lane;
  m_loadTimer.start();
  updateHeader();
  viewport()->update();
}

void SegmentMap::hoverAt(QPointF point) {
  m_pointer = point;
  const auto row = m_state.geometry().laneAt(static_cast<int>(std::floor(toMap(point).y())));
  if (!row || !viewport()->rect().contains(point.toPoint())) {
    m_bubble->hide();
    return;
  }
  setCurrentLane(row);
  updateHeader();
  const MapSpot spot = m_state.spotAt(toMap(point));
  const LaneContent* content = spot.kind == MapSpot::Kind::Objects ? contentAt(spot.lane, spot.address) : nullptr;
  if (spot.kind == MapSpot::Kind::Outside && point.x() >= m_state.geometry().lanes[*row].bar.left() &&
      point.x() <= m_state.geometry().lanes[*row].bar.right()) {
    m_bubble->hide();
  } else if (spot.kind != MapSpot::Kind::Objects || !m_state.hasObjects()) {
    m_bubble->showAt(point.toPoint(), spotText(m_state, m_look.colours, spot));
  } else if (content && content->hasObjects) {
    const engine::ObjectRow* object = content->objectAt(spot.address);
    if (object) {
      m_bubble->showAt(point.toPoint(), objectText(m_state, m_look.colours, {.row = *object}, 1));
      askObjectAt(spot, 1);
    } else {
      m_bubble->showAt(point.toPoint(), gapText(m_state, spot));
    }
  } else {
    askObjectAt(spot, content ? objectsAt(*content, spot.address) : 0);
  }
}

void SegmentMap::askObjectAt(const MapSpot& spot, std::uint64_t neighbours) {
  m_bridge.ask(
      this, "hover",
      [address = spot.address, pins = m_state.paint().pins](const engine::Snapshot& snapshot, std::stop_token) {
        return mapObjectAt(snapshot, address, pins.get());
      },
      [this, spot, neighbours](const std::optional<engine::MapObject>& object) {
        // The pointer may have moved on while the engine was looking.
        if (!m_pointer || m_drag || m_state.spotAt(toMap(*m_pointer)).kind != MapSpot::Kind::Objects) return;
        m_bubble->showAt(m_pointer->toPoint(),
                         object ? objectText(m_state, m_look.colours, *object, neighbours) : gapText(m_state, spot));
      });
}

void SegmentMap::pickAt(QPointF point) {
  const MapSpot spot = m_state.spotAt(toMap(point));
  if (!m_state.geometry().laneAt(static_cast<int>(std::floor(toMap(point).y())))) return;
  Selection segmentOnly;
  segmentOnly.segment = m_state.lanes()[spot.lane].id;
  if (spot.kind != MapSpot::Kind::Objects || !m_state.hasObjects()) {
    Q_EMIT picked(segmentOnly);
    return;
  }
  m_bridge.ask(
      this, "pick",
      [address = spot.address](const engine::Snapshot& snapshot, std::stop_token) {
        return objectAt(snapshot, address);
      },
      [this, segmentOnly](const std::optional<engine::ObjectRow>& object) {
        if (object) {
          pickObject(*object);
        } else {
          Q_EMIT picked(segmentOnly);
        }
      });
}

void SegmentMap::pickObject(const engine::ObjectRow& object) {
  setMarked(object);
  Selection selection;
  selection.object = object.address;
  selection.segment = object.segment;
  const auto& types = m_state.snapshot()->types();
  if (object.type.value < types.size()) selection.methodTable = types[object.type.value].methodTable;
  m_selection = selection;
  Q_EMIT picked(selection);
}

void SegmentMap::pickNeighbour(bool forward) {
  if (!m_state.hasObjects() || !m_current) return;
  const engine::Segment& segment = m_state.segment(*m_current);
  const bool isHere = m_marked && m_marked->segment == m_state.lanes()[*m_current].id;
  engine::Address address = m_state.scale(*m_current).window().start;
  if (isHere) address = forward ? m_marked->address + m_marked->alignedBytes : m_marked->address - 8;
  if (!segment.objects.contains(address)) return;
  m_bridge.ask(
      this, "pick",
      [address, forward, range = segment.objects](const engine::Snapshot& snapshot, std::stop_token stop) {
        std::optional<engine::ObjectRow> object = objectAt(snapshot, address);
        if (object || !forward) return object;
        engine::ObjectFilter filter;
        filter.addresses = engine::AddressRange{address, range.end};
        const auto next = listObjects(snapshot, filter, 0, 1, stop);
        return next.empty() ? object : std::optional(next.front());
      },
      [this](const std::optional<engine::ObjectRow>& object) {
        if (!object) return;
        pickObject(*object);
        goToItem(m_state.lanes().size());
      });
}

}  // namespace heapscape::gui
