// SPDX-License-Identifier: MIT
#include <QSignalSpy>
#include <QTest>

#include "bridge/navigator.h"
#include "support/window_test.h"

namespace heapscape::gui {

class NavigatorTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void backAndForwardWalkTheHistory();
  void theSameLocationTwiceIsOneStep();
  void aNewStepDropsWhatWasAhead();
  void pickingKeepsThePlaceAndTellsOfTheSelectionOnce();
  void theSelectionSignalStaysSilentIfOnlyThePlaceChanges();
  void theLayoutOfAnotherTypeDropsThePickedObject();
  void resetForgetsTheHistory();
  void anObjectAndATypeHaveTheirPlaces();
  void whatIsListedIsListedOnlyOnce();
  void theMapShowsATypeOrASetUntilItIsToldOtherwise();
  void zoomingIsAStepAndWhatFollowsFromItIsNone();
};

namespace {

Selection typeAt(std::uint64_t address) {
  return {.object = {}, .methodTable = {address}, .segment = {}};
}

}  // namespace

void NavigatorTest::backAndForwardWalkTheHistory() {
  Navigator navigator;
  navigator.reset(PlaceId::Overview);
  navigator.goTo(PlaceId::Types);
  navigator.select(typeAt(0x10));
  QVERIFY(navigator.canGoBack());
  QVERIFY(!navigator.canGoForward());
  navigator.back();
  QVERIFY(navigator.location().selection.isEmpty());
  QCOMPARE(navigator.location().place, PlaceId::Types);
  navigator.back();
  QCOMPARE(navigator.location().place, PlaceId::Overview);
  QVERIFY(!navigator.canGoBack());
  navigator.back();
  navigator.forward();
  navigator.forward();
  QVERIFY(navigator.location().selection == typeAt(0x10));
  QVERIFY(!navigator.canGoForward());
}

void NavigatorTest::theSameLocationTwiceIsOneStep() {
  Navigator navigator;
  navigator.reset(PlaceId::Overview);
  QSignalSpy changed(&navigator, &Navigator::locationChanged);
  navigator.goTo(PlaceId::Segments);
  navigator.goTo(PlaceId::Segments);
  QCOMPARE(changed.count(), 1);
  navigator.back();
  QVERIFY(!navigator.canGoBack());
}

void NavigatorTest::aNewStepDropsWhatWasAhead() {
  Navigator navigator;
  navigator.goTo(PlaceId::Segments);
  navigator.goTo(PlaceId::Types);
  navigator.back();
  navigator.goTo(PlaceId::Layouts);
  QVERIFY(!navigator.canGoForward());
  navigator.back();
  QCOMPARE(navigator.location().place, PlaceId::Segments);
}

void NavigatorTest::pickingKeepsThePlaceAndTellsOfTheSelectionOnce() {
  Navigator navigator;
  navigator.goTo(PlaceId::Types);
  QSignalSpy picked(&navigator, &Navigator::selectionChanged);
  navigator.select(typeAt(0x20));
  navigator.select(typeAt(0x20));
  QCOMPARE(picked.count(), 1);
  QCOMPARE(navigator.location().place, PlaceId::Types);
}

void NavigatorTest::theSelectionSignalStaysSilentIfOnlyThePlaceChanges() {
  Navigator navigator;
  navigator.select(typeAt(0x20));
  QSignalSpy picked(&navigator, &Navigator::selectionChanged);
  navigator.goTo(PlaceId::Layouts);
  QCOMPARE(picked.count(), 0);
  navigator.back();
  navigator.back();
  QCOMPARE(picked.count(), 1);
}

void NavigatorTest::theLayoutOfAnotherTypeDropsThePickedObject() {
  Navigator navigator;
  const Selection object{.object = {0x1000}, .methodTable = {0x20}, .segment = {}};
  navigator.select(object);
  navigator.showLayoutOf(engine::Address{0x20});
  QVERIFY(navigator.location().selection == object);
  navigator.showLayoutOf(engine::Address{0x30});
  QVERIFY(navigator.location().selection == typeAt(0x30));
}

void NavigatorTest::resetForgetsTheHistory() {
  Navigator navigator;
  navigator.goTo(PlaceId::Types);
  navigator.select(typeAt(0x20));
  navigator.reset(PlaceId::Start);
  QVERIFY(!navigator.canGoBack());
  QVERIFY(!navigator.canGoForward());
  QVERIFY(navigator.location().selection.isEmpty());
}

