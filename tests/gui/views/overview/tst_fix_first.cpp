// SPDX-License-Identifier: MIT
// What the overview leads with: the heap now and after, what to do for it, and what it says while that is not known.
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include "models/names/insight_text.h"
#include "support/made_insights.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/overview/fix_first.h"
#include "views/overview/heap_bar.h"
#include "views/overview/overview_place.h"
#include "widgets/bar_row.h"

namespace heapscape::gui {

namespace {

using engine::InsightKind;
using engine::InsightMeaning;

/// A list with one action of each of its insights.
engine::InsightList plannedList(std::vector<engine::Insight> insights) {
  engine::InsightList list;
  list.insights = std::move(insights);
  for (std::uint32_t i = 0; i < list.insights.size(); ++i)
    list.plan.actions.push_back({.insights = {i}, .bytes = list.insights[i].bytes});
  return list;
}

}  // namespace

class FixFirstTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { test::dressApplication(); }

  void theBarsPartsAreInProportionAndFillIt() {
    const QRectF bar(50, 10, 400, 20);
    const HeapBarParts parts = heapBarParts({.now = 1000, .goes = 250, .mayGo = 100}, bar);
    QCOMPARE(parts.stays, QRectF(50, 10, 260, 20));
    QCOMPARE(parts.mayGo, QRectF(310, 10, 40, 20));
    QCOMPARE(parts.goes, QRectF(350, 10, 100, 20));
    const HeapBarParts little = heapBarParts({.now = 1'000'000, .goes = 1}, bar);
    QVERIFY2(little.goes.width() >= 3, "what goes can be seen");
    QCOMPARE(little.goes.right(), bar.right());
    QCOMPARE(heapBarParts({.now = 1000, .goes = 0}, bar).stays, bar);
    QCOMPARE(heapBarParts({.now = 1000}, bar).stays, bar);
    QCOMPARE(heapBarParts({.now = 0, .goes = 0}, bar).stays, bar);
    const HeapBarParts all = heapBarParts({.now = 1000, .goes = 1000, .mayGo = 500}, bar);
    QCOMPARE(all.goes, bar);
    QCOMPARE(all.stays.width(), 0.0);
  }

  void theBarSaysWhereItIsABound() {
    HeapBar bar;
    bar.setChange({.now = 1 << 20});
    QVERIFY(bar.afterText().isEmpty());
    bar.setChange({.now = 1 << 20, .goes = 1 << 19});
    QCOMPARE(bar.afterText(), QStringLiteral("512 KB"));
    bar.setChange({.now = 1 << 20, .goes = 1 << 19, .mayGo = 1 << 10, .isLeast = true});
    QCOMPARE(bar.afterText(), QStringLiteral("at most 512 KB"));
    QVERIFY(bar.accessibleName().contains(QStringLiteral("1,048,576 bytes")));
    QVERIFY(bar.accessibleName().contains(QStringLiteral("1.00 KB more")));
  }

