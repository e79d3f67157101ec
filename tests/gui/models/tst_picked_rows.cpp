// SPDX-License-Identifier: MIT
// Rows that are picked together, and rows in groups.
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMenu>
#include <QTabWidget>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

#include "models/cells/roles.h"
#include "models/rows/picked_line.h"
#include "models/rows/pinned_rows.h"
#include "models/types_scene.h"
#include "session/objects/object_query.h"
#include "support/place_scene.h"
#include "support/settings_folder.h"
#include "support/window_test.h"
#include "views/roots/roots_place.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

using test::kPatienceMs;

namespace {

/// The entries of the menu that a right click on a line opens.
QStringList menuTitles(QWidget& place, RowsTable& table, int line) {
  QStringList titles;
  QTimer::singleShot(0, [&] {
    for (QMenu* menu : place.findChildren<QMenu*>())
      if (menu->isVisible()) {
        for (const QAction* action : menu->actions()) titles << action->text();
        menu->close();
      }
  });
  Q_EMIT table.customContextMenuRequested(table.visualRect(table.model()->index(line, 0)).center());
  return titles;
}

}  // namespace

class PickedRowsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QVERIFY(m_folder.isValid()); }

  void aMenuOnSeveralPickedRowsIsAboutAllOfThem() {
    test::PlaceScene<RootsPlace> scene(PlaceId::Roots);
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    auto& table = static_cast<RowsTable&>(scene.table(QStringLiteral("statics")));
    scene.place.findChild<QTabWidget*>()->setCurrentIndex(0);
    for (QTabWidget* tabs : scene.place.findChildren<QTabWidget*>())
      for (int tab = 0; tab < tabs->count() && !table.isVisible(); ++tab) tabs->setCurrentIndex(tab);
    QTRY_VERIFY_WITH_TIMEOUT(table.rows().rowCount() > 4, kPatienceMs);
    const auto titlesOn = [&](int line) { return menuTitles(scene.place, table, line); };
    table.selectRow(1);
    table.selectionModel()->select(table.model()->index(2, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QVERIFY(titlesOn(1).contains(QStringLiteral("Why are these objects alive?")));
    QVERIFY(titlesOn(1).contains(QStringLiteral("2 picked")));
    QVERIFY(!titlesOn(3).contains(QStringLiteral("Why are these objects alive?")));
  }

  void rowsThatArePickedSayWhatTheyAddUpTo() {
    test::TypesScene scene;
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

    // A right click on one of them is about all, on another about that one.
    const QStringList all = menuTitles(scene.place, table, 5);
    QVERIFY(all.contains(QStringLiteral("3 picked")));
    QVERIFY(all.contains(QStringLiteral("What if these objects were released?")));
    QVERIFY(!all.contains(QStringLiteral("Show the object")));
    QVERIFY(menuTitles(scene.place, table, 6).contains(QStringLiteral("Show the object")));

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
    test::TypesScene scene;
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
    QVERIFY(menuTitles(scene.place, table, 3).contains(QStringLiteral("What if these objects were released?")));
    QVERIFY(menuTitles(scene.place, table, 2).contains(QStringLiteral("List instances")));
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
    test::TypesScene scene;
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

HEAPSCAPE_WINDOW_TEST(PickedRowsTest)

}  // namespace heapscape::gui

#include "tst_picked_rows.moc"
