// SPDX-License-Identifier: MIT
// What names and values have room for, what rows look like while others are on their way, and rows in groups.
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTabWidget>
#include <QTreeView>
#include <algorithm>

#include "lists/lists.h"
#include "models/cells/item_painting.h"
#include "models/cells/roles.h"
#include "models/rows/header_columns.h"
#include "models/rows/row_groups.h"
#include "models/rows/rows_table.h"
#include "models/rows/table_setup.h"
#include "session/objects/retained_query.h"
#include "support/menu_choice.h"
#include "support/place_scene.h"
#include "support/settings_folder.h"
#include "support/window_test.h"
#include "views/roots/roots_place.h"
#include "views/types/object_list.h"
#include "views/types/types_place.h"
#include "widgets/arranging/split_page.h"
#include "widgets/dimming.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using test::kPatienceMs;

struct Named {
  QString type;
  std::uint64_t bytes;
  QString text;
};

RowSchema<Named> namedSchema(bool hasStretched) {
  RowSchema<Named> schema;
  schema.columns = {
      {.setup = {.title = QStringLiteral("Type"), .kind = engine::ColumnKind::TypeName, .letters = 12},
       .words = [](const Named& row) { return row.type; }},
      {.setup = {.title = QStringLiteral("Bytes"), .kind = engine::ColumnKind::Bytes},
       .cell = [](const Named& row) { return row.bytes; }},
      {.setup = {.title = QStringLiteral("Value"), .letters = 10, .stretches = hasStretched, .holdsContents = true},
       .words = [](const Named& row) { return row.text; }},
  };
  return schema;
}

const QString kLongType =
    QStringLiteral("System.Collections.Generic.Dictionary<System.String, Some.Company.Product.Orders.CustomerOrder>");

std::unique_ptr<RowsTable> namedRows(bool hasStretched, int width) {
  const RowSchema<Named> schema = namedSchema(hasStretched);
  auto table = std::make_unique<RowsTable>(QStringLiteral("named"), QString(), schema.setups());
  table->rows().show(makeRowList(std::vector<Named>{{kLongType, 10, QString(400, QLatin1Char('v'))}}, schema));
  table->resize(width, 200);
  table->show();
  QTest::qWait(10);
  return table;
}

int wantedBy(const RowsTable& table, int section) {
  return table.sizeHintForIndex(table.model()->index(0, section)).width();
}

void group(GroupChoice& choice, int index) {
  choice.setCurrentIndex(index);
  Q_EMIT choice.activated(index);
}

}  // namespace

class ListRoomTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { test::dressApplication(); }

  void aNameTakesTheRoomThatIsThereBeforeItIsCut() {
    for (const bool hasStretched : {false, true}) {
      const auto wide = namedRows(hasStretched, 1600);
      QVERIFY2(wide->columnWidth(0) >= wantedBy(*wide, 0), "it is seen whole");
      QCOMPARE(wide->horizontalScrollBar()->maximum(), 0);
      const auto narrow = namedRows(hasStretched, 260);
      QVERIFY(narrow->columnWidth(0) < wantedBy(*narrow, 0));
      wide->resize(narrow->size());
      QTest::qWait(10);
      QCOMPARE(wide->columnWidth(0), narrow->columnWidth(0));
    }
  }

  void contentsGiveWayBeforeTheListScrolls() {
    const auto rows = namedRows(true, 150);
    QVERIFY2(rows->columnWidth(2) < 10 * rows->fontMetrics().averageCharWidth(), "less than it is made for");
    int needed = 2 * rows->frameWidth();
    for (int section = 0; section < 3; ++section) needed += rows->columnWidth(section);
    rows->resize(needed, 200);
    QTest::qWait(10);
    QCOMPARE(rows->horizontalScrollBar()->maximum(), 0);
  }

  void aListHasTheHeightThatItsRowsWantAndNoMoreThanItsShare() {
    const RowSchema<Named> schema = namedSchema(true);
    auto* list = new RowsTable(QStringLiteral("fitted"), QString(), schema.setups());
    auto* below = new QWidget;
    FittedSplit split(list, list, below, 0.5);
    split.resize(500, 600);
    split.show();
    const auto rows = [&](std::size_t count) {
      list->rows().show(makeRowList(std::vector<Named>(count, {kLongType, 10, QStringLiteral("v")}), schema));
    };
    rows(3);
    QTRY_VERIFY(list->height() < 200);
    QCOMPARE(list->verticalScrollBar()->maximum(), 0);
    rows(9);
    QTRY_VERIFY(list->height() > 200);
    QCOMPARE(list->verticalScrollBar()->maximum(), 0);
    rows(90);
    QTRY_COMPARE(list->height(), 300);
    QVERIFY(below->height() >= 299);
    // Who shares the room otherwise keeps it so.
    QTest::mousePress(split.handle(1), Qt::LeftButton, {}, QPoint(20, 0));
    QTest::mouseMove(split.handle(1), QPoint(20, 100));
    QTest::mouseRelease(split.handle(1), Qt::LeftButton, {}, QPoint(20, 100));
    QVERIFY(list->height() > 350);
    const int chosen = list->height();
    rows(3);
    QTest::qWait(50);
    QCOMPARE(list->height(), chosen);
  }

  void whatIsPickedIsDimmedWithTheRest() {
    const QPalette rows = QApplication::palette("QAbstractItemView");
    QCOMPARE(rows.color(QPalette::Disabled, QPalette::HighlightedText), rows.color(QPalette::Disabled, QPalette::Text));
    QVERIFY(rows.color(QPalette::Disabled, QPalette::HighlightedText) !=
            rows.color(QPalette::Active, QPalette::HighlightedText));
  }

  void namesInTwoColumnsShareTheRoom() {
    RowSchema<Named> schema = namedSchema(true);
    schema.columns[2].setup.holdsContents = false;
    RowsTable table(QStringLiteral("shared"), QString(), schema.setups());
    const QString held(60, QLatin1Char('h'));
    table.rows().show(makeRowList(std::vector<Named>{{kLongType, 10, held}}, schema));
    table.resize(900, 200);
    table.show();
    QTRY_VERIFY(table.columnWidth(2) > 0);
    QTest::qWait(10);
    const int spare = wantedBy(table, 0) + wantedBy(table, 2) - table.columnWidth(0) - table.columnWidth(2);
    QVERIFY2(spare > 0, "there is not room for both");
    QVERIFY2(table.columnWidth(0) > 300 && table.columnWidth(2) > 300, qPrintable(QStringLiteral("%1, %2 of %3, %4")
                                                                                      .arg(table.columnWidth(0))
                                                                                      .arg(table.columnWidth(2))
                                                                                      .arg(wantedBy(table, 0))
                                                                                      .arg(wantedBy(table, 2))));
    table.resize(3000, 200);
    QTest::qWait(10);
    QVERIFY(table.columnWidth(0) >= wantedBy(table, 0) && table.columnWidth(2) >= wantedBy(table, 2));
  }

  void aHiddenColumnOfNamesLeavesNoHole() {
    QStandardItemModel model(1, 3);
    for (int column = 0; column < 3; ++column) model.setData(model.index(0, column), QString(20, QLatin1Char('n')));
    QTreeView tree;
    tree.setModel(&model);
    tree.resize(300, 300);
    tree.show();
    new StretchedSection(&tree, tree.header(), 0, 60, {1, 2});
    tree.setColumnHidden(2, true);
    QCOMPARE(tree.header()->length(), tree.viewport()->width());
    tree.setColumnHidden(2, false);
    QVERIFY(tree.columnWidth(2) > 0);
  }

  void namesOfATreeHaveTheSameRoomHoweverDeepTheyStand() {
    QStandardItemModel model(0, 2);
    QStandardItem* above = model.invisibleRootItem();
    for (int depth = 0; depth < 6; ++depth) {
      auto* item = new QStandardItem(QStringLiteral("name"));
      above->appendRow({item, new QStandardItem});
      above = item;
    }
    QTreeView tree;
    tree.setModel(&model);
    tree.header()->resizeSection(1, 200);
    tree.resize(300, 300);
    tree.show();
    new StretchedSection(&tree, tree.header(), 0, 120);
    QCOMPARE(tree.columnWidth(0), 120);
    tree.expandAll();
    tree.collapse(model.index(0, 0));
    QTest::qWait(10);
    QCOMPARE(tree.columnWidth(0), 120);
    tree.expand(model.index(0, 0));
    QTRY_VERIFY2(tree.columnWidth(0) > 120, "it grows with the depth of what is seen");
    QVERIFY2(tree.columnWidth(0) <= tree.viewport()->width() * 2 / 3, "figures are seen beside it");
  }

  void aWidthThatSomebodyHasGivenStays() {
    const auto table = namedRows(true, 1600);
    table->setColumnWidth(0, 90);
    QVERIFY2(table->columnWidth(0) > 90, "there is more room than that");
    table->resize(180, 200);
    QTest::qWait(10);
    QCOMPARE(table->columnWidth(0), 90);
  }

  void aValueIsCutAtItsEndAndANameIsNot() {
    const auto table = namedRows(true, 400);
    QVERIFY(table->model()->index(0, 2).data(kCutAtEndRole).toBool());
    QVERIFY(!table->model()->index(0, 0).data(kCutAtEndRole).toBool());
    // Painted as another text that begins alike: what stands at the end is not seen.
    const auto painted = [&](const QString& text) {
      const RowSchema<Named> schema = namedSchema(true);
      table->rows().show(makeRowList(std::vector<Named>{{kLongType, 10, text}}, schema));
      QImage image(120, 24, QImage::Format_RGB32);
      image.fill(Qt::white);
      QPainter painter(&image);
      QStyleOptionViewItem option;
      option.initFrom(table.get());
      option.rect = image.rect();
      option.font = table->font();
      table->itemDelegateForIndex(table->model()->index(0, 2))->paint(&painter, option, table->model()->index(0, 2));
      return image;
    };
    const QString begin(60, QLatin1Char('b'));
    QCOMPARE(painted(begin + QStringLiteral("one end")), painted(begin + QStringLiteral("another")));
  }

  void whatIsDimmedIsPaintedHalfAndHearsAllClicks() {
    QTreeView tree;
    QPalette palette = tree.palette();
    palette.setColor(QPalette::Base, Qt::white);
    tree.setPalette(palette);
    QStandardItemModel model;
    auto* const row = new QStandardItem;
    row->setBackground(Qt::black);
    model.appendRow(row);
    tree.setModel(&model);
    tree.setHeaderHidden(true);
    tree.resize(300, 200);
    tree.show();
    for (QWidget* const widget : {tree.viewport(), static_cast<QWidget*>(&tree)}) {
      const QPoint inRow = tree.visualRect(row->index()).center();
      const auto lightness = [&] {
        return qGray(tree.grab(QRect(tree.viewport()->mapTo(&tree, inRow), QSize(1, 1))).toImage().pixel(0, 0));
      };
      QCOMPARE(lightness(), 0);
      setDimmed(widget, true);
      setDimmed(widget, true);
      tree.resize(tree.width() + 50, tree.height());
      QVERIFY(isDimmed(widget));
      QVERIFY2(lightness() > 110 && lightness() < 145, qPrintable(QString::number(lightness())));
      tree.clearSelection();
      tree.setCurrentIndex({});
      QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, inRow);
      QCOMPARE(tree.currentIndex(), row->index());
      tree.clearSelection();
      setDimmed(widget, false);
      QVERIFY(!isDimmed(widget));
      QCOMPARE(lightness(), 0);
    }
  }

  void rowsOfTheOldOrderAreDimmedUntilTheNewOneIsThere() {
    test::PlaceScene<TypesPlace> scene(PlaceId::Types);
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    scene.navigator.showObjectsOf(QString());
    auto& table = *scene.part<RowsTable>("foundObjects");
    QTRY_VERIFY_WITH_TIMEOUT(table.rows().rowCount() > 1000 && table.rows().hasPage(0), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(scene.bridge.isAtRest(), kPatienceMs);
    const QList<ObjectList*> lists = scene.place.findChildren<ObjectList*>();
    auto& list = **std::ranges::find_if(lists, [&](const ObjectList* some) { return some->isAncestorOf(&table); });
    const int rows = table.rows().rowCount();
    for (const bool isOther : {false, true}) {
      bool isTold = false, isDone = false;
      list.ask(
          {}, {}, isOther,
          [&](const engine::Progress&) {
            isTold = true;
            QCOMPARE(isDimmed(table.viewport()), !isOther);
            QCOMPARE(table.isEnabled(), !isOther);
            QCOMPARE(table.rows().rowCount(), rows);
          },
          [&](ObjectList::Answer answer) {
            isDone = true;
            QVERIFY(answer.has_value());
            list.show(*answer);
          });
      QTRY_VERIFY_WITH_TIMEOUT(isDone, kPatienceMs);
      QVERIFY(isTold);
      QVERIFY(!isDimmed(table.viewport()));
      QVERIFY(table.isEnabled());
    }
  }

  void rowsAreGroupedByWhatTheirObjectsHold() {
    test::PlaceScene<RootsPlace> scene(PlaceId::Roots);
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    auto* tabs = scene.place.findChild<QTabWidget*>();
    tabs->setCurrentWidget(scene.part<RowsTable>("roots")->parentWidget());
    for (int page = 0; page < tabs->count(); ++page) tabs->setCurrentIndex(page);
    auto& roots = *scene.part<RowsTable>("roots");
    QTRY_VERIFY_WITH_TIMEOUT(roots.rows().rowCount() > 0, kPatienceMs);
    const int all = roots.rows().rowCount();
    auto& choice = *scene.part<GroupChoice>("rootsGroup");
    for (const char* by : {"By namespace", "By generation", "By owner", "By value"}) {
      const int index = choice.findText(QString::fromLatin1(by));
      QVERIFY2(index > 0, by);
      group(choice, index);
      QTRY_VERIFY_WITH_TIMEOUT(scene.part<RowsTable>("rootsGroups"), kPatienceMs);
      QTRY_VERIFY_WITH_TIMEOUT(scene.bridge.isAtRest(), kPatienceMs);
      const auto& groups = *scene.part<RowsTable>("rootsGroups");
      QVERIFY(groups.rows().rowCount() > 1);
      int sum = 0;
      for (int line = 0; line < groups.rows().rowCount(); ++line)
        sum += groups.rows().index(line, 1).data(kPlainRole).toInt();
      QCOMPARE(sum, all);
    }
  }

  void groupsAddUpOnlyWhatIsDescribedSo() {
    std::vector<ColumnSetup> columns;
    for (const char* field : {"type", "count", "average", "bytes", "retained"})
      columns.push_back(described({.field = field}, engine::findList("types")->description()));
    QCOMPARE(additiveColumns(columns), (std::vector<std::size_t>{1, 3}));
    columns[3].isExtra = true;
    QCOMPARE(additiveColumns(columns), std::vector<std::size_t>{1});
  }

  void theTreeOfRootsIsGroupedAnyWay() {
    test::PlaceScene<RootsPlace> scene(PlaceId::Roots);
    QVERIFY(scene.openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    auto& tree = *scene.part<QTreeView>("rootTree");
    QTRY_VERIFY_WITH_TIMEOUT(tree.model()->rowCount() > 0, kPatienceMs);
    const QAbstractItemModelTester tester(tree.model());
    auto& choice = *scene.part<GroupChoice>("rootTreeGroup");
    const std::size_t all = scene.snapshot().roots().roots.size();
    const auto namesOf = [&] {
      QStringList names;
      for (int row = 0; row < tree.model()->rowCount(); ++row) names << tree.model()->index(row, 0).data().toString();
      return names;
    };
    const QStringList byOwner = namesOf();
    for (int index = 1; index < choice.count() - 1; ++index) {
      const QStringList before = namesOf();
      group(choice, index);
      QTRY_VERIFY_WITH_TIMEOUT(namesOf() != before && scene.bridge.isAtRest(), kPatienceMs);
      std::size_t roots = 0;
      for (int row = 0; row < tree.model()->rowCount(); ++row) {
        const QModelIndex group = tree.model()->index(row, 0);
        // What a group holds is at least what its roots do, each and several of them together.
        const auto& model = static_cast<const RootTreeModel&>(*tree.model());
        std::uint64_t alone = 0;
        for (int child = 0; child < tree.model()->rowCount(group); ++child) {
          const auto& node = model.nodeAt(tree.model()->index(child, 0, group));
          alone += node.alone.bytes;
          roots += node.isTogether ? 0 : 1;
        }
        QVERIFY(model.nodeAt(group).alone.bytes >= alone);
      }
      QCOMPARE(roots, all);
    }
    // All that a group leads to is cut at once.
    QString cut;
    connect(&scene.navigator, &Navigator::cutWanted, &scene.place, [&](const QString& text) { cut = text; });
    const auto& model = static_cast<const RootTreeModel&>(*tree.model());
    int row = 0;
    while (row + 1 < model.rowCount() && model.nodeAt(model.index(row, 0)).isTogether) ++row;
    const QModelIndex first = model.index(row, 0);
    tree.scrollTo(first);
    QVERIFY(test::chooseFromMenu([&] { Q_EMIT tree.customContextMenuRequested(tree.visualRect(first).center()); },
                                 QStringLiteral("What if these objects were released?")));
    QTRY_VERIFY_WITH_TIMEOUT(cut.startsWith(QStringLiteral("set:")), kPatienceMs);
    group(choice, 0);
    QTRY_COMPARE(namesOf(), byOwner);
  }

 private:
  test::SettingsFolder m_folder;
};

HEAPSCAPE_WINDOW_TEST(ListRoomTest)

}  // namespace heapscape::gui

#include "tst_list_room.moc"
