// SPDX-License-Identifier: MIT
// The layouts of one file against those of another, and against another runtime's rules.
#include <QPushButton>

#include "session/layouts/layout_comparison.h"
#include "support/place_scene.h"
#include "support/test_assembly.h"
#include "support/window_test.h"
#include "views/layouts/compare/layout_compare_view.h"
#include "widgets/bar_row.h"
#include "widgets/layout_diagram/side_by_side_canvas.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"

namespace heapscape::gui {

namespace {

const QString kLayoutCompareTypes = QStringLiteral("comparedTypes");
const QString kFields = QStringLiteral("comparedFields");

/// The view as a place of its own.
class CompareScene {
 public:
  CompareScene() {
    QObject::connect(&bridge, &EngineBridge::stageReady, &view,
                     [this](const engine::Snapshot& snapshot) { view.showSnapshot(snapshot); });
    QObject::connect(&bridge, &EngineBridge::assemblyOpened, &view, &LayoutCompareView::showAssembly);
    view.resize(1200, 800);
    view.show();
  }

  bool open(const QString& path) {
    bridge.open(path);
    return QTest::qWaitFor([this] { return !bridge.isOpening() && bridge.hasLayouts(); }, test::kPatienceMs);
  }
  QTableView& table(const QString& name) { return *view.findChild<QTableView*>(name); }
  RowsModel& model(const QString& name) { return *static_cast<RowsModel*>(table(name).model()); }
  QString result() { return view.findChild<ElidedText*>(QStringLiteral("compareResult"))->text(); }
  bool waitForResult() {
    return QTest::qWaitFor([this] { return !result().isEmpty(); }, test::kPatienceMs);
  }
  StatePanel::State state() {
    const auto panels = view.findChildren<StatePanel*>();
    for (const StatePanel* panel : panels) {
      if (panel->isVisible()) return panel->state();
    }
    return StatePanel::State::Empty;
  }

  EngineBridge bridge;
  Navigator navigator;
  LayoutCompareView view{bridge, navigator};
};

}  // namespace

class LayoutCompareTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { test::dressApplication(); }

  void aFileAgainstItselfDiffersInNothing() {
    const heapscape::test::TestAssembly zoo("LayoutZoo1");
    CompareScene scene;
    const QString path = QFile::decodeName(zoo.path().c_str());
    QVERIFY(scene.open(path));
    scene.view.compareWith({.path = path, .runtimeMajor = 0});
    QVERIFY(scene.waitForResult());
    QVERIFY2(scene.result().contains(QStringLiteral(": 0 of ")), qPrintable(scene.result()));
    QCOMPARE(scene.model(kLayoutCompareTypes).rowCount(), 0);
  }

  void twoDumpsAreComparedTypeByTypeAndFieldByField() {
    CompareScene scene;
    QVERIFY(scene.open(test::dataFile(QStringLiteral("shop-8.core.zst"))));
    scene.view.compareWith({.path = test::dataFile(QStringLiteral("shop-10.core.zst")), .runtimeMajor = 0});
    QVERIFY(scene.waitForResult());
    QTRY_VERIFY_WITH_TIMEOUT(scene.model(kLayoutCompareTypes).rowCount() > 0, test::kPatienceMs);
    // The first that changed is picked by itself, with both its layouts.
    auto* canvas = scene.view.findChild<SideBySideCanvas*>();
    QTRY_COMPARE_WITH_TIMEOUT(static_cast<int>(canvas->columns().size()), 2, test::kPatienceMs);
    QCOMPARE(canvas->columns()[0].title, QStringLiteral("shop-8.core.zst"));
    QCOMPARE(canvas->columns()[1].title, QStringLiteral("shop-10.core.zst"));
    const auto& first = scene.model(kLayoutCompareTypes).list()->as<engine::ComparedLayout>(0);
    QTRY_COMPARE(scene.model(kFields).rowCount(), static_cast<int>(first.difference.fields.size()));
    for (const engine::FieldDifference& field : first.difference.fields) {
      QVERIFY(!field.name.empty());
    }
  }

