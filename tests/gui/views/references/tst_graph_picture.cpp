// SPDX-License-Identifier: MIT
// What is open around an object, and the picture that follows from it; by hand-made neighbours.
#include <QTest>

#include "support/window_test.h"
#include "views/references/graph/edge_item.h"
#include "views/references/graph/graph_picture.h"
#include "views/references/graph/node_item.h"

using namespace heapscape;
using namespace heapscape::gui;
using engine::Address;
using engine::Direction;

namespace {

constexpr std::size_t kRoom = 300;
constexpr Address kCentre{0x1000};

engine::Neighbour object(std::uint64_t address, std::uint32_t type = 1) {
  engine::Neighbour neighbour;
  neighbour.object = Address{address};
  neighbour.type = engine::TypeId{type};
  neighbour.via = "field" + std::to_string(address);
  neighbour.bytes = 24;
  neighbour.references = 3;
  neighbour.retainedBytes = 100'000 - address;
  return neighbour;
}

engine::NeighbourGroup group(std::uint32_t type, std::uint64_t first, std::uint64_t objects) {
  engine::NeighbourGroup group;
  group.type = engine::TypeId{type};
  group.objects = group.references = objects;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(objects, GraphState::kPage); ++i)
    group.first.push_back(object(first + i, type));
  return group;
}

engine::Neighbours neighbours(std::vector<engine::NeighbourGroup> groups) {
  engine::Neighbours all;
  for (const engine::NeighbourGroup& each : groups) all.objects += each.objects;
  all.groups = std::move(groups);
  return all;
}

int count(const GraphPicture& picture, GraphNodeKind kind) {
  return static_cast<int>(
      std::ranges::count_if(picture.nodes, [kind](const GraphNode& node) { return node.key.kind == kind; }));
}

GraphState started() {
  GraphState state;
  state.start(object(kCentre.value));
  return state;
}

const GraphSide kHeld{kCentre, Direction::Held};
const GraphSide kHolders{kCentre, Direction::Holders};

}  // namespace

class GraphPictureTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void fewNeighboursAreCardsManyAreAStack() {
    GraphState state = started();
    state.open(kHeld, neighbours({group(1, 1, 2), group(2, 100, 2100), group(3, 50, 1), group(4, 60, 5)}));
    const GraphPicture picture = makePicture(state, kRoom);
    QCOMPARE(count(picture, GraphNodeKind::Object), 2);  // the middle, and the only one of its type
    QCOMPARE(count(picture, GraphNodeKind::Stack), 3);
    for (const GraphNode& node : picture.nodes) {
      if (node.object.type.value == 2) QCOMPARE(node.count, std::uint64_t{2100});
    }
  }

  void aStackGivesAPageAndKeepsTheRest() {
    GraphState state = started();
    state.open(kHeld, neighbours({group(2, 100, 2100)}));
    QCOMPARE(state.find(kHeld)->cards.front(), GraphState::kFew);
    QCOMPARE(state.missingForPage(kHeld, 0), std::size_t{3});  // 3 + 10 shown, 10 known
    state.addPage(kHeld, 0, {object(200, 2), object(201, 2), object(202, 2)});
    GraphPicture picture = makePicture(state, kRoom);
    QCOMPARE(count(picture, GraphNodeKind::Object), 14);
    QCOMPARE(state.find(kHeld)->stacked(0), std::uint64_t{2087});
    state.stackGroup(kHeld, 0);
    picture = makePicture(state, kRoom);
    QCOMPARE(count(picture, GraphNodeKind::Object), 1);
    QCOMPARE(state.missingForPage(kHeld, 0), std::size_t{0});
  }

  void anObjectReachedInTwoWaysIsOneNodeWithBothReferences() {
    GraphState state = started();
    state.open(kHeld, neighbours({group(1, 1, 2)}));
    state.open({Address{1}, Direction::Held}, neighbours({group(1, 2, 1)}));
    const GraphPicture picture = makePicture(state, kRoom);
    QCOMPARE(count(picture, GraphNodeKind::Object), 3);
    QCOMPARE(picture.edges.size(), std::size_t{2});
    const std::uint32_t shared = picture.findObject(Address{2});
    QCOMPARE(std::ranges::count(picture.edges, shared, &GraphEdge::to), std::ptrdiff_t{1});
    QCOMPARE(std::ranges::count(picture.back, shared, &GraphEdge::to), std::ptrdiff_t{1});  // beside it
  }

  void aReferenceSeenFromBothEndsIsOneArrow() {
    GraphState state = started();
    state.open(kHeld, neighbours({group(1, 1, 1)}));
    engine::Neighbours back;
    back.groups.push_back(group(1, kCentre.value, 1));
    back.objects = 1;
    state.open({Address{1}, Direction::Holders}, back);
    const GraphPicture picture = makePicture(state, kRoom);
    QCOMPARE(picture.edges.size(), std::size_t{1});
    QCOMPARE(picture.edges.front().from, picture.findObject(kCentre));
  }

  void retainedBytesFlowThroughCardsStacksAndWhatIsNotShown() {
    GraphState state = started();
    engine::Neighbours held = neighbours({group(1, 1, 1), group(2, 100, 2100)});
    held.groups[0].first[0].flowBytes = held.groups[0].flowBytes = 4000;
    held.groups[0].first[0].steps = 2;
    for (engine::Neighbour& each : held.groups[1].first) each.flowBytes = 10;
    held.groups[1].flowBytes = 9000;
    state.open(kHeld, held);
    const GraphPicture picture = makePicture(state, kRoom);
    QCOMPARE(picture.largestFlow, std::uint64_t{9000 - 10 * GraphState::kFew});
    std::uint64_t flow = 0;
    for (const GraphEdge& edge : picture.edges) flow += edge.flowBytes;
    QCOMPARE(flow, std::uint64_t{13000});
    const auto far = std::ranges::find(picture.edges, picture.findObject(Address{1}), &GraphEdge::to);
    QCOMPARE(far->steps, std::uint32_t{2});
    QVERIFY(flowWidth(9000, 9000) == kMostFlow && flowWidth(0, 9000) == 0 && flowWidth(1, 9000) >= kLeastFlow);
    QCOMPARE(flowWidth(2250, 9000), kLeastFlow + (kMostFlow - kLeastFlow) / 2);  // a quarter: half as wide
  }

  void whatLeadsBackIsCountedOnItsCardsAndNotDrawn() {
    GraphState state = started();
    state.open(kHeld, neighbours({group(1, 1, 2)}));
    state.open({Address{1}, Direction::Held}, neighbours({group(1, kCentre.value, 1)}));
    engine::Neighbours holders;
    holders.referBack = 3;
    holders.back = {Address{2}, Address{0x77}};
    state.open(kHolders, holders);
    const GraphPicture picture = makePicture(state, kRoom);
    QCOMPARE(picture.edges.size(), std::size_t{2});
    QCOMPARE(picture.back.size(), std::size_t{2});  // of 1, and of 2, which the engine has told of
    QCOMPARE(picture.nodes[picture.findObject(kCentre)].referBack, std::uint64_t{4});
    QCOMPARE(picture.nodes[picture.findObject(Address{1})].referBack, std::uint64_t{1});
    QCOMPARE(picture.nodes[picture.findObject(Address{2})].referBack, std::uint64_t{1});
  }

  void aChainIsOneCardUntilItIsOpened() {
    GraphState state = started();
    engine::Neighbours held = neighbours({group(1, 1, 1)});
    for (std::uint64_t step = 10; step < 14; ++step)
      held.groups[0].first[0].chain.push_back({Address{step}, engine::TypeId{2}});
    state.open(kHeld, held);
    state.open({Address{13}, Direction::Held}, neighbours({group(3, 70, 2)}));
    GraphPicture picture = makePicture(state, kRoom);
    QCOMPARE(count(picture, GraphNodeKind::Object), 4);
    const std::uint32_t chain = picture.findObject(Address{1});
    QVERIFY(picture.nodes[chain].isChain);
    QCOMPARE(std::ranges::count(picture.edges, chain, &GraphEdge::from), std::ptrdiff_t{2});  // what the last one holds
    engine::Neighbour first = object(10), second = object(11);
    second.chain = {{Address{12}, engine::TypeId{2}}, {Address{13}, engine::TypeId{2}}};
    state.unfold(Address{1}, {first, second});
    picture = makePicture(state, kRoom);
    QVERIFY(!picture.nodes[picture.findObject(Address{1})].isChain);
    QVERIFY(picture.nodes[picture.findObject(Address{11})].isChain);  // the rest of it
    QCOMPARE(picture.nodes[picture.findObject(Address{70})].column, 4);
    state.foldChain(Address{1});
    QCOMPARE(count(makePicture(state, kRoom), GraphNodeKind::Object), 4);
  }

  void foldingTakesAwayWhatHungOnIt() {
    GraphState state = started();
    state.open(kHeld, neighbours({group(1, 1, 2)}));
    state.open({Address{1}, Direction::Held}, neighbours({group(1, 10, 4)}));
    QCOMPARE(count(makePicture(state, kRoom), GraphNodeKind::Object), 7);
    state.fold({Address{1}, Direction::Held});
    QCOMPARE(count(makePicture(state, kRoom), GraphNodeKind::Object), 3);
    state.fold(kHeld);
    const GraphPicture picture = makePicture(state, kRoom);
    QCOMPARE(picture.nodes.size(), std::size_t{1});
    QCOMPARE(picture.nodes.front().held, SideState::Folded);
  }

  void holdersStandLeftHeldStandRight() {
    GraphState state = started();
    engine::Neighbours holders = neighbours({group(1, 1, 1)});
    holders.roots = {0, 1, 2, 3, 4, 5, 6};
    state.open(kHolders, holders);
    state.open(kHeld, neighbours({group(2, 50, 1)}));
    const GraphPicture picture = makePicture(state, kRoom);
    QCOMPARE(picture.nodes[picture.findObject(Address{1})].column, -1);
    QCOMPARE(picture.nodes[picture.findObject(Address{50})].column, 1);
    QCOMPARE(count(picture, GraphNodeKind::Root), static_cast<int>(GraphState::kFirstRoots));
    QCOMPARE(count(picture, GraphNodeKind::MoreRoots), 1);
    for (const GraphEdge& edge : picture.edges)
      QVERIFY(picture.nodes[edge.from].column < picture.nodes[edge.to].column);
  }

  void aSideWithoutNeighboursCannotBeOpened() {
    GraphState state = started();
    state.open(kHeld, {});
    QCOMPARE(makePicture(state, kRoom).nodes.front().held, SideState::Nothing);
  }

  void neverMoreNodesThanThereIsRoomFor() {
    GraphState state = started();
    std::vector<engine::NeighbourGroup> groups;
    for (std::uint32_t type = 0; type < 40; ++type) groups.push_back(group(type, 100 * (type + 1), 1));
    state.open(kHeld, neighbours(groups));
    for (int i = 0; i < 4; ++i) state.showMoreGroups(kHeld);
    QCOMPARE(makePicture(state, kRoom).nodes.size(), std::size_t{41});
    const GraphPicture cut = makePicture(state, 20);
    QCOMPARE(cut.nodes.size(), std::size_t{20});
    QVERIFY(cut.isCut);
  }

  void aPathLeadsFromItsRootToTheMiddle() {
    GraphState state = started();
    GraphPaths paths;
    engine::RootPath path;
    path.root = 7;
    path.length = 1000;
    for (const std::uint64_t step : {1ull, 2ull, 3ull}) path.steps.push_back({Address{step}, {}, "next", 0});
    path.steps.push_back({kCentre, {}, "last", 0});
    path.leftOutAfter = 2;
    path.stepsLeftOut = 996;
    paths.paths.push_back(path);
    state.setPaths(paths);
    const GraphPicture picture = makePicture(state, kRoom);
    QCOMPARE(count(picture, GraphNodeKind::Object), 4);
    QCOMPARE(count(picture, GraphNodeKind::Gap), 1);
    QCOMPARE(count(picture, GraphNodeKind::Root), 1);
    QCOMPARE(picture.edges.size(), std::size_t{5});  // root, 1, 2, gap, 3, middle
    QVERIFY(std::ranges::all_of(picture.edges, &GraphEdge::isOnPath));
    const std::uint32_t third = picture.findObject(Address{3});
    const auto last = std::ranges::find(picture.edges, third, &GraphEdge::from);
    QCOMPARE(last->to, picture.findObject(kCentre));
    QCOMPARE(last->via, std::string("last"));
    state.clearPaths();
    QCOMPARE(makePicture(state, kRoom).nodes.size(), std::size_t{1});
  }

  void handlesCanBeHitAndTextsDoNotOverlap() {
    const NodeMetrics metrics(QFont(QStringLiteral("DejaVu Sans"), 6));
    GraphNode node;
    node.holders = node.held = SideState::Folded;
    const NodeGeometry geometry = metrics.geometryOf(node, {});
    for (const QRectF& handle : {geometry.holders, geometry.held}) {
      QVERIFY(handle.width() >= 24 && handle.height() >= 24);
      for (const QRectF& part : {geometry.title, geometry.line, geometry.figures, geometry.bar})
        QVERIFY(!handle.intersects(part));
    }
    QVERIFY(geometry.title.bottom() <= geometry.line.top() && geometry.line.bottom() <= geometry.figures.top());
    QVERIFY(geometry.figures.bottom() <= geometry.bar.top() && geometry.bar.bottom() <= geometry.card.bottom());
  }

  void boxesDoNotOverlapAndColumnsFollowTheReferences() {
    GraphState state = started();
    state.open(kHeld, neighbours({group(1, 1, 8)}));
    state.open(kHolders, neighbours({group(2, 50, 3)}));
    state.open({Address{1}, Direction::Held}, neighbours({group(3, 70, 2)}));
    // A way back into the middle.
    state.open({Address{2}, Direction::Held}, neighbours({group(1, kCentre.value, 1)}));
    const GraphPicture picture = makePicture(state, kRoom);
    const NodeMetrics metrics{QFont()};
    std::vector<NodeGeometry> geometries;
    for (const GraphNode& node : picture.nodes) geometries.push_back(metrics.geometryOf(node, {}));
    const auto layout = layOutGraph(layoutRequest(picture, geometries, metrics));
    QVERIFY(layout);
    QCOMPARE(layout->boxes.size(), picture.nodes.size());
    for (std::size_t a = 0; a < layout->boxes.size(); ++a) {
      QVERIFY(layout->bounds.contains(layout->boxes[a]));
      QCOMPARE(layout->boxes[a].size(), geometries[a].size);
      for (std::size_t b = 0; b < a; ++b) QVERIFY(!layout->boxes[a].intersects(layout->boxes[b]));
    }
    for (std::size_t i = 0; i < picture.edges.size(); ++i) {
      const GraphEdge& edge = picture.edges[i];
      QVERIFY(layout->arrows[i].size() >= 4 && layout->arrows[i].size() % 3 == 1);
      if (picture.nodes[edge.from].column < picture.nodes[edge.to].column)
        QVERIFY(layout->boxes[edge.from].right() < layout->boxes[edge.to].left());
    }
  }

  void columnsStandAsFarApartAsTheNamesBetweenThemWant() {
    GraphState state = started();
    state.open(kHeld, neighbours({group(1, 1, 8)}));
    GraphPicture picture = makePicture(state, kRoom);
    QVERIFY(!picture.edges.empty());
    const NodeMetrics metrics{QFont()};
    const auto widthOf = [](const GraphEdge& edge) {
      return QFontMetricsF(edgeFont(QFont(), true)).horizontalAdvance(edgeText(edge));
    };
    picture.edges[0].via = "_x";
    const double least = metrics.columnGap(picture);
    picture.edges[0].via = "_entriesByCustomerNo";
    QVERIFY(metrics.columnGap(picture) > least);
    QVERIFY(metrics.labelWidth(picture) >= widthOf(picture.edges[0]));
    picture.edges[0].via = std::string(500, 'w');
    QVERIFY2(metrics.columnGap(picture) < widthOf(picture.edges[0]) / 4, "within bounds");
  }

  void boxesKeepTheirOrderWhenTheGraphGrows() {
    GraphState state = started();
    state.open(kHeld, neighbours({group(1, 1, 8)}));
    const auto orderOf = [](const GraphPicture& picture) {
      const NodeMetrics metrics{QFont()};
      std::vector<NodeGeometry> geometries;
      for (const GraphNode& node : picture.nodes) geometries.push_back(metrics.geometryOf(node, {}));
      const auto layout = layOutGraph(layoutRequest(picture, geometries, metrics));
      std::vector<std::pair<double, std::uint64_t>> order;
      for (std::uint64_t address = 1; address <= 8; ++address)
        order.emplace_back(layout->boxes[picture.findObject(Address{address})].top(), address);
      std::ranges::sort(order);
      std::vector<std::uint64_t> addresses;
      for (const auto& [top, address] : order) addresses.push_back(address);
      return addresses;
    };
    const auto before = orderOf(makePicture(state, kRoom));
    state.open({Address{3}, Direction::Held}, neighbours({group(3, 70, 4)}));
    QCOMPARE(orderOf(makePicture(state, kRoom)), before);
  }

  void arrowKeysLeadToTheNearestNodeOnThatSide() {
    const std::vector<QRectF> boxes{
        {0, 0, 10, 10}, {40, 0, 10, 10}, {40, 30, 10, 10}, {-40, 0, 10, 10}, {0, 30, 10, 10}};
    QCOMPARE(nearestNode(boxes, 0, Qt::Key_Right), std::optional<std::size_t>(1));
    QCOMPARE(nearestNode(boxes, 0, Qt::Key_Left), std::optional<std::size_t>(3));
    QCOMPARE(nearestNode(boxes, 0, Qt::Key_Down), std::optional<std::size_t>(4));
    QCOMPARE(nearestNode(boxes, 1, Qt::Key_Down), std::optional<std::size_t>(2));
    QCOMPARE(nearestNode(boxes, 0, Qt::Key_Up), std::optional<std::size_t>());
  }
};

HEAPSCAPE_WINDOW_TEST(GraphPictureTest)
#include "tst_graph_picture.moc"
