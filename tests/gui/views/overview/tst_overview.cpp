// SPDX-License-Identifier: MIT
#include <QAbstractButton>
#include <QHeaderView>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <optional>

#include "bridge/engine_bridge.h"
#include "models/cells/roles.h"
#include "session/threads/threads_query.h"
#include "support/dump_path.h"
#include "support/dumps.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/overview/age_donut.h"
#include "views/overview/dump_facts.h"
#include "views/overview/modules_table.h"
#include "views/overview/overview_place.h"
#include "views/overview/top_types_chart.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

class OverviewTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void barsShareOneScaleAndStayInsideTheirRows();
  void aBarIsDividedIntoLiveAndGarbage();
  void barsOfAVeryNarrowPictureHaveNoNegativeSizes();
  void sharesOfAllHeapsAddUpToTheHeap();
  void emptyGenerationsHaveNoShare();
  void theFactsTellWhetherHeapsAreSetAside();
  void modulesSortBySizeAndNameAndKeepTheSelection();
  void mappedMemoryNeverStandsAlone();
  void withoutADumpNothingIsLoading();
  void aCompleteDumpHasNoBanner();
  void aDumpTakenWhileCollectingSaysSoWithItsCoverage();
  void whyTheProcessDiedComesFirstAndLeadsToItsThread();
  void ofAProcessThatLivedNothingIsSaidOfDying();

 private:
  static std::optional<engine::Snapshot> opened(const QString& name);
};

namespace {

TopType typeOf(std::uint64_t gen0, std::uint64_t gen2) {
  TopType type;
  type.generationBytes[0] = gen0;
  type.generationBytes[2] = gen2;
  type.bytes = gen0 + gen2;
  return type;
}

double lengthOf(const TopTypeBar& bar) {
  return bar.live.width() + bar.garbage.width();
}

}  // namespace

