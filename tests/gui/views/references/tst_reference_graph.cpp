// SPDX-License-Identifier: MIT
// The graph on a real dump, driven as a person does.
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <memory>
#include <variant>

#include "models/insights_source.h"
#include "models/names/type_name.h"
#include "review/board.h"
#include "session/dominators/accumulation_points.h"
#include "session/objects/object_query.h"
#include "session/objects/retained_query.h"
#include "session/roots/roots_query.h"
#include "support/dumps.h"
#include "support/window_driver.h"
#include "support/window_test.h"
#include "views/references/graph/graph_canvas.h"
#include "views/references/graph/overview_hint.h"
#include "views/references/graph/reference_graph_view.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

using namespace heapscape;
using namespace heapscape::gui;
using engine::Address;
using engine::Direction;

namespace {

constexpr int kPatienceMs = 30'000;

/// The page with its bridge and navigator, wired as the place does it.
struct Scene {
  EngineBridge bridge;
  Navigator navigator;
  ReferenceGraphView view{bridge, navigator};

  Scene() {
    QObject::connect(&bridge, &EngineBridge::stageReady, &view, [this](const engine::Snapshot& snapshot) {
      if (snapshot.has(engine::Stage::Retained)) view.showSnapshot(snapshot);
    });
    QObject::connect(&navigator, &Navigator::locationChanged, &view,
                     [this](const Location& location) { view.follow(location); });
    navigator.reset(PlaceId::References);
    canvas().setAnimated(false);
    view.resize(1280, 720);
    view.show();
  }

  bool open() {
    bridge.open(test::dataFile(QStringLiteral("shop-10.core.zst")));
    return QTest::qWaitFor([&] { return bridge.retainedState() == RetainedState::Ready; }, kPatienceMs);
  }

  const engine::Snapshot& snapshot() const { return *bridge.snapshot(); }
  GraphCanvas& canvas() { return *view.findChild<GraphCanvas*>(); }
  QToolButton& button(const char* name) { return *view.findChild<QToolButton*>(QString::fromLatin1(name)); }

  template <class Act>
  bool waitForPicture(const Act& act) {
    QSignalSpy shown(&view, &ReferenceGraphView::pictureShown);
    act();
    return !shown.isEmpty() || shown.wait(kPatienceMs);
  }
  /// A fresh picture, whatever was there before.
  bool start(Address object) {
    navigator.select({});
    return object && waitForPicture([&] { navigator.select({.object = object, .methodTable = {}, .segment = {}}); }) &&
           view.state().centre().object == object;
  }

  Address firstOf(const char* type) const {
    engine::ObjectFilter filter;
    for (std::uint32_t id = 0; id < snapshot().types().size(); ++id) {
      if (snapshot().types()[id].name == type) filter.type = engine::TypeId{id};
    }
    if (!filter.type) return {};
    const auto objects = engine::listObjects(snapshot(), filter, 0, 1);
    return objects.empty() ? Address{} : objects.front().address;
  }

  std::vector<GraphNode> nodes(GraphNodeKind kind) const {
    std::vector<GraphNode> found;
    std::ranges::copy_if(view.picture().nodes, std::back_inserter(found),
                         [kind](const GraphNode& node) { return node.key.kind == kind; });
    return found;
  }
  const GraphNode& centre() const { return view.picture().nodes.front(); }

