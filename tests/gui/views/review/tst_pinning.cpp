// SPDX-License-Identifier: MIT
// What is pinned of a table or a picture, without a window's places.
#include <QAction>
#include <QPainter>
#include <QStandardItemModel>
#include <QSvgRenderer>
#include <QTableView>
#include <QTest>
#include <QTreeView>
#include <optional>

#include "models/cells/roles.h"
#include "models/rows/pinned_rows.h"
#include "models/rows/row_list.h"
#include "models/rows/rows_model.h"
#include "models/rows/table_setup.h"
#include "review/drawing_check.h"
#include "support/window_test.h"
#include "views/generations/stacked_chart.h"
#include "views/overview/age_donut.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/marks.h"
#include "widgets/drawing/picture_actions.h"
#include "widgets/text/hidden_contents.h"

namespace heapscape::gui {

namespace {

/// Takes what is pinned in it.
class PinTaker : public QWidget {
 public:
  std::optional<engine::ReviewPage> taken;

 protected:
  bool event(QEvent* event) override {
    if (event->type() != PinRequest::kind()) return QWidget::event(event);
    event->accept();
    taken = static_cast<PinRequest*>(event)->page();
    return true;
  }
};

struct Row {
  QString text;
  std::uint64_t bytes = 0;
};

std::shared_ptr<const RowList> rowsOf(int count) {
  RowSchema<Row> schema;
  schema.columns = {{.setup = {.title = QStringLiteral("Type"), .kind = engine::ColumnKind::TypeName},
                     .words = [](const Row& row) { return row.text; }},
                    {.setup = {.title = QStringLiteral("Words")}, .words = [](const Row& row) { return row.text; }},
                    {.setup = {.title = QStringLiteral("Kind"), .holdsContents = false},
                     .words = [](const Row&) { return QStringLiteral("kind"); }},
                    {.setup = {.title = QStringLiteral("Bytes"), .kind = engine::ColumnKind::Bytes},
                     .cell = [](const Row& row) { return row.bytes; }}};
  std::vector<Row> rows;
  for (int row = 0; row < count; ++row) {
    rows.push_back({QStringLiteral("Shop.Order%1").arg(row), static_cast<std::uint64_t>(row) * 1500});
  }
  return makeRowList(std::move(rows), std::move(schema));
}

}  // namespace

class PinningTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void rowsArePinnedAsShownWithExactNumbers();
  void hiddenColumnsStayBehindAndMovedOnesMove();
  void nomoreThanAThousandRows();
  void ofATreeWhatIsUnfolded();
  void whoSaysNothingMayHoldContents();
  void theWindowIsAskedAndTheNearestActionFound();
  void aPictureBecomesADrawingThatPasses();
  void aPictureThatHidesContentsIsPinnedTwice();
  void cellsArePinnedWithWhatStandsInTheirPlace();
  void aHatchStaysInItsPlace();
  void aPictureOnDarkGroundIsPinnedLight();
  void aChartIsPinnedLightWithAllThatIsInIt();
  void textsOfAPinnedPictureAreAsLargeAsOnTheScreen();

 private:
  static std::vector<std::uint32_t> inOrder(std::uint32_t count) {
    std::vector<std::uint32_t> order(count);
    for (std::uint32_t i = 0; i < count; ++i) order[i] = count - 1 - i;
    return order;
  }
};

void PinningTest::rowsArePinnedAsShownWithExactNumbers() {
  const auto rows = rowsOf(3);
  RowsModel model(rows->columns());
  model.show(rows, inOrder(3));
  QTableView table;
  table.setModel(&model);
  const engine::ReviewTable pinned = pinnedRows(table);
  QCOMPARE(pinned.columns.size(), std::size_t{4});
  QCOMPARE(pinned.rows.size(), std::size_t{3});
  QCOMPARE(pinned.rows[0][0].text, std::string("Shop.Order2"));
  QCOMPARE(pinned.rows[0][3].text, std::string("2.93 KB"));
  QCOMPARE(pinned.rows[0][3].number.value(), std::int64_t{3000});
  QVERIFY(pinned.columns[0].kind == engine::ColumnKind::TypeName);
  QVERIFY(pinned.columns[3].kind == engine::ColumnKind::Bytes);
  QVERIFY(!pinned.columns[0].holdsContents);
  QVERIFY(pinned.columns[1].holdsContents);
  QVERIFY(!pinned.columns[2].holdsContents);
  QVERIFY(!pinned.columns[3].holdsContents);
}