std::optional<engine::Snapshot> OverviewTest::opened(const QString& name) {
  EngineBridge bridge;
  QSignalSpy finished(&bridge, &EngineBridge::openFinished);
  bridge.open(test::dumpFile(name));
  if (!finished.wait(40'000)) return std::nullopt;
  return *bridge.snapshot();
}

void OverviewTest::barsShareOneScaleAndStayInsideTheirRows() {
  const auto bars = topTypeBars({typeOf(0, 1000), typeOf(0, 250)}, 800, 24, 80);
  QCOMPARE(bars.size(), std::size_t{2});
  QVERIFY(qAbs(lengthOf(bars[0]) - 4 * lengthOf(bars[1])) < 0.001);
  for (const TopTypeBar& bar : bars) {
    QVERIFY(bar.garbage.isEmpty());
    QVERIFY(bar.row.contains(bar.live));
    QVERIFY(!bar.live.intersects(bar.name));
    QVERIFY(!bar.live.intersects(bar.figure));
  }
  QVERIFY(!bars[0].row.intersects(bars[1].row));
}

void OverviewTest::aBarIsDividedIntoLiveAndGarbage() {
  TopType type = typeOf(300, 100);
  type.garbageBytes = 100;
  const TopTypeBar bar = topTypeBars({type}, 800, 24, 80)[0];
  QVERIFY(qAbs(bar.live.width() - 3 * bar.garbage.width()) < 0.001);
  QVERIFY(qAbs(bar.live.right() - bar.garbage.left()) < 0.001);
  type.garbageBytes.reset();
  QCOMPARE(topTypeBars({type}, 800, 24, 80)[0].garbage.width(), 0.0);
}

void OverviewTest::barsOfAVeryNarrowPictureHaveNoNegativeSizes() {
  const auto bars = topTypeBars({typeOf(1, 2)}, 10, 24, 80);
  QVERIFY(bars[0].name.width() >= 0);
  QVERIFY(bars[0].live.width() >= 0);
}

void OverviewTest::sharesOfAllHeapsAddUpToTheHeap() {
  const auto snapshot = opened(QStringLiteral("shop-8-server"));
  QVERIFY(snapshot);
  std::uint64_t live = 0;
  std::uint64_t free = 0;
  for (const AgeShare& share : ageShares(snapshot->generations())) {
    (share.generation ? live : free) += share.bytes;
  }
  const HeapFigures whole = heapFigures(snapshot->totals());
  QCOMPARE(live, whole.bytes);
  QCOMPARE(free, whole.freeBytes);
}

void OverviewTest::emptyGenerationsHaveNoShare() {
  engine::GenerationRow full{.generation = engine::Generation::Gen2, .heap = 0, .totals = {.objects = 1, .bytes = 24}};
  engine::GenerationRow empty{.generation = engine::Generation::Pinned, .heap = 0, .totals = {}};
  const auto shares = ageShares({full, empty});
  QCOMPARE(shares.size(), std::size_t{1});
  QVERIFY(shares[0].generation == engine::Generation::Gen2);
}

void OverviewTest::theFactsTellWhetherHeapsAreSetAside() {
  const auto adaptation = [](const QString& dump) {
    const auto facts = dumpFacts(*opened(dump));
    const auto found = std::ranges::find(facts, QStringLiteral("DATAS"), &Fact::label);
    return found == facts.end() ? QString() : found->value;
  };
  QCOMPARE(adaptation(QStringLiteral("shop-10-server")), QStringLiteral("off"));
  QCOMPARE(adaptation(QStringLiteral("shop-9-server")), QStringLiteral("unknown"));
  QCOMPARE(adaptation(QStringLiteral("shop-10")), QString());  // workstation: it cannot
}

void OverviewTest::modulesSortBySizeAndNameAndKeepTheSelection() {
  EngineBridge bridge;
  QSignalSpy finished(&bridge, &EngineBridge::openFinished);
  bridge.open(test::dataFile(QStringLiteral("shop-10.core.zst")));
  QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, test::kPatienceMs);
  const std::vector<engine::ModuleRow>& modules = bridge.snapshot()->modules();
  ModulesTable table(bridge);
  table.load();
  RowsModel& rows = table.rows();
  QTRY_COMPARE_WITH_TIMEOUT(rows.rowCount(), static_cast<int>(modules.size()), test::kPatienceMs);
  QVERIFY(rows.rowCount() > 3);
  const int name = table.sectionOf("name");
  const int size = table.sectionOf("size");
  for (int row = 1; row < rows.rowCount(); ++row) {
    const QString before = rows.index(row - 1, name).data().toString();
    QVERIFY(before.compare(rows.index(row, name).data().toString(), Qt::CaseInsensitive) <= 0);
  }
  table.pickLine(2);
  const engine::Address kept = rows.identityAt(2);
  QSignalSpy shown(&table, &ModulesTable::shown);
  Q_EMIT table.horizontalHeader()->sectionClicked(size);
  QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 1, test::kPatienceMs);
  QVERIFY(rows.identityAt(table.currentIndex().row()) == kept);
  std::uint64_t largest = 0;
  for (const engine::ModuleRow& module : modules) largest = std::max(largest, module.sizeBytes);
  QCOMPARE(rows.index(0, size).data(kPlainRole).toULongLong(), largest);
  table.clear();
  QCOMPARE(rows.rowCount(), 0);
}

void OverviewTest::mappedMemoryNeverStandsAlone() {
  engine::ProcessMemory memory;
  memory.mappedBytes = 120 << 20;
  memory.resident.atLeastBytes = 13 << 20;
  memory.isWhole = true;
  const Fact whole = memoryFact(memory);
  QCOMPARE(whole.value, QStringLiteral("in memory 13.0 MB or more; 120 MB mapped"));
  QVERIFY(whole.detail.contains(QStringLiteral("at most 120 MB")));
  memory.isWhole = false;
  QCOMPARE(memoryFact(memory).value, QStringLiteral("resident: at least 13.0 MB (this dump gives no upper bound)"));
}

