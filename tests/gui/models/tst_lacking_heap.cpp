// SPDX-License-Identifier: MIT
// Mini and triage dumps in the window: what only a heap tells is said to be missing, and all else is there.
#include <QTabWidget>
#include <QTableView>

#include "app/place_info.h"
#include "app/window_actions.h"
#include "models/lacking_heap.h"
#include "support/dumps.h"
#include "support/window_driver.h"
#include "support/window_test.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

const QString kNoHeap = QStringLiteral("No heap in this dump");

}  // namespace

class LackingHeapTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { test::dressApplication(); }

  void noPlaceWaitsForWhatWillNotCome_data() {
    QTest::addColumn<QString>("dump");
    QTest::newRow("mini") << QStringLiteral("shop-10-normal.core.zst");
    QTest::newRow("triage") << QStringLiteral("shop-10-triage.core.zst");
  }

  void noPlaceWaitsForWhatWillNotCome() {
    QFETCH(QString, dump);
    test::WindowDriver driver;
    QVERIFY(driver.openAndWait(test::dataFile(dump)));
    MainWindow& window = driver.window();
    QVERIFY(lacksHeap(*window.bridge().snapshot()));
    for (const PlaceId place : allPlaces()) {
      if (place == PlaceId::Start || place == PlaceId::Review) continue;
      QVERIFY2(driver.show(place), qPrintable(placeName(place)));
      // Each page that can be seen by itself, too.
      for (auto* tabs : window.place(place)->findChildren<QTabWidget*>()) {
        for (int tab = 0; tab < tabs->count(); ++tab) {
          if (!tabs->isTabVisible(tab) || !tabs->isTabEnabled(tab)) continue;
          tabs->setCurrentIndex(tab);
          QTRY_VERIFY2(!test::isLoading(window), qPrintable(placeName(place) + tabs->tabText(tab)));
        }
      }
    }
  }

  void whatOnlyObjectsTellSaysSoAndLeadsToTheThreads() {
    test::WindowDriver driver;
    QVERIFY(driver.openAndWait(test::dataFile(QStringLiteral("shop-10-triage.core.zst"))));
    MainWindow& window = driver.window();
    for (const PlaceId place : {PlaceId::Insights, PlaceId::Segments, PlaceId::Types, PlaceId::Layouts,
                                PlaceId::References, PlaceId::Compare}) {
      QVERIFY(driver.show(place));
      QVERIFY2(test::shows(window, kNoHeap), qPrintable(placeName(place)));
      QVERIFY2(test::shows(window, QStringLiteral("createdump --withheap")), qPrintable(placeName(place)));
      QVERIFY(!window.actions().placeWindow->isEnabled());
    }
    for (const PlaceId place : {PlaceId::Generations, PlaceId::Roots}) {
      QVERIFY(driver.show(place));
      QVERIFY2(test::shows(window, kNoHeap), qPrintable(placeName(place)));
    }
    QVERIFY(driver.show(PlaceId::Threads));
    QVERIFY(!test::shows(*window.place(PlaceId::Threads)->findChild<QTableView*>(QStringLiteral("threads")), kNoHeap));
    QVERIFY(window.place(PlaceId::Threads)->findChild<QTableView*>(QStringLiteral("threads"))->model()->rowCount() > 0);
  }

  void staticsAreThereAllTheSame() {
    test::WindowDriver driver;
    QVERIFY(driver.openAndWait(test::dataFile(QStringLiteral("shop-10-normal.core.zst"))));
    Place* roots = driver.window().place(PlaceId::Roots);
    QVERIFY(driver.show(PlaceId::Roots));
    auto* statics = roots->findChild<QTableView*>(QStringLiteral("statics"));
    QTRY_VERIFY(statics->model()->rowCount() > 0);
  }

  void aGcDumpOffersWhatItTells() {
    test::WindowDriver driver;
    QVERIFY(driver.openAndWait(test::dataFile(QStringLiteral("gcdump/growth-10.gcdump.zst"))));
    MainWindow& window = driver.window();
    QTRY_VERIFY(window.bridge().snapshot()->has(engine::Stage::Retained));
    const QString lacking = QStringLiteral("Not in a .gcdump file");
    for (const PlaceId place : {PlaceId::Memory, PlaceId::Segments, PlaceId::Generations, PlaceId::Layouts,
                                PlaceId::Object, PlaceId::Runtime, PlaceId::Threads}) {
      QVERIFY(driver.show(place));
      QVERIFY2(test::shows(window, lacking), qPrintable(placeName(place)));
      QVERIFY2(test::shows(window, QStringLiteral("heapscape-cli capture")), qPrintable(placeName(place)));
    }
    for (const PlaceId place : {PlaceId::Overview, PlaceId::Insights, PlaceId::Types, PlaceId::References,
                                PlaceId::Roots, PlaceId::Findings, PlaceId::Compare}) {
      QVERIFY2(driver.show(place), qPrintable(placeName(place)));
      QTRY_VERIFY2(!test::isLoading(window), qPrintable(placeName(place)));
    }
    QVERIFY(driver.show(PlaceId::Overview));
    for (const char* untold : {"Looking for deadlocks", "free between objects", "No waste"})
      QVERIFY2(!test::shows(window, QString::fromLatin1(untold)), untold);
    QVERIFY(driver.show(PlaceId::Types));
    auto* types = window.place(PlaceId::Types)->findChild<QTableView*>(QStringLiteral("typeTable"));
    QTRY_VERIFY(types->model()->rowCount() > 50);
    types->setCurrentIndex(types->model()->index(0, 0));
    QVERIFY(driver.show(PlaceId::Roots));
    auto* tabs = window.place(PlaceId::Roots)->findChild<QTabWidget*>(QStringLiteral("rootTabs"));
    int shown = 0;
    for (int tab = 0; tab < tabs->count(); ++tab) shown += tabs->isTabVisible(tab);
    QCOMPARE(shown, 2);
    // A dump behind it has all of them again.
    QVERIFY(driver.openAndWait(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    QVERIFY(driver.show(PlaceId::Segments));
    QVERIFY(!test::shows(window, lacking));
    for (int tab = 0; tab < tabs->count(); ++tab) QVERIFY(tabs->isTabVisible(tab));
  }

  void aProgramCompiledAheadOfTimeOffersWhatItTells() {
    test::WindowDriver driver;
    QVERIFY(driver.openAndWait(test::dataFile(QStringLiteral("aot/zoo-10.core.zst"))));
    MainWindow& window = driver.window();
    QTRY_VERIFY(window.bridge().snapshot()->has(engine::Stage::Retained));
    const QString lacking = QStringLiteral("Not in a Native AOT program");
    for (const PlaceId place : {PlaceId::Layouts, PlaceId::Runtime}) {
      QVERIFY(driver.show(place));
      QVERIFY2(test::shows(window, lacking), qPrintable(placeName(place)));
      // What would have it: another file of the program, or another build of it.
      const QString helps = place == PlaceId::Layouts ? QStringLiteral("aotapp.dbg") : QStringLiteral("PublishAot");
      QVERIFY2(test::shows(window, helps), qPrintable(placeName(place)));
    }
    for (const PlaceId place : allPlaces()) {
      if (place == PlaceId::Start || place == PlaceId::Review) continue;
      if (place == PlaceId::Layouts || place == PlaceId::Runtime) continue;
      QVERIFY2(driver.show(place), qPrintable(placeName(place)));
      QVERIFY2(!test::shows(window, lacking), qPrintable(placeName(place)));
      // Each page that can be seen by itself, too.
      for (auto* tabs : window.place(place)->findChildren<QTabWidget*>()) {
        for (int tab = 0; tab < tabs->count(); ++tab) {
          if (!tabs->isTabVisible(tab) || !tabs->isTabEnabled(tab)) continue;
          tabs->setCurrentIndex(tab);
          QTRY_VERIFY2(!test::isLoading(window), qPrintable(placeName(place) + tabs->tabText(tab)));
        }
      }
    }
    QVERIFY(driver.show(PlaceId::Threads));
    auto* tabs = window.place(PlaceId::Threads)->findChild<QTabWidget*>(QStringLiteral("lockTabs"));
    QStringList shown;
    for (int tab = 0; tab < tabs->count(); ++tab)
      if (tabs->isTabVisible(tab)) shown << tabs->tabText(tab).section(QLatin1Char(' '), 0, 0);
    QCOMPARE(shown, QStringList({QStringLiteral("Stack"), QStringLiteral("Parallel"), QStringLiteral("Exceptions")}));
  }

  void aDumpWithAHeapIsNotTakenForOneWithout() {
    test::WindowDriver driver;
    QVERIFY(driver.openAndWait(test::dataFile(QStringLiteral("shop-10-triage.core.zst"))));
    QVERIFY(driver.openAndWait(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    for (const PlaceId place : {PlaceId::Types, PlaceId::Segments, PlaceId::Generations, PlaceId::Roots}) {
      QVERIFY(driver.show(place));
      QVERIFY2(!test::shows(driver.window(), kNoHeap), qPrintable(placeName(place)));
    }
  }
};

HEAPSCAPE_WINDOW_TEST(LackingHeapTest)

}  // namespace heapscape::gui

#include "tst_lacking_heap.moc"
