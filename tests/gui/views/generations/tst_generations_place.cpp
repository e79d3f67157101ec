// SPDX-License-Identifier: MIT
// The place on real dumps: charts, table and the engine's figures agree, and clicks lead to the types.
#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QLabel>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <algorithm>

#include "models/cells/roles.h"
#include "models/rows/rows_model.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/generations/generations_place.h"
#include "views/generations/stacked_chart.h"
#include "widgets/hover_bubble.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

using namespace heapscape::gui;
using namespace heapscape::engine;

namespace {

struct Scene : test::PlaceScene<GenerationsPlace> {
  Scene() : PlaceScene(PlaceId::Generations) {}

  bool open(const char* name) { return PlaceScene::open(test::dumpFile(QString::fromLatin1(name))) && waitForSizes(); }

  void showAnew() {
    place.clear();
    navigator.reset(PlaceId::Generations);
    press(QStringLiteral("Bytes"));
    place.showSnapshot(*bridge.snapshot());
    if (!waitForSizes()) qFatal("no sizes");
  }

  bool waitForSizes() {
    return QTest::qWaitFor([this] { return !sizes().table().bars.empty(); }, test::kPatienceMs);
  }

  StackedChart& chart(const QString& name) {
    for (auto* chart : place.findChildren<StackedChart*>()) {
      if (chart->accessibleName() == name) return *chart;
    }
    qFatal("no such chart");
  }
  StackedChart& generations() { return chart(QStringLiteral("Generations")); }
  StackedChart& sizes() { return chart(QStringLiteral("Object sizes")); }
  QTableView& table() { return *place.findChild<QTableView*>(QStringLiteral("generationFigures")); }

  void press(const QString& text) {
    for (auto* button : place.findChildren<QAbstractButton*>()) {
      if (button->text() == text) button->click();
    }
  }
};

test::ScenesByDump<Scene>& scenes() {
  static test::ScenesByDump<Scene> scenes;
  return scenes;
}

Scene& opened(const char* name) {
  return scenes().shownAnew(name);
}

}  // namespace

class GenerationsPlaceTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void cleanupTestCase() { scenes().clear(); }

  void withoutADumpNothingSpins() {
    Scene scene;
    QCOMPARE(scene.place.findChild<StatePanel*>()->state(), StatePanel::State::Empty);
  }

  void chartTableAndEngineAgree_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("regions") << QByteArray("shop-10");
    QTest::newRow("server") << QByteArray("shop-9-server");
    QTest::newRow("classic segments") << QByteArray("shop-8-segments");
  }

  void chartTableAndEngineAgree() {
    QFETCH(QByteArray, name);
    Scene& scene = opened(name.constData());
    const ObjectTotals totals = scene.bridge.snapshot()->totals();
    QCOMPARE(scene.generations().table().total(), totals.bytes);
    const QAbstractItemModel& model = *scene.table().model();
    const int last = model.rowCount() - 1;
    QCOMPARE(static_cast<std::size_t>(last), scene.bridge.snapshot()->generations().size());
    QCOMPARE(model.index(last, UsedColumn).data().toString(), bytesText(totals.bytes - totals.freeBytes));
    QCOMPARE(model.index(last, GenerationObjectsColumn).data().toString(),
             countText(totals.objects - totals.freeObjects));
    scene.press(QStringLiteral("Objects"));
    QCOMPARE(scene.generations().table().total(), totals.objects);
    QCOMPARE(scene.sizes().table().total(), totals.objects - totals.freeObjects);
  }

  void theFiguresEndWithTheirSum() {
    const std::vector<heapscape::engine::GenerationRow> rows{{Generation::Gen0, 0, {10, 1'000, 1, 100}},
                                                             {Generation::Gen2, 1, {5, 500, 0, 0}}};
    RowsModel model(generationSchema().setups());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.show(makeRowList(generationLines(rows), generationSchema()));
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.index(2, UsedColumn).data(Qt::ToolTipRole).toString(), exactBytesText(1'400));
    QCOMPARE(model.index(0, FreeShareColumn).data().toString(), percentText(100, 1'000));
    QCOMPARE(model.index(0, FreeShareColumn).data(kPlainRole).toString(), QStringLiteral("0.1"));
    QCOMPARE(model.index(2, HeapColumn).data().toString(), QString());
    QCOMPARE(scopeOf(rows, 1).heap, std::optional<std::uint32_t>(1));
    QCOMPARE(scopeOf(rows, 1).generation, std::optional(Generation::Gen2));
    QVERIFY(scopeOf(rows, 2).isWhole());
    QVERIFY(generationLines({}).empty());
  }

  void clickingABarShowsTheTypesOfItsGeneration() {
    Scene& scene = opened("shop-10");
    const StackTable& table = scene.generations().table();
    std::size_t bar = 0;
    while (table.bars[bar].scope.generation != Generation::Gen2) ++bar;
    QTest::mouseClick(scene.generations().viewport(), Qt::LeftButton, {}, scene.generations().middleOf(bar));
    QCOMPARE(scene.navigator.location().place, PlaceId::Types);
    QCOMPARE(scene.navigator.location().scope.generation, std::optional(Generation::Gen2));
  }

  void clickingASizeShowsTheTypesOfThatSize() {
    Scene& scene = opened("shop-10");
    QTest::mouseClick(scene.sizes().viewport(), Qt::LeftButton, {}, scene.sizes().middleOf(2));
    QCOMPARE(scene.navigator.location().place, PlaceId::Types);
    QCOMPARE(scene.navigator.location().scope.minimumBytes, scene.sizes().table().bars[2].scope.minimumBytes);
    QCOMPARE(scene.navigator.location().scope.maximumBytes, scene.sizes().table().bars[2].scope.maximumBytes);
  }

  void theHeapBelongsToTheClickWhereThereAreSeveral() {
    Scene& scene = opened("shop-10-server");
    QTest::mouseClick(scene.generations().viewport(), Qt::LeftButton, {}, scene.generations().middleOf(1));
    QCOMPARE(scene.navigator.location().scope.heap, scene.generations().table().bars[1].scope.heap);
    QVERIFY(scene.navigator.location().scope.heap.has_value());
  }

  void whetherHeapsAreSetAsideIsSaid() {
    for (const auto& [dump, words] : {std::pair("shop-10-server", "DATAS is off."),
                                      {"shop-9-server", "Whether DATAS is on is unknown: all 4 heaps are active."}}) {
      const auto labels = opened(dump).place.findChildren<QLabel*>();
      QVERIFY(std::ranges::any_of(labels, [words = QString::fromLatin1(words)](const QLabel* label) {
        return label->isVisible() && label->text().contains(words);
      }));
    }
    for (const QLabel* label : opened("shop-10").place.findChildren<QLabel*>())
      QVERIFY(!label->isVisible() || !label->text().contains(QStringLiteral("DATAS")));
  }

  void pointingTellsExactFigures() {
    Scene& scene = opened("shop-10");
    QWidget* viewport = scene.sizes().viewport();
    const QPoint point = scene.sizes().middleOf(1);
    QMouseEvent event(QEvent::MouseMove, point, viewport->mapToGlobal(point), Qt::NoButton, Qt::NoButton,
                      Qt::NoModifier);
    QCoreApplication::sendEvent(viewport, &event);
    QVERIFY(scene.sizes().bubble().isVisible());
    QVERIFY(scene.sizes().bubble().text().facts.join(QLatin1Char(' ')).contains(QStringLiteral("bytes")));
  }

  void theKeyboardReachesEveryBar() {
    Scene& scene = opened("shop-10");
    scene.generations().setFocus();
    QTest::keyClick(&scene.generations(), Qt::Key_Down);
    QTest::keyClick(&scene.generations(), Qt::Key_Down);
    QTest::keyClick(&scene.generations(), Qt::Key_Return);
    QCOMPARE(scene.navigator.location().scope, scene.generations().table().bars[1].scope);
  }

  void enterInTheTableShowsTheTypes() {
    Scene& scene = opened("shop-10-server");
    scene.table().setCurrentIndex(scene.table().model()->index(0, GenerationNameColumn));
    QTest::keyClick(&scene.table(), Qt::Key_Return);
    QCOMPARE(scene.navigator.location().place, PlaceId::Types);
    QVERIFY(scene.navigator.location().scope.heap.has_value());
  }

  void clearingDropsEverything() {
    Scene& scene = opened("shop-10");
    scene.place.clear();
    QVERIFY(scene.generations().table().bars.empty());
    QVERIFY(scene.sizes().table().bars.empty());
    QCOMPARE(scene.table().model()->rowCount(), 0);
  }
};

HEAPSCAPE_WINDOW_TEST(GenerationsPlaceTest)
#include "tst_generations_place.moc"
