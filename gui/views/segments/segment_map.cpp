// SPDX-License-Identifier: MIT
#include "views/segments/segment_map.h"

#include <QEvent>
#include <QScrollBar>

#include "views/segments/map_header.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {
constexpr int kLoadDelayMs = 15;  // lets a burst of wheel steps end in one question
}

SegmentMap::SegmentMap(EngineBridge& bridge, QWidget* parent)
    : QAbstractScrollArea(parent),
      PictureItems(this),
      m_bridge(bridge),
      m_loader(new LaneLoader(bridge, this)),
      m_header(new MapHeader(this)),
      m_bubble(new HoverBubble(viewport())) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(QStringLiteral("Segment map"));
  viewport()->setMouseTracking(true);
  m_loadTimer.setSingleShot(true);
  m_loadTimer.setInterval(kLoadDelayMs);
  connect(&m_loadTimer, &QTimer::timeout, this, &SegmentMap::requestContents);
  connect(m_loader, &LaneLoader::arrived, this, [this] {
    viewport()->update();
    updateHeader();
  });
  connect(m_header, &MapHeader::moved, this, [this](double share) {
    if (!m_current) return;
    LaneView view = m_state.view(*m_current);
    view.offset = share * static_cast<double>(m_state.lanes()[*m_current].bytes) - view.span / 2;
    m_state.setView(*m_current, view);
    afterZoom();
  });
  setupActions();
  relayout();
}

void SegmentMap::showSnapshot(const engine::Snapshot& snapshot) {
  changeLanes([&] { m_state.setSnapshot(snapshot); });
  if (m_selection.object && !m_marked) showSelection(m_selection, false);
}

void SegmentMap::clear() {
  m_loadTimer.stop();
  m_loader->clear();
  m_state.clear();
  m_bubble->hide();
  m_current.reset();
  m_pointer.reset();
  m_drag.reset();
  m_selection = {};
  setMarked(std::nullopt);
  relayout();
}

void SegmentMap::setFilter(const LaneFilter& filter) {
  changeLanes([&] { m_state.setFilter(filter); });
  m_bubble->hide();
}

void SegmentMap::changeLanes(const std::function<void()>& change) {
  std::optional<engine::SegmentId> current;
  if (m_current) current = m_state.lanes()[*m_current].id;
  m_drag.reset();
  change();
  m_current = current ? m_state.laneOf(*current) : std::nullopt;
  if (!m_current && !m_state.lanes().empty()) m_current = 0;
  relayout();
  tellItemsChanged();
}

void SegmentMap::setMarked(const std::optional<engine::ObjectRow>& object) {
  m_marked = object;
  m_isOnObject = m_isOnObject && object;
  m_copyAddress->setEnabled(object.has_value());
  m_openObject->setEnabled(object.has_value());
  viewport()->update();
}

void SegmentMap::showEvent(QShowEvent* event) {
  QAbstractScrollArea::showEvent(event);
  m_loadTimer.start();  // nothing was read for a map that nobody saw
}

void SegmentMap::setFillsWidth(bool fills) {
  m_state.setFillsWidth(fills);
  relayout();
  Q_EMIT zoomChanged();
}

void SegmentMap::fitAll() {
  m_state.fitAll();
  afterZoom();
}

void SegmentMap::zoomBy(double factor) {
  if (!m_current) return;
  m_state.setView(*m_current, zoomed(m_state.view(*m_current), factor, 0.5, m_state.limits(*m_current)));
  afterZoom();
}

const LaneContent* SegmentMap::contentAt(std::size_t lane, engine::Address address) const {
  const engine::SegmentId segment = m_state.lanes()[lane].id;
  const LaneContent* view = m_state.isZoomed(lane) ? m_loader->find(segment, LanePart::View) : nullptr;
  return view && view->question.window.contains(address) ? view : m_loader->find(segment, LanePart::Home);
}

void SegmentMap::relayout() {
  m_look = MapLook(palette(), font());
  m_look.pixelRatio = viewport()->devicePixelRatioF();
  const int headerHeight = MapHeader::heightFor(fontMetrics());
  setViewportMargins(0, headerHeight, 0, 0);
  m_header->setGeometry(0, 0, viewport()->width(), headerHeight);
  m_state.layout(viewport()->size(), fontMetrics(), QFontMetrics(m_look.fixedFont));
  updateScrollBar();
  updateHeader();
  m_loadTimer.start();
  viewport()->update();
}

void SegmentMap::updateScrollBar() {
  QScrollBar* bar = verticalScrollBar();
  bar->setPageStep(viewport()->height());
  bar->setSingleStep(m_state.metrics().laneHeight);
  bar->setRange(0, std::max(0, m_state.geometry().height - viewport()->height()));
}

