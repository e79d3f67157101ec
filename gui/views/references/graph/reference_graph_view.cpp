// SPDX-License-Identifier: MIT
#include "views/references/graph/reference_graph_view.h"

#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <array>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "models/names/reach_text.h"
#include "models/rows/picked_sets.h"
#include "session/dominators/accumulation_points.h"
#include "session/references/neighbours_query.h"
#include "views/references/graph/edge_item.h"
#include "views/references/graph/graph_canvas.h"
#include "views/references/graph/graph_toolbar.h"
#include "views/references/graph/start_list.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/drawing/picture_legend.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

namespace {

/// How to read the graph, on as many lines as the width asks for.
class GraphLegend : public QWidget {
 public:
  explicit GraphLegend(CutMarker& marker, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  /// Below a pinned graph, in the colours of that.
  void paintBelow(QPainter& painter, const QRectF& room, const QPalette& look) const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void setHasCuts(bool hasCuts);
  int lineHeight() const;
  /// The place of each entry, in a legend of this width.
  std::vector<QRect> placesIn(int width) const;

  bool m_hasCuts = false;  // else there is nothing to read of them
};

constexpr int kSample = 28;
constexpr int kGraphLegendGap = 6;
constexpr int kBetween = 20;
constexpr int kGraphLegendMargin = 12;

enum class Sample { Cut, Freed, Arrow, Flow, Far, Path, Bar, Back, Doubtful };

struct Entry {
  Sample sample;
  const char* text;
};
constexpr std::size_t kOfCuts = 2;  // entries at the beginning that are about cuts
constexpr std::array kEntries{
    Entry{Sample::Cut, "cut"},
    Entry{Sample::Freed, "would be freed"},
    Entry{Sample::Arrow, "refers to"},
    Entry{Sample::Flow, "retained bytes flow through it (width: their square root)"},
    Entry{Sample::Far, "more than one step away"},
    Entry{Sample::Path, "on a path from a root"},
    Entry{Sample::Bar, "retained: own, through fields, rest (bar: largest shown = full)"},
    Entry{Sample::Back, "⟲ references against the flow"},
    Entry{Sample::Doubtful, "not exact, or garbage"},
};

void paintSample(QPainter& painter, const QPalette& palette, Sample sample, const QRectF& area) {
  const Colours colours(palette);
  const double middle = area.center().y();
  switch (sample) {
    case Sample::Cut: {
      painter.setPen(QPen(colours.outline(), 1.3));
      painter.drawLine(QPointF(area.left(), middle), QPointF(area.center().x() - 5, middle));
      painter.drawLine(QPointF(area.center().x() + 5, middle), QPointF(area.right(), middle));
      painter.setPen(QPen(colours.warning(), 2));
      for (const double x : {-4.0, 4.0})
        painter.drawLine(area.center() + QPointF(x - 2, 5), area.center() + QPointF(x + 2, -5));
      return;
    }
    case Sample::Freed:
      paintHatch(painter, QRectF(area.left(), middle - 6, area.width(), 12), colours);
      return;
    case Sample::Arrow:
      painter.setPen(QPen(colours.outline(), 1.3));
      break;
    case Sample::Flow: {
      painter.setPen(Qt::NoPen);
      painter.setBrush(colours.heatStep(3));
      const double half = kMostFlow / 2, least = kLeastFlow / 2;
      painter.drawPolygon(QPolygonF{{area.left(), middle - least},
                                    {area.right(), middle - half},
                                    {area.right(), middle + half},
                                    {area.left(), middle + least}});
      return;
    }
    case Sample::Far:
    case Sample::Back: {
      const bool isBack = sample == Sample::Back;
      QPen pen(isBack ? palette.color(QPalette::Highlight) : colours.heatStep(3), isBack ? 1.3 : 5, Qt::SolidLine,
               Qt::FlatCap);
      pen.setDashPattern({5 / pen.widthF(), 3 / pen.widthF()});
      painter.setPen(pen);
      break;
    }
    case Sample::Path: {
      QPen pen(palette.color(QPalette::Highlight), 2.2, Qt::SolidLine, Qt::FlatCap);
      pen.setDashPattern({4, 2});
      painter.setPen(pen);
      break;
    }
    case Sample::Bar:
      painter.setPen(Qt::NoPen);
      painter.setBrush(colours.gridLine());
      painter.drawRoundedRect(QRectF(area.left(), middle - 2.5, area.width(), 5), 2.5, 2.5);
      for (const auto& [step, from, to] : {std::tuple(4, 0.0, 0.2), std::tuple(3, 0.2, 0.6), std::tuple(2, 0.6, 0.8)}) {
        painter.setBrush(colours.heatStep(step));
        painter.drawRect(QRectF(area.left() + area.width() * from, middle - 2.5, area.width() * (to - from), 5));
      }
      return;
    case Sample::Doubtful:
      painter.setPen(QPen(colours.outline(), 1.2, Qt::DashLine));
      painter.setBrush(Qt::NoBrush);
      painter.drawRoundedRect(QRectF(area.left(), middle - 6, area.width(), 12), 6, 6);
      return;
  }
  painter.drawLine(QPointF(area.left(), middle), QPointF(area.right(), middle));
}

GraphLegend::GraphLegend(CutMarker& marker, QWidget* parent) : QWidget(parent) {
  connect(&marker, &CutMarker::shown, this, &GraphLegend::setHasCuts);
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setAccessibleName(u"Legend"_s);
  QStringList texts;
  for (const Entry& entry : kEntries) texts << QString::fromUtf8(entry.text);
  setAccessibleDescription(texts.join(u", "_s));
}

void GraphLegend::setHasCuts(bool hasCuts) {
  m_hasCuts = hasCuts;
  updateGeometry();
  update();
}

int GraphLegend::lineHeight() const {
  return fontMetrics().height() * 8 / 5;
}

// What does not fit beside the others goes on to the next line.
std::vector<QRect> GraphLegend::placesIn(int width) const {
  std::vector<QRect> places;
  int left = kGraphLegendMargin;
  int top = 0;
  for (const Entry& entry : std::span(kEntries).subspan(m_hasCuts ? 0 : kOfCuts)) {
    const int needed = kSample + kGraphLegendGap + fontMetrics().horizontalAdvance(QString::fromUtf8(entry.text)) + 1;
    if (left > kGraphLegendMargin && left + needed > width - kGraphLegendMargin) {
      left = kGraphLegendMargin;
      top += lineHeight();
    }
    places.emplace_back(left, top, needed, lineHeight());
    left += needed + kBetween;
  }
  return places;
}

int GraphLegend::heightForWidth(int width) const {
  return placesIn(width).back().bottom() + 1;
}

QSize GraphLegend::sizeHint() const {
  const QRect last = placesIn(QWIDGETSIZE_MAX).back();
  return {last.right() + 1 + kGraphLegendMargin, lineHeight()};
}

QSize GraphLegend::minimumSizeHint() const {
  return {kSample, lineHeight()};
}

void GraphLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintBelow(painter, rect(), palette());
}

void GraphLegend::paintBelow(QPainter& painter, const QRectF& room, const QPalette& look) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(room.topLeft());
  const Entry* entry = kEntries.data() + (m_hasCuts ? 0 : kOfCuts);
  for (const QRect& place : placesIn(static_cast<int>(room.width()))) {
    paintSample(painter, look, entry->sample, QRectF(place.left(), place.top(), kSample, place.height()));
    painter.setPen(look.color(QPalette::PlaceholderText));
    painter.drawText(place.adjusted(kSample + kGraphLegendGap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     QString::fromUtf8(entry->text));
    ++entry;
  }
}

constexpr std::size_t kMostNodes = 300;
constexpr std::size_t kPointsOffered = 10;
constexpr double kReferenceGraphViewZoomStep = 1.25;

QString setLimits(const GraphStart& start) {
  if (start.objects == 1) return {};
  const std::uint64_t shown = start.beside.size() + 1;
  if (shown == start.objects) return u"What holds all %1, to the left."_s.arg(countText(shown));
  return u"What holds %1 of %2, to the left: those that retain most. “Why alive” lays the ways to all of "
         "them over each other."_s.arg(countText(shown), countedText(start.objects, u"object"_s));
}

}  // namespace