  void sentencesHaveNamesWithoutNamespaces() {
    engine::Insight trim = test::madeInsight(InsightKind::OversizedCollections, InsightMeaning::Waste, "", 4'000);
    trim.subject = "System.Collections.Generic.List<Shop.Order>";
    trim.methodTable = {0x1000};
    engine::Insight leak = test::madeInsight(InsightKind::DelegateLeak, InsightMeaning::Leak, "", 3'000);
    leak.place = "static Shop.Bus.OrderPlaced";
    leak.type = "Shop.Ui.View";
    leak.subject = leak.place + " \u2192 " + leak.type;
    leak.methodTable = {0x2000};
    engine::Insight timer = test::madeInsight(InsightKind::TimerLeak, InsightMeaning::Leak, "", 2'000);
    timer.subject = "Shop.Poller.Tick()";
    timer.methodTable = {0x3000};
    const engine::InsightList list = plannedList({trim, leak, timer});
    QCOMPARE(shortActionText(list, list.plan.actions[0]), QStringLiteral("Trim 10 List<Order>"));
    QCOMPARE(shortActionText(list, list.plan.actions[1]),
             QStringLiteral("Unsubscribe 10 View objects from static Shop.Bus.OrderPlaced"));
    QCOMPARE(shortActionText(list, list.plan.actions[2]),
             QStringLiteral("Stop 10 timers that call Shop.Poller.Tick()"));
  }

  void manyOfAKindAreOneActionOnAllTheirObjects() {
    engine::InsightList list;
    engine::InsightAction together{.bytes = 40'000, .addedBytes = 40'000};
    for (std::uint32_t i = 0; i < 20; ++i) {
      list.insights.push_back(test::madeInsight(InsightKind::DuplicateStrings, InsightMeaning::Waste, "equal", 2'000));
      list.insights.back().ids = {i, i + 1, 90 - i};
      together.insights.push_back(i);
    }
    list.plan.actions = {together};
    const FoundInsights found = indexed(std::move(list), 100'000);
    const InsightKey all = keyOf(found.list, found.list.plan.actions[0]);
    QCOMPARE(shortActionText(found.list, found.list.plan.actions[0]),
             QStringLiteral("Share equal strings: 20 texts, 200 strings"));
    QCOMPARE(found.titleOf(all), std::string("Share equal strings: 20 texts, 200 strings"));
    const std::vector<std::uint32_t>* objects = found.objectsOf(all);
    QVERIFY(objects);
    QCOMPARE(objects->size(), std::size_t{41});
    QVERIFY(std::ranges::is_sorted(*objects));
    const InsightKey gone{.subject = "nothing that was found"};
    QVERIFY(!found.objectsOf(gone));
    QVERIFY(found.titleOf(gone).empty());
  }

  void untilItIsKnownThePageSaysHowFarItIs() {
    test::PlaceScene<OverviewPlace> scene(PlaceId::Overview);
    auto* bar = scene.place.findChild<HeapBar*>();
    QCOMPARE(bar->change().now, std::uint64_t{0});
    QVERIFY(!scene.part<BarRow>("fix0"));
    InsightsSource& source = InsightsSource::of(scene.bridge);
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    source.look();
    QCOMPARE(source.state(), InsightsState::Computing);
    QCOMPARE(bar->change().now, scene.snapshot().totals().bytes);
    QVERIFY2(!bar->change().goes, "what would go is not known yet");
    QVERIFY(scene.part<QLabel>("insightSummary")->text().startsWith(QStringLiteral("Looking for waste and leaks")));
    source.stop();
    QCOMPARE(scene.part<QLabel>("insightSummary")->text(), QStringLiteral("Looking for waste and leaks was stopped."));
    auto* again = scene.part<QPushButton>("allInsights");
    QCOMPARE(again->text(), QStringLiteral("Look again"));
    again->click();
    QTRY_COMPARE_WITH_TIMEOUT(source.state(), InsightsState::Ready, test::kPatienceMs);
    QVERIFY(bar->change().goes);
    QVERIFY(scene.part<BarRow>("fix0"));
    scene.place.clear();
  }

  void nothingToWinBackIsSaid() {
    test::PlaceScene<OverviewPlace> scene(PlaceId::Overview);
    InsightsSource& source = InsightsSource::of(scene.bridge);
    QVERIFY(scene.openUntilRetained(test::dumpFile(QStringLiteral("lookups-10"))));
    QTRY_COMPARE_WITH_TIMEOUT(source.state(), InsightsState::Ready, test::kPatienceMs);
    QVERIFY(source.found()->list.plan.actions.empty());
    QCOMPARE(scene.part<QLabel>("insightLead")->text(), QStringLiteral("Nothing to win back was found"));
    QCOMPARE(scene.part<HeapBar>("heapBar")->change().goes.value_or(1), std::uint64_t{0});
  }
};

HEAPSCAPE_WINDOW_TEST(FixFirstTest)

}  // namespace heapscape::gui

#include "tst_fix_first.moc"
