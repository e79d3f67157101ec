// SPDX-License-Identifier: MIT
// What a review is printed from, piece by piece: how high each is, what it keeps to, and what it says.
#include <QBuffer>
#include <QPainter>
#include <QSvgGenerator>
#include <QTest>

#include "print/print_item.h"
#include "support/window_test.h"

namespace heapscape::gui {

namespace {

using engine::ColumnKind;
using engine::ReviewTable;

constexpr int kSheetWidth = 400;  // in points, as the device has 72 to the inch

/// A sheet that keeps what is painted as text.
class PaperSheet {
 public:
  PaperSheet() {
    m_buffer.open(QIODevice::WriteOnly);
    m_device.setOutputDevice(&m_buffer);
    m_device.setResolution(72);
    m_device.setSize(QSize(kSheetWidth, 800));
  }

  const QSvgGenerator& device() const { return m_device; }
  QString painted(const PrintItem& item) {
    QPainter painter(&m_device);
    item.paint(painter, 0);
    painter.end();
    return QString::fromUtf8(m_buffer.data());
  }

 private:
  QBuffer m_buffer;
  QSvgGenerator m_device;
};

QString paintedAlone(const PrintItem& item) {
  PaperSheet sheet;
  return sheet.painted(item);
}

ReviewTable wordsTable(const std::vector<std::string>& words) {
  ReviewTable table{.columns = {{"Words", ColumnKind::Text}}};
  for (const std::string& each : words) table.rows.push_back({{each}});
  return table;
}

std::string numberedLines(int count, const char* between = "\n") {
  std::string text;
  for (int line = 1; line <= count; ++line)
    text += (line == 1 ? "" : between) + std::string("nr") + std::to_string(line);
  return text;
}

}  // namespace

class PrintItemsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void tablesHaveAHeadThatEachRowNames();
  void noRowStandsAloneBesideItsHeadOrOnTheLastSheet();
  void rowsBeyondAHundredAreCounted();
  void cellsOfManyLinesEndInDots();
  void wordsAreBrokenAndFiguresAreNot();
  void barsAreOfTheLargestBytes();
  void paragraphsAreItemsOfTheirOwn();
  void notesTakeRoomAroundThem();
  void picturesAreMadeSmallerButNeverLarger();
  void contentsHaveNumberTitleAndSheet();

 private:
  PrintItems tableItems(const ReviewTable& table) {
    PrintItems items;
    addTable(items, m_style, table);
    return items;
  }

  PaperSheet m_sheet;
  PrintStyle m_style{m_sheet.device()};
};

void PrintItemsTest::tablesHaveAHeadThatEachRowNames() {
  QVERIFY(tableItems({}).empty());
  PrintItems items;
  addParagraphs(items, m_style, QStringLiteral("before"), {});
  addTable(items, m_style, wordsTable({"a", "b"}));
  QCOMPARE(items.size(), std::size_t{4});
  QVERIFY(!items[1]->flow.heading && items[1]->flow.keepsWithNext);
  QVERIFY(items[2]->flow.heading == 1u && items[3]->flow.heading == 1u);
  QVERIFY(paintedAlone(*items[1]).contains(QStringLiteral("Words")));
}

void PrintItemsTest::noRowStandsAloneBesideItsHeadOrOnTheLastSheet() {
  const auto kept = [this](std::size_t rows) {
    QString flags;
    for (const auto& item : tableItems(wordsTable(std::vector<std::string>(rows, "x"))))
      flags += QLatin1Char(item->flow.keepsWithNext ? 'k' : '.');
    return flags;
  };
  QCOMPARE(kept(0), QStringLiteral("."));
  QCOMPARE(kept(1), QStringLiteral("k."));
  QCOMPARE(kept(2), QStringLiteral("kk."));
  QCOMPARE(kept(5), QStringLiteral("kk..k."));
}

