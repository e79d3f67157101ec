// SPDX-License-Identifier: MIT
// The page of the garbage collector on real dumps.
#include <QHeaderView>
#include <QLabel>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include "models/rows/rows_panel.h"
#include "support/dumps.h"
#include "support/window_test.h"
#include "views/generations/gc_page.h"
#include "widgets/figure_tile.h"
#include "widgets/state_panel.h"

using namespace heapscape::gui;

namespace {

constexpr int kGcPagePatienceMs = 30'000;

struct GcPageScene {
  EngineBridge bridge;
  Navigator navigator;
  GcPage page{bridge, navigator};

  GcPageScene() {
    QObject::connect(&bridge, &EngineBridge::stageReady, &page,
                     [this](const heapscape::engine::Snapshot& snapshot) { page.showSnapshot(snapshot); });
    page.resize(1100, 760);
    page.show();
  }

  bool open(const char* name) {
    QSignalSpy finished(&bridge, &EngineBridge::openFinished);
    bridge.open(test::dumpFile(QString::fromLatin1(name)));
    return finished.wait(kGcPagePatienceMs) &&
           QTest::qWaitFor([this] { return list(0)->rows() != nullptr; }, kGcPagePatienceMs);
  }

  QString figure(const char* name) { return page.findChild<FigureTile*>(QString::fromLatin1(name))->figure(); }
  RowsPanel* list(int tab) {
    return qobject_cast<RowsPanel*>(page.findChild<QTabWidget*>(QStringLiteral("gcTabs"))->widget(tab));
  }
};

}  // namespace

class GcPageTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void withoutADumpNothingSpins() {
    GcPageScene scene;
    QCOMPARE(scene.page.findChild<StatePanel*>()->state(), StatePanel::State::Empty);
  }

  void figuresAndListsAreTheEngines() {
    GcPageScene scene;
    QVERIFY(scene.open("flaws-10"));
    QCOMPARE(scene.figure("gcCollections"), QStringLiteral("16"));
    QCOMPARE(scene.figure("gcLast"), QStringLiteral("gen0"));
    QCOMPARE(scene.figure("gcPinned"), QStringLiteral("512"));
    QCOMPARE(scene.figure("gcFinalizers"), QStringLiteral("120"));
    QVERIFY(!scene.page.findChild<Banner*>()->isVisible());
    const auto& generations = scene.list(1)->rows();
    QVERIFY(generations);
    QCOMPARE(generations->size(), 6u);
    QVERIFY(generations->isKnown(0, 7));
    QVERIFY(!generations->isKnown(5, 7));  // frozen objects have no budget
    QVERIFY(scene.list(3)->rows()->size() >= 1);
    QVERIFY(scene.page.findChild<QLabel*>(QStringLiteral("gcSentences"))->text().contains(QStringLiteral("induced")));
  }

  void figuresOfGenerationsStaySideBySide() {
    GcPageScene scene;
    QVERIFY(scene.open("flaws-10"));
    scene.page.findChild<QTabWidget*>(QStringLiteral("gcTabs"))->setCurrentIndex(1);
    scene.page.resize(1800, 900);
    const QHeaderView* heading = scene.list(1)->findChild<QTableView*>()->horizontalHeader();
    QTRY_COMPARE(heading->length(), heading->viewport()->width());
    QVERIFY(heading->sectionSize(heading->logicalIndex(0)) > 2 * heading->sectionSize(2));
    int survival = 0;
    while (heading->model()->headerData(survival, Qt::Horizontal).toString() != QStringLiteral("Survival")) ++survival;
    QVERIFY(heading->sectionSize(survival) <= heading->sectionSize(2) * 3 / 2);
  }

  void aCollectionOnItsWayIsSaid() {
    GcPageScene scene;
    QVERIFY(scene.open("storm-8-collecting"));
    const auto* banner = scene.page.findChild<Banner*>();
    QVERIFY(banner->isVisible());
    QVERIFY(banner->findChild<QLabel*>()->text().contains(QStringLiteral("Collection 1013")));
  }

  void clearingDropsEverything() {
    GcPageScene scene;
    QVERIFY(scene.open("shop-10"));
    scene.page.clear();
    QCOMPARE(scene.page.findChild<StatePanel*>()->state(), StatePanel::State::Empty);
    for (int tab = 0; tab < 6; ++tab) QVERIFY(!scene.list(tab)->rows());
  }
};

HEAPSCAPE_WINDOW_TEST(GcPageTest)
#include "tst_gc_page.moc"
