// SPDX-License-Identifier: MIT
// Columns as the person wants them.
#include <QCompleter>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSettings>
#include <QStandardItemModel>
#include <QTabWidget>
#include <QTest>
#include <QTreeView>

#include "models/cells/roles.h"
#include "models/query/field_prompt.h"
#include "models/rows/field_columns.h"
#include "models/rows/header_columns.h"
#include "models/rows/rows_table.h"
#include "models/rows/table_setup.h"
#include "models/types_scene.h"
#include "query/objects/object_search.h"
#include "support/place_scene.h"
#include "support/settings_folder.h"
#include "support/window_test.h"
#include "tables/root_tables.h"
#include "views/roots/roots_place.h"

namespace heapscape::gui {

namespace {

using test::kPatienceMs;

struct Planet {
  QString name;
  std::uint64_t moons;
  std::uint64_t bytes;
};

RowSchema<Planet> planetSchema() {
  RowSchema<Planet> schema;
  schema.columns = {
      {.setup = {.title = QStringLiteral("Name")}, .words = [](const Planet& planet) { return planet.name; }},
      {.setup = {.title = QStringLiteral("Moons"), .kind = engine::ColumnKind::Count},
       .cell = [](const Planet& planet) { return planet.moons; }},
      {.setup = {.title = QStringLiteral("Mass"), .kind = engine::ColumnKind::Bytes, .isExtra = true},
       .cell = [](const Planet& planet) { return planet.bytes; }},
  };
  return schema;
}

std::unique_ptr<RowsTable> planets(const QString& key) {
  auto table = std::make_unique<RowsTable>(QStringLiteral("planets"), QString(), planetSchema().setups(), key);
  table->rows().show(makeRowList(std::vector<Planet>{{QStringLiteral("Mercury"), 0, 10},
                                                     {QStringLiteral("a planet with a very long name"), 1, 20}},
                                 planetSchema()));
  table->resize(300, 200);
  table->show();
  return table;
}

QStringList shownTitles(const QTableView& table) {
  QStringList titles;
  for (const int column : shownColumns(table)) titles << table.model()->headerData(column, Qt::Horizontal).toString();
  return titles;
}

void triggerSort(RowsTable& table, int section) {
  Q_EMIT table.sortWanted(section, false);
}

void triggerIn(HeaderColumns& columns, int section, const QString& text) {
  QMenu menu;
  columns.fill(menu, section);
  for (QAction* action : menu.actions()) {
    if (action->text() == text) return action->trigger();
  }
  QFAIL(qPrintable(QStringLiteral("no entry ") + text));
}

}  // namespace

class ColumnsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QVERIFY(m_folder.isValid()); }

  void columnsAreChosenMovedAndRemembered() {
    {
      const auto table = planets(QStringLiteral("planets"));
      QCOMPARE(shownTitles(*table), (QStringList{QStringLiteral("Name"), QStringLiteral("Moons")}));
      triggerIn(table->columns(), 0, QStringLiteral("Mass"));
      QCOMPARE(shownTitles(*table).size(), 3);
      table->horizontalHeader()->moveSection(2, 0);
      table->horizontalHeader()->resizeSection(2, 123);
      triggerIn(table->columns(), 1, QStringLiteral("Hide “Moons”"));
      QCOMPARE(shownTitles(*table), (QStringList{QStringLiteral("Mass"), QStringLiteral("Name")}));
      triggerIn(table->columns(), 2, QStringLiteral("Pin “Mass”"));
      QTRY_VERIFY(QSettings().contains(QStringLiteral("columns/planets")));
    }
    const auto again = planets(QStringLiteral("planets"));
    QCOMPARE(shownTitles(*again), (QStringList{QStringLiteral("Mass"), QStringLiteral("Name")}));
    QCOMPARE(again->columnWidth(2), 123);
    QCOMPARE(again->columns().pinned(), 1);
    triggerIn(again->columns(), -1, QStringLiteral("Reset the columns"));
    QCOMPARE(shownTitles(*again), (QStringList{QStringLiteral("Name"), QStringLiteral("Moons")}));
    QCOMPARE(again->columns().pinned(), 0);
    // The last column that is shown stays.
    again->columns().setShown(0, false);
    again->columns().setShown(1, false);
    QCOMPARE(shownTitles(*again), QStringList{QStringLiteral("Moons")});
  }

  void whatAnOlderVersionKeptIsPassedOver() {
    QSettings().setValue(QStringLiteral("columns/oldPlanets"), QByteArray("\0\0\0\xff\x01", 5));
    const auto table = planets(QStringLiteral("oldPlanets"));
    QCOMPARE(shownTitles(*table), (QStringList{QStringLiteral("Name"), QStringLiteral("Moons")}));
    QVERIFY(table->columnWidth(0) > 10);
  }

  void aDoubleClickOnAnEdgeFitsTheColumn() {
    const auto table = planets({});
    QHeaderView* heading = table->horizontalHeader();
    heading->resizeSection(0, 60);
    const QPoint edge(heading->sectionViewportPosition(0) + heading->sectionSize(0) - 1, heading->height() / 2);
    QTest::mouseClick(heading->viewport(), Qt::LeftButton, {}, edge);
    QTest::mouseDClick(heading->viewport(), Qt::LeftButton, {}, edge);
    const int words = table->fontMetrics().horizontalAdvance(QStringLiteral("a planet with a very long name"));
    QVERIFY2(table->columnWidth(0) >= words + 16, qPrintable(QString::number(table->columnWidth(0))));
    QVERIFY(table->columnWidth(0) < words + 40);
  }

  void pinnedColumnsStayWhereTheyAreAndAreFoundThere() {
    const auto table = planets({});
    table->columns().setShown(2, true);
    table->resize(260, 200);
    for (int section = 0; section < 3; ++section) table->setColumnWidth(section, 150);
    const int middle = table->rowHeight(0) / 2;
    table->columns().setPinned(1);
    QTRY_VERIFY(table->horizontalScrollBar()->maximum() > 100);
    table->horizontalScrollBar()->setValue(table->horizontalScrollBar()->maximum());
    QVERIFY(table->horizontalHeader()->offset() > 100);
    QCOMPARE(table->indexAt(QPoint(5, middle)).column(), 0);
    QCOMPARE(table->indexAt(QPoint(149, middle)).column(), 0);
    QVERIFY(table->indexAt(QPoint(155, middle)).column() != 0);
    QCOMPARE(table->visualRect(table->rows().index(0, 0)).left(), 0);
    // The heading above it is the one that is clicked.
    auto* heading = static_cast<TableHeading*>(table->horizontalHeader());
    QCOMPARE(heading->sectionAt(QPoint(20, 5)), 0);
    QSignalSpy sorted(table.get(), &RowsTable::sortWanted);
    QTest::mouseClick(heading->viewport(), Qt::LeftButton, {}, QPoint(40, heading->height() / 2));
    QCOMPARE(sorted.size(), 1);
    QCOMPARE(sorted[0][0].toInt(), 0);
    // It is painted over what lies below it.
    const QImage pinned = table->viewport()->grab(QRect(0, 0, 149, table->rowHeight(0))).toImage();
    table->columns().setPinned(0);
    table->horizontalScrollBar()->setValue(0);
    QCOMPARE(table->viewport()->grab(QRect(0, 0, 149, table->rowHeight(0))).toImage(), pinned);
  }

  void columnsFillTheTableAndWhatIsHiddenTakesNoRoom() {
    RowsTable table(QStringLiteral("columns"), {},
                    objectSetups(allObjectColumns({engine::ObjectField::Address}, {}), 1));
    for (const int width : {300, 900, 500}) {
      table.resize(width, 200);
      table.show();
      const QHeaderView* heading = table.horizontalHeader();
      const auto shownWidth = [&] {
        int sum = 0;
        for (const int column : shownColumns(table)) sum += heading->sectionSize(column);
        return sum;
      };
      QTRY_COMPARE(heading->length(), shownWidth());
      QVERIFY(shownWidth() >= table.viewport()->width());
      table.columns().setShown(table.sectionOf("value"), true);
      QTRY_COMPARE(heading->length(), shownWidth());
      QVERIFY(shownWidth() >= table.viewport()->width());
      table.columns().reset();
    }
  }

  void theArrowIsSeenInTheNarrowestColumn() {
    const auto table = planets({});
    QHeaderView* heading = table->horizontalHeader();
    heading->resizeSection(1, heading->minimumSectionSize());
    const QRect section(heading->sectionViewportPosition(1), 0, heading->sectionSize(1), heading->height());
    table->showSorting(1, true);
    const QImage down = heading->viewport()->grab(section).toImage();
    table->showSorting(1, false);
    QVERIFY(heading->viewport()->grab(section).toImage() != down);
  }

  void treesHaveTheSameMenu() {
    QStandardItemModel model(2, 3);
    model.setHorizontalHeaderLabels({QStringLiteral("A"), QStringLiteral("B"), QStringLiteral("C")});
    for (const bool isAgain : {false, true}) {
      QTreeView tree;
      tree.setModel(&model);
      setUpTree(&tree, new TableHeading(&tree));
      rememberColumns(tree.header(), QStringLiteral("someTree"));
      QCOMPARE(tree.header()->isSectionHidden(1), isAgain);
      if (isAgain) break;
      auto* columns = tree.header()->findChild<HeaderColumns*>();
      QVERIFY(columns);
      triggerIn(*columns, 1, QStringLiteral("Hide “B”"));
      QTRY_VERIFY(QSettings().contains(QStringLiteral("columns/someTree")));
    }
  }

  void everyColumnThatTheEngineDescribesCanBeShown() {
    test::PlaceScene<RootsPlace> scene(PlaceId::Roots);
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    auto* tabs = scene.place.findChild<QTabWidget*>();
    QVERIFY(tabs);
    for (int page = 0; page < tabs->count(); ++page) tabs->setCurrentIndex(page);
    auto& table = *scene.part<RowsTable>("handles");
    QTRY_VERIFY_WITH_TIMEOUT(table.rows().rowCount() > 0, kPatienceMs);
    const engine::TableDescription& described = engine::handlesTable().description();
    for (std::size_t i = 0; i < described.columns.size(); ++i) {
      const int section = table.sectionOf(described.columns[i].name);
      QVERIFY2(section >= 0, described.columns[i].name.c_str());
      table.columns().setShown(section, true);
      const engine::Cell cell = table.rows().list()->cell(table.rows().rowAt(0), static_cast<std::size_t>(section));
      if (!cell.isThere() || described.columns[i].kind != engine::ColumnKind::Id) continue;
      QCOMPARE(table.rows().index(0, section).data().toString(), QString::number(cell.number()));
    }
  }

  void objectsHaveTheirValueAndFieldsThatThePersonTypes() {
    const auto path = [](const char* text) {
      return engine::QueryFieldReference{engine::QueryFieldReference::kObjectField, text};
    };
    {
      test::TypesScene scene;
      QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
      scene.navigator.showObjectsOf(QStringLiteral("type = Catalog.Customer"));
      auto& table = *scene.part<RowsTable>("foundObjects");
      QTRY_VERIFY_WITH_TIMEOUT(table.rows().rowCount() > 0 && table.rows().hasPage(0), kPatienceMs);
      const int value = table.sectionOf("value");
      QVERIFY(shownColumns(table).back() == value);
      QVERIFY(table.rows().index(0, value).data().toString().contains(QStringLiteral("Name = \"Customer ")));

      scene.objects().fields().add(QStringLiteral("Name"));
      scene.objects().fields().add(QStringLiteral("Id"));
      const int name = table.sectionOf("field(\"Name\")");
      const int id = table.sectionOf("field(\"Id\")");
      QVERIFY(name >= 0 && id >= 0);
      QTRY_VERIFY_WITH_TIMEOUT(!table.rows().index(0, id).data().toString().isEmpty(), kPatienceMs);
      QCOMPARE(table.rows().index(0, name).data().toString(),
               QStringLiteral("Customer %1").arg(table.rows().index(0, id).data().toString()));
      // Sorted in the engine, as a number.
      triggerSort(table, id);
      QTRY_VERIFY_WITH_TIMEOUT(scene.objects().list()->search.sortBy == path("Id"), kPatienceMs);
      QTRY_VERIFY_WITH_TIMEOUT(table.rows().hasPage(0), kPatienceMs);
      for (int line = 1; line < std::min(50, table.rows().rowCount()); ++line) {
        QVERIFY(table.rows().index(line - 1, id).data().toInt() <= table.rows().index(line, id).data().toInt());
      }
      // Any other field that objects have can be shown as well.
      table.columns().setShown(table.sectionOf("assembly"), true);
      QTRY_COMPARE_WITH_TIMEOUT(table.rows().index(0, table.sectionOf("assembly")).data().toString(),
                                QStringLiteral("catalog.dll"), kPatienceMs);
      scene.objects().fields().remove(QStringLiteral("Name"));
      QCOMPARE(table.sectionOf("field(\"Name\")"), -1);
      QVERIFY(table.sectionOf("field(\"Id\")") >= 0);
    }
    test::TypesScene again;
    auto& table = *again.part<RowsTable>("foundObjects");
    QVERIFY(!table.isColumnHidden(table.sectionOf("field(\"Id\")")));
    again.objects().fields().remove(QStringLiteral("Id"));
    table.columns().reset();
  }

  void namesOfFieldsAreOffered() {
    test::TypesScene scene;
    QVERIFY(scene.open(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    auto* prompt = new FieldPrompt(scene.bridge, QStringLiteral("Catalog.Customer"), &scene.place);
    QSignalSpy chosen(prompt, &FieldPrompt::chosen);
    prompt->popUp(scene.place.mapToGlobal(QPoint(10, 10)));
    auto* line = prompt->findChild<QLineEdit*>();
    const auto offers = [line](const QString& text) {
      const QAbstractItemModel* model = line->completer()->model();
      return !model->match(model->index(0, 0), Qt::DisplayRole, text, 1, Qt::MatchExactly).isEmpty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(offers(QStringLiteral("Name")), kPatienceMs);
    QTest::keyClicks(line, QStringLiteral("ReferredBy."));
    QTRY_VERIFY_WITH_TIMEOUT(offers(QStringLiteral("ReferredBy.Name")), kPatienceMs);
    line->setText(QStringLiteral("ReferredBy.Name"));
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen[0][0].toString(), QStringLiteral("ReferredBy.Name"));
  }

  void typesAreSortedByColumnsThatAreNotShownAtFirst() {
    test::TypesScene scene;
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    auto& table = *scene.part<RowsTable>("typeTable");
    QTRY_VERIFY_WITH_TIMEOUT(table.rows().rowCount() > 10, kPatienceMs);
    const int section = table.sectionOf("instanceSize");
    table.columns().setShown(section, true);
    Q_EMIT table.sortWanted(section, true);
    QTRY_COMPARE_WITH_TIMEOUT(table.horizontalHeader()->sortIndicatorSection(), section, kPatienceMs);
    for (int line = 1; line < table.rows().rowCount(); ++line) {
      QVERIFY(table.rows().index(line - 1, section).data(kPlainRole).toULongLong() >=
              table.rows().index(line, section).data(kPlainRole).toULongLong());
    }
    // What is picked is what the line shows.
    table.selectRow(3);
    QVERIFY(scene.navigator.location().selection.methodTable == table.rows().identityAt(3));
    table.columns().reset();
  }

 private:
  test::SettingsFolder m_folder;
};

HEAPSCAPE_WINDOW_TEST(ColumnsTest)

}  // namespace heapscape::gui

#include "tst_columns.moc"
