// SPDX-License-Identifier: MIT
// The place on a real dump, driven as a person does.
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include "models/cells/roles.h"
#include "models/insights_source.h"
#include "models/rows/rows_table.h"
#include "models/rows/type_figures.h"
#include "support/place_scene.h"
#include "support/settings_folder.h"
#include "support/window_test.h"
#include "views/types/object_list.h"
#include "views/types/types_place.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

using namespace heapscape;
using namespace heapscape::gui;

namespace {

using test::kPatienceMs;

struct Scene : test::PlaceScene<TypesPlace> {
  Scene() : PlaceScene(PlaceId::Types) { place.resize(1100, 760); }

  bool open() { return openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))); }
  QTableView& table() { return *part<QTableView>("typeTable"); }
  int rows() { return table().model()->rowCount(); }
  QString cell(int row, int column) { return table().model()->index(row, column).data().toString(); }

  int rowOf(const char* name) {
    for (int row = 0; row < rows(); ++row) {
      if (cell(row, NameColumn) == QString::fromLatin1(name)) return row;
    }
    return -1;
  }

  void clickHeading(int column) {
    QHeaderView* heading = table().horizontalHeader();
    const QPoint point(heading->sectionViewportPosition(column) + heading->sectionSize(column) / 2,
                       heading->height() / 2);
    QTest::mouseClick(heading->viewport(), Qt::LeftButton, {}, point);
  }
};

}  // namespace

class TypesPlaceTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QVERIFY(m_folder.isValid()); }

  void init() {
    m_scene = std::make_unique<Scene>();
    QVERIFY(m_scene->open());
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->rows() > 0, kPatienceMs);
    m_all = static_cast<int>(m_scene->bridge.snapshot()->types().size());
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->rows(), m_all, kPatienceMs);
  }

  void cleanup() { m_scene.reset(); }

  void instancesHaveRoomForWhatTheyHold() {
    m_scene->table().setCurrentIndex(m_scene->table().model()->index(m_scene->rowOf("Catalog.Order"), 0));
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->lines(QStringLiteral("instances")) > 0, kPatienceMs);
    const QTableView& instances = *m_scene->part<QTableView>("instances");
    const int value = m_scene->column(QStringLiteral("instances"), QStringLiteral("Value"));
    for (const int width : {860, 1100, 1400, 1510, 1700, 2000, 2600}) {
      m_scene->place.resize(width, 950);
      QTest::qWait(20);
      const int letters = instances.columnWidth(value) / instances.fontMetrics().averageCharWidth();
      QVERIFY2(letters >= 30, qPrintable(QStringLiteral("%1 at %2").arg(letters).arg(width)));
      QVERIFY2(instances.viewport()->height() >= 8 * instances.rowHeight(0), qPrintable(QString::number(width)));
    }
  }

  void instancesOfATypePickedLaterHaveTheirRetainedSizes() {
    // Nothing was picked while the dump was opened.
    m_scene->table().setCurrentIndex(m_scene->table().model()->index(m_scene->rowOf("Catalog.Order"), 0));
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->lines(QStringLiteral("instances")) > 0, kPatienceMs);
    const QAbstractItemModel* instances = m_scene->part<QTableView>("instances")->model();
    const QString retained = instances->index(0, 2).data().toString();
    QVERIFY2(retained.endsWith(QLatin1Char('B')), qPrintable(retained));
  }

  void namesTakeWhatIsLeftAndCanAlwaysBeRead() {
    m_scene->table().setCurrentIndex(m_scene->table().model()->index(0, 0));
    const QHeaderView* heading = m_scene->table().horizontalHeader();
    const int readable = m_scene->place.fontMetrics().averageCharWidth() * 30;
    for (int width = 900; width <= 3840; width += 20) {
      m_scene->place.resize(width, 900);
      QCoreApplication::processEvents();
      const int name = heading->sectionSize(NameColumn);
      QVERIFY2(name >= readable, qPrintable(QStringLiteral("%1 of %2").arg(name).arg(width)));
      QVERIFY2(heading->length() >= m_scene->table().viewport()->width(), qPrintable(QString::number(width)));
    }
  }

  void objectsOfAnInsightAreItsOwnWhateverWasShownBefore() {
    Scene scene;
    QVERIFY(scene.openUntilRetained(test::dumpFile(QStringLiteral("flaws-10"))));
    InsightsSource& source = InsightsSource::of(scene.bridge);
    QTRY_COMPARE_WITH_TIMEOUT(source.state(), InsightsState::Ready, kPatienceMs);
    const auto& insights = source.found()->list.insights;
    const auto texts = std::ranges::find(insights, engine::InsightKind::DuplicateStrings, &engine::Insight::kind);
    QVERIFY(texts != insights.end() && texts->objects > 1);
    const auto own = static_cast<int>(texts->objects);
    const RowsModel& found = scene.part<RowsTable>("foundObjects")->rows();
    auto* pages = scene.part<QTabWidget>("typesPages");
    auto* query = scene.part<QLineEdit>("objectQuery");

    pages->setCurrentIndex(1);  // all objects
    QTRY_VERIFY_WITH_TIMEOUT(found.rowCount() > own, kPatienceMs);
    scene.navigator.showObjectsOf({}, keyOf(*texts));
    QTRY_COMPARE_WITH_TIMEOUT(found.rowCount(), own, kPatienceMs);
    QVERIFY(scene.place.findChildren<ObjectList*>().back()->list()->found.ids == texts->ids);
    QVERIFY(scene.part<QToolButton>("objectLimit")->isVisible());

    query->setText(QStringLiteral("size < 0"));
    QTRY_COMPARE_WITH_TIMEOUT(found.rowCount(), 0, kPatienceMs);
    pages->setCurrentIndex(0);
    scene.navigator.goTo(PlaceId::Insights);
    scene.navigator.showObjectsOf({}, keyOf(*texts));
    QTRY_COMPARE_WITH_TIMEOUT(found.rowCount(), own, kPatienceMs);
    QVERIFY(query->text().isEmpty());
    QCOMPARE(pages->currentIndex(), 1);

    scene.part<QToolButton>("objectLimit")->click();
    QTRY_VERIFY_WITH_TIMEOUT(found.rowCount() > own, kPatienceMs);
    QVERIFY(!scene.part<QToolButton>("objectLimit")->isVisible());
    scene.navigator.back();
    QTRY_COMPARE_WITH_TIMEOUT(found.rowCount(), own, kPatienceMs);
  }

  void allFoundObjectsAreListedAndComeAsTheyAreLookedAt() {
    m_scene->navigator.showObjectsOf({});
    const auto all = static_cast<int>(m_scene->snapshot().totals().objects - m_scene->snapshot().totals().freeObjects);
    const RowsModel& found = m_scene->part<RowsTable>("foundObjects")->rows();
    QTRY_COMPARE_WITH_TIMEOUT(found.rowCount(), all, kPatienceMs);
    const std::uint32_t pages = found.paged()->pageCount();
    QVERIFY(pages > 3 && found.hasPage(0) && !found.hasPage(pages - 1));
    QVERIFY(!found.index(all - 1, 1).data().isValid());
    m_scene->part<QTableView>("foundObjects")->scrollToBottom();
    QTRY_VERIFY_WITH_TIMEOUT(found.hasPage(pages - 1), kPatienceMs);
    QCOMPARE(found.index(all - 1, 0).data().toString(), addressText(found.identityAt(all - 1)));
    QVERIFY(!found.index(all - 1, 1).data().toString().isEmpty());
  }

  void rowsThatWereNotLookedAtAreCopiedWhole() {
    m_scene->navigator.showObjectsOf(QStringLiteral("type = Catalog.OrderLine"));
    const RowsModel& found = m_scene->part<RowsTable>("foundObjects")->rows();
    QTRY_VERIFY_WITH_TIMEOUT(found.rowCount() > 2000 && found.index(0, 1).data() == QStringLiteral("Catalog.OrderLine"),
                             kPatienceMs);
    auto* table = m_scene->part<QTableView>("foundObjects");
    table->selectAll();
    QGuiApplication::clipboard()->clear();
    table->findChild<QAction*>(QStringLiteral("copyRows"))->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!QGuiApplication::clipboard()->text().isEmpty(), kPatienceMs);
    const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), found.rowCount() + 1);
    QCOMPARE(lines.back().split(QLatin1Char('\t')).value(1), QStringLiteral("Catalog.OrderLine"));
  }

  void largestTypeComesFirst() {
    QCOMPARE(m_scene->cell(0, NameColumn), QStringLiteral("System.String"));
    QCOMPARE(m_scene->cell(0, ObjectsColumn), QLocale().toString(5719));
  }

  void filterNarrowsTheListAndTheTotals() {
    QTest::keyClicks(m_scene->part<QLineEdit>("typeFilter"), QStringLiteral("catalog.orderline"));
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->rows() < m_all && m_scene->rows() > 1, kPatienceMs);
    QCOMPARE(m_scene->cell(0, NameColumn), QStringLiteral("Catalog.OrderLine"));
    const QString totals = m_scene->part<QLabel>("typeTotals")->text();
    QVERIFY2(totals.startsWith(QStringLiteral("%1 of %2 types").arg(m_scene->rows()).arg(m_all - 1)),
             qPrintable(totals));
  }

  void theTotalsCountObjectsAndNameGapsApart() {
    const engine::ObjectTotals all = m_scene->bridge.snapshot()->totals();
    const HeapFigures live = heapFigures(all);
    QVERIFY(live.freeObjects > 0);
    const auto* totals = m_scene->part<QLabel>("typeTotals");
    QCOMPARE(
        totals->text().section(QStringLiteral(" · "), 0, 2),
        QStringLiteral("%1 types · %2 objects · %3")
            .arg(countText(static_cast<std::uint64_t>(m_all - 1)), countText(live.objects), bytesText(live.bytes)));
    QVERIFY(totals->toolTip().contains(QStringLiteral("%1 free objects").arg(countText(live.freeObjects))));
    QVERIFY(totals->toolTip().contains(exactBytesText(live.freeBytes)));
  }

  void brokenExpressionIsExplainedAndTheListStays() {
    m_scene->part<QToolButton>("typeRegularExpression")->click();
    m_scene->part<QLineEdit>("typeFilter")->setText(QStringLiteral("Catalog\\.(Order"));
    auto* error = m_scene->part<QLabel>("typeFilterError");
    QTRY_VERIFY_WITH_TIMEOUT(error->isVisible() && !error->text().isEmpty(), kPatienceMs);
    QCOMPARE(m_scene->rows(), m_all);
    QVERIFY(!m_scene->table().isEnabled());
    m_scene->part<QLineEdit>("typeFilter")->setText(QStringLiteral("^Catalog\\.Order$"));
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->rows(), 1, kPatienceMs);
    QVERIFY(!error->isVisible());
    QVERIFY(m_scene->table().isEnabled());
  }

  void filterWithoutAMatchOffersToClearIt() {
    m_scene->part<QLineEdit>("typeFilter")->setText(QStringLiteral("no such type"));
    StatePanel* shown = nullptr;
    QTRY_VERIFY_WITH_TIMEOUT((shown = visibleState()), kPatienceMs);
    QCOMPARE(shown->state(), StatePanel::State::Empty);
    m_scene->part<QLineEdit>("typeFilter")->clear();
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->table().isVisible() && m_scene->rows() == m_all, kPatienceMs);
  }

  void headingSortsAndTurnsAround() {
    m_scene->clickHeading(ObjectsColumn);
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->cell(0, NameColumn), QStringLiteral("Catalog.OrderLine"), kPatienceMs);
    m_scene->clickHeading(NameColumn);
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->cell(0, NameColumn) != QStringLiteral("Catalog.OrderLine"), kPatienceMs);
    QVERIFY(m_scene->cell(0, NameColumn) < m_scene->cell(m_all - 1, NameColumn));
    const QString first = m_scene->cell(0, NameColumn);
    m_scene->clickHeading(NameColumn);
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->cell(m_all - 1, NameColumn), first, kPatienceMs);
  }

  void paddingIsThereAndSorts() {
    m_scene->clickHeading(PaddingColumn);
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->cell(0, NameColumn), QStringLiteral("Catalog.Order"), kPatienceMs);
    QVERIFY(m_scene->cell(0, PaddingColumn).endsWith(QStringLiteral("KB")));
    QCOMPARE(m_scene->cell(m_all - 1, PaddingColumn), QStringLiteral("0 B"));
  }

  void namespacesAreASwitch() {
    m_scene->part<QToolButton>("typeTree")->click();
    auto* tree = m_scene->part<QTreeView>("namespaceTree");
    QTRY_VERIFY_WITH_TIMEOUT(tree->isVisible() && tree->model()->rowCount() > 0, kPatienceMs);
    QStringList names;
    for (int row = 0; row < tree->model()->rowCount(); ++row) names << tree->model()->index(row, 0).data().toString();
    QVERIFY(names.contains(QStringLiteral("Catalog")));
    QVERIFY(names.contains(QStringLiteral("System")));
    m_scene->part<QToolButton>("typeTree")->click();
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->table().isVisible(), kPatienceMs);
  }

  void selectingARowTellsTheNavigator() {
    const int row = m_scene->rowOf("Catalog.Order");
    m_scene->table().setCurrentIndex(m_scene->table().model()->index(row, 0));
    QVERIFY(m_scene->navigator.location().selection.methodTable == typeNamed("Catalog.Order"));
    QVERIFY(!m_scene->navigator.location().selection.object);
  }

  void enterShowsTheLayout() {
    const int row = m_scene->rowOf("Catalog.Order");
    m_scene->table().setCurrentIndex(m_scene->table().model()->index(row, 0));
    QTest::keyClick(&m_scene->table(), Qt::Key_Return);
    QCOMPARE(m_scene->navigator.location().place, PlaceId::Layouts);
    QVERIFY(m_scene->navigator.location().selection.methodTable == typeNamed("Catalog.Order"));
  }

  void selectionFollowsTheNavigatorThroughSorting() {
    m_scene->navigator.select({{}, typeNamed("Catalog.Product"), {}});
    const auto current = [this] {
      return m_scene->table().currentIndex().siblingAtColumn(NameColumn).data().toString();
    };
    QCOMPARE(current(), QStringLiteral("Catalog.Product"));
    m_scene->clickHeading(NameColumn);
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->table().horizontalHeader()->sortIndicatorSection(), int{NameColumn},
                              kPatienceMs);
    QCOMPARE(current(), QStringLiteral("Catalog.Product"));
  }

  void instancesAreListedAndPicked() {
    m_scene->navigator.select({{}, typeNamed("Catalog.Order"), {}});
    auto* instances = m_scene->part<QTableView>("instances");
    QTRY_COMPARE_WITH_TIMEOUT(instances->model()->rowCount(), 2500, kPatienceMs);
    instances->setCurrentIndex(instances->model()->index(3, 0));
    const Selection& picked = m_scene->navigator.location().selection;
    QVERIFY(picked.object);
    QVERIFY(picked.methodTable == typeNamed("Catalog.Order"));
    auto* map = m_scene->part<QToolButton>("showOnMap");
    QVERIFY(map->isEnabled());
    map->click();
    QCOMPARE(m_scene->navigator.location().place, PlaceId::Segments);
  }

  void instancesSortByEveryColumnHoweverManyThereAre() {
    m_scene->navigator.select({{}, typeNamed("System.String"), {}});
    auto* instances = m_scene->part<RowsTable>("instances");
    RowsModel& rows = instances->rows();
    QTRY_COMPARE_WITH_TIMEOUT(rows.rowCount(), 5719, kPatienceMs);
    QVERIFY(rows.identityAt(0) < rows.identityAt(5718));
    const auto figureAt = [&](int line, int column) {
      return rows.index(line, column).data(kPlainRole).toString().toULongLong();
    };
    for (const char* field : {"size", "retained"}) {
      const int column = instances->sectionOf(field);
      Q_EMIT instances->horizontalHeader()->sectionClicked(column);
      QTRY_COMPARE_WITH_TIMEOUT(instances->horizontalHeader()->sortIndicatorSection(), column, kPatienceMs);
      instances->scrollToBottom();
      QTRY_VERIFY_WITH_TIMEOUT(rows.hasPage(rows.paged()->pageCount() - 1), kPatienceMs);
      QVERIFY(figureAt(0, column) > figureAt(5718, column));
      for (int line = 1; line < 1000; ++line) QVERIFY(figureAt(line - 1, column) >= figureAt(line, column));
    }
    Q_EMIT instances->horizontalHeader()->sectionClicked(0);
    QTRY_VERIFY_WITH_TIMEOUT(rows.identityAt(0) < rows.identityAt(5718), kPatienceMs);
  }

  void theGarbageOfATypeHasAColumn() {
    const engine::Snapshot& snapshot = m_scene->snapshot();
    const auto cells = [&] {
      std::uint64_t sum = 0;
      for (int row = 0; row < m_scene->rows(); ++row)
        sum += m_scene->table().model()->index(row, GarbageColumn).data(kPlainRole).toULongLong();
      return sum;
    };
    QTRY_COMPARE_WITH_TIMEOUT(cells(), snapshot.retainedTotals().garbageBytes(), kPatienceMs);
    // In a part of the heap only what lies there is counted.
    engine::HeapScope scope;
    scope.generation = engine::Generation::Gen0;
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < snapshot.generations().size(); ++i) {
      if (snapshot.generations()[i].generation == engine::Generation::Gen0)
        expected += snapshot.generationReach()[i].garbageBytes();
    }
    m_scene->navigator.showTypesIn(scope);
    QTRY_COMPARE_WITH_TIMEOUT(cells(), expected, kPatienceMs);
    QVERIFY2(m_scene->part<QLabel>("typeTotals")->text().contains(QStringLiteral("retained in the whole heap")),
             "which column is not limited is said");
  }

  void whoAsksForAPartOfTheHeapGetsAllOfIt() {
    auto* filter = m_scene->part<QLineEdit>("typeFilter");
    filter->setText(QStringLiteral("OrderLine"));
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->rows() < m_all / 2, kPatienceMs);
    engine::HeapScope strings;
    strings.minimumBytes = 32;
    strings.maximumBytes = 63;
    m_scene->navigator.showTypesIn(strings);
    QVERIFY(filter->text().isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->rowOf("System.String") >= 0, kPatienceMs);
    // Removing the limit is no new question.
    filter->setText(QStringLiteral("String"));
    m_scene->part<QToolButton>("typeScope")->click();
    QCOMPARE(filter->text(), QStringLiteral("String"));
  }

  void scopeIsAChipThatCanBeRemoved() {
    engine::HeapScope scope;
    scope.generation = engine::Generation::Gen0;
    m_scene->navigator.showTypesIn(scope);
    auto* chip = m_scene->part<QToolButton>("typeScope");
    QVERIFY(chip->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->rows() < m_all, kPatienceMs);
    QVERIFY(m_scene->rowOf("Catalog.OrderLine") < 0);  // they are all old
    chip->click();
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->rows(), m_all, kPatienceMs);
    QVERIFY(!chip->isVisible());
  }

  void rowsAreCopiedTabSeparated() {
    m_scene->table().selectRow(0);
    m_scene->table().setFocus();
    QTest::keyClick(&m_scene->table(), Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 3);
    QCOMPARE(lines[0].count(QLatin1Char('\t')), TypeTableColumnCount - 1);
    QVERIFY2(lines[1].startsWith(QStringLiteral("System.String\t5719\t548816\t")), qPrintable(lines[1]));
  }

  void clearingDropsEverything() {
    m_scene->bridge.close();
    m_scene->place.clear();
    QCOMPARE(m_scene->rows(), 0);
    QVERIFY(visibleState());
  }

 private:
  StatePanel* visibleState() {
    for (StatePanel* panel : m_scene->place.findChildren<StatePanel*>()) {
      if (panel->isVisible()) return panel;
    }
    return nullptr;
  }

  engine::Address typeNamed(const char* name) {
    for (const engine::TypeRow& type : m_scene->bridge.snapshot()->types()) {
      if (type.name == name) return type.methodTable;
    }
    return {};
  }

  test::SettingsFolder m_folder;
  std::unique_ptr<Scene> m_scene;
  int m_all = 0;
};

HEAPSCAPE_WINDOW_TEST(TypesPlaceTest)
#include "tst_types_place.moc"
