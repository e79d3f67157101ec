// SPDX-License-Identifier: MIT
#include "views/references/graph/reference_graph_view.h"

#include <QLabel>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>
#include <utility>

#include "models/rows/picked/picked_sets.h"
#include "views/references/graph/cut_marker.h"
#include "views/references/graph/graph_canvas.h"
#include "views/references/graph/graph_items.h"
#include "views/references/graph/graph_legend.h"
#include "views/references/graph/graph_toolbar.h"
#include "views/references/graph/picture_frame.h"
#include "views/references/graph/start_list.h"
#include "widgets/state_panel.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr std::size_t kMostNodes = 300;
constexpr std::size_t kLargestOffered = 30;
constexpr double kReferenceGraphViewZoomStep = 1.25;

QString setLimits(const GraphStart& start) {
  if (start.objects == 1) return {};
  const std::uint64_t shown = start.beside.size() + 1;
  if (shown == start.objects) return QStringLiteral("What holds all %1, to the left.").arg(countText(shown));
  return QStringLiteral(
             "What holds %1 of %2, to the left: those that retain most. “Why alive” lays the ways to all of "
             "them over each other.")
      .arg(countText(shown), countedText(start.objects, QStringLiteral("object")));
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
  m_notice->setObjectName(QStringLiteral("graphNotice"));
  m_notice->setContentsMargins(12, 4, 12, 4);
  m_notice->setWordWrap(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_toolbar);
  column->addWidget(m_stack, 1);
  column->addWidget(m_notice);
  auto* legend = new GraphLegend(*m_marker, this);
  // Of what is drawn, and nothing is before there is a graph.
  const auto showLegend = [this, legend] { legend->setVisible(m_stack->currentWidget() == m_canvas); };
  connect(m_stack, &QStackedWidget::currentChanged, legend, showLegend);
  showLegend();
  column->addWidget(legend);
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
          [this](const NodeItem& node, engine::Direction direction) { toggle(node.node().side(direction)); });
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
  tell({});
}

void ReferenceGraphView::follow(const Location& location) {
  const engine::Address object = location.selection.object;
  if (location.set != m_set) {
    m_set = location.set;
    m_wanted = object;
    m_isStale = true;
    return catchUp();
  }
  if (object == m_wanted) return catchUp();
  m_wanted = object;
  // What is in the picture is only marked there, so that looking around does not throw the picture away.
  const bool isHere = location.place == PlaceId::References && location.page == ReferencesPage::Graph && isVisible();
  const NodeItem* shown = isHere && !m_isStale ? m_canvas->find({.object = object}) : nullptr;
  if (shown) return m_canvas->pick(shown);
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
    return readLargest(snapshot, kLargestOffered, std::move(stop));
  };
  m_bridge.ask(this, "largest", query, [this](const std::vector<engine::Neighbour>& objects) {
    if (m_snapshot) m_startList->show(objects, m_snapshot->retainedTotals().reachableBytes, *m_snapshot);
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
  if (!objects) return offerStart();
  dropPicture();
  askForStart([objects, folds = m_toolbar->foldsCollections()](const engine::Snapshot& snapshot,
                                                               engine::ProgressSink* progress, std::stop_token stop) {
    return readSetStart(snapshot, *objects, folds, progress, std::move(stop));
  });
}

template <class Query>
void ReferenceGraphView::askForStart(const Query& query) {
  if (m_state.isEmpty()) {
    m_statePanel->showLoading(QStringLiteral("Looking at what surrounds the object"));
    m_stack->setCurrentWidget(m_statePanel);
  }
  const auto told = [this](const engine::Progress& progress) {
    if (m_stack->currentWidget() != m_statePanel || progress.activity.empty()) return;
    m_statePanel->showLoading(
        QStringLiteral("Looking at what surrounds the object: %1, %2%")
            .arg(fromEngine(progress.activity), QString::number(static_cast<int>(progress.fraction * 100))));
  };
  m_bridge.askLong(this, "start", query, told, [this](engine::Outcome<GraphStart> answer) {
    answer ? begin(std::move(*answer)) : showFailure(answer.error());
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
    return layOut({.object = m_started});
  }
  const auto query = [object = m_started, folds = m_toolbar->foldsCollections()](
                         const engine::Snapshot& snapshot, engine::ProgressSink* progress, std::stop_token stop) {
    return readPaths(snapshot, object, folds, progress, std::move(stop));
  };
  const auto told = [this](const engine::Progress& progress) { tell(fromEngine(progress.activity)); };
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
    m_statePanel->showFailed(QStringLiteral("The graph could not be laid out"),
                             QStringLiteral("Fold something, or begin with another object."));
    m_stack->setCurrentWidget(m_statePanel);
  });
}

void ReferenceGraphView::showPicture(GraphPicture picture, const GraphLayout& layout, const GraphNodeKey& anchor) {
  m_picture = std::move(picture);
  const GraphItems items = makeItems(m_picture, layout, *m_snapshot, m_toolbar->showsDominators(), *m_canvas);
  m_stack->setCurrentWidget(m_canvas);
  m_canvas->show(items.nodes, items.edges, layout, anchor);
  m_marker->showPicture(m_picture, m_state, m_toolbar->foldsCollections());
  if (std::exchange(m_fitsNext, false)) m_canvas->fitLegibly();
  m_frame->fitTo(layout.bounds.size());
  m_toolbar->setHasGraph(true);
  if (!m_canvas->picked()) m_canvas->pick(m_canvas->find({.object = m_started}));
  tell(m_picture.isCut ? QStringLiteral("The picture is full at %1 nodes: fold something to see the rest.")
                             .arg(countText(m_picture.nodes.size()))
       : m_state.centre().isReachable || !m_limits.isEmpty()
           ? m_limits
           : QStringLiteral("Nothing holds this object any more: it was not collected yet."));
  Q_EMIT pictureShown();
}

void ReferenceGraphView::showFailure(const engine::Unfinished& reason) {
  if (reason.isCancelled()) return;
  if (!m_state.isEmpty()) return tell(fromEngine(reason.error().message()));
  m_statePanel->showFailed(QStringLiteral("The graph could not be made"), fromEngine(reason.error().message()));
  m_stack->setCurrentWidget(m_statePanel);
}

void ReferenceGraphView::tell(const QString& notice) {
  m_notice->setText(notice);
  m_notice->setVisible(!notice.isEmpty());
}

}  // namespace heapscape::gui