void NavigatorTest::anObjectAndATypeHaveTheirPlaces() {
  Navigator navigator;
  navigator.reset(PlaceId::Types);
  navigator.select({.object = {0x20}, .methodTable = {0x10}, .segment = {3}});
  navigator.showObject({0x20});
  QCOMPARE(navigator.location().place, PlaceId::Object);
  QVERIFY(navigator.location().selection.methodTable == engine::Address{0x10});  // what was known of it stays
  navigator.showObject({0x40});
  QVERIFY(!navigator.location().selection.methodTable);
  navigator.showType({0x30});
  QCOMPARE(navigator.location().place, PlaceId::Runtime);
  QVERIFY(navigator.location().selection == typeAt(0x30));
}

void NavigatorTest::whatIsListedIsListedOnlyOnce() {
  Navigator navigator;
  navigator.reset(PlaceId::Types);
  navigator.showListed(PlaceId::Roots, engine::Address{0x50}, typeAt(0x10));
  QCOMPARE(navigator.location().place, PlaceId::Roots);
  QVERIFY(navigator.location().listed == Listed(engine::Address{0x50}));
  navigator.select(typeAt(0x20));
  QVERIFY(navigator.location().listed == Listed());
  navigator.back();
  QVERIFY(navigator.location().listed == Listed(engine::Address{0x50}));
}

void NavigatorTest::theMapShowsATypeOrASetUntilItIsToldOtherwise() {
  Navigator navigator;
  navigator.reset(PlaceId::Types);
  navigator.showInSegments(typeAt(0x10));
  QCOMPARE(navigator.location().place, PlaceId::Segments);
  QVERIFY(navigator.location().onMap == (ShownOnMap{.methodTable = {0x10}, .set = {}}));
  navigator.select({.object = {0x20}, .methodTable = {0x30}, .segment = {}});
  navigator.goTo(PlaceId::Types);
  navigator.goTo(PlaceId::Segments);
  QVERIFY(navigator.location().onMap == (ShownOnMap{.methodTable = {0x10}, .set = {}}));
  navigator.showSetInSegments(QStringLiteral("picked"));
  QVERIFY(navigator.location().onMap == (ShownOnMap{.methodTable = {}, .set = QStringLiteral("picked")}));
  navigator.showAllInSegments();
  QVERIFY(navigator.location().onMap.isEmpty());
  navigator.back();
  QVERIFY(!navigator.location().onMap.isEmpty());
  // An object is about itself alone.
  navigator.showInSegments({.object = {0x20}, .methodTable = {0x30}, .segment = {}});
  QVERIFY(navigator.location().onMap.isEmpty());
}

void NavigatorTest::zoomingIsAStepAndWhatFollowsFromItIsNone() {
  Navigator navigator;
  navigator.reset(PlaceId::Memory);
  const QString map = QStringLiteral("map");
  navigator.zoom(map, 3);
  QCOMPARE(navigator.location().zoomOf(map), 3u);
  navigator.select(typeAt(0x10));
  navigator.keepZoom(map, 4);  // by the same click
  navigator.goTo(PlaceId::Types);
  QCOMPARE(navigator.location().zoomOf(map), 4u);
  navigator.back();
  navigator.back();
  QCOMPARE(navigator.location().zoomOf(map), 3u);
  QVERIFY(navigator.location().selection.isEmpty());
  navigator.back();
  QCOMPARE(navigator.location().zoomOf(map), 0u);
  QVERIFY(!navigator.canGoBack());
  navigator.forward();
  navigator.forward();
  QCOMPARE(navigator.location().zoomOf(map), 4u);
  // A place that keeps its zoom while it follows does not swallow what was picked.
  QSignalSpy picked(&navigator, &Navigator::selectionChanged);
  connect(&navigator, &Navigator::locationChanged, this, [&] { navigator.keepZoom(map, 9); });
  navigator.select(typeAt(0x20));
  QCOMPARE(picked.count(), 1);
}

HEAPSCAPE_WINDOW_TEST(NavigatorTest)

}  // namespace heapscape::gui

#include "tst_navigator.moc"