void PinningTest::hiddenColumnsStayBehindAndMovedOnesMove() {
  const auto rows = rowsOf(1);
  RowsModel model(rows->columns());
  model.show(rows, inOrder(1));
  QTableView table;
  table.setModel(&model);
  table.horizontalHeader()->setSectionHidden(1, true);
  table.horizontalHeader()->setSectionsMovable(true);
  table.horizontalHeader()->moveSection(3, 0);
  const engine::ReviewTable pinned = pinnedRows(table);
  QCOMPARE(pinned.columns.size(), std::size_t{3});
  QCOMPARE(pinned.columns[0].title, std::string("Bytes"));
  QCOMPARE(pinned.columns[1].title, std::string("Type"));
}

void PinningTest::nomoreThanAThousandRows() {
  const auto rows = rowsOf(1200);
  RowsModel model(rows->columns());
  model.show(rows, inOrder(1200));
  QTableView table;
  table.setModel(&model);
  const engine::ReviewTable pinned = pinnedRows(table);
  QCOMPARE(pinned.rows.size(), std::size_t{1000});
  QCOMPARE(pinned.rowsLeftOut, std::uint64_t{200});
}

void PinningTest::ofATreeWhatIsUnfolded() {
  QStandardItemModel model(0, 1);
  auto* open = new QStandardItem(QStringLiteral("open"));
  open->appendRow(new QStandardItem(QStringLiteral("child")));
  auto* shut = new QStandardItem(QStringLiteral("shut"));
  shut->appendRow(new QStandardItem(QStringLiteral("unseen")));
  model.appendRow(open);
  model.appendRow(shut);
  QTreeView tree;
  tree.setModel(&model);
  tree.expand(model.index(0, 0));
  const engine::ReviewTable pinned = pinnedRows(tree);
  QCOMPARE(pinned.rows.size(), std::size_t{3});
  QCOMPARE(pinned.rows[1][0].text, std::string("\u2003child"));
  QCOMPARE(pinned.rows[2][0].text, std::string("shut"));
}

void PinningTest::whoSaysNothingMayHoldContents() {
  QStandardItemModel model(1, 2);
  model.setItem(0, 0, new QStandardItem(QStringLiteral("secret")));
  model.setItem(0, 1, new QStandardItem(QStringLiteral("42")));
  QTableView table;
  table.setModel(&model);
  for (const engine::ReviewColumn& column : pinnedRows(table).columns) QVERIFY(column.holdsContents);
}

void PinningTest::theWindowIsAskedAndTheNearestActionFound() {
  PinTaker window;
  QStandardItemModel model(2, 1);
  auto* table = new QTableView(&window);
  table->setModel(&model);
  table->setAccessibleName(QStringLiteral("Things"));
  setUpTable(table, new QHeaderView(Qt::Horizontal, table));
  QAction* action = pinActionAround(table->viewport());
  QVERIFY(action);
  QVERIFY(!pinActionAround(&window));
  action->trigger();
  QVERIFY(window.taken);
  QCOMPARE(window.taken->title, std::string("Things"));
  QCOMPARE(std::get<engine::ReviewTable>(window.taken->content).rows.size(), std::size_t{2});
}

