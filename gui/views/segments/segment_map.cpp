// SPDX-License-Identifier: MIT
#include "views/segments/segment_map.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "views/segments/map_header.h"
#include "views/segments/spot_text.h"
#include "widgets/drawing/marks.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

// How the map draws itself: headings, labels and figures here, what lies along the addresses in LanePainter.

namespace heapscape::gui {

namespace {
constexpr int kRulerRoom = 8;     // that addresses may take beyond the bar
constexpr int kLoadDelayMs = 15;  // lets a burst of wheel steps end in one question
}  // namespace

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
  setAccessibleName(u"Segment map"_s);
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
  brush({});
  setMarked(std::nullopt);
  relayout();
}

void SegmentMap::setColours(std::shared_ptr<const engine::MapColours> colours) {
  engine::MapPaint paint = m_state.paint();
  paint.colours = std::move(colours);
  changePaint(std::move(paint));
}

void SegmentMap::setPins(std::shared_ptr<const engine::MapPins> pins) {
  engine::MapPaint paint = m_state.paint();
  paint.pins = std::move(pins);
  changePaint(std::move(paint));
}

void SegmentMap::setHighlight(std::shared_ptr<const engine::MapHighlight> highlight) {
  engine::MapPaint paint = m_state.paint();
  const bool isOther = paint.highlight != highlight;
  paint.highlight = std::move(highlight);
  changePaint(std::move(paint));
  m_isRevealing = true;
  if (isOther && m_state.paint().highlight) fitHighlight();
  m_isRevealing = false;
}

void SegmentMap::changePaint(engine::MapPaint paint) {
  if (paint == m_state.paint()) return;
  m_state.setPaint(std::move(paint));
  relayout();
}

// Where many segments have some, each at its place in the whole tells more than all of them zoomed.
void SegmentMap::fitHighlight() {
  constexpr std::size_t kMostFitted = 8;
  const std::vector<engine::HighlightedPart>& parts = m_state.paint().highlight->parts();
  const auto isHidden = [this](const engine::HighlightedPart& part) { return !m_state.laneOf(part.segment); };
  if (std::ranges::any_of(parts, isHidden)) Q_EMIT filterHidesSelection();
  m_state.fitAll();
  for (const engine::HighlightedPart& part : parts) {
    const auto lane = m_state.laneOf(part.segment);
    if (lane && parts.size() <= kMostFitted) m_state.fitTo(*lane, part.range);
  }
  const auto first = parts.empty() ? std::nullopt : m_state.laneOf(parts.front().segment);
  if (first) setCurrentLane(first);
  afterZoom();
  if (first) revealLane(*first);
}

void SegmentMap::reveal(engine::Address address) {
  const auto segment = m_state.segmentHolding(address);
  if (segment && !m_state.laneOf(*segment)) Q_EMIT filterHidesSelection();
  const auto lane = segment ? m_state.laneOf(*segment) : std::nullopt;
  if (!lane) return;
  LaneView view = m_state.view(*lane);
  view.offset = static_cast<double>(address - m_state.segment(*lane).objects.start) - view.span / 2;
  m_state.setView(*lane, view);
  setCurrentLane(lane);
  afterZoom();
  revealLane(*lane);
}

void SegmentMap::brush(engine::AddressRange range) {
  const auto wanted = range.isEmpty() ? std::nullopt : std::optional(range);
  if (wanted == m_brushed) return;
  m_brushed = wanted;
  viewport()->update();
  Q_EMIT brushChanged();
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

void SegmentMap::setViews(MapState::Views views) {
  m_state.setViews(std::move(views));
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
  if (m_state.snapshot()) m_look.setColours(m_state.paint().colours, *m_state.snapshot());
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
        m_isRevealing = true;
        if (object && reveals) revealMarked();
        m_isRevealing = false;
      });
}

