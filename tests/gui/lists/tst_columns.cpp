// SPDX-License-Identifier: MIT
// Columns as the person wants them, and rows that are picked together.
#include <QClipboard>
#include <QComboBox>
#include <QCompleter>
#include <QGuiApplication>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSettings>
#include <QStandardItemModel>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include "models/cells/roles.h"
#include "models/query/field_prompt.h"
#include "models/rows/header_columns.h"
#include "models/rows/picked_line.h"
#include "models/rows/pinned_rows.h"
#include "models/rows/rows_table.h"
#include "models/rows/table_heading.h"
#include "models/rows/table_setup.h"
#include "query/objects/object_search.h"
#include "session/references/set_query.h"
#include "support/place_scene.h"
#include "support/settings_folder.h"
#include "support/window_test.h"
#include "tables/root_tables.h"
#include "views/roots/roots_place.h"
#include "views/types/object_list.h"
#include "views/types/types_place.h"
#include "widgets/text/figures.h"

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
      {.setup = {.title = QStringLiteral("Moons"), .look = ColumnLook::Count},
       .number = [](const Planet& planet) { return planet.moons; }},
      {.setup = {.title = QStringLiteral("Mass"), .look = ColumnLook::Bytes, .isExtra = true},
       .number = [](const Planet& planet) { return planet.bytes; }},
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