void PinningTest::aPictureBecomesADrawingThatPasses() {
  PinTaker window;
  auto* picture = new QWidget(&window);
  picture->resize(200, 100);
  picture->setAccessibleName(QStringLiteral("Ages"));
  const PaintPicture paint = [](QPainter& painter, QSize) {
    QLinearGradient gradient(0, 0, 100, 0);
    gradient.setColorAt(0, Qt::red);
    painter.fillRect(QRect(0, 0, 50, 50), gradient);
    painter.drawText(QPoint(10, 80), QStringLiteral("a < b & \"c\""));
    painter.drawPixmap(0, 0, QPixmap(4, 4));
  };
  addPictureActions(picture, paint, QStringLiteral("ages"), PictureContents::None);
  pinActionAround(picture)->trigger();
  QVERIFY(window.taken);
  const auto& pinned = std::get<engine::ReviewPicture>(window.taken->content);
  QCOMPARE(pinned.width, 150.0);
  QVERIFY(!pinned.holdsContents);
  const auto drawing = engine::checkedDrawing(pinned.svg);
  QVERIFY2(drawing.has_value(), drawing ? "" : drawing.error().message().c_str());
  QVERIFY(drawing->find("a &lt; b &amp;") != std::string::npos);
  addPictureActions(picture, paint, QStringLiteral("ages"));
  picture->actions().last()->trigger();
  QVERIFY(std::get<engine::ReviewPicture>(window.taken->content).holdsContents);
}

void PinningTest::aPictureThatHidesContentsIsPinnedTwice() {
  QWidget picture;
  picture.resize(200, 100);
  QString text = QStringLiteral("\"secret\"");
  const PaintPicture paint = [&text](QPainter& painter, QSize) {
    painter.drawText(QPoint(10, 20), QStringLiteral("Order"));
    painter.drawText(QPoint(10, 40), contentsText(text));
    painter.drawText(QPoint(10, 60), givenNameText("thread 5 \"secret\", rsp+0x20"));
    painter.drawText(QPoint(10, 80), stepText(QStringLiteral("[\"a]secret\"].Value")));
  };
  const auto page = picturePage(&picture, paint, {}, PictureContents::Hides);
  const auto& pinned = std::get<engine::ReviewPicture>(page.content);
  QVERIFY(pinned.holdsContents);
  QCOMPARE(QByteArray::fromStdString(pinned.svg).count("secret"), 3);
  QVERIFY(pinned.redactedSvg.find("secret") == std::string::npos);
  for (const char* kept : {"Order", "thread 5, rsp+0x20", "].Value"}) {
    QVERIFY2(pinned.redactedSvg.find(kept) != std::string::npos, kept);
  }
  text.clear();
  const PaintPicture clean = [](QPainter& painter, QSize) {
    painter.drawText(QPoint(10, 20), QStringLiteral("Order"));
  };
  const auto other = picturePage(&picture, clean, {}, PictureContents::Hides);
  QVERIFY(!std::get<engine::ReviewPicture>(other.content).holdsContents);
  QVERIFY(std::get<engine::ReviewPicture>(other.content).redactedSvg.empty());
}

void PinningTest::cellsArePinnedWithWhatStandsInTheirPlace() {
  RowSchema<Row> schema;
  schema.columns = {{.setup = {.title = QStringLiteral("Root"), .holdsContents = false},
                     .words = [](const Row& row) { return givenNameText(row.text.toStdString()); }}};
  const auto rows = makeRowList(
      std::vector<Row>{{QStringLiteral("thread 5 \"secret\"")}, {QStringLiteral("static A.b")}}, std::move(schema));
  RowsModel model(rows->columns());
  model.show(rows, {0, 1});
  QTableView table;
  table.setModel(&model);
  const engine::ReviewTable pinned = pinnedRows(table);
  QVERIFY(!pinned.columns[0].holdsContents);
  QCOMPARE(pinned.rows[0][0].text, std::string("thread 5 \"secret\""));
  QCOMPARE(pinned.rows[0][0].redacted.value_or(""), std::string("thread 5"));
  QVERIFY(!pinned.rows[1][0].redacted);
}

// Vector files know no clipping.
void PinningTest::aHatchStaysInItsPlace() {
  QWidget picture;
  picture.resize(200, 100);
  const QRect place(80, 30, 40, 40);
  const PaintPicture paint = [&](QPainter& painter, QSize) { paintHatch(painter, place, Colours(picture.palette())); };
  const auto page = picturePage(&picture, paint, {}, PictureContents::None);
  QSvgRenderer renderer(QByteArray::fromStdString(std::get<engine::ReviewPicture>(page.content).svg));
  QImage image(picture.size(), QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  renderer.render(&painter);
  const QRgb ground = image.pixel(2, 2);
  QVERIFY(image.pixel(place.center()) != ground);
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      if (!place.adjusted(-2, -2, 2, 2).contains(x, y)) QCOMPARE(image.pixel(x, y), ground);
    }
  }
}