ReferenceGraphView::ReferenceGraphView(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_toolbar(new GraphToolbar(this)),
      m_canvas(new GraphCanvas(this)),
      m_marker(new CutMarker(bridge, navigator, *m_canvas, this)),
      m_frame(new PictureFrame(*m_canvas, this)),
      m_startList(new StartList(this)),
      m_statePanel(new StatePanel(this)),
      m_stack(new QStackedWidget(this)),
      m_notice(new QLabel(this)) {
  build();
  connectCanvas();
  connectToolbar();
  clear();
}

void ReferenceGraphView::build() {
  for (QWidget* page : std::initializer_list<QWidget*>{m_canvas, m_startList, m_statePanel}) m_stack->addWidget(page);
  m_notice->setObjectName(u"graphNotice"_s);
  m_notice->setContentsMargins(12, 4, 12, 4);
  m_notice->setWordWrap(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_toolbar);
  column->addWidget(m_stack, 1);
  column->addWidget(m_notice);
  auto* legend = new GraphLegend(*m_marker, this);
  // Legend of what is drawn; nothing is before there is a graph.
  const auto showLegend = [this, legend] { legend->setVisible(m_stack->currentWidget() == m_canvas); };
  connect(m_stack, &QStackedWidget::currentChanged, legend, showLegend);
  showLegend();
  column->addWidget(legend);
  setPictureFoot(m_frame, {.height = [legend](double width) { return legend->heightForWidth(static_cast<int>(width)); },
                           .paint =
                               [this, legend](QPainter& painter, const QRectF& room) {
                                 legend->paintBelow(painter, room, m_frame->palette());
                               }});
  auto* menu = new QMenu(this);
  menu->addActions(m_frame->actions());
  m_toolbar->pictureButton()->setMenu(menu);
  setFocusProxy(m_canvas);
}

void ReferenceGraphView::connectCanvas() {
  connect(m_canvas, &GraphCanvas::nodePicked, this,
          [this](const NodeItem& node, bool isByKey) { pickNode(node.node(), isByKey); });
  connect(m_canvas, &GraphCanvas::nodeActivated, this, &ReferenceGraphView::activate);
  connect(m_canvas, &GraphCanvas::centreWanted, this, [this](const NodeItem& node) { centreOn(node.node()); });
  connect(m_canvas, &GraphCanvas::sideToggled, this,
          [this](const NodeItem& node, engine::Direction direction) { toggle(GraphNode(node.node()), direction); });
  connect(m_canvas, &GraphCanvas::menuWanted, this, &ReferenceGraphView::openMenu);
  connect(m_canvas, &GraphCanvas::zoomChanged, m_toolbar, &GraphToolbar::setZoom);
  connect(m_startList, &StartList::objectPicked, this,
          [this](engine::Address object) { m_navigator.select({.object = object, .methodTable = {}, .segment = {}}); });
}

void ReferenceGraphView::connectToolbar() {
  connect(m_toolbar, &GraphToolbar::foldingChanged, this, [this] {
    m_isStale = true;
    catchUp();
  });
  connect(m_toolbar, &GraphToolbar::lookChanged, this, [this] { layOut({.object = m_started}); });
  connect(m_toolbar, &GraphToolbar::pathsChanged, this, &ReferenceGraphView::askForPaths);
  connect(m_toolbar, &GraphToolbar::zoomWanted, this,
          [this](int steps) { m_canvas->zoomBy(std::pow(kReferenceGraphViewZoomStep, steps)); });
  connect(m_toolbar, &GraphToolbar::normalWanted, m_canvas, &GraphCanvas::zoomToNormal);
  connect(m_toolbar, &GraphToolbar::fitWanted, m_canvas, &GraphCanvas::fit);
}

void ReferenceGraphView::showSnapshot(const engine::Snapshot& snapshot) {
  m_snapshot = snapshot;
  m_isStale = true;
  catchUp();
}

void ReferenceGraphView::clear() {
  m_snapshot.reset();
  dropPicture();
  m_startList->clear();
  m_wanted = {};
  m_set.clear();
  m_isStale = true;
}

void ReferenceGraphView::dropPicture() {
  m_state.clear();
  m_picture = {};
  m_canvas->clear();
  m_marker->clear();
  m_started = {};
  m_toolbar->setHasGraph(false);
  m_stack->setCurrentWidget(m_startList);
  showNotice({});
}

void ReferenceGraphView::follow(const Location& location) {
  const engine::Address object = location.selection.object;
  if (location.set != m_set) {
    m_set = location.set;
    m_wanted = object;
    m_isStale = true;
    catchUp();
    return;
  }
  if (object == m_wanted) {
    catchUp();
    return;
  }
  m_wanted = object;
  // What is in the picture is only marked there, so that looking around does not throw the picture away.
  const bool isHere = location.place == PlaceId::References && location.page == ReferencesPage::Graph && isVisible();
  const NodeItem* shown = isHere && !m_isStale ? m_canvas->find({.object = object}) : nullptr;
  if (shown) {
    m_canvas->pick(shown);
    return;
  }
  if (!m_set.isEmpty()) return;  // it is none of those that are shown
  m_isStale = true;
  catchUp();
}

void ReferenceGraphView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  catchUp();
}