  void aTypeOfOneSideAloneHasOneLayout() {
    CompareScene scene;
    QVERIFY(scene.open(test::dataFile(QStringLiteral("shop-8.core.zst"))));
    scene.view.compareWith({.path = test::dataFile(QStringLiteral("shop-10.core.zst")), .runtimeMajor = 0});
    QVERIFY(scene.waitForResult());
    QTRY_VERIFY_WITH_TIMEOUT(scene.model(kLayoutCompareTypes).rowCount() > 0, test::kPatienceMs);
    auto* onlyThere = scene.view.findChild<BarRow*>(
        kLayoutCompareTypes + QStringLiteral("Kind%1").arg(static_cast<int>(ComparedKind::OnlyThere)));
    QVERIFY(onlyThere);
    onlyThere->setChecked(true);
    const auto kindOfFirst = [&] {
      return scene.model(kLayoutCompareTypes).list()->kindOf(scene.model(kLayoutCompareTypes).rowAt(0));
    };
    QTRY_COMPARE(kindOfFirst(), static_cast<std::size_t>(ComparedKind::OnlyThere));
    scene.table(kLayoutCompareTypes).setCurrentIndex(scene.model(kLayoutCompareTypes).index(0, 0));
    auto* canvas = scene.view.findChild<SideBySideCanvas*>();
    QTRY_COMPARE_WITH_TIMEOUT(static_cast<int>(canvas->columns().size()), 1, test::kPatienceMs);
    QCOMPARE(canvas->columns()[0].title, QStringLiteral("shop-10.core.zst"));
  }

  void anotherRuntimesRulesAreAskedForWithOneButton() {
    const heapscape::test::TestAssembly zoo("LayoutZoo1");
    CompareScene scene;
    QVERIFY(scene.open(QFile::decodeName(zoo.path().c_str())));
    scene.view.findChild<QPushButton*>(QStringLiteral("compareRuntime8"))->click();
    QVERIFY(scene.waitForResult());
    QVERIFY(scene.result().contains(QStringLiteral("rules of .NET 8")));
    QVERIFY(scene.result().contains(QStringLiteral("0 only there, 0 only here")));
  }

  void aDumpDiffersInNothingFromTheRulesOfItsOwnRuntime() {
    CompareScene scene;
    QVERIFY(scene.open(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    scene.view.compareWith({.path = {}, .runtimeMajor = 10});
    QVERIFY(scene.waitForResult());
    QVERIFY2(scene.result().contains(QStringLiteral(": 0 of")), qPrintable(scene.result()));
  }

  void aFileThatIsNeitherIsRefusedAndTheViewStaysUsable() {
    CompareScene scene;
    QVERIFY(scene.open(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    scene.view.compareWith({.path = QStringLiteral("/proc/self/exe"), .runtimeMajor = 0});
    QTRY_COMPARE_WITH_TIMEOUT(scene.state(), StatePanel::State::Failed, test::kPatienceMs);
    scene.view.compareWith({.path = {}, .runtimeMajor = 10});
    QVERIFY(scene.waitForResult());
  }

  void closingWhileComparingStopsIt() {
    CompareScene scene;
    QVERIFY(scene.open(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    scene.view.compareWith({.path = test::dataFile(QStringLiteral("shop-8.core.zst")), .runtimeMajor = 0});
    QCOMPARE(scene.state(), StatePanel::State::Loading);
    scene.view.clear();
    scene.bridge.close();
    QTRY_COMPARE_WITH_TIMEOUT(test::mappedDumps(), 0, test::kPatienceMs);
    QVERIFY(scene.result().isEmpty());
  }
};

HEAPSCAPE_WINDOW_TEST(LayoutCompareTest)

}  // namespace heapscape::gui

#include "tst_layout_compare.moc"