struct TypesScene : test::PlaceScene<TypesPlace> {
  TypesScene() : PlaceScene(PlaceId::Types) {}
  /// Of the page of objects.
  ObjectList& objects() { return *static_cast<ObjectList*>(part<RowsTable>("foundObjects")->parentWidget()); }
};

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
      const engine::Cell cell = table.rows().list()->cell(table.rows().rowAt(0), i);
      if (!cell.isThere() || described.columns[i].kind != engine::ColumnKind::Id) continue;
      QCOMPARE(table.rows().index(0, section).data().toString(), QString::number(cell.number()));
    }
  }

  void objectsHaveTheirValueAndFieldsThatThePersonTypes() {
    const auto path = [](const char* text) {
      return engine::QueryFieldReference{engine::QueryFieldReference::kObjectField, text};
    };
    {
      TypesScene scene;
      QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
      scene.navigator.showObjectsOf(QStringLiteral("type = Catalog.Customer"));
      auto& table = *scene.part<RowsTable>("foundObjects");
      QTRY_VERIFY_WITH_TIMEOUT(table.rows().rowCount() > 0 && table.rows().hasPage(0), kPatienceMs);
      const int value = table.sectionOf("value");
      QVERIFY(shownColumns(table).back() == value);
      QVERIFY(table.rows().index(0, value).data().toString().contains(QStringLiteral("Name = \"Customer ")));

      scene.objects().addField(QStringLiteral("Name"));
      scene.objects().addField(QStringLiteral("Id"));
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
      scene.objects().removeField(QStringLiteral("Name"));
      QCOMPARE(table.sectionOf("field(\"Name\")"), -1);
      QVERIFY(table.sectionOf("field(\"Id\")") >= 0);
    }
    TypesScene again;
    auto& table = *again.part<RowsTable>("foundObjects");
    QVERIFY(!table.isColumnHidden(table.sectionOf("field(\"Id\")")));
    again.objects().removeField(QStringLiteral("Id"));
    table.columns().reset();
  }

  void namesOfFieldsAreOffered() {
    TypesScene scene;
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

  void rowsThatArePickedSayWhatTheyAddUpTo() {
    TypesScene scene;
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    scene.navigator.showObjectsOf(QStringLiteral("type = Catalog.Order"));
    auto& table = *scene.part<RowsTable>("foundObjects");
    QTRY_VERIFY_WITH_TIMEOUT(table.rows().rowCount() > 10 && table.rows().hasPage(0), kPatienceMs);
    auto& picked = *scene.part<PickedLine>("foundObjectsPicked");
    table.selectRow(2);
    QVERIFY(picked.isHidden());
    table.selectionModel()->select(table.rows().index(5, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    table.selectionModel()->select(table.rows().index(7, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QVERIFY(!picked.isHidden() && !picked.isAnswer());
    QTRY_VERIFY_WITH_TIMEOUT(picked.isAnswer(), kPatienceMs);
    engine::ObjectSet set;
    std::vector<std::uint32_t> ids;
    for (const int line : {2, 5, 7}) {
      set.objects.push_back(table.rows().identityAt(line));
      ids.push_back(*engine::idOfObject(scene.snapshot(), set.objects.back()));
    }
    const auto freed = engine::retainedOfSet(scene.snapshot(), set, nullptr, {}).value();
    const auto size = engine::sizeOfSet(scene.snapshot(), set, {}).value();
    QCOMPARE(picked.text(), QStringLiteral("3 picked · %1 · would free %2 together")
                                .arg(bytesText(size.bytes), bytesText(freed.retained.bytes)));

    // Pinned are these alone.
    QCOMPARE(pinnedRows(table).rows.size(), std::size_t{3});
    // Copied in every form.
    for (QAction* action : table.findChild<QMenu*>(QStringLiteral("copyRowsAs"))->actions()) {
      if (action->text() != QStringLiteral("JSON")) continue;
      QGuiApplication::clipboard()->clear();
      action->trigger();
    }
    QTRY_VERIFY_WITH_TIMEOUT(!QGuiApplication::clipboard()->text().isEmpty(), kPatienceMs);
    const QJsonArray json = QJsonDocument::fromJson(QGuiApplication::clipboard()->text().toUtf8()).array();
    QCOMPARE(json.size(), 3);
    QCOMPARE(json[0].toObject()[QStringLiteral("address")].toString(), addressText(set.objects[0]));

    // Taken on as a set.
    scene.part<QToolButton>("foundObjectsPickedSet")->click();
    QTRY_COMPARE_WITH_TIMEOUT(table.rows().rowCount(), 3, kPatienceMs);
    std::ranges::sort(ids);
    QVERIFY(scene.objects().list()->found.ids == ids);
    QCOMPARE(scene.part<QLineEdit>("objectQuery")->text(), QStringLiteral("set = \"picked\""));
  }

  void typesThatArePickedStandForAllTheirObjects() {
    TypesScene scene;
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    auto& table = *scene.part<RowsTable>("typeTable");
    QTRY_VERIFY_WITH_TIMEOUT(table.rows().rowCount() > 10, kPatienceMs);
    auto& picked = *scene.part<PickedLine>("typeTablePicked");
    QTRY_VERIFY_WITH_TIMEOUT(scene.bridge.isAtRest(), kPatienceMs);
    table.selectRow(1);
    table.selectionModel()->select(table.rows().index(3, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QTRY_VERIFY_WITH_TIMEOUT(picked.isAnswer(), kPatienceMs);
    engine::ObjectSet set;
    for (const int line : {1, 3}) set.types.push_back(scene.snapshot().typeOf(table.rows().identityAt(line)));
    const auto size = engine::sizeOfSet(scene.snapshot(), set, {}).value();
    QVERIFY2(picked.text().startsWith(QStringLiteral("2 picked · %1 objects · %2 · would free ")
                                          .arg(countText(size.objects), bytesText(size.bytes))),
             qPrintable(picked.text()));
  }

  void typesAreSortedByColumnsThatAreNotShownAtFirst() {
    TypesScene scene;
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

  void rowsOfAnyListAreGrouped() {
    test::PlaceScene<RootsPlace> scene(PlaceId::Roots);
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    auto* tabs = scene.place.findChild<QTabWidget*>();
    for (int page = 0; page < tabs->count(); ++page) tabs->setCurrentIndex(page);
    auto& handles = *scene.part<RowsTable>("handles");
    QTRY_VERIFY_WITH_TIMEOUT(handles.rows().rowCount() > 0, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(scene.bridge.isAtRest(), kPatienceMs);
    const int all = handles.rows().rowCount();
    const int kind = handles.sectionOf("kind");
    auto& choice = *scene.part<QComboBox>("handlesGroup");
    const int byKind = choice.findData(kind);
    QVERIFY(byKind > 0);
    choice.setCurrentIndex(byKind);
    Q_EMIT choice.activated(byKind);
    QTRY_VERIFY_WITH_TIMEOUT(scene.part<RowsTable>("handlesGroups"), kPatienceMs);
    auto& groups = *scene.part<RowsTable>("handlesGroups");
    QTRY_VERIFY_WITH_TIMEOUT(groups.rows().rowCount() > 1, kPatienceMs);
    int sum = 0;
    for (int line = 0; line < groups.rows().rowCount(); ++line)
      sum += groups.rows().index(line, 1).data(kPlainRole).toInt();
    QCOMPARE(sum, all);
    groups.selectRow(1);
    const QString name = groups.rows().index(1, 0).data().toString();
    const int members = groups.rows().index(1, 1).data(kPlainRole).toInt();
    QTRY_COMPARE(handles.rows().rowCount(), members);
    for (int line = 0; line < members; ++line) QCOMPARE(handles.rows().index(line, kind).data().toString(), name);
    // Sorted otherwise, they are still those of the group.
    Q_EMIT handles.sortWanted(handles.sectionOf("object"), true);
    QTRY_COMPARE_WITH_TIMEOUT(handles.horizontalHeader()->sortIndicatorSection(), handles.sectionOf("object"),
                              kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(scene.bridge.isAtRest(), kPatienceMs);
    QCOMPARE(handles.rows().rowCount(), members);
    for (int line = 0; line < members; ++line) QCOMPARE(handles.rows().index(line, kind).data().toString(), name);
    choice.setCurrentIndex(0);
    Q_EMIT choice.activated(0);
    QTRY_COMPARE(handles.rows().rowCount(), all);
  }

  void objectsAreGroupedAndAGroupOpens() {
    TypesScene scene;
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    scene.navigator.showObjectsOf(QStringLiteral("namespace = Catalog"));
    auto& objects = *scene.part<RowsTable>("foundObjects");
    QTRY_VERIFY_WITH_TIMEOUT(objects.rows().rowCount() > 10, kPatienceMs);
    const int all = objects.rows().rowCount();
    auto& choice = *scene.part<QComboBox>("groupObjects");
    choice.setCurrentIndex(1);
    Q_EMIT choice.activated(1);  // by type
    auto& groups = *scene.part<RowsTable>("objectGroups");
    QTRY_VERIFY_WITH_TIMEOUT(groups.rows().rowCount() > 3, kPatienceMs);
    int sum = 0;
    for (int line = 0; line < groups.rows().rowCount(); ++line)
      sum += groups.rows().index(line, 1).data(kPlainRole).toInt();
    QCOMPARE(sum, all);
    groups.selectRow(1);
    const int wanted = groups.rows().index(1, 1).data(kPlainRole).toInt();
    QTRY_COMPARE_WITH_TIMEOUT(objects.rows().rowCount(), wanted, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(objects.rows().hasPage(0), kPatienceMs);
    QCOMPARE(objects.rows().index(0, objects.sectionOf("type")).data().toString(),
             groups.rows().index(1, 0).data().toString());
    choice.setCurrentIndex(0);
    Q_EMIT choice.activated(0);
    QTRY_COMPARE_WITH_TIMEOUT(objects.rows().rowCount(), all, kPatienceMs);
    QVERIFY(!groups.isVisible());
  }

 private:
  test::SettingsFolder m_folder;
};

HEAPSCAPE_WINDOW_TEST(ColumnsTest)

}  // namespace heapscape::gui

#include "tst_columns.moc"