void PrintItemsTest::rowsBeyondAHundredAreCounted() {
  const auto last = [this](std::size_t rows, std::uint64_t leftOut) {
    ReviewTable table = wordsTable(std::vector<std::string>(rows, "x"));
    table.rowsLeftOut = leftOut;
    const PrintItems items = tableItems(table);
    return std::pair(items.size(), paintedAlone(*items.back()));
  };
  QCOMPARE(last(100, 0).first, std::size_t{101});
  QCOMPARE(last(101, 0).first, std::size_t{102});
  QVERIFY(last(101, 0).second.contains(QStringLiteral("1 more row is not printed.")));
  QVERIFY(last(150, 1'950).second.contains(QStringLiteral("2,000 more rows are not printed.")));
  QVERIFY(last(3, 2).second.contains(QStringLiteral("2 more rows are not printed.")));
}

void PrintItemsTest::cellsOfManyLinesEndInDots() {
  const auto row = [this](const std::string& text) { return std::move(tableItems(wordsTable({text}))[1]); };
  const double ten = row(numberedLines(10))->flow.height;
  QVERIFY(ten > row(numberedLines(9))->flow.height);
  QVERIFY(!paintedAlone(*row(numberedLines(10))).contains(QChar(0x2026)));
  const QString twelve = paintedAlone(*row(numberedLines(12)));
  QCOMPARE(row(numberedLines(12))->flow.height, ten);
  QVERIFY2(twelve.contains(QStringLiteral("nr10…")), "what is left out is not hidden");
  QVERIFY(!twelve.contains(QStringLiteral("nr11")));
  const std::string long1 = numberedLines(1'000, " ");
  QCOMPARE(row(long1)->flow.height, ten);
  QVERIFY(paintedAlone(*row(long1)).contains(QChar(0x2026)));
}

void PrintItemsTest::wordsAreBrokenAndFiguresAreNot() {
  const std::string wide(300, 'w');
  const auto height = [&](ColumnKind kind) {
    ReviewTable table{.columns = {{"Column", kind}}, .rows = {{{wide}}, {{"x"}}}};
    const PrintItems items = tableItems(table);
    return items[1]->flow.height / items[2]->flow.height;
  };
  QVERIFY(height(ColumnKind::Text) > 2);
  QVERIFY(height(ColumnKind::TypeName) > 2);
  QCOMPARE(height(ColumnKind::Count), 1.0);
}

void PrintItemsTest::barsAreOfTheLargestBytes() {
  const auto hasBar = [this](ColumnKind kind, std::optional<std::int64_t> number) {
    const ReviewTable table{.columns = {{"Bytes", kind}}, .rows = {{{"a", number}}, {{"b", 1'000}}}};
    return paintedAlone(*tableItems(table)[1]).contains(QStringLiteral("#bcd9ea"));
  };
  QVERIFY(hasBar(ColumnKind::Bytes, 500));
  QVERIFY(!hasBar(ColumnKind::Bytes, 0));
  QVERIFY(!hasBar(ColumnKind::Bytes, std::nullopt));
  QVERIFY(!hasBar(ColumnKind::Bytes, -500));
  QVERIFY(!hasBar(ColumnKind::Count, 500));
}

void PrintItemsTest::paragraphsAreItemsOfTheirOwn() {
  PrintItems items;
  addParagraphs(items, m_style, QStringLiteral("one\n\nthree"), {.spaceBefore = 20, .hasRule = true});
  QCOMPARE(items.size(), std::size_t{3});
  QCOMPARE(items[0]->flow.spaceBefore, 20.0);
  QCOMPARE(items[1]->flow.spaceBefore, 0.0);
  QVERIFY(items[1]->flow.height > 0);
  QVERIFY(paintedAlone(*items[0]).contains(QStringLiteral("#dfe2e7")));
  QVERIFY2(!paintedAlone(*items[2]).contains(QStringLiteral("#dfe2e7")), "the rule stands above the first alone");
}

void PrintItemsTest::notesTakeRoomAroundThem() {
  PrintItems items;
  addParagraphs(items, m_style, QStringLiteral("text"), {});
  addParagraphs(items, m_style, QStringLiteral("text"), {.isNote = true});
  QVERIFY(items[1]->flow.height > items[0]->flow.height);
  QVERIFY(paintedAlone(*items[1]).contains(QStringLiteral("#fff8ec")));
}

void PrintItemsTest::picturesAreMadeSmallerButNeverLarger() {
  const auto height = [this](double width, double wanted, double sheet) {
    PrintItems items;
    addPicture(items, m_style, {.svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", .width = width, .height = wanted},
               sheet);
    return items.empty() ? -1 : items[0]->flow.height;
  };
  QCOMPARE(height(100, 50, 800), 50.0);
  QCOMPARE(height(800, 300, 800), 150.0);  // twice as wide as the sheet
  QCOMPARE(height(100, 1'600, 800), 800.0);
  QCOMPARE(height(0, 50, 800), -1.0);
}

void PrintItemsTest::contentsHaveNumberTitleAndSheet() {
  ContentsLine line(m_style, 12, QStringLiteral("Types & more"));
  line.setSheet(345);
  const QString painted = paintedAlone(line);
  for (const char* part : {">12<", ">345<", "Types &amp; more"}) QVERIFY2(painted.contains(QLatin1String(part)), part);
  const QString cut =
      paintedAlone(ContentsLine(m_style, 1, QString(200, QLatin1Char('w')).append(QStringLiteral("end"))));
  QVERIFY(cut.contains(QChar(0x2026)) && !cut.contains(QStringLiteral("end")));
}

HEAPSCAPE_WINDOW_TEST(PrintItemsTest)

}  // namespace heapscape::gui

#include "tst_print_items.moc"