void SegmentMap::afterZoom() {
  updateScrollBar();
  updateHeader();
  m_loadTimer.start();
  viewport()->update();
  Q_EMIT zoomChanged();
}

void SegmentMap::updateHeader() {
  HeaderSubject subject;
  subject.state = &m_state;
  subject.look = &m_look;
  subject.lane = m_current;
  if (m_current) subject.strip = m_loader->find(m_state.lanes()[*m_current].id, LanePart::Strip);
  if (m_pointer && m_current) {
    const MapSpot spot = m_state.spotAt(toMap(*m_pointer));
    if (spot.kind != MapSpot::Kind::Outside && spot.lane == *m_current) subject.pointer = spot.address;
  }
  m_header->setSubject(subject);
}

void SegmentMap::requestContents() {
  if (!m_state.hasObjects() || !isVisible()) return;
  const double ratio = m_look.pixelRatio;
  std::vector<LaneQuestion> questions;
  const auto add = [&](std::size_t lane, LanePart part) {
    const LaneQuestion question = m_state.question(lane, part, ratio);
    if (question.cells > 0) questions.push_back(question);
  };
  if (m_current) {
    add(*m_current, m_state.isZoomed(*m_current) ? LanePart::View : LanePart::Home);
    add(*m_current, LanePart::Strip);
  }
  const int top = verticalScrollBar()->value();
  const auto& rows = m_state.geometry().lanes;
  for (std::size_t lane = m_state.geometry().firstLaneBelow(top); lane < rows.size(); ++lane) {
    if (rows[lane].row.top() > top + viewport()->height()) break;
    if (m_state.isZoomed(lane)) add(lane, LanePart::View);
    add(lane, LanePart::Home);
  }
  m_loader->want(std::move(questions));
}

QPointF SegmentMap::toMap(QPointF viewportPoint) const {
  return viewportPoint + QPointF(0, verticalScrollBar()->value());
}

void SegmentMap::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) relayout();
}

void SegmentMap::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  relayout();
}

void SegmentMap::scrollContentsBy(int, int) {
  m_loadTimer.start();
  if (m_pointer && !m_drag) hoverAt(*m_pointer);
  viewport()->update();
}

void SegmentMap::showSelection(const Selection& selection, bool reveals) {
  m_selection = selection;
  if (!selection.object) {
    setMarked(std::nullopt);
    const auto lane = selection.segment.isNone() ? std::nullopt : m_state.laneOf(selection.segment);
    if (lane && reveals) {
      setCurrentLane(lane);
      revealLane(*lane);
    }
    return;
  }
  if (!m_state.hasObjects() || (m_marked && m_marked->address == selection.object && !reveals)) return;
  m_bridge.ask(
      this, "mark",
      [address = selection.object](const engine::Snapshot& snapshot, std::stop_token) {
        return objectAt(snapshot, address);
      },
      [this, reveals](const std::optional<engine::ObjectRow>& object) {
        setMarked(object);
        if (object && reveals) revealMarked();
      });
}

void SegmentMap::revealLane(std::size_t lane) {
  const QRect row = m_state.geometry().lanes[lane].row;
  QScrollBar* bar = verticalScrollBar();
  const int margin = m_state.metrics().headingHeight;
  if (row.top() - margin < bar->value()) {
    bar->setValue(row.top() - margin);
  } else if (row.bottom() + margin > bar->value() + viewport()->height()) {
    bar->setValue(row.bottom() + margin - viewport()->height());
  }
}

void SegmentMap::revealMarked() {
  constexpr double kLeastPixels = 3;
  constexpr double kSurroundings = 10;  // times the object's size
  constexpr double kLeastSpan = 1024;
  if (!m_state.laneOf(m_marked->segment)) Q_EMIT filterHidesSelection();
  const auto lane = m_state.laneOf(m_marked->segment);
  if (!lane) return;
  const double offset = static_cast<double>(m_marked->address - m_state.segment(*lane).objects.start);
  const double bytes = static_cast<double>(m_marked->alignedBytes);
  LaneView view = m_state.view(*lane);
  if (bytes / m_state.scale(*lane).bytesPerPixel() < kLeastPixels) {
    view.span = std::max(bytes * kSurroundings, kLeastSpan);
    view.offset = offset + bytes / 2 - view.span / 2;
  }
  m_state.setView(*lane, revealing(view, offset, bytes, m_state.limits(*lane)));
  setCurrentLane(lane);
  afterZoom();
  revealLane(*lane);
}

}  // namespace heapscape::gui
