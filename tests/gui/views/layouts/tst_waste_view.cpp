// SPDX-License-Identifier: MIT
// What layouts cost the heap of a real dump.
#include <QAbstractItemModelTester>

#include "models/cells/roles.h"
#include "session/layouts/waste_query.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/layouts/layouts_place.h"
#include "views/layouts/waste/waste_view.h"
#include "widgets/bar_row.h"
#include "widgets/figure_tile.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

const QString kWasteViewTypes = QStringLiteral("wasteTypes");

}  // namespace

class WasteViewTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    test::dressApplication();
    QVERIFY(m_scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    const auto layouts = engine::DeclaredLayouts::ofDump(m_scene.snapshot());
    QVERIFY(layouts);
    auto waste = engine::wasteOf(m_scene.snapshot(), *layouts, nullptr, {});
    QVERIFY(waste);
    m_waste = std::move(*waste);
    m_scene.navigator.showLayouts(LayoutsPage::Waste);
    QTRY_VERIFY_WITH_TIMEOUT(m_scene.lines(kWasteViewTypes) > 0, test::kPatienceMs);
  }

  void theHeadHasTheFiguresOfTheHeap() {
    QCOMPARE(m_scene.part<FigureTile>(QStringLiteral("wastePadding"))->figure(), bytesText(m_waste.paddingBytes));
    QCOMPARE(m_scene.part<FigureTile>(QStringLiteral("wasteSaving"))->figure(), savedBytesText(m_waste.savedByAllBest));
  }

  void ownTypesAreShownFirstAndTheFrameworksOnDemand() {
    const auto own = std::ranges::count_if(m_waste.rows, [](const engine::WasteRow& row) {
      return row.owner != engine::CodeOwner::Framework && row.means != engine::AdviceKind::NothingToGain;
    });
    QVERIFY(own > 0 && own < std::ssize(m_waste.rows));
    QCOMPARE(m_scene.lines(kWasteViewTypes), static_cast<int>(own));
    auto* chip = m_scene.part<BarRow>(QStringLiteral("wasteTypesKind0"));
    QVERIFY(chip->isChecked());
    chip->setChecked(false);
    QTRY_COMPARE(m_scene.lines(kWasteViewTypes), static_cast<int>(m_waste.rows.size()));
    const int saved = m_scene.column(kWasteViewTypes, QStringLiteral("Best saves"));
    const QModelIndex first = m_scene.model(kWasteViewTypes).index(0, saved);
    QCOMPARE(first.data(kPlainRole).toLongLong(), static_cast<qlonglong>(m_waste.rows.front().savedByBest));
    QCOMPARE(m_scene.cell(kWasteViewTypes, 0, 0), QString::fromStdString(m_waste.rows.front().type));
  }

  void losingsAreSortedBelowSavings() {
    const int column = m_scene.column(kWasteViewTypes, QStringLiteral("Auto saves"));
    m_scene.clickHeading(kWasteViewTypes, column);
    QTRY_VERIFY(isDescending(column));
  }

  void activatingARowShowsItsLayout() {
    const RowsModel& model = m_scene.model(kWasteViewTypes);
    const engine::Address type = model.list()->identity(model.rowAt(0));
    Q_EMIT m_scene.table(kWasteViewTypes).activated(model.index(0, 0));
    QCOMPARE(m_scene.navigator.location().layoutsPage, LayoutsPage::Types);
    QCOMPARE(m_scene.navigator.location().selection.methodTable.value, type.value);
    m_scene.navigator.showLayouts(LayoutsPage::Waste);
  }

  void groupsLeadToTheirTypes() {
    m_scene.part<QAbstractButton>(QStringLiteral("wasteGrouping2"))->click();
    const QString assemblies = QStringLiteral("wasteAssemblies");
    QTRY_COMPARE(m_scene.lines(assemblies),
                 static_cast<int>(engine::groupWaste(m_waste, engine::WasteGrouping::Assembly).size()));
    const QString name = m_scene.cell(assemblies, 0, 0);
    Q_EMIT m_scene.table(assemblies).activated(m_scene.model(assemblies).index(0, 0));
    QVERIFY(m_scene.table(kWasteViewTypes).isVisible());
    const auto ofIt = std::ranges::count_if(m_waste.rows, [&](const engine::WasteRow& row) {
      return QString::fromStdString(row.assembly).contains(name) || QString::fromStdString(row.type).contains(name);
    });
    QTRY_COMPARE(m_scene.lines(kWasteViewTypes), static_cast<int>(ofIt));
  }

  void theModelIsSound() {
    QAbstractItemModelTester tester(&m_scene.model(kWasteViewTypes),
                                    QAbstractItemModelTester::FailureReportingMode::QtTest);
    m_scene.clickHeading(kWasteViewTypes, 0);
    QTest::qWait(200);
  }

  void whereNothingIsToSaveOneSentenceSaysSo() {
    engine::Waste waste;
    engine::WasteRow& row = waste.rows.emplace_back();
    row.type = "Shop.Full";
    row.paddingBytes = 8;
    const WasteTables tables = wasteTables(std::move(waste));
    QVERIFY(tables.isNothingWon);
    QCOMPARE(tables.types->kindOf(0), static_cast<std::size_t>(WasteKind::Minimal));
  }

  void anotherDumpIsMeasuredAnew() {
    m_scene.place.clear();
    QCOMPARE(m_scene.lines(kWasteViewTypes), 0);
    QVERIFY(m_scene.open(test::dataFile(QStringLiteral("shop-8.core.zst"))));
    QTRY_VERIFY_WITH_TIMEOUT(m_scene.lines(kWasteViewTypes) > 0, test::kPatienceMs);
  }

 private:
  bool isDescending(int column) {
    for (int line = 1; line < m_scene.lines(kWasteViewTypes); ++line) {
      const auto saved = [&](int at) {
        return m_scene.model(kWasteViewTypes).index(at, column).data(kPlainRole).toLongLong();
      };
      if (saved(line) > saved(line - 1)) return false;
    }
    return true;
  }

  test::PlaceScene<LayoutsPlace> m_scene{PlaceId::Layouts};
  engine::Waste m_waste;
};

HEAPSCAPE_WINDOW_TEST(WasteViewTest)

}  // namespace heapscape::gui

#include "tst_waste_view.moc"