void OverviewTest::withoutADumpNothingIsLoading() {
  test::PlaceScene<OverviewPlace> scene(PlaceId::Overview);
  QVERIFY(test::visibleTexts(scene.place).contains(QStringLiteral("No dump is open")));
  for (const StatePanel* state : scene.place.findChildren<StatePanel*>())
    QVERIFY(!state->isVisible() || state->state() != StatePanel::State::Loading);
  QVERIFY(scene.open(test::dataFile(QStringLiteral("shop-10.core.zst"))));
  QVERIFY(!test::visibleTexts(scene.place).contains(QStringLiteral("No dump is open")));
}

void OverviewTest::aCompleteDumpHasNoBanner() {
  const auto snapshot = opened(QStringLiteral("shop-10"));
  QVERIFY(snapshot);
  QVERIFY(snapshot->isComplete());
  QCOMPARE(bannerText(*snapshot), QString());
  const HealthReport report = healthReport(*snapshot, 6);
  QVERIFY(report.isComplete);
  QVERIFY(report.items.empty());
}

void OverviewTest::aDumpTakenWhileCollectingSaysSoWithItsCoverage() {
  const auto snapshot = opened(QStringLiteral("storm-8-collecting"));
  QVERIFY(snapshot);
  QVERIFY(snapshot->summary().runtime.gcInProgress);
  QVERIFY(bannerText(*snapshot).contains(QStringLiteral("in the middle of a collection")));
  QVERIFY(bannerText(*snapshot).contains(QLatin1Char('%')));
  const HealthReport report = healthReport(*snapshot, 1);
  QVERIFY(!report.isComplete);
  QCOMPARE(report.items.size(), std::size_t{1});
  QCOMPARE(report.leftOut,
           snapshot->findings().size() + snapshot->summary().missing.size() + snapshot->findingsLeftOut() - 1);
}

void OverviewTest::whyTheProcessDiedComesFirstAndLeadsToItsThread() {
  test::PlaceScene<OverviewPlace> scene(PlaceId::Overview);
  QVERIFY(scene.open(QString::fromStdString(heapscape::test::dumpPath("crashes/divide-10").string())));
  auto* notice = scene.part<DeathNotice>("death");
  QTRY_VERIFY(notice->isVisible());
  const QString sentence = scene.part<QLabel>("deathSentence")->text();
  QVERIFY2(sentence.contains(QStringLiteral("System.DivideByZeroException")), qPrintable(sentence));
  const QStringList texts = test::visibleTexts(*notice);
  QVERIFY2(texts.contains(QStringLiteral("Attempted to divide by zero.")), qPrintable(texts.join(QLatin1Char('\n'))));
  QVERIFY(notice->mapTo(&scene.place, QPoint()).y() < scene.place.height() / 8);
  scene.part<QAbstractButton>("deathThread")->click();
  QCOMPARE(scene.navigator.location().place, PlaceId::Threads);
  const auto threads = engine::listThreads(scene.snapshot(), {});
  QVERIFY(threads);
  const auto dead = std::ranges::find_if(threads->threads, &engine::ThreadRow::hasDied);
  QVERIFY(dead != threads->threads.end());
  QVERIFY(scene.navigator.location().listed == Listed(dead->address));
}

void OverviewTest::ofAProcessThatLivedNothingIsSaidOfDying() {
  test::PlaceScene<OverviewPlace> scene(PlaceId::Overview);
  QVERIFY(scene.open(QString::fromStdString(heapscape::test::dumpPath("crashes/divide-10").string())));
  auto* notice = scene.part<DeathNotice>("death");
  QTRY_VERIFY(notice->isVisible());
  scene.place.clear();
  QVERIFY(scene.open(test::dataFile(QStringLiteral("shop-10.core.zst"))));
  QTRY_VERIFY(scene.bridge.isAtRest());
  QVERIFY(!notice->isVisible());
}

HEAPSCAPE_WINDOW_TEST(OverviewTest)

}  // namespace heapscape::gui

#include "tst_overview.moc"
