// SPDX-License-Identifier: MIT
// Lists with as many rows as a heap has objects: nothing that is done with them keeps the window waiting.
#include <QFileInfo>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QScrollBar>
#include <QTest>
#include <atomic>
#include <memory>
#include <thread>

#include "bridge/engine_thread.h"
#include "bridge/file_work.h"
#include "models/rows/rows_table.h"
#include "query/objects/object_search.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/types/object_list.h"
#include "views/types/types_place.h"
#include "widgets/dimming.h"

namespace heapscape::gui {

namespace {

struct LongListScene : test::PlaceScene<TypesPlace> {
  LongListScene() : PlaceScene(PlaceId::Types) {}
  RowsTable& found() { return *part<RowsTable>("foundObjects"); }
  ObjectList& objects() { return *static_cast<ObjectList*>(found().parentWidget()); }
};

/// Tells which thread let go of it last.
struct Traced {
  std::shared_ptr<std::atomic<std::thread::id>> freedOn;
  ~Traced() { *freedOn = std::this_thread::get_id(); }
};

}  // namespace

class LongListsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aSortDimsTheOldRowsAndTellsHowFarItIs() {
    LongListScene scene;
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    scene.navigator.showObjectsOf({});
    QTRY_VERIFY(scene.found().rows().rowCount() > 10'000 && scene.found().isEnabled());
    QVERIFY(!isDimmed(scene.found().viewport()));
    std::vector<engine::Progress> told;
    int dimmed = 0;
    bool isAnswered = false;
    scene.objects().ask(
        {}, {}, false,
        [&](const engine::Progress& progress) {
          told.push_back(progress);
          dimmed += isDimmed(scene.found().viewport()) && scene.found().rows().rowCount() > 10'000 ? 1 : 0;
        },
        [&](ObjectList::Answer answer) { isAnswered = answer.has_value(); });
    QTRY_VERIFY(isAnswered);
    QVERIFY(!isDimmed(scene.found().viewport()));
    QVERIFY(told.size() > 50);
    QCOMPARE(dimmed, static_cast<int>(told.size()));
    for (std::size_t i = 1; i < told.size(); ++i) {
      QVERIFY(told[i].fraction >= told[i - 1].fraction);
      QVERIFY2(told[i].fraction - told[i - 1].fraction < 0.2, "the figure jumps");
    }
    QCOMPARE(searchProgressText({engine::kSearchingObjects, 0.126}), QStringLiteral("Searching… 12%"));
    QCOMPARE(searchProgressText({engine::kSortingObjects, 0.45}), QStringLiteral("Sorting… 45%"));
  }

  void whatIsPickedElsewhereIsFoundInALongList() {
    LongListScene scene;
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    scene.navigator.showObjectsOf({});
    QTRY_VERIFY(scene.objects().list() && scene.objects().size() > 10'000);
    const FoundObjectList& list = *scene.objects().list();
    const auto pick = [&](std::uint32_t line) {
      Selection object;
      object.object = engine::addressOfObject(list.snapshot, list.found.order[line]);
      scene.navigator.select(object);
    };
    for (const std::uint32_t line : {scene.objects().size() - 3, 2u, scene.objects().size() / 2}) {
      pick(line);
      QTRY_COMPARE(scene.found().currentIndex().row(), static_cast<int>(line));
    }
    // One after the other, the last one stands; none is what it was before.
    pick(5);
    pick(6);
    pick(7);
    QTRY_VERIFY(scene.bridge.isAtRest());
    QCOMPARE(scene.found().currentIndex().row(), 7);
    scene.navigator.select({});
    QVERIFY(!scene.found().currentIndex().isValid());
  }

  void whatIsPickedIsKnownWithoutCountingItsLines() {
    LongListScene scene;
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    scene.navigator.showObjectsOf({});
    RowsTable& table = scene.found();
    QTRY_VERIFY(table.rows().rowCount() > 10'000);
    table.selectAll();
    QCOMPARE(table.pickedRanges().size(), std::size_t{1});
    QCOMPARE(table.pickedRanges()[0].count, static_cast<std::uint32_t>(table.rows().rowCount()));
    table.clearSelection();
    const auto pick = [&](int first, int last) {
      table.selectionModel()->select({table.rows().index(first, 0), table.rows().index(last, 0)},
                                     QItemSelectionModel::Select | QItemSelectionModel::Rows);
    };
    pick(20, 24);
    pick(3, 3);
    pick(22, 26);
    QVERIFY((linesIn(table.pickedRanges()) == std::vector<std::uint32_t>{3, 20, 21, 22, 23, 24, 25, 26}));
    QCOMPARE(table.pickedCount(), std::uint64_t{8});
  }

  void rowsThatComeBelowAreNotPainted() {
    RowsTable table(QStringLiteral("long"), QStringLiteral("Long"), std::vector<ColumnSetup>(1));
    table.resize(400, 300);
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table));
    auto paged = std::make_shared<PagedRows>();
    paged->size = 3'500'000;
    table.rows().show(paged);
    struct Paints : QObject {
      int count = 0;
      bool eventFilter(QObject*, QEvent* event) override {
        count += event->type() == QEvent::Paint ? 1 : 0;
        return false;
      }
    } paints;
    // Once what is in sight is there.
    QSignalSpy inserted(&table.rows(), &QAbstractItemModel::rowsInserted);
    QTRY_VERIFY(inserted.size() > 2);
    QVERIFY(table.rows().rowCount() < 3'500'000);
    table.viewport()->installEventFilter(&paints);
    QTRY_COMPARE(table.rows().rowCount(), 3'500'000);
    const qint64 whole = qint64{3'500'000} * table.verticalHeader()->defaultSectionSize();
    QTRY_COMPARE(qint64{table.verticalScrollBar()->maximum()}, whole - table.viewport()->height());
    QCOMPARE(paints.count, 0);
    // Fewer rows are painted, as others are that come into sight.
    paged = std::make_shared<PagedRows>();
    paged->size = 2;
    table.rows().show(paged);
    QTRY_VERIFY(paints.count > 0);
    QCOMPARE(table.verticalScrollBar()->maximum(), 0);
  }