void SegmentMap::revealLane(std::size_t lane) {
  const QRect row = m_state.geometry().lanes[lane].row;
  QScrollBar* bar = verticalScrollBar();
  const int margin = std::clamp((viewport()->height() - row.height()) / 2, 0, m_state.metrics().headingHeight);
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

namespace {

QString magnificationText(double magnification) {
  if (magnification < 1) return u"1/%1 scale"_s.arg(qRound(1 / magnification * 10) / 10.0);
  if (magnification < 10) return u"%1× zoom"_s.arg(qRound(magnification * 10) / 10.0);
  return u"%1× zoom"_s.arg(countText(static_cast<std::uint64_t>(magnification + 0.5)));
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
    if (row.isHeading) {
      paintHeading(painter, geometry.headings[row.index]);
    } else {
      paintLane(painter, geometry.lanes[row.index], false);
    }
    painter.translate(0, -down);
  }
}

void SegmentMap::paintHeading(QPainter& painter, const HeadingRow& heading) {
  if (heading.row.top() > 0) {
    painter.fillRect(heading.row.adjusted(0, 0, 0, 1 - heading.row.height()), m_look.colours.gridLine());
  }
  painter.setFont(m_look.boldFont);
  painter.setPen(m_look.text);
  painter.drawText(heading.label, Qt::AlignLeft | Qt::AlignVCenter, u"Heap %1"_s.arg(heading.heap));
  if (!m_state.hasObjects()) {
    painter.setFont(m_look.font);
    painter.setPen(m_look.colours.dimmedText());
    painter.drawText(heading.figures.front().united(heading.figures.back()), Qt::AlignRight | Qt::AlignVCenter,
                     u"walking…"_s);
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
  const LaneContent* finest = view ? view : home;
  if (finest && !finest->cells.empty())
    lanePainter.paintPins(bar, pinPlaces(*finest, scale, bar.left(), bar.right(), kPinMarkSize.width() - 1));
  if (m_brushed && segment.objects.contains(m_brushed->start)) lanePainter.paintBrushed(bar, scale, *m_brushed);
  if (m_marked && m_marked->segment == m_state.lanes()[lane].id) lanePainter.paintSelection(bar, scale, *m_marked);
  if (!row.ruler.isEmpty()) {
    const bool isUnderPointer =
        forScreen && m_pointer && m_current == lane && row.row.contains(toMap(*m_pointer).toPoint());
    const auto pointed = isUnderPointer ? std::optional(scale.addressAt(m_pointer->x())) : std::nullopt;
    lanePainter.paintRuler(QRectF(row.ruler).adjusted(-kRulerRoom, 0, kRulerRoom, 0), scale, pointed, true);
  }
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
  const std::vector<MapShade> shades = shadesFor(m_look, content, *m_state.snapshot());
  if (content.hasObjects) {
    lanePainter.paintObjects(bar, scale, content, m_state.snapshot()->types(), shades);
    return;
  }
  const int height = static_cast<int>(bar.height() * m_look.pixelRatio);
  lanePainter.paintDensity(bar, densityRuns(content, scale, left, right, 1 / m_look.pixelRatio, height), shades,
                           isDamaged);
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
  const bool isByGeneration = !m_look.map || m_look.map->colouring() == engine::MapColouring::Generation;
  const QRect swatch(line.left(), line.center().y() - side / 2 + 1, side, side);
  painter.fillRect(swatch, contents && isByGeneration ? m_look.colours.of(mainGeneration(segment)) : m_look.neutral);
  QRect name = line.adjusted(side + m_state.metrics().padding, 0, -m_state.metrics().addressWidth, 0);
  painter.setFont(m_look.font);
  painter.setPen(m_look.text);
  const bool isDamaged = contents && contents->unreadBytes > 0;
  if (isDamaged) painter.setPen(m_look.colours.warning());
  const QString kind = segmentKindText(segment.kind);
  painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(isDamaged ? kind + u" ⚠"_s : kind, Qt::ElideRight, name.width()));
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
    painter.drawText(columns.front(), Qt::AlignRight | Qt::AlignVCenter, u"…"_s);
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
