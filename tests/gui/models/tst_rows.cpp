// SPDX-License-Identifier: MIT
// Lists of whatever rows, without a dump.
#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QMenu>
#include <QTableWidget>
#include <QTest>

#include "models/cells/item_painting.h"
#include "models/cells/roles.h"
#include "models/rows/header_columns.h"
#include "models/rows/row_links.h"
#include "models/rows/row_question.h"
#include "models/rows/rows_as_text.h"
#include "models/rows/rows_model.h"
#include "models/rows/rows_panel.h"
#include "models/rows/rows_table.h"
#include "support/window_driver.h"
#include "support/window_test.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

struct Animal {
  QString name;
  std::uint64_t legs;
  engine::Address address;
  bool isWild = false;
};

RowSchema<Animal> animalSchema() {
  RowSchema<Animal> schema;
  schema.columns = {
      {.setup = {.title = QStringLiteral("Name"), .isSearched = true},
       .words = [](const Animal& animal) { return animal.name; },
       .isWarning = [](const Animal& animal) { return animal.isWild; }},
      {.setup = {.title = QStringLiteral("Legs"), .kind = engine::ColumnKind::Count, .hidesZero = true},
       .cell = [](const Animal& animal) { return animal.legs; }},
      {.setup = {.title = QStringLiteral("Address"), .kind = engine::ColumnKind::Address, .isSearched = true},
       .cell = [](const Animal& animal) { return animal.address; },
       .object = &Animal::address},
  };
  schema.kinds = {{.name = QStringLiteral("Tame")}, {.name = QStringLiteral("Wild")}};
  schema.kindOf = [](const Animal& animal) { return animal.isWild ? std::size_t{1} : std::size_t{0}; };
  schema.identity = [](const Animal& animal) { return animal.address; };
  return schema;
}

std::shared_ptr<const RowList> animals() {
  return makeRowList(std::vector<Animal>{{QStringLiteral("Dog"), 4, {0x7f0010}},
                                         {QStringLiteral("ant"), 6, {0x7f0120}, true},
                                         {QStringLiteral("Cat"), 4, {0x7f0030}},
                                         {QStringLiteral("Snake"), 0, {}, true}},
                     animalSchema());
}

std::vector<std::uint32_t> ask(const RowQuestion& question) {
  const auto order = askRows(*animals(), question, {});
  return order ? *order : std::vector<std::uint32_t>{99};
}

/// The last row of pixels that a heading with this text is written on, above the line that ends it.
int lowestInk(QTableWidget& table, const QString& text) {
  table.setHorizontalHeaderLabels({text});
  const QImage image = table.horizontalHeader()->grab().toImage();
  const QRgb ground = image.pixel(1, 1);
  for (int y = image.height() - 3; y > 0; --y) {
    for (int x = 0; x < image.width(); ++x) {
      if (image.pixel(x, y) != ground) return y;
    }
  }
  return -1;
}

}  // namespace

class RowsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void rowsComeAsGivenUnlessSorted() { QCOMPARE(ask({}), (std::vector<std::uint32_t>{0, 1, 2, 3})); }

  void wordsAreSortedInAnyCaseAndEqualFiguresKeepTheirOrder() {
    QCOMPARE(ask({.text = {}, .kinds = {}, .sortColumn = 0}), (std::vector<std::uint32_t>{1, 2, 0, 3}));
    QCOMPARE(ask({.text = {}, .kinds = {}, .sortColumn = 1}), (std::vector<std::uint32_t>{3, 0, 2, 1}));
    QCOMPARE(ask({.text = {}, .kinds = {}, .sortColumn = 1, .descending = true}),
             (std::vector<std::uint32_t>{1, 0, 2, 3}));
  }

  void theFilterLooksOnlyIntoSearchedColumns() {
    QCOMPARE(ask({.text = QStringLiteral("A"), .kinds = {}}), (std::vector<std::uint32_t>{1, 2, 3}));
    QCOMPARE(ask({.text = QStringLiteral("0x7f0"), .kinds = {}}), (std::vector<std::uint32_t>{0, 1, 2}));
    QVERIFY(ask({.text = QStringLiteral("6"), .kinds = {}}).empty());
  }

  void kindsLimitTheRows() {
    QCOMPARE(ask({.text = {}, .kinds = {1}}), (std::vector<std::uint32_t>{1, 3}));
    QCOMPARE(ask({.text = QStringLiteral("ant"), .kinds = {0}}), (std::vector<std::uint32_t>{}));
    QCOMPARE(ask({.text = {}, .kinds = {0, 1}}).size(), std::size_t{4});
  }

  void aStoppedQuestionHasNoAnswer() {
    std::stop_source stop;
    stop.request_stop();
    const auto order = askRows(*animals(), {}, stop.get_token());
    QVERIFY(!order && order.error().isCancelled());
  }

  void kindsAreCounted() {
    QCOMPARE(animals()->kinds()[0].rows, std::uint64_t{2});
    QCOMPARE(animals()->kinds()[1].rows, std::uint64_t{2});
  }

  void cellsAreWrittenAsTheirColumnLooks() {
    RowsModel model(animalSchema().setups());
    const QAbstractItemModelTester tester(&model);
    model.show(animals(), {3, 1});
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("⚠ Snake"));
    QCOMPARE(model.index(0, 0).data(kPlainRole).toString(), QStringLiteral("Snake"));
    QVERIFY(model.index(0, 0).data(Qt::ForegroundRole).isValid());
    QCOMPARE(model.index(0, 1).data().toString(), QString());  // no legs
    QCOMPARE(model.index(0, 2).data().toString(), QString());  // no address
    QCOMPARE(model.index(1, 2).data().toString(), QStringLiteral("0x7f0120"));
    QCOMPARE(model.index(1, 2).data(kDimmedPrefixRole).toInt(), 5);  // "0x7f0"
    QCOMPARE(model.index(1, 1).data(Qt::TextAlignmentRole).value<Qt::Alignment>(), Qt::AlignRight | Qt::AlignVCenter);
    QCOMPARE(model.lineOf(1), 1);
    QCOMPARE(model.lineOf(0), -1);
    model.clear();
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.columnCount(), 3);
  }

  void rowsOfPagesAreBlankUntilTheirPageIsThere() {
    RowsModel model(animalSchema().setups());
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    auto rows = std::make_shared<PagedRows>();
    rows->size = PagedRows::kPageRows + 4;
    rows->identity = [](std::uint32_t row) { return engine::Address{0x1000 + row}; };
    model.show(rows);
    QCOMPARE(model.rowCount(), 1004);
    QVERIFY(!model.index(1000, 0).data().isValid());
    QVERIFY(model.identityAt(1000) == engine::Address{0x1000 + 1000});
    QVERIFY(model.targetAt(1000).object == engine::Address{0x1000 + 1000});
    model.addPage(0, animals());  // has fewer rows than a page
    QVERIFY(!model.hasPage(0));
    model.addPage(1, animals());
    QVERIFY(model.hasPage(1));
    QCOMPARE(model.index(1002, 0).data().toString(), QStringLiteral("Cat"));
    QVERIFY(model.targetAt(1002).object == engine::Address{0x7f0030});
    model.show(animals());
    QCOMPARE(model.rowCount(), 4);
    QVERIFY(!model.hasPage(1));
  }

  void headingsAreWideEnoughForTheirWords() {
    std::vector<ColumnSetup> columns = animalSchema().setups();
    columns[1].title = QStringLiteral("Legs that were counted");
    const RowsTable table(QStringLiteral("animals"), {}, columns);
    const int words = table.fontMetrics().horizontalAdvance(columns[1].title);
    QVERIFY(table.columnWidth(1) > words);
  }

  void aLineReadsTheSameFromTheListAndFromTheTable() {
    RowsTable table(QStringLiteral("animals"), {}, animalSchema().setups());
    table.rows().show(animals());
    QModelIndexList indices;
    for (int line = 0; line < table.rows().rowCount(); ++line) indices << table.rows().index(line, 0);
    const std::vector<int> shown = shownColumns(table);
    for (const RowsFormat format : kRowsFormats) {
      CopiedRows copied(format, copiedColumns(table.rows().columns(), shown));
      for (std::uint32_t row = 0; row < animals()->size(); ++row) copied.add(copiedRow(*animals(), row, shown));
      QCOMPARE(rowsAsText(table, indices, format), copied.text());
    }
  }

  void rowsAreCopiedInFourWays() {
    RowsTable table(QStringLiteral("animals"), {}, animalSchema().setups());
    table.rows().show(animals(), {3, 1});
    const QModelIndexList rows{table.rows().index(0, 0), table.rows().index(1, 0)};
    QCOMPARE(rowsAsText(table, rows, RowsFormat::Tsv),
             QStringLiteral("Name\tLegs\tAddress\nSnake\t0\t\nant\t6\t0x7f0120\n"));
    QCOMPARE(rowsAsText(table, rows, RowsFormat::Text), QStringLiteral("Name     Legs  Address\n"
                                                                       "⚠ Snake\n"
                                                                       "⚠ ant       6  0x7f0120\n"));
    QCOMPARE(rowsAsText(table, rows, RowsFormat::Markdown), QStringLiteral("| Name | Legs | Address |\n"
                                                                           "| --- | --: | --- |\n"
                                                                           "| ⚠ Snake |  |  |\n"
                                                                           "| ⚠ ant | 6 | 0x7f0120 |\n"));
    const QJsonArray json = QJsonDocument::fromJson(rowsAsText(table, rows, RowsFormat::Json).toUtf8()).array();
    QCOMPARE(json.size(), 2);
    QCOMPARE(json[1].toObject()[QStringLiteral("name")].toString(), QStringLiteral("ant"));
    QCOMPARE(json[1].toObject()[QStringLiteral("legs")], QJsonValue(6));
    QCOMPARE(json[1].toObject()[QStringLiteral("address")].toString(), QStringLiteral("0x7f0120"));
    // Only what is shown, in the order in which it stands.
    table.columns().setShown(1, false);
    table.horizontalHeader()->moveSection(2, 0);
    QCOMPARE(rowsAsText(table, {rows[1]}), QStringLiteral("Address\tName\n0x7f0120\tant\n"));
  }

  void theMenuOfARowLeadsToEachPlaceThatShowsItsObject() {
    Navigator navigator;
    QMenu menu;
    addLinks(menu, navigator, *animals(), 0);
    QStringList entries;
    QMap<QString, QAction*> actions;
    for (QAction* action : menu.actions()) {
      if (action->isSeparator()) continue;
      entries << action->text();
      actions[action->text()] = action;
    }
    QCOMPARE(entries,
             (QStringList{QStringLiteral("Show the object"), QStringLiteral("Why is it alive?"),
                          QStringLiteral("Show in the reference graph"), QStringLiteral("Show in the dominator tree"),
                          QStringLiteral("Show on map"), QStringLiteral("Show memory at 0x7f0010"),
                          QStringLiteral("What if it were released?"), QStringLiteral("Copy address")}));
    QString cut;
    connect(&navigator, &Navigator::cutWanted, this, [&](const QString& wanted) { cut = wanted; });
    actions[QStringLiteral("What if it were released?")]->trigger();
    QCOMPARE(cut, QStringLiteral("0x7f0010"));
    actions[QStringLiteral("Show in the dominator tree")]->trigger();
    QCOMPARE(navigator.location().place, PlaceId::References);
    QCOMPARE(navigator.location().page, ReferencesPage::Dominators);
    QCOMPARE(navigator.location().selection.object.value, std::uint64_t{0x7f0010});
    QMenu none;
    addLinks(none, navigator, *animals(), 3);  // has no address
    QVERIFY(none.isEmpty());
  }

  void chipsThatDoNotFitAreCounted() {
    const QFont font;
    const QFontMetrics metrics(font);
    const QStringList words{QStringLiteral("background"), QStringLiteral("pool"), QStringLiteral("dead")};
    QCOMPARE(wordsThatFit(words, 10'000, font), qsizetype{3});
    QCOMPARE(wordsThatFit(words, 4, font), qsizetype{0});
    const int two = metrics.horizontalAdvance(words[0] + words[1] + QStringLiteral("+1")) + 40;
    QCOMPARE(wordsThatFit(words, two, font), qsizetype{2});
    QCOMPARE(wordsThatFit({}, 4, font), qsizetype{0});
  }

  void oneRowIsCountedInTheSingular() {
    QCOMPARE(countedText(1, QStringLiteral("step")), QStringLiteral("1 step"));
    QCOMPARE(countedText(0, QStringLiteral("step")), QStringLiteral("0 steps"));
    QCOMPARE(countedText(2, QStringLiteral("box"), QStringLiteral("boxes")), QStringLiteral("2 boxes"));
    EngineBridge bridge;
    Navigator navigator;
    RowsPanelSetup setup;
    setup.name = QStringLiteral("steps");
    setup.noun = QStringLiteral("steps");
    setup.columns = animalSchema().setups();
    RowsPanel panel(bridge, navigator, std::move(setup));
    const auto* count = panel.findChild<QLabel*>(QStringLiteral("stepsCount"));
    panel.setRows(makeRowList(std::vector<Animal>{{QStringLiteral("Dog"), 4, {0x7f0010}}}, animalSchema()));
    QTRY_COMPARE(count->text(), QStringLiteral("1 step"));
    panel.setRows(animals());
    QTRY_COMPARE(count->text(), QStringLiteral("4 steps"));
    panel.setFilter(QStringLiteral("Dog"));
    QTRY_COMPARE(count->text(), QStringLiteral("1 of 4 steps"));
  }

  void headingsShowTheirWholeLetters() {
    test::dressApplication();
    QTableWidget table(1, 1);
    const QFontMetrics letters = table.horizontalHeader()->fontMetrics();
    const int below = letters.tightBoundingRect(QStringLiteral("p")).bottom() -
                      letters.tightBoundingRect(QStringLiteral("n")).bottom();
    QVERIFY(below > 1);
    QCOMPARE(lowestInk(table, QStringLiteral("p")) - lowestInk(table, QStringLiteral("n")), below);
  }
};

HEAPSCAPE_WINDOW_TEST(RowsTest)

}  // namespace heapscape::gui

#include "tst_rows.moc"