void ReferenceGraphView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange && !m_state.isEmpty()) layOut({.object = m_started});
}

void ReferenceGraphView::catchUp() {
  if (!m_isStale || !m_snapshot || !isVisible()) return;
  m_isStale = false;
  if (!m_set.isEmpty()) {
    startFromSet();
  } else if (m_wanted) {
    start(m_wanted);
  } else {
    offerStart();
  }
}

void ReferenceGraphView::offerStart() {
  dropPicture();
  const auto query = [](const engine::Snapshot& snapshot, std::stop_token stop) {
    return engine::accumulationPoints(snapshot, kPointsOffered, std::move(stop));
  };
  m_bridge.ask(this, "largest", query, [this](const engine::Outcome<std::vector<engine::AccumulationPoint>>& points) {
    if (m_snapshot && points) m_startList->show(*points, *m_snapshot);
  });
}

void ReferenceGraphView::start(engine::Address object) {
  m_started = object;
  askForStart([object, folds = m_toolbar->foldsCollections()](const engine::Snapshot& snapshot,
                                                              engine::ProgressSink* progress, std::stop_token stop) {
    return readStart(snapshot, object, folds, progress, std::move(stop));
  });
}

void ReferenceGraphView::startFromSet() {
  const auto objects = PickedSets::of(m_bridge).find(m_set);
  if (!objects) {
    offerStart();
    return;
  }
  dropPicture();
  askForStart([objects, folds = m_toolbar->foldsCollections()](const engine::Snapshot& snapshot,
                                                               engine::ProgressSink* progress, std::stop_token stop) {
    return readSetStart(snapshot, *objects, folds, progress, std::move(stop));
  });
}

