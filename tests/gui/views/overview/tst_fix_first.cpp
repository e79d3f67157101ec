// SPDX-License-Identifier: MIT
// What the overview leads with: what of the heap is live and what is garbage, whose it is, what to do for it, and what
// it says while that is not known.
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include "insight/insight_actions.h"
#include "models/names/insight_text.h"
#include "models/names/reach_text.h"
#include "models/names/type_name.h"
#include "support/made_insights.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/overview/fix_first.h"
#include "views/overview/heap_head.h"
#include "views/overview/overview_place.h"
#include "views/overview/owners_list.h"
#include "widgets/bar_row.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

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
    const HeapBarParts parts = heapBarParts({.live = 500, .garbage = 400, .free = 100}, bar);
    QCOMPARE(parts.live, QRectF(50, 10, 200, 20));
    QCOMPARE(parts.garbage, QRectF(250, 10, 160, 20));
    QCOMPARE(parts.free, QRectF(410, 10, 40, 20));
    const HeapBarParts little = heapBarParts({.live = 1, .garbage = 1'000'000, .free = 1}, bar);
    QVERIFY2(little.live.width() >= 3 && little.free.width() >= 3, "what is there can be seen");
    QCOMPARE(little.free.right(), bar.right());
    QCOMPARE(little.live.left(), bar.left());
    QCOMPARE(heapBarParts({.live = 10}, bar).live, bar);
    QCOMPARE(heapBarParts({.live = 10}, bar).garbage.width(), 0.0);
    QCOMPARE(heapBarParts({}, bar).live.width(), 0.0);
  }

  void oneSentenceTellsLiveAndGarbage() {
    const engine::RetainedTotals totals{3, 10 << 20, 5, 18 << 20};
    QCOMPARE(reachSentence(totals, {15, 4, 2}),
             QStringLiteral("10.0 MB live, 18.0 MB garbage not collected yet: 2 of 15 collections were gen2"));
    QCOMPARE(reachSentence(totals, {15, 4, 0}),
             QStringLiteral("10.0 MB live, 18.0 MB garbage not collected yet: none of 15 collections was gen2"));
    QCOMPARE(reachSentence(totals, {}), QStringLiteral("10.0 MB live, 18.0 MB garbage not collected yet"));
    // Free space where it is more than garbage, and much.
    QCOMPARE(reachSentence(totals, {}, 10 << 20), reachSentence(totals, {}));
    QCOMPARE(reachSentence({3, 14 << 20, 5, 1 << 20}, {15, 4, 2}, 9 << 20),
             QStringLiteral("14.0 MB live, 9.00 MB free between objects, 1.00 MB garbage not collected yet"));
    QCOMPARE(reachSentence({3, 14 << 20, 5, 1 << 20}, {}, 2 << 20),
             QStringLiteral("14.0 MB live, 1.00 MB garbage not collected yet"));
    // What is frozen and unreferenced is no garbage.
    const engine::RetainedTotals frozen{3, 1 << 20, 5, 1 << 10, 5, 1 << 10};
    QCOMPARE(reachSentence(frozen, {}), QStringLiteral("1.00 MB live, no garbage"));
    QVERIFY(garbageTip(frozen).contains(QStringLiteral("1,024 bytes in 5 objects that are frozen and unreferenced")));
    QCOMPARE(reachSentence({3, 1 << 20, 0, 0}, {0, 0, 0}),
             QStringLiteral("1.00 MB live, no garbage: there was no collection so far"));
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
    QCOMPARE(bar->parts().whole(), std::uint64_t{0});
    QVERIFY(!scene.part<BarRow>("fix0"));
    auto* list = scene.place.findChild<FixFirst*>();
    const int height = list->minimumSizeHint().height();
    InsightsSource& source = InsightsSource::of(scene.bridge);
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    source.look();
    QCOMPARE(source.state(), InsightsState::Computing);
    QVERIFY(scene.part<QLabel>("insightSummary")->text().startsWith(QStringLiteral("Looking for waste and leaks")));
    source.stop();
    QCOMPARE(scene.part<QLabel>("insightSummary")->text(), QStringLiteral("Looking for waste and leaks was stopped."));
    auto* again = scene.part<QPushButton>("allInsights");
    QCOMPARE(again->text(), QStringLiteral("Scan again"));
    again->click();
    QTRY_COMPARE_WITH_TIMEOUT(source.state(), InsightsState::Ready, test::kPatienceMs);
    QVERIFY(scene.part<BarRow>("fix0"));
    QVERIFY2(list->minimumSizeHint().height() >= height, "room for the rows was kept");
    scene.place.clear();
  }

  void theBarHasLiveGarbageAndFreeBytesOfTheDump() {
    test::PlaceScene<OverviewPlace> scene(PlaceId::Overview);
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    const engine::RetainedTotals totals = scene.snapshot().retainedTotals();
    QVERIFY(totals.garbageBytes() > 0);
    const HeapParts parts = scene.part<HeapBar>("heapBar")->parts();
    QVERIFY(parts.isReachKnown);
    QCOMPARE(parts.live, totals.reachableBytes);
    QCOMPARE(parts.garbage, totals.garbageBytes());
    QCOMPARE(parts.frozen, totals.frozenBytes);
    QCOMPARE(parts.whole(), scene.snapshot().totals().bytes);
    QTRY_COMPARE(scene.part<QLabel>("heapSentence")->text().section(QLatin1Char(','), 0, 0),
                 QStringLiteral("%1 live").arg(bytesText(totals.reachableBytes)));
    auto* garbage = scene.part<BarRow>("heapGarbage");
    QVERIFY(garbage);
    garbage->click();
    const Location& there = scene.navigator.location();
    QVERIFY(there.place == PlaceId::Types && there.typesPage == TypesPage::Objects && there.areObjectsByType);
    QCOMPARE(there.objectsQuery, QStringLiteral("garbage = true"));
  }

  // Generic types of generic types have long names.
  void aSavingTakesTheLinesThatItsNamesWant() {
    BarLine line{.form = RowForm::Action,
                 .text = QStringLiteral("Do not create 6 empty Dictionary<IReadOnlyModificationCommand, "
                                        "Dictionary<IReadOnlyModificationCommand, Object>>"),
                 .figures = {{.text = QStringLiteral("29.1 KB")}}};
    const BarRow row(line);
    const int oneLine = row.sizeHint().height();
    QCOMPARE(row.heightForWidth(2000), oneLine);
    const int text = row.fontMetrics().horizontalAdvance(line.text);
    const int beforeText = row.sizeHint().width() - text;
    QCOMPARE(row.heightForWidth(beforeText + text * 2 / 3), oneLine + row.fontMetrics().lineSpacing());
    QCOMPARE(row.heightForWidth(beforeText + text * 2 / 5), oneLine + 2 * row.fontMetrics().lineSpacing());
    QCOMPARE(row.heightForWidth(beforeText + text / 5), oneLine + 2 * row.fontMetrics().lineSpacing());
  }

  void ownersAddUpToWhatIsLive() {
    test::PlaceScene<OverviewPlace> scene(PlaceId::Overview);
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    QTRY_VERIFY(scene.part<BarRow>("owner0"));
    const auto owners = engine::largestOwners(scene.snapshot(), OwnersList::kMostOwners, {});
    QVERIFY(owners);
    std::uint64_t bytes = owners->ofOthers.bytes + owners->together.bytes;
    QStringList names;
    for (std::size_t i = 0; i < owners->owners.size(); ++i) {
      bytes += owners->owners[i].alone.bytes;
      const auto* row = scene.part<BarRow>(QStringLiteral("owner%1").arg(i).toLatin1().constData());
      QVERIFY(row);
      const engine::RootOwner& owner = owners->owners[i];
      if (owner.isShared)
        QVERIFY(row->line().text.startsWith(shortTypeName(owner.typeName)) ||
                owner.name.find("static ") != owner.name.npos);
      else
        QCOMPARE(row->line().text, shortRootName(owner.name));
      QCOMPARE(row->line().text.endsWith(QStringLiteral(" (shared)")), owner.isShared);
      QVERIFY2(!names.contains(row->line().text), "each is told from the others");
      names << row->line().text;
    }
    QCOMPARE(bytes, scene.snapshot().retainedTotals().reachableBytes);
    QVERIFY2(owners->owners[0].name.starts_with("static"), owners->owners[0].name.c_str());
    // What several share in smaller parts may be most of all: a row like the others, which leads on.
    auto* together = scene.part<BarRow>("ownersTogether");
    QVERIFY(owners->together.bytes > 0 && together);
    QCOMPARE(together->line().figures.front().text, bytesText(owners->together.bytes));
    together->click();
    QCOMPARE(scene.navigator.location().place, PlaceId::Roots);
  }

  void staticsOfCompiledProgramsAreNamedByWhatTheyHold() {
    test::PlaceScene<OverviewPlace> scene(PlaceId::Overview);
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("aot/zoo-10.core.zst"))));
    QTRY_VERIFY_WITH_TIMEOUT(scene.part<BarRow>("owner0"), test::kPatienceMs);
    const BarRow* first = scene.part<BarRow>("owner0");
    QVERIFY2(first->line().text.startsWith(QStringLiteral("statics: List<Byte[]>")), qPrintable(first->line().text));
    QVERIFY2(first->line().tip.contains(QStringLiteral("<statics ")), "where they lie stands in the tip");
    for (int i = 0; i < 5; ++i) {
      const auto* row = scene.part<BarRow>(QStringLiteral("owner%1").arg(i).toLatin1().constData());
      QVERIFY(row && !row->line().text.contains(QStringLiteral("+0x")));
    }
  }

  void namesOfRootsLeaveNamespacesOut() {
    QCOMPARE(shortRootName("static Shop.Stock.Program.orders"), QStringLiteral("static Program.orders"));
    QCOMPARE(shortRootName("static Shop.Pool<System.Byte>.all"), QStringLiteral("static Pool<Byte>.all"));
    QCOMPARE(shortRootName("static Shop.P.<Name>k__BackingField"), QStringLiteral("static P.<Name>k__BackingField"));
    QCOMPARE(shortRootName("statics of Shop.Program"), QStringLiteral("statics of Program"));
    QCOMPARE(shortRootName("strong handles"), QStringLiteral("strong handles"));
  }

  void aDeadlockIsToldFirst() {
    test::PlaceScene<OverviewPlace> scene(PlaceId::Overview);
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    QTRY_VERIFY_WITH_TIMEOUT(scene.part<BarRow>("alertDeadlock"), test::kPatienceMs);
    auto* alert = scene.part<BarRow>("alertDeadlock");
    QVERIFY(alert->line().text.contains(QStringLiteral("wait for each other")));
    QVERIFY2(alert->mapTo(&scene.place, QPoint()).y() <
                 scene.part<QLabel>("heapSentence")->mapTo(&scene.place, QPoint()).y(),
             "alerts stand above the heap");
    alert->click();
    QCOMPARE(scene.navigator.location().place, PlaceId::Threads);
  }

  void pendingFinalizersLeadToTheirQueue() {
    test::PlaceScene<OverviewPlace> scene(PlaceId::Overview);
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    QTRY_VERIFY_WITH_TIMEOUT(scene.part<BarRow>("alertFinalizers"), test::kPatienceMs);
    scene.part<BarRow>("alertFinalizers")->click();
    QCOMPARE(scene.navigator.location().place, PlaceId::Roots);
    QVERIFY(std::holds_alternative<FinalizerQueue>(scene.navigator.location().listed));
  }

  void howSureAnActionIsFollowsFromItsKindAndSize() {
    engine::Insight strings = test::madeInsight(InsightKind::DuplicateStrings, InsightMeaning::Waste, "", 4'000);
    engine::Insight table = test::madeInsight(InsightKind::OversizedCollections, InsightMeaning::Waste, "", 8 << 20);
    table.objects = 2;
    engine::Insight lists = test::madeInsight(InsightKind::OversizedCollections, InsightMeaning::Waste, "", 4'000);
    engine::Insight leak = test::madeInsight(InsightKind::DelegateLeak, InsightMeaning::Leak, "", 4'000);
    const engine::InsightList list = plannedList({strings, table, lists, leak});
    using engine::ActionCertainty;
    QVERIFY(engine::certaintyOf(list, list.plan.actions[0]) == ActionCertainty::Sure);
    QVERIFY(engine::certaintyOf(list, list.plan.actions[1]) == ActionCertainty::ByDesign);
    QVERIFY(engine::certaintyOf(list, list.plan.actions[2]) == ActionCertainty::Check);
    QVERIFY(engine::certaintyOf(list, list.plan.actions[3]) == ActionCertainty::Check);
  }

  void nothingToWinBackIsSaid() {
    test::PlaceScene<OverviewPlace> scene(PlaceId::Overview);
    InsightsSource& source = InsightsSource::of(scene.bridge);
    QVERIFY(scene.openUntilRetained(test::dumpFile(QStringLiteral("lookups-10"))));
    QTRY_COMPARE_WITH_TIMEOUT(source.state(), InsightsState::Ready, test::kPatienceMs);
    QVERIFY(source.found()->list.plan.actions.empty());
    QCOMPARE(scene.part<QLabel>("insightLead")->text(), QStringLiteral("Possible savings: none found"));
  }
};

HEAPSCAPE_WINDOW_TEST(FixFirstTest)

}  // namespace heapscape::gui

#include "tst_fix_first.moc"