void PinningTest::aPictureOnDarkGroundIsPinnedLight() {
  QWidget picture;
  picture.resize(40, 40);
  picture.setPalette(QPalette(QColor(0x30, 0x30, 0x30), QColor(0x1b, 0x1e, 0x23)));
  const QPalette dark = picture.palette();
  QColor ground;
  const PaintPicture paint = [&](QPainter&, QSize) { ground = picture.palette().color(QPalette::Window); };
  picturePage(&picture, paint, {}, PictureContents::None);
  QVERIFY(ground.lightness() > 200);
  QVERIFY(picture.palette() == dark);
}

// Below a style sheet, widgets inside of others do not take over their palette.
void PinningTest::aChartIsPinnedLightWithAllThatIsInIt() {
  const QPalette dark(QColor(0x30, 0x30, 0x30), QColor(0x1b, 0x1e, 0x23));
  PinTaker window;
  window.setStyleSheet(QStringLiteral("QPushButton { color: red }"));
  auto* donut = new AgeDonut(&window);
  auto* chart = new StackedChart(StackedChart::Direction::Columns, &window);
  addPictureActions(
      chart, [chart](QPainter& painter, QSize size) { chart->render(&painter, QRectF(QPointF(), size)); },
      QStringLiteral("chart"), PictureContents::None);
  donut->setShares({{.generation = engine::Generation::Gen2, .objects = 5, .bytes = 4000},
                    {.generation = {}, .objects = 2, .bytes = 3000}});
  StackTable table;
  table.bars = {{.name = QStringLiteral("one"), .scope = {}}};
  table.parts = {{.generation = engine::Generation::Gen2, .values = {4000}}, {.generation = {}, .values = {3000}}};
  chart->setTable(table);
  window.resize(900, 500);
  donut->resize(450, 300);
  chart->resize(450, 300);
  window.setPalette(dark);
  for (QWidget* part : window.findChildren<QWidget*>()) part->setPalette(dark);
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  const Colours darkColours(dark);
  const Colours lightColours((QPalette(Qt::white)));
  for (QWidget* picture : {static_cast<QWidget*>(donut), static_cast<QWidget*>(chart)}) {
    pinActionAround(picture)->trigger();
    QVERIFY(window.taken);
    const QString svg = QString::fromStdString(std::get<engine::ReviewPicture>(window.taken->content).svg);
    QVERIFY(svg.contains(lightColours.of(engine::Generation::Gen2).name()));
    QVERIFY2(svg.contains(lightColours.freeSpace().name()), "a pattern would be nothing in an SVG");
    QVERIFY(svg.contains(lightColours.dimmedText().name()));
    for (const QColor& colour : {darkColours.of(engine::Generation::Gen2), darkColours.dimmedText(),
                                 darkColours.gridLine(), darkColours.outline(), darkColours.surface()})
      QVERIFY2(!svg.contains(colour.name()), qPrintable(colour.name()));
    for (const QWidget* part : picture->findChildren<QWidget*>()) QVERIFY(Colours(part->palette()).isDark);
  }
  QVERIFY(darkColours.freeSpaceBrush().style() == Qt::TexturePattern);
}

void PinningTest::textsOfAPinnedPictureAreAsLargeAsOnTheScreen() {
  QWidget picture;
  picture.resize(200, 100);
  QFont font = picture.font();
  font.setPointSizeF(9);
  picture.setFont(font);
  const PaintPicture paint = [](QPainter& painter, QSize) { painter.drawText(10, 50, QStringLiteral("words")); };
  const engine::ReviewPage page = picturePage(&picture, paint, {}, PictureContents::None);
  const QString size = QString::number(9.0 * picture.logicalDpiX() / 72);
  const QString svg = QString::fromStdString(std::get<engine::ReviewPicture>(page.content).svg);
  QVERIFY2(svg.contains(QStringLiteral("font-size=\"%1\"").arg(size)), qPrintable(size));
}

HEAPSCAPE_WINDOW_TEST(PinningTest)

}  // namespace heapscape::gui

#include "tst_pinning.moc"