template <class Query>
void ReferenceGraphView::askForStart(const Query& query) {
  if (m_state.isEmpty()) {
    m_statePanel->showLoading(u"Looking at what surrounds the object"_s);
    m_stack->setCurrentWidget(m_statePanel);
  }
  const auto told = [this](const engine::Progress& progress) {
    if (m_stack->currentWidget() != m_statePanel || progress.activity.empty()) return;
    m_statePanel->showLoading(u"Looking at what surrounds the object: %1, %2%"_s.arg(
        fromEngine(progress.activity), QString::number(static_cast<int>(progress.fraction * 100))));
  };
  m_bridge.askLong(this, "start", query, told, [this](engine::Outcome<GraphStart> answer) {
    if (answer) {
      begin(std::move(*answer));
    } else {
      showFailure(answer.error());
    }
  });
}

void ReferenceGraphView::begin(GraphStart start) {
  const engine::Address object = start.centre.object;
  const bool isSet = !m_set.isEmpty();
  m_started = object;
  m_limits = setLimits(start);
  m_fitsNext = m_fitsNext || isSet;
  m_state.start(std::move(start.centre));
  m_state.open({object, engine::Direction::Holders}, std::move(start.holders));
  if (!isSet) m_state.open({object, engine::Direction::Held}, std::move(start.held));
  std::vector<engine::Neighbour> beside;
  for (auto& [other, holders] : start.beside) {
    m_state.open({other.object, engine::Direction::Holders}, std::move(holders));
    beside.push_back(std::move(other));
  }
  m_state.addBeside(std::move(beside));
  layOut({.object = object});
  if (m_toolbar->showsPaths()) askForPaths();
}

