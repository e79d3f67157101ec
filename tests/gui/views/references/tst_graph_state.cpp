// SPDX-License-Identifier: MIT
// Which neighbours of an object are cards and which are on a stack; without a dump.
#include <QTest>

#include "support/window_test.h"
#include "views/references/graph/graph_state.h"

namespace heapscape::gui {

namespace {

using engine::Neighbour;
using engine::NeighbourGroup;
using engine::Neighbours;

constexpr engine::Address kMiddle{0x1000};
constexpr GraphSide kHeldSide{kMiddle, engine::Direction::Held};

// A type with so many objects, of which some have been told.
NeighbourGroup groupOf(std::uint64_t objects, std::size_t told) {
  NeighbourGroup group;
  group.objects = objects;
  group.first.resize(told);
  return group;
}

Neighbours neighboursWith(std::vector<NeighbourGroup> groups, std::size_t roots = 0) {
  Neighbours neighbours;
  for (const NeighbourGroup& group : groups) neighbours.objects += group.objects;
  neighbours.groups = std::move(groups);
  neighbours.roots.resize(roots);
  return neighbours;
}

GraphState opened(Neighbours neighbours) {
  GraphState state;
  state.start({});
  state.open(kHeldSide, std::move(neighbours));
  return state;
}

using Cards = std::vector<std::size_t>;

}  // namespace

class GraphStateTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aFewNeighboursAreAllCards() {
    QCOMPARE(firstCards({}), Cards());
    QCOMPARE(firstCards(neighboursWith({groupOf(3, 3)})), Cards{3});
    QCOMPARE(firstCards(neighboursWith({groupOf(5, 5), groupOf(3, 3)})), (Cards{5, 3}));
    QCOMPARE(firstCards(neighboursWith({groupOf(6, 3), groupOf(2, 2)})), (Cards{3, 2}));  // no more were told
  }

  void ofManyOfAFewTypesThreeOfEachAreCards() {
    QCOMPARE(firstCards(neighboursWith({groupOf(9, 3)})), Cards{3});
    QCOMPARE(firstCards(neighboursWith({groupOf(900, 3), groupOf(50, 3), groupOf(1, 1)})), (Cards{3, 3, 1}));
  }

  void ofManyTypesOnlyThoseThatAreAloneAreCards() {
    QCOMPARE(firstCards(neighboursWith({groupOf(900, 3), groupOf(50, 3), groupOf(1, 1), groupOf(2, 2)})),
             (Cards{0, 0, 1, 0}));
  }

  void noStackHoldsASingleObject() {
    QCOMPARE(firstCards(neighboursWith({groupOf(4, 4), groupOf(90, 3)})), (Cards{4, 3}));
    QCOMPARE(firstCards(neighboursWith({groupOf(4, 3), groupOf(90, 3)})), (Cards{3, 3}));  // the fourth was not told
  }

  void aSideBeginsWithEightTypesAndFourRoots() {
    const GraphState few = opened(neighboursWith({groupOf(1, 1)}, 2));
    QCOMPARE(few.find(kHeldSide)->groups, std::size_t{1});
    QCOMPARE(few.find(kHeldSide)->roots, std::size_t{2});
    GraphState many = opened(neighboursWith(std::vector<NeighbourGroup>(25, groupOf(1, 1)), 15));
    QCOMPARE(many.find(kHeldSide)->groups, GraphState::kFirstGroups);
    QCOMPARE(many.find(kHeldSide)->roots, GraphState::kFirstRoots);
    many.showMoreGroups(kHeldSide);
    many.showMoreRoots(kHeldSide);
    QCOMPARE(many.find(kHeldSide)->groups, std::size_t{18});
    QCOMPARE(many.find(kHeldSide)->roots, std::size_t{14});
    many.showMoreGroups(kHeldSide);
    many.showMoreRoots(kHeldSide);
    QCOMPARE(many.find(kHeldSide)->groups, std::size_t{25});
    QCOMPARE(many.find(kHeldSide)->roots, std::size_t{15});
  }

