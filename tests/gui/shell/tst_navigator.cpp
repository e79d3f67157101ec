// SPDX-License-Identifier: MIT
#include <QSignalSpy>
#include <QTest>

#include "bridge/navigator.h"

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
  navigator.showLayoutOf({0x20});
  QVERIFY(navigator.location().selection == object);
  navigator.showLayoutOf({0x30});
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

}  // namespace heapscape::gui

QTEST_GUILESS_MAIN(heapscape::gui::NavigatorTest)
#include "tst_navigator.moc"