  QPoint placeOf(const GraphNodeKey& key, const QRectF& part) {
    const NodeItem* item = canvas().find(key);
    return item ? canvas().mapFromScene(item->mapToScene(part.center())) : QPoint(-1, -1);
  }
  void clickCard(const GraphNodeKey& key) { click(placeOf(key, canvas().find(key)->geometry().card)); }
  void clickHandle(const GraphNodeKey& key, Direction direction) {
    const NodeGeometry& geometry = canvas().find(key)->geometry();
    click(placeOf(key, direction == Direction::Held ? geometry.held : geometry.holders));
  }
  void click(QPoint place) { QTest::mouseClick(canvas().viewport(), Qt::LeftButton, {}, place); }
};

/// One dump for all tests: opening it takes most of the time.
std::unique_ptr<Scene> s_scene;

Scene& scene() {
  return *s_scene;
}

bool isEmptyImage(const QImage& image) {
  const QRgb first = image.pixel(0, 0);
  for (int y = 0; y < image.height(); y += 3) {
    for (int x = 0; x < image.width(); x += 3) {
      if (image.pixel(x, y) != first) return false;
    }
  }
  return true;
}

constexpr const char* kOrders = "System.Collections.Generic.List<Catalog.Order>";

}  // namespace

class ReferenceGraphTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    test::dressApplication();
    s_scene = std::make_unique<Scene>();
    QVERIFY(scene().open());
  }
  void cleanupTestCase() { s_scene.reset(); }

  void withoutASelectionItOffersWhereRetainedBytesComeTogether() {
    auto* table = scene().view.findChild<QTableWidget*>(QStringLiteral("graphStart"));
    QTRY_COMPARE_WITH_TIMEOUT(table->rowCount(), 10, kPatienceMs);
    QVERIFY(table->isVisible());
    const auto points = engine::accumulationPoints(scene().snapshot(), 10, {});
    QVERIFY(points && points->size() == 10);
    for (int row = 0; row < table->rowCount(); ++row) {
      const engine::AccumulationPoint& point = (*points)[static_cast<std::size_t>(row)];
      QCOMPARE(table->item(row, 0)->text(), bytesText(point.retainedBytes));
      const QString way = table->item(row, table->columnCount() - 1)->text();
      // Down to what dominates it; the object itself has a column of its own.
      if (point.way.size() > 2)
        QVERIFY2(way.endsWith(shortTypeName(point.way[point.way.size() - 2])), qPrintable(way));
      else
        QCOMPARE(point.way.size(), std::size_t{2});
      QVERIFY2(way.startsWith(shortRootName(point.way.front())), qPrintable(way));
      if (row > 0) QVERIFY(point.retainedBytes <= (*points)[static_cast<std::size_t>(row) - 1].retainedBytes);
    }
    QVERIFY(scene().waitForPicture([&] { Q_EMIT table->cellActivated(0, 0); }));
    QVERIFY(scene().view.state().centre().object == points->front().object);
    QVERIFY(scene().navigator.location().selection.object == points->front().object);
  }

  void anInsightIntoOneObjectSelectsIt() {
    const Address order = scene().firstOf("Catalog.Order");
    engine::Insight insight;
    insight.ids = {1};
    insight.items.push_back({.object = order});
    const auto row = engine::objectAt(scene().snapshot(), order);
    insight.methodTable = scene().snapshot().types()[row->type.value].methodTable;
    showInsight(scene().navigator, insight);
    QVERIFY(scene().navigator.location().selection.object == order);
    insight.ids = {1, 2};
    insight.items.push_back({.object = scene().firstOf("Catalog.Customer")});
    showInsight(scene().navigator, insight);
    QVERIFY(!scene().navigator.location().selection.object);
    scene().navigator.goTo(PlaceId::References);
  }

  void startsFromTheSelectionWithBothSidesOpen() {
    const Address order = scene().firstOf("Catalog.Order");
    QVERIFY(scene().start(order));
    QVERIFY(scene().centre().key.object == order);
    QCOMPARE(scene().centre().held, SideState::Open);
    const auto& nodes = scene().view.picture().nodes;
    QVERIFY(std::ranges::any_of(nodes, [](const GraphNode& node) { return node.column < 0; }));
    QVERIFY(std::ranges::any_of(nodes, [](const GraphNode& node) { return node.column > 0; }));
    // Fields by their names, and the text of a string as what it is.
    const auto& edges = scene().view.picture().edges;
    QVERIFY(std::ranges::any_of(edges, [](const GraphEdge& edge) { return edge.via == "Customer"; }));
  }

  void growsAndFoldsByClicksInBothDirections() {
    QVERIFY(scene().start(scene().firstOf("Catalog.Order")));
    const auto objects = scene().nodes(GraphNodeKind::Object);
    // What the middle dominates has no other holders.
    const auto right = std::ranges::find_if(objects, [](const GraphNode& node) {
      return node.column == 1 && node.held == SideState::Folded && !node.object.isDominated;
    });
    QVERIFY(right != objects.end());
    const std::size_t before = scene().view.picture().nodes.size();
    QVERIFY(scene().waitForPicture([&] { scene().clickHandle(right->key, Direction::Holders); }));
    const std::size_t grown = scene().view.picture().nodes.size();
    QVERIFY(grown > before);
    QVERIFY(scene().view.picture().nodes[scene().view.picture().find(right->key)].holders == SideState::Open);
    QVERIFY(scene().waitForPicture([&] { scene().clickHandle(right->key, Direction::Holders); }));
    QCOMPARE(scene().view.picture().nodes.size(), before);
    QVERIFY(scene().waitForPicture([&] { scene().clickHandle(scene().centre().key, Direction::Held); }));
    QVERIFY(scene().view.picture().find(right->key) == GraphPicture::kNone);
    QVERIFY(scene().waitForPicture([&] { scene().clickHandle(scene().centre().key, Direction::Held); }));
    QCOMPARE(scene().view.picture().nodes.size(), before);
  }

  void aFoldedCollectionHoldsItsItems() {
    Address list;
    engine::ObjectFilter filter;
    filter.typeText = kOrders;
    engine::forEachObject(scene().snapshot(), filter, [&](const engine::ObjectRow& row) {
      if (scene().snapshot().types()[row.type.value].name != kOrders) return true;
      const auto held = engine::neighboursOf(scene().snapshot(), row.address, Direction::Held, {}, nullptr, {});
      if (held && held->isFolded && held->objects > 1) list = row.address;
      return !list;
    });
    QVERIFY(scene().start(list));
    const engine::TypeId order = engine::objectAt(scene().snapshot(), scene().firstOf("Catalog.Order"))->type;
    const auto isOrder = [&](const GraphNode& node) { return node.column == 1 && node.object.type == order; };
    QVERIFY(std::ranges::any_of(scene().view.picture().nodes, isOrder));
    QVERIFY(scene().waitForPicture([&] { scene().button("graphFolding").click(); }));
    QVERIFY(std::ranges::none_of(scene().view.picture().nodes, isOrder));
    QVERIFY(scene().waitForPicture([&] { scene().button("graphFolding").click(); }));
    QVERIFY(std::ranges::any_of(scene().view.picture().nodes, isOrder));
  }

  void thousandsOfNeighboursAreAStackThatIsPaged() {
    // Every order knows its customer; all 2,500 are in one sorted set.
    Address all;
    const auto largest = engine::largestRetained(scene().snapshot(), 200).objects;
    for (const engine::RetainedRow& row : largest) {
      const auto held = engine::neighboursOf(scene().snapshot(), row.object, Direction::Held, {}, nullptr, {});
      if (held && std::ranges::any_of(held->groups, [](const auto& group) { return group.objects > 2000; })) {
        all = row.object;
        break;
      }
    }
    QVERIFY(scene().start(all));
    const auto stacks = scene().nodes(GraphNodeKind::Stack);
    const auto large = std::ranges::max_element(stacks, {}, &GraphNode::count);
    QVERIFY(large->count > 2000);
    QVERIFY(scene().view.picture().nodes.size() < 60);
    const std::uint64_t before = large->count;
    const std::size_t cards = scene().nodes(GraphNodeKind::Object).size();
    scene().canvas().fit();
    QVERIFY(scene().waitForPicture([&] { scene().clickCard(large->key); }));
    QCOMPARE(scene().nodes(GraphNodeKind::Object).size(), cards + GraphState::kPage);
    const GraphNode& rest = scene().view.picture().nodes[scene().view.picture().find(large->key)];
    QCOMPARE(rest.count, before - GraphState::kPage);
    // Those that retain most come first.
    const OpenSide* side = scene().view.state().find(rest.owner());
    QVERIFY(std::ranges::is_sorted(side->neighbours.groups[rest.group].first, std::ranges::greater(),
                                   &engine::Neighbour::retainedBytes));
    // A full picture stays within bounds.
    for (int page = 0; page < 40; ++page) {
      const GraphPicture& picture = scene().view.picture();
      if (picture.isCut) break;
      QVERIFY(scene().waitForPicture(
          [&] { Q_EMIT scene().canvas().nodePicked(*scene().canvas().find(large->key), false); }));
    }
    QVERIFY(scene().view.picture().isCut);
    QVERIFY(scene().view.picture().nodes.size() <= 300);
    QVERIFY(scene().view.findChild<QLabel*>(QStringLiteral("graphNotice"))->isVisible());
  }

  void rootsArePillsWithTheirNames() {
    const auto& roots = scene().snapshot().roots().roots;
    const auto root = std::ranges::find_if(roots, [](const engine::RootRow& row) {
      return row.kind == engine::RootKind::Static && row.name.starts_with("static Shop.");
    });
    QVERIFY(root != roots.end());
    QVERIFY(scene().start(root->object));
    const auto pills = scene().nodes(GraphNodeKind::Root);
    QVERIFY(!pills.empty());
    QVERIFY(std::ranges::any_of(pills, [&](const GraphNode& pill) {
      return scene().canvas().find(pill.key)->text().title == QString::fromStdString(roots[pill.key.number].name);
    }));
    QVERIFY(std::ranges::all_of(pills, [](const GraphNode& pill) { return pill.column < 0; }));
  }

  void pathsToRootsAreLaidOver() {
    QVERIFY(scene().start(scene().firstOf("Catalog.Order")));
    QVERIFY(scene().waitForPicture([&] { scene().button("graphPaths").click(); }));
    QVERIFY(std::ranges::any_of(scene().view.picture().edges, &GraphEdge::isOnPath));
    QVERIFY(!scene().nodes(GraphNodeKind::Root).empty());
    const NodeItem* centre = scene().canvas().find(scene().centre().key);
    QVERIFY(scene().canvas().viewport()->rect().contains(
        scene().canvas().mapFromScene(centre->sceneBoundingRect()).boundingRect()));
    QVERIFY(scene().waitForPicture([&] { scene().button("graphPaths").click(); }));
    QVERIFY(std::ranges::none_of(scene().view.picture().edges, &GraphEdge::isOnPath));
  }

  void aClickSelectsWithoutThrowingThePictureAway() {
    const Address order = scene().firstOf("Catalog.Order");
    QVERIFY(scene().start(order));
    const auto objects = scene().nodes(GraphNodeKind::Object);
    QVERIFY(objects.size() > 1);
    scene().clickCard(objects[1].key);
    QVERIFY(scene().navigator.location().selection.object == objects[1].key.object);
    QVERIFY(scene().view.state().centre().object == order);
    QVERIFY(scene().canvas().picked() && scene().canvas().picked()->node().key == objects[1].key);
    // Back marks the one before; the space bar puts it into the middle.
    scene().navigator.back();
    QVERIFY(scene().view.state().centre().object == order);
    scene().canvas().pick(scene().canvas().find(objects[1].key));
    scene().canvas().setFocus();
    QVERIFY(scene().waitForPicture([&] { QTest::keyClick(&scene().canvas(), Qt::Key_Space); }));
    QVERIFY(scene().view.state().centre().object == objects[1].key.object);
  }

  void theFootOfACardAccountsForAllThatItRetains() {
    QVERIFY(scene().start(engine::largestRetained(scene().snapshot(), 1).objects.front().object));
    std::size_t told = 0;
    for (const GraphNode& node : scene().nodes(GraphNodeKind::Object)) {
      const auto& account = node.isChain ? node.object.chainAccount : node.object.account;
      if (!account) continue;
      ++told;
      QCOMPARE(account->retainedBytes(), node.object.retainedBytes);
      const NodeText& text = scene().canvas().find(node.key)->text();
      QVERIFY2(text.figures.startsWith(QStringLiteral("own ") + bytesText(account->ownBytes)),
               qPrintable(text.figures));
      QCOMPARE(text.retained, bytesText(node.object.retainedBytes));
      if (account->restBytes) QVERIFY(text.figures.endsWith(QStringLiteral("rest ") + bytesText(account->restBytes)));
    }
    QVERIFY(told > 0);
    // What flows to the right of the middle is all but its own.
    std::uint64_t flow = 0;
    for (const GraphEdge& edge : scene().view.picture().edges) {
      if (edge.from == 0) flow += edge.flowBytes;
    }
    QCOMPARE(flow, scene().centre().object.retainedBytes - scene().centre().object.account->ownBytes);
  }

  void widerArrowsCarryMoreAndNoneWithoutTheSwitch() {
    QVERIFY(scene().start(engine::largestRetained(scene().snapshot(), 1).objects.front().object));
    const auto& edges = scene().view.picture().edges;
    const auto& arrows = scene().canvas().arrows();
    QCOMPARE(arrows.size(), edges.size());
    std::size_t wide = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      wide += edges[i].flowBytes > 0;
      QCOMPARE(arrows[i]->edge().flowWidth, flowWidth(edges[i].flowBytes, scene().view.picture().largestFlow));
      QCOMPARE(arrows[i]->edge().isFar, edges[i].steps != 1);
    }
    QVERIFY(wide > 0);
    QVERIFY(scene().waitForPicture([&] { scene().button("graphFlow").click(); }));
    for (const EdgeItem* arrow : scene().canvas().arrows()) QCOMPARE(arrow->edge().flowWidth, 0.0);
    QVERIFY(scene().waitForPicture([&] { scene().button("graphFlow").click(); }));
  }

  void aDoubleClickFollowsTheLargestUntilItSplits() {
    QVERIFY(scene().start(engine::largestRetained(scene().snapshot(), 1).objects.front().object));
    const auto descent = readDescent(scene().snapshot(), scene().centre().key.object, true, nullptr, std::stop_token());
    QVERIFY(descent && descent->sides.size() > 1);
    QVERIFY(!scene().view.state().find({descent->last, Direction::Held}));
    const GraphNodeKey middle = scene().centre().key;
    const QPoint place = scene().placeOf(middle, scene().canvas().find(middle)->geometry().title);
    QVERIFY(
        scene().waitForPicture([&] { QTest::mouseDClick(scene().canvas().viewport(), Qt::LeftButton, {}, place); }));
    QVERIFY(scene().view.state().find({descent->last, Direction::Held}));
    QVERIFY(scene().centre().key == middle);
  }

  void anArrowThatIsDraggedAwayIsCut() {
    QVERIFY(scene().start(scene().firstOf("Catalog.Order")));
    GraphCanvas& canvas = scene().canvas();
    canvas.fit();
    const auto& edges = scene().view.picture().edges;
    const auto wanted = std::ranges::find_if(edges, [&](const GraphEdge& edge) {
      return edge.from == 0 && edge.steps == 1 &&
             scene().view.picture().nodes[edge.to].key.kind == GraphNodeKind::Object;
    });
    QVERIFY(wanted != edges.end());
    const std::string cut = cutOfEdge(scene().view.picture(), *wanted, scene().snapshot());
    const EdgeItem& arrow = *canvas.arrows()[static_cast<std::size_t>(wanted - edges.begin())];
    const QPoint grip =
        canvas.mapFromScene(arrow.labelRect().isEmpty() ? arrow.boundingRect().center() : arrow.labelRect().center());
    QSignalSpy wantedCuts(&scene().navigator, &Navigator::cutWanted);
    const auto drag = [&](QPoint by) {
      QTest::mousePress(canvas.viewport(), Qt::LeftButton, {}, grip);
      QTest::mouseMove(canvas.viewport(), grip + by);
      QTest::mouseRelease(canvas.viewport(), Qt::LeftButton, {}, grip + by);
    };
    drag({2, 3});
    QVERIFY(wantedCuts.isEmpty());
    drag({30, 60});
    QCOMPARE(wantedCuts.size(), 1);
    QCOMPARE(wantedCuts.front().front().toString().toStdString(), cut);
    QVERIFY(!arrow.isPulled());
  }

  void aFittedPictureStaysFittedWhereTheViewBecomesSmaller() {
    QVERIFY(scene().start(scene().firstOf("Catalog.Order")));
    GraphCanvas& canvas = scene().canvas();
    canvas.fit();
    QVERIFY(canvas.isFitted());
    scene().view.resize(1280, 600);
    QTest::qWait(20);
    QVERIFY(canvas.isFitted());
    canvas.zoomBy(2);
    QVERIFY(!canvas.isFitted());
    const double zoom = canvas.zoom();
    scene().view.resize(1280, 720);
    QTest::qWait(20);
    QCOMPARE(canvas.zoom(), zoom);
  }

  void keysGoFromNodeToNodeAndOpenThem() {
    QVERIFY(scene().start(scene().firstOf("Catalog.Order")));
    GraphCanvas& canvas = scene().canvas();
    canvas.setFocus();
    QTest::keyClick(&canvas, Qt::Key_Right);
    QVERIFY(canvas.picked());
    QCOMPARE(canvas.picked()->node().column, 1);
    QTest::keyClick(&canvas, Qt::Key_Left);
    QCOMPARE(canvas.picked()->node().column, 0);
    const double before = canvas.zoom();
    QTest::keyClick(&canvas, Qt::Key_Plus);
    QVERIFY(canvas.zoom() > before);
    QTest::keyClick(&canvas, Qt::Key_Minus);
    QTest::keyClick(&canvas, Qt::Key_0);
    QCOMPARE(canvas.zoom(), 1.0);
    QTest::keyClick(&canvas, Qt::Key_F);
    QVERIFY(canvas.zoom() <= 1.0);
    const std::size_t nodes = scene().view.picture().nodes.size();
    canvas.pick(canvas.find(scene().centre().key));
    QVERIFY(scene().waitForPicture([&] { QTest::keyClick(&canvas, Qt::Key_Return); }));
    QVERIFY(scene().view.picture().nodes.size() < nodes);
  }

  void theWheelZoomsAtThePointer() {
    QVERIFY(scene().start(scene().firstOf("Catalog.Order")));
    GraphCanvas& canvas = scene().canvas();
    const QPoint pointer = scene().placeOf(scene().centre().key, canvas.find(scene().centre().key)->geometry().card);
    const QPointF before = canvas.mapToScene(pointer);
    const double zoom = canvas.zoom();
    QWheelEvent turn(pointer, canvas.viewport()->mapToGlobal(pointer), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                     Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(canvas.viewport(), &turn);
    QVERIFY(canvas.zoom() > zoom);
    const QPointF after = canvas.mapToScene(pointer);
    QVERIFY2(std::abs(after.x() - before.x()) < 3 && std::abs(after.y() - before.y()) < 3,
             qPrintable(QStringLiteral("%1 %2").arg(after.x() - before.x()).arg(after.y() - before.y())));
  }

  void aPinnedGraphHasItsLegend() {
    QVERIFY(scene().start(scene().firstOf("Catalog.Order")));
    auto* frame = scene().view.findChild<PictureFrame*>();
    QVERIFY(frame);
    const engine::ReviewPage page = picturePage(
        frame, [](QPainter&, QSize) {}, {}, PictureContents::None);
    const auto& picture = std::get<engine::ReviewPicture>(page.content);
    for (const char* entry : {"refers to", "more than one step away", "not exact, or garbage"})
      QVERIFY2(picture.svg.find(entry) != std::string::npos, entry);
    QVERIFY(picture.height * 4 / 3 > frame->height() + 10);
  }

  void copiesTheWholeGraphAsAPicture() {
    QVERIFY(scene().start(scene().firstOf("Catalog.Order")));
    QGuiApplication::clipboard()->clear();
    scene().canvas().setFocus();
    QTest::keyClick(&scene().canvas(), Qt::Key_C, Qt::ControlModifier);
    const QImage image = QGuiApplication::clipboard()->image();
    QVERIFY(!image.isNull());
    QVERIFY(!isEmptyImage(image));
  }

  void anOverviewShowsWhereOneIs() {
    QVERIFY(scene().start(scene().firstOf("Catalog.Order")));
    auto* overview = scene().view.findChild<QWidget*>(QStringLiteral("graphOverview"));
    scene().canvas().fit();
    scene().canvas().zoomBy(4);
    QVERIFY(overview->isVisible());
    const QPointF before = scene().canvas().mapToScene(scene().canvas().viewport()->rect().center());
    QTest::mouseClick(overview, Qt::LeftButton, {}, QPoint(8, 8));
    QVERIFY(scene().canvas().mapToScene(scene().canvas().viewport()->rect().center()) != before);
  }

  void theOverviewHidesNoNodeWhereThereIsRoomBesideThem() {
    QVERIFY(scene().start(scene().firstOf("Catalog.Order")));
    auto* overview = scene().view.findChild<OverviewHint*>(QStringLiteral("graphOverview"));
    QWidget view;
    view.resize(800, 600);
    overview->show({QRectF(500, 400, 280, 180), QRectF(0, 0, 60, 60), QRectF(2000, 0, 60, 60)}, QRectF(0, 0, 800, 600),
                   view.rect());
    QVERIFY(overview->isVisible());
    for (const QRect& node : {QRect(500, 400, 280, 180), QRect(0, 0, 60, 60)})
      QVERIFY(!overview->geometry().intersects(node));
    QVERIFY(view.rect().contains(overview->geometry()));
  }

  void garbageSaysThatNothingHoldsIt() {
    Address garbage;
    engine::forEachObject(scene().snapshot(), {}, [&](const engine::ObjectRow& row) {
      if (scene().snapshot().types()[row.type.value].isFree) return true;
      const auto retained = engine::retainedOf(scene().snapshot(), row.address);
      if (retained && retained->isGarbage) garbage = row.address;
      return !garbage;
    });
    QVERIFY(scene().start(garbage));
    auto* notice = scene().view.findChild<QLabel*>(QStringLiteral("graphNotice"));
    QVERIFY(notice->isVisible() && notice->text().contains(QStringLiteral("Garbage")));
  }

  void followsNothingWhileItCannotBeSeen() {
    QVERIFY(scene().start(scene().firstOf("Catalog.Order")));
    const Address centre = scene().view.state().centre().object;
    scene().view.hide();
    const Address customer = scene().firstOf("Catalog.Customer");
    Location types;
    types.place = PlaceId::Types;
    types.selection.object = customer;
    scene().navigator.go(types);
    QTest::qWait(50);
    QVERIFY(scene().view.state().centre().object == centre);
    QVERIFY(scene().waitForPicture([&] { scene().view.show(); }));
    QVERIFY(scene().view.state().centre().object == customer);
  }
};

HEAPSCAPE_WINDOW_TEST(ReferenceGraphTest)
#include "tst_reference_graph.moc"