  void millionsOfRowsComeAFrameAtATime() {
    RowsModel model(std::vector<ColumnSetup>(1));
    const auto rows = [](std::uint32_t size) {
      auto paged = std::make_shared<PagedRows>();
      paged->size = size;
      return paged;
    };
    model.show(rows(3'500'000));
    QCOMPARE(model.rowCount(), RowsModel::kRowsAtOnce);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QTRY_COMPARE(model.rowCount(), 3'500'000);
    QCOMPARE(inserted.size(), (3'500'000 - 1) / RowsModel::kRowsAtOnce);
    // The same ones in another order are noted already.
    model.show(rows(3'500'000));
    QCOMPARE(model.rowCount(), 3'500'000);
    model.show(rows(10));
    QCOMPARE(model.rowCount(), 10);
    model.show(rows(2'500'000), true);
    QCOMPARE(model.rowCount(), 2'500'000);
    // What is shown instead meanwhile stays as it is.
    model.clear();
    model.show(rows(2'500'000));
    model.show(rows(10));
    QTest::qWait(100);
    QCOMPARE(model.rowCount(), 10);
  }

  void noTableAddsUpTheRowsOfAListThatGetsShorter() {
    RowsModel model(std::vector<ColumnSetup>(1));
    std::vector<int> counts;
    connect(&model, &QAbstractItemModel::modelReset, &model, [&] { counts.push_back(model.rowCount()); });
    const auto rows = [](std::uint32_t size) {
      auto paged = std::make_shared<PagedRows>();
      paged->size = size;
      return paged;
    };
    model.show(rows(3'000'000), true);
    model.show(rows(20));
    QVERIFY((counts == std::vector<int>{3'000'000, 0, 20}));
    model.show(rows(30));
    QCOMPARE(counts.back(), 30);
    model.show(std::shared_ptr<const RowList>(), {});
    QVERIFY((counts == std::vector<int>{3'000'000, 0, 20, 30, 0, 0}));
  }

  void whatIsShownNoMoreIsLetGoElsewhere() {
    const auto freedOn = std::make_shared<std::atomic<std::thread::id>>();
    auto held = std::make_shared<const Traced>(freedOn);
    releaseLater(held);
    QVERIFY(freedOn->load() == std::thread::id());
    held.reset();  // whoever else holds it, before the event ends
    QTRY_VERIFY(freedOn->load() != std::thread::id());
    QVERIFY(freedOn->load() != std::this_thread::get_id());
    releaseLater(nullptr);
  }

  void filesAreLookedAtElsewhere() {
    const QString there = test::dataFile(QStringLiteral("shop-10.core.zst"));
    std::vector<FileFacts> facts;
    askForFiles({there, QStringLiteral("/no/longer/there.core"), QString(), QStringLiteral("/")}, this,
                [&](const std::vector<FileFacts>& files) { facts = files; });
    QVERIFY(facts.empty());
    QTRY_COMPARE(facts.size(), std::size_t{4});
    QVERIFY(facts[0].isThere && facts[0].written.isValid());
    QCOMPARE(facts[0].sizeBytes, static_cast<std::uint64_t>(QFileInfo(there).size()));
    for (int i = 1; i < 4; ++i) QVERIFY(!facts[static_cast<std::size_t>(i)].isThere);
    // Nobody is told who is gone.
    bool isTold = false;
    {
      QObject gone;
      askForFiles({there}, &gone, [&](const std::vector<FileFacts>&) { isTold = true; });
    }
    bool isNextTold = false;
    askForFiles({there}, this, [&](const std::vector<FileFacts>&) { isNextTold = true; });
    QTRY_VERIFY(isNextTold);
    QVERIFY(!isTold);
  }
};

HEAPSCAPE_WINDOW_TEST(LongListsTest)

}  // namespace heapscape::gui

#include "tst_long_lists.moc"