  void onlyWhatIsNotKnownYetIsAskedForAPage() {
    const GraphState state = opened(neighboursWith({groupOf(1'000, 3), groupOf(12, 12), groupOf(5, 3)}));
    QCOMPARE(state.missingForPage(kHeldSide, 0), std::size_t{10});  // 3 are cards, 13 are wanted
    QCOMPARE(state.missingForPage(kHeldSide, 1), std::size_t{0});
    QCOMPARE(state.missingForPage(kHeldSide, 2), std::size_t{2});  // there are no more than 5
    QCOMPARE(state.missingForPage(kHeldSide, 3), std::size_t{0});
    QCOMPARE(state.missingForPage({kMiddle, engine::Direction::Holders}, 0), std::size_t{0});
    QCOMPARE(opened(neighboursWith({groupOf(UINT64_MAX, 0)})).missingForPage(kHeldSide, 0), GraphState::kPage);
  }

  void aPageTurnsObjectsOfTheStackIntoCards() {
    GraphState state = opened(neighboursWith({groupOf(15, 3)}));
    QCOMPARE(state.find(kHeldSide)->stacked(0), std::uint64_t{12});
    state.addPage(kHeldSide, 0, std::vector<Neighbour>(10));
    QCOMPARE(state.find(kHeldSide)->cards[0], std::size_t{13});
    QCOMPARE(state.find(kHeldSide)->stacked(0), std::uint64_t{2});
    state.addPage(kHeldSide, 0, std::vector<Neighbour>(2));
    QCOMPARE(state.find(kHeldSide)->cards[0], std::size_t{15});
    QCOMPARE(state.find(kHeldSide)->stacked(0), std::uint64_t{0});
  }

  void anAnswerThatIsShorterThanAskedForShowsWhatItHas() {
    GraphState state = opened(neighboursWith({groupOf(100, 3)}));
    state.addPage(kHeldSide, 0, std::vector<Neighbour>(1));
    QCOMPARE(state.find(kHeldSide)->cards[0], std::size_t{4});
  }

  void cardsGoBackOnTheirStackAndComeAgainWithoutAsking() {
    GraphState state = opened(neighboursWith({groupOf(100, 3)}));
    state.addPage(kHeldSide, 0, std::vector<Neighbour>(10));
    state.stackGroup(kHeldSide, 0);
    QCOMPARE(state.find(kHeldSide)->stacked(0), std::uint64_t{100});
    QCOMPARE(state.missingForPage(kHeldSide, 0), std::size_t{0});
    state.addPage(kHeldSide, 0, {});
    QCOMPARE(state.find(kHeldSide)->cards[0], std::size_t{10});
  }

  void answersForASideThatWasFoldedMeanwhileAreDropped() {
    GraphState state = opened(neighboursWith({groupOf(100, 3)}));
    state.setLoading(kHeldSide);
    state.fold(kHeldSide);
    QVERIFY(!state.isLoading(kHeldSide));
    state.addPage(kHeldSide, 0, std::vector<Neighbour>(10));
    state.stackGroup(kHeldSide, 0);
    state.showMoreGroups(kHeldSide);
    state.showMoreRoots(kHeldSide);
    QVERIFY(!state.find(kHeldSide));
    QVERIFY(state.sides().empty());
  }

  void groupsThatThereAreNotAreNoHarm() {
    GraphState state = opened(neighboursWith({groupOf(100, 3)}));
    state.addPage(kHeldSide, 1, std::vector<Neighbour>(10));
    state.stackGroup(kHeldSide, SIZE_MAX);
    QCOMPARE(state.find(kHeldSide)->cards, Cards{3});
  }

  void bothSidesOfAnObjectAreOpenedApart() {
    GraphState state = opened(neighboursWith({groupOf(1, 1)}));
    const GraphSide holders{kMiddle, engine::Direction::Holders};
    QVERIFY(!state.find(holders));
    state.setLoading(holders);
    QVERIFY(!state.isLoading(kHeldSide));
    state.open(holders, {});
    QVERIFY(!state.isLoading(holders));
    QCOMPARE(state.sides().size(), std::size_t{2});
  }

  void anotherObjectInTheMiddleBeginsAnew() {
    GraphState state = opened(neighboursWith({groupOf(1, 1)}));
    state.setLoading(kHeldSide);
    state.setPaths({});
    Neighbour other;
    other.object = {0x2000};
    state.start(other);
    QCOMPARE(state.centre().object.value, std::uint64_t{0x2000});
    QVERIFY(state.sides().empty());
    QVERIFY(!state.isLoading(kHeldSide));
    QVERIFY(!state.paths());
    state.clear();
    QVERIFY(state.isEmpty());
  }
};

HEAPSCAPE_WINDOW_TEST(GraphStateTest)

}  // namespace heapscape::gui

#include "tst_graph_state.moc"