void ReferenceGraphView::askForPaths() {
  if (m_state.isEmpty()) return;
  if (!m_toolbar->showsPaths()) {
    m_bridge.stopAsking(this, "paths");
    m_state.clearPaths();
    layOut({.object = m_started});
    return;
  }
  const auto query = [object = m_started, folds = m_toolbar->foldsCollections()](
                         const engine::Snapshot& snapshot, engine::ProgressSink* progress, std::stop_token stop) {
    return readPaths(snapshot, object, folds, progress, std::move(stop));
  };
  const auto told = [this](const engine::Progress& progress) { showNotice(fromEngine(progress.activity)); };
  m_bridge.askLong(this, "paths", query, told, [this](engine::Outcome<GraphPaths> answer) {
    if (!answer) return showFailure(answer.error());
    m_state.setPaths(std::move(*answer));
    m_fitsNext = true;
    layOut({.object = m_started});
  });
}

void ReferenceGraphView::layOut(const GraphNodeKey& anchor) {
  if (m_state.isEmpty() || !m_snapshot) return;
  GraphPicture picture = makePicture(m_state, kMostNodes);
  const NodeMetrics metrics(font());
  std::vector<NodeGeometry> geometries;
  for (const GraphNode& node : picture.nodes) geometries.push_back(metrics.geometryOf(node, textOf(node, *m_snapshot)));
  const auto query = [request = layoutRequest(picture, geometries, metrics)](const engine::Snapshot&, std::stop_token) {
    return layOutGraph(request);
  };
  m_bridge.ask(this, "layout", query, [this, picture, anchor](const std::optional<GraphLayout>& layout) {
    if (!m_snapshot || m_state.isEmpty()) return;
    if (layout) return showPicture(picture, *layout, anchor);
    m_statePanel->showFailed(u"The graph could not be laid out"_s, u"Fold something, or begin with another object."_s);
    m_stack->setCurrentWidget(m_statePanel);
  });
}

void ReferenceGraphView::showPicture(GraphPicture picture, const GraphLayout& layout, const GraphNodeKey& anchor) {
  m_picture = std::move(picture);
  const GraphItems items = makeItems(m_picture, layout, *m_snapshot, m_toolbar->showsFlow(), *m_canvas);
  m_stack->setCurrentWidget(m_canvas);
  m_canvas->show(items, layout, anchor);
  m_marker->showPicture(m_picture, m_state, m_toolbar->foldsCollections());
  if (std::exchange(m_fitsNext, false)) m_canvas->fitLegibly();
  m_frame->fitTo(layout.bounds.size());
  m_toolbar->setHasGraph(true);
  if (!m_canvas->picked()) m_canvas->pick(m_canvas->find({.object = m_started}));
  showNotice(m_picture.isCut ? u"The picture is full at %1 nodes: fold something to see the rest."_s.arg(
                                   countText(m_picture.nodes.size()))
             : m_state.centre().isReachable || !m_limits.isEmpty() ? m_limits
                                                                   : unreachedTip(m_state.centre().isGarbage));
  Q_EMIT pictureShown();
}

void ReferenceGraphView::showFailure(const engine::Unfinished& reason) {
  if (reason.isCancelled()) return;
  if (!m_state.isEmpty()) {
    showNotice(fromEngine(reason.error().message()));
    return;
  }
  m_statePanel->showFailed(u"The graph could not be made"_s, fromEngine(reason.error().message()));
  m_stack->setCurrentWidget(m_statePanel);
}

void ReferenceGraphView::showNotice(const QString& notice) {
  m_notice->setText(notice);
  m_notice->setVisible(!notice.isEmpty());
}

}  // namespace heapscape::gui
