// SPDX-License-Identifier: MIT
// What a cell of a list shows and copies, by the kind of its column; without a dump.
#include <QTest>
#include <cmath>

#include "models/retained_cell.h"
#include "models/rows/row_list.h"
#include "models/rows/rows_table.h"
#include "support/window_test.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using engine::Address;
using engine::addressColumn;
using engine::bytesColumn;
using engine::Cell;
using engine::ColumnKind;
using engine::idColumn;
using engine::savedBytesColumn;
using engine::shareColumn;
using engine::textColumn;

struct Stock {
  std::string name = {};
  std::optional<double> share = {};
  std::optional<std::int64_t> saved = {};
  std::optional<std::uint64_t> bytes = {};
  std::uint32_t id = 0;
  Address place = {};
  Address type = {};
};

const engine::TableOf<Stock>& stockTable() {
  static const engine::TableOf<Stock> table{
      "stocks",
      {textColumn<Stock>("name", "Name", "What it is called.", &Stock::name).searched(),
       shareColumn<Stock>("share", "Share", "Of all.", &Stock::share),
       savedBytesColumn<Stock>("saved", "Saved", "Won back.", &Stock::saved),
       bytesColumn<Stock>("bytes", "Bytes", "Taken.", &Stock::bytes).hidingZero(),
       idColumn<Stock>("id", "Id", "Its number.", &Stock::id),
       addressColumn<Stock>("place", "Place", "Where it is.", &Stock::place)}};
  return table;
}

enum StockColumn : std::size_t { StockName, StockShare, StockSaved, StockBytes, StockId, StockPlace };

RowSchema<Stock> stockSchema() {
  RowSchema<Stock> schema;
  schema.table = &stockTable();
  for (const char* field : {"name", "share", "saved", "bytes", "id", "place"})
    schema.columns.push_back({.setup = {.field = field, .bar = ColumnBar::Plain}});
  schema.columns[StockName].type = &Stock::type;
  schema.columns[StockPlace].object = &Stock::place;
  return schema;
}

std::shared_ptr<const RowList> stocks(std::vector<Stock> rows) {
  return makeRowList(std::move(rows), stockSchema());
}

}  // namespace

class RowCellsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aFigureIsWholeOrNotThere() {
    RowsTable table(QStringLiteral("stocks"), QString(), stockSchema().setups());
    table.resize(900, 120);
    table.show();
    const auto pictureOf = [&](std::uint64_t bytes) {
      table.rows().show(stocks({{.bytes = bytes}}));
      QTest::qWait(10);
      return table.viewport()->grab().toImage();
    };
    constexpr std::uint64_t kOne = 1'111, kOther = 8'888;
    QVERIFY(pictureOf(kOne) != pictureOf(kOther));
    // Its column ends behind the list.
    const int width = table.columnWidth(StockBytes);
    table.resize(table.width() - table.viewport()->width() + table.columnViewportPosition(StockBytes) + width / 2, 120);
    QTest::qWait(10);
    QCOMPARE(table.columnWidth(StockBytes), width);
    QVERIFY(table.columnViewportPosition(StockBytes) + width > table.viewport()->width());
    QCOMPARE(pictureOf(kOne), pictureOf(kOther));
    // It has no room in its column.
    table.resize(900, 120);
    table.setColumnWidth(StockBytes, table.fontMetrics().horizontalAdvance(QStringLiteral("1.08")));
    QTest::qWait(10);
    QCOMPARE(pictureOf(kOne), pictureOf(kOther));
  }

  void sharesAreNoneOrAllOnlyWhereTheyAre() {
    QCOMPARE(figureOf(Cell(2.0 / 3)), std::uint64_t{666'667});
    QCOMPARE(figureOf(Cell(0.29)), std::uint64_t{290'000});
    QCOMPARE(figureOf(Cell(1e-9)), std::uint64_t{1});
    QCOMPARE(figureOf(Cell(0.9999999)), std::uint64_t{999'999});
    QCOMPARE(figureOf(Cell(1.0)), std::uint64_t{kWholeShare});
    QCOMPARE(figureOf(Cell(std::nan(""))), std::uint64_t{0});
    QCOMPARE(figureOf(Cell(std::int64_t{-1})), UINT64_MAX);
    QCOMPARE(figureOf(Cell()), std::uint64_t{0});
  }

  void cellsAreShownAndCopiedByTheirLook() {
    const auto list =
        stocks({{.name = "A", .share = 0.29, .saved = -2'048, .bytes = 1'536, .id = 12'345, .place = {16}},
                {.share = 0.0, .saved = 0, .bytes = 0},
                {.share = 1e-9, .saved = INT64_MIN, .bytes = UINT64_MAX}});
    struct Shown {
      std::uint32_t row;
      std::size_t column;
      const char* text;
      const char* copied;
    };
    for (const Shown& wanted :
         {Shown{0, StockName, "A", "A"}, Shown{0, StockShare, "29.0%", "0.29"},
          Shown{0, StockSaved, "−2.00 KB", "-2048"}, Shown{0, StockBytes, "1.50 KB", "1536"},
          Shown{0, StockId, "12345", "12345"}, Shown{0, StockPlace, "0x10", "0x10"}, Shown{1, StockShare, "0%", "0"},
          Shown{1, StockSaved, "0 B", "0"}, Shown{1, StockBytes, "", "0"}, Shown{1, StockPlace, "", ""},
          Shown{2, StockShare, "<0.1%", "1e-06"}, Shown{2, StockSaved, "−8.00 EB", "-9223372036854775808"},
          Shown{2, StockBytes, "16.0 EB", "18446744073709551615"}}) {
      QCOMPARE(list->display(wanted.row, wanted.column), QString::fromUtf8(wanted.text));
      QCOMPARE(list->plain(wanted.row, wanted.column), QString::fromUtf8(wanted.copied));
      QCOMPARE(list->isNegative(wanted.row, wanted.column), wanted.copied[0] == '-');
    }
  }

  void whatIsNotKnownIsCopiedAsNothing() {
    const auto list = stocks({{}});
    for (const std::size_t column : {StockShare, StockSaved, StockBytes}) {
      QVERIFY(!list->isKnown(0, column));
      QCOMPARE(list->display(0, column), unknownText());
      QCOMPARE(list->plain(0, column), QString());
    }
  }

  void wordsTakeThePlaceOfAFigureButNotOfWhatIsCopied() {
    RowSchema<Stock> schema = stockSchema();
    schema.columns[StockBytes].words = [](const Stock& stock) {
      return stock.bytes == 7 ? QStringLiteral("few") : QString();
    };
    const auto list = makeRowList(std::vector<Stock>{{.bytes = 7}, {.bytes = 8}}, schema);
    QCOMPARE(list->display(0, StockBytes), QStringLiteral("few"));
    QCOMPARE(list->plain(0, StockBytes), QStringLiteral("7"));
    QCOMPARE(list->display(1, StockBytes), QStringLiteral("8 B"));
  }

  void barsAreOfTheLargestAndNothingBelowZeroHasOne() {
    const auto list = stocks({{.saved = 50}, {.saved = 200}, {.saved = -1'000}, {.saved = 0}});
    QCOMPARE(list->share(0, StockSaved), 0.25);
    QCOMPARE(list->share(1, StockSaved), 1.0);
    QCOMPARE(list->share(2, StockSaved), 0.0);
    QCOMPARE(list->share(3, StockSaved), 0.0);
    QCOMPARE(stocks({{.saved = -5}})->share(0, StockSaved), 0.0);
    RowSchema<Stock> without = stockSchema();
    without.columns[StockSaved].setup.bar = ColumnBar::None;
    QCOMPARE(makeRowList(std::vector<Stock>{{.saved = 5}}, without)->share(0, StockSaved), 0.0);
  }

  void digitsThatAllAddressesHaveInCommon() {
    QCOMPARE(commonPrefix(QStringLiteral("0x7f10"), QStringLiteral("0x7f20")), 4);
    QCOMPARE(commonPrefix(QStringLiteral("0x10"), QStringLiteral("0x7f10")), 2);
    const auto digits = [](std::vector<Stock> rows) { return stocks(std::move(rows))->commonDigits(StockPlace); };
    QCOMPARE(digits({{.place = {0x7f1230}}, {.place = {}}, {.place = {0x7f1270}}, {.place = {0x7f1250}}}), 6);
    QCOMPARE(digits({{.place = {0x7f1230}}, {.place = {0x7f1230}}}), 0);
    QCOMPARE(digits({{.place = {0xff}}, {.place = {0x100}}}), 2);
    QCOMPARE(digits({}), 0);
    QCOMPARE(stocks({{.id = 16}, {.id = 17}})->commonDigits(StockId), 0);
  }

  void aRowLeadsToItsObjectBeforeItsType() {
    const auto list = stocks({{.place = {16}, .type = {32}}, {.type = {32}}, {}});
    QCOMPARE(list->target(0).object.value, std::uint64_t{16});
    QVERIFY(!list->target(0).methodTable);
    QCOMPARE(list->target(1).methodTable.value, std::uint64_t{32});
    QVERIFY(list->target(2).isEmpty());
  }

  void theEnginesDescriptionSaysWhatTheWindowDoesNot() {
    const ColumnSetup plain = described({.field = "bytes"}, stockTable().description());
    QCOMPARE(plain.title, QStringLiteral("Bytes"));
    QCOMPARE(plain.tip, QStringLiteral("Taken"));
    QVERIFY(plain.kind == engine::ColumnKind::Bytes && plain.hidesZero && plain.holdsContents == false);
    const ColumnSetup own =
        described({.field = "bytes", .isInWords = true, .title = QStringLiteral("Own")}, stockTable().description());
    QCOMPARE(own.title, QStringLiteral("Own"));
    QVERIFY(own.kind == engine::ColumnKind::Text);
    QVERIFY(described({.field = "none", .letters = 3}, stockTable().description()).title.isEmpty());
    QVERIFY(described({.field = "name"}, stockTable().description()).isSearched);
  }

  void fewerColumnsComeInTheOrderAskedFor() {
    const RowSchema<Stock> fewer = stockSchema().only({"place", "none", "name"});
    QCOMPARE(fewer.columns.size(), std::size_t{2});
    QCOMPARE(fewer.columns[0].setup.field, std::string("place"));
    const auto list = makeRowList(std::vector<Stock>{{.name = "A", .place = {16}}}, fewer);
    QCOMPARE(list->display(0, 0), QStringLiteral("0x10"));
    QCOMPARE(list->display(0, 1), QStringLiteral("A"));
  }

  void rowsOfNoKindAreNotCounted() {
    RowSchema<Stock> schema = stockSchema();
    schema.kinds = {{.name = QStringLiteral("Even")}, {.name = QStringLiteral("Odd")}};
    schema.kindOf = [](const Stock& stock) { return std::size_t{stock.id}; };
    const auto list = makeRowList(std::vector<Stock>{{.id = 0}, {.id = 1}, {.id = 1}, {.id = 2}}, schema);
    QCOMPARE(list->kinds()[0].rows, std::uint64_t{1});
    QCOMPARE(list->kinds()[1].rows, std::uint64_t{2});
  }
};

HEAPSCAPE_WINDOW_TEST(RowCellsTest)

}  // namespace heapscape::gui

#include "tst_row_cells.moc"
