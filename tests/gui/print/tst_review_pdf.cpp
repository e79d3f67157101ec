// SPDX-License-Identifier: MIT
// What is printed, read with Poppler's tools where they are installed; and the command line, which has no Qt.
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "print/review_pdf.h"
#include "review/board.h"
#include "support/window_test.h"

namespace heapscape::gui {

namespace {

constexpr const char* kSecret = "hunter2";

engine::ReviewBoard longBoard() {
  engine::ReviewBoard board{.title = "Long review", .dump = "shop.core", .summary = "many objects", .pages = {}};
  engine::ReviewTable table{.columns = {{"Type", engine::ColumnKind::TypeName},
                                        {"Bytes", engine::ColumnKind::Bytes},
                                        {"Text", engine::ColumnKind::Text, true}}};
  for (int row = 0; row < 200; ++row) {
    table.rows.push_back({{"Shop.Order" + std::to_string(row)}, {std::to_string(row) + " B", row}, {kSecret}});
  }
  board.pages.push_back({.title = "Types", .note = "Look at this", .content = table});
  const std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 400 300\"><rect width=\"400\" height=\"300\" "
      "fill=\"#0072b2\"/><text x=\"20\" y=\"40\" font-size=\"20\">InThePicture</text></svg>";
  board.pages.push_back({.title = "Picture", .content = engine::ReviewPicture{svg, 400, 300, false}});
  return board;
}

struct Finished {
  int status = -1;
  QString output;
  QString errors;
};

Finished run(const QString& program, const QStringList& arguments) {
  QProcess process;
  process.start(program, arguments);
  Finished finished;
  if (!process.waitForFinished(50'000)) return finished;
  finished.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
  finished.output = QString::fromUtf8(process.readAllStandardOutput());
  finished.errors = QString::fromUtf8(process.readAllStandardError());
  return finished;
}

bool hasPoppler() {
  return !QStandardPaths::findExecutable(QStringLiteral("pdftotext")).isEmpty();
}

/// Sheets are parted by form feeds.
QString textOf(const QString& pdf) {
  return run(QStringLiteral("pdftotext"), {QStringLiteral("-layout"), pdf, QStringLiteral("-")}).output;
}

QString path(const QTemporaryDir& folder, const char* name) {
  return folder.filePath(QLatin1String(name));
}

}  // namespace

class ReviewPdfTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void headsOfTablesStandOnEachSheet();
  void textCanBeSelectedAndFontsAreInTheFile();
  void redactedBoardsPrintNoContents();
  void sayWhenTheFileCannotBeWritten();
};

void ReviewPdfTest::headsOfTablesStandOnEachSheet() {
  if (!hasPoppler()) QSKIP("pdftotext is not installed");
  const QTemporaryDir folder;
  QVERIFY(writeReviewPdf(longBoard(), path(folder, "a.pdf")));
  const QStringList sheets = textOf(path(folder, "a.pdf")).split(QLatin1Char('\f'), Qt::SkipEmptyParts);
  QVERIFY(sheets.size() >= 3);
  int rows = 0;
  for (qsizetype i = 0; i < sheets.size(); ++i) {
    const qsizetype onSheet = sheets[i].count(QStringLiteral("Shop.Order"));
    rows += static_cast<int>(onSheet);
    if (onSheet > 0) QVERIFY2(sheets[i].contains(QStringLiteral("Bytes")), qPrintable(sheets[i]));
    QVERIFY(sheets[i].contains(QStringLiteral("%1 of %2").arg(i + 1).arg(sheets.size())));
  }
  QCOMPARE(rows, 100);
  QVERIFY(sheets.join(QString()).contains(QStringLiteral("100 more rows are not printed.")));
}

void ReviewPdfTest::textCanBeSelectedAndFontsAreInTheFile() {
  if (!hasPoppler()) QSKIP("pdftotext is not installed");
  const QTemporaryDir folder;
  QVERIFY(writeReviewPdf(longBoard(), path(folder, "a.pdf")));
  const QString text = textOf(path(folder, "a.pdf"));
  for (const char* word : {"Long review", "Look at this", "Shop.Order99", kSecret}) {
    QVERIFY2(text.contains(QLatin1String(word)), word);
  }
  const QStringList fonts = run(QStringLiteral("pdffonts"), {path(folder, "a.pdf")}).output.split(QLatin1Char('\n'));
  QVERIFY(fonts.size() > 2);
  for (qsizetype i = 2; i + 1 < fonts.size(); ++i)
    QVERIFY2(fonts[i].contains(QStringLiteral(" yes ")), qPrintable(fonts[i]));
}

void ReviewPdfTest::redactedBoardsPrintNoContents() {
  if (!hasPoppler()) QSKIP("pdftotext is not installed");
  const QTemporaryDir folder;
  engine::ReviewBoard board = longBoard();
  engine::ReviewPage page = board.pages[1];
  auto& picture = std::get<engine::ReviewPicture>(page.content);
  picture.svg.replace(picture.svg.find("InThePicture"), 12, kSecret);
  picture.holdsContents = true;
  board.pages.push_back(page);
  QVERIFY(writeReviewPdf(engine::redacted(board), path(folder, "a.pdf")));
  const QString text = textOf(path(folder, "a.pdf"));
  QVERIFY(!text.contains(QLatin1String(kSecret)));
  QVERIFY(text.contains(QString::fromUtf8(engine::kContentsLeftOut) + QStringLiteral(" stands for each text")));
  QVERIFY(text.contains(QStringLiteral("Shop.Order99")));
}

void ReviewPdfTest::sayWhenTheFileCannotBeWritten() {
  const QTemporaryDir folder;
  QVERIFY(!writeReviewPdf(longBoard(), path(folder, "none/a.pdf")));
  QVERIFY(!writeReviewPdf(longBoard(), folder.path()));
}

HEAPSCAPE_WINDOW_TEST(ReviewPdfTest)

}  // namespace heapscape::gui

#include "tst_review_pdf.moc"
