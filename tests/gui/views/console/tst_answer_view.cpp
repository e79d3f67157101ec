// SPDX-License-Identifier: MIT
// Lines of the console: how they lie in cells, what in them may be an address, how many are kept, how fast they scroll.
#include <QScrollBar>
#include <QTest>
#include <algorithm>
#include <ctime>
#include <vector>

#include "support/window_driver.h"
#include "support/window_test.h"
#include "views/console/address_links.h"
#include "views/console/answer_view.h"
#include "views/console/line_cells.h"
#include "views/console/transcript.h"

namespace heapscape::gui {

namespace {

LineCells cellsOf(const char* utf8) {
  Transcript transcript;
  transcript.add(utf8, LineKind::Answer);
  return LineCells(transcript.line(transcript.begin()));
}

QStringList addressesIn(const char* utf8) {
  const LineCells cells = cellsOf(utf8);
  QStringList words;
  for (const AddressWord& word : addressWordsOf(cells)) words << cells.text(word.fromCell, word.toCell);
  return words;
}

/// Milliseconds that this program was at work.
double busyMs() {
  return static_cast<double>(std::clock()) * 1000 / CLOCKS_PER_SEC;
}

/// A view of lines as dumpheap writes them.
struct ManyLines {
  EngineBridge bridge;
  AddressLinks links{bridge};
  Transcript transcript;
  AnswerView view{transcript, links};

  explicit ManyLines(int lines) {
    for (int line = 0; line < lines; ++line) {
      transcript.add(QStringLiteral("    %1     7f3c5a1b2c40       %2 Catalog.Inventory.OrderLine[[System.Int32, "
                                    "System.Private.CoreLib]] with a long name %3")
                         .arg(0x7f3c58000000 + line * 24, 12, 16)
                         .arg(line % 1000)
                         .arg(QString(line % 300, QLatin1Char('x')))
                         .toUtf8(),
                     line % 50 == 0 ? LineKind::Command : LineKind::Answer);
    }
    view.resize(1100, 700);
    view.show();
    view.updateLines();
  }
};

}  // namespace

class AnswerViewTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { test::dressApplication(); }

  void aTabGoesOnToTheNextEighthCell() {
    const LineCells cells = cellsOf("ab\tc\td");
    QCOMPARE(cells.count(), 17);
    QCOMPARE(cells.text(8, 9), QStringLiteral("c"));
    QCOMPARE(cells.text(16, 17), QStringLiteral("d"));
    QCOMPARE(cells.text(), QStringLiteral("ab\tc\td"));  // as it was written
  }

  void wideCharactersTakeTwoCellsAndMarksNone() {
    const LineCells cells = cellsOf("日本x\xF0\x9F\x98\x80y e\xCC\x81z");
    QCOMPARE(cells.text(0, 2), QStringLiteral("日"));
    QCOMPARE(cells.text(4, 5), QStringLiteral("x"));
    QCOMPARE(cells.text(7, 8), QStringLiteral("y"));
    QCOMPARE(cells.text(9, 10).size(), 2);  // the letter and its mark
    QCOMPARE(cells.text(10, 11), QStringLiteral("z"));
    QCOMPARE(cells.nextCell(0), 2);
  }

  void controlCharactersShow() { QCOMPARE(cellsOf("a\x1b[31mb").text(), QStringLiteral("a\u241b[31mb")); }

  void wordsThatMayBeAddressesAreFound() {
    QCOMPARE(addressesIn("  7f3c58001a20 00007f3c58001a20 0x7f3c58001a20 24 4096"),
             (QStringList{QStringLiteral("7f3c58001a20"), QStringLiteral("00007f3c58001a20"),
                          QStringLiteral("0x7f3c58001a20")}));
    QCOMPARE(addressesIn("\t7f3c58001a20\t12345678\tdeadbeef"),
             (QStringList{QStringLiteral("7f3c58001a20"), QStringLiteral("deadbeef")}));
    QVERIFY(addressesIn("facade 0x12 00000000 id_7f3c58001a20 7f3c58001a20ffffff1 Décade99").isEmpty());
  }

  void theNewestLinesAreKept() {
    Transcript transcript;
    const QByteArray line(1000, 'a');
    for (int i = 0; i < 20'000; ++i) transcript.add(line, LineKind::Answer);
    QVERIFY(transcript.size() * 1000 <= Transcript::kMostBytes);
    QCOMPARE(transcript.end(), std::uint64_t{20'000});
    QCOMPARE(transcript.gone(), transcript.begin());
    for (std::size_t i = 0; i < Transcript::kMostLines + 5; ++i) transcript.add({}, LineKind::Answer);
    QVERIFY(transcript.size() <= Transcript::kMostLines);
  }

  void linesThatWereTakenApartAreWholeInACopy() {
    Transcript transcript;
    transcript.add("types", LineKind::Command);
    transcript.add("one and", LineKind::Answer, true);
    transcript.add(" the same", LineKind::Answer);
    QCOMPARE(textOf(transcript.copy(0, 3)), QByteArray("> types\none and the same\n"));
  }

  void whatIsInSightStaysWhileMoreComes() {
    ManyLines lines(1000);
    QCOMPARE(lines.view.topLine() + static_cast<std::uint64_t>(lines.view.rowsInView()), std::uint64_t{1000});
    lines.transcript.add("more", LineKind::Answer);
    lines.view.updateLines();
    QCOMPARE(lines.view.topLine() + static_cast<std::uint64_t>(lines.view.rowsInView()), std::uint64_t{1001});
    lines.view.verticalScrollBar()->setValue(300);
    lines.transcript.add("more", LineKind::Answer);
    lines.view.updateLines();
    QCOMPARE(lines.view.topLine(), std::uint64_t{300});
  }

  void keysGoFromCommandToCommand() {
    ManyLines lines(1000);
    lines.view.setFocus();
    QTest::keyClick(&lines.view, Qt::Key_Home);
    QTest::keyClick(&lines.view, Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(lines.view.topLine(), std::uint64_t{50});
    QTest::keyClick(&lines.view, Qt::Key_Down, Qt::ControlModifier);
    QTest::keyClick(&lines.view, Qt::Key_Up, Qt::ControlModifier);
    QCOMPARE(lines.view.topLine(), std::uint64_t{50});
  }

  void wideLinesScrollAndAreNotCut() {
    ManyLines lines(400);
    QScrollBar* across = lines.view.horizontalScrollBar();
    QVERIFY(across->maximum() > 0);
    const std::uint64_t widest = 299;
    const LineCells cells(lines.transcript.line(widest));
    lines.view.showOnTop(widest);
    across->setValue(across->maximum());
    const QRectF last = lines.view.wordRect(widest, {cells.count() - 1, cells.count(), {}});
    QVERIFY(lines.view.viewport()->rect().contains(last.toAlignedRect()));
  }

  void draggingSelectsAndCopyHasIt() {
    ManyLines lines(100);
    lines.view.showOnTop(10);
    const QRectF from = lines.view.wordRect(11, {4, 16, {}});
    const QRectF to = lines.view.wordRect(12, {4, 16, {}});
    QWidget* view = lines.view.viewport();
    QTest::mousePress(view, Qt::LeftButton, {},
                      {static_cast<int>(from.left()) + 1, static_cast<int>(from.center().y())});
    QTest::mouseMove(view, {static_cast<int>(to.right()), static_cast<int>(to.center().y())});
    QTest::mouseRelease(view, Qt::LeftButton, {}, {static_cast<int>(to.right()), static_cast<int>(to.center().y())});
    const QByteArray first = lines.transcript.line(11).text.mid(4);
    const QByteArray second = lines.transcript.line(12).text.left(16);
    QCOMPARE(lines.view.selectedText(), first + '\n' + second);
  }

  // Each frame has 16 ms. What other programs take of them does not count.
  void aHundredThousandLinesScrollSmoothly() {
    ManyLines lines(100'000);
    QVERIFY(QTest::qWaitForWindowExposed(&lines.view));
    std::vector<double> frames;
    for (int step = 0; step < 200; ++step) {
      const double before = busyMs();
      lines.view.verticalScrollBar()->setValue(step * 487);
      lines.view.viewport()->repaint();
      QCoreApplication::processEvents();
      frames.push_back(busyMs() - before);
    }
    std::ranges::sort(frames);
    qInfo("a frame takes %.1f ms, the longest %.1f ms", frames[frames.size() / 2], frames.back());
    QVERIFY(frames[frames.size() * 9 / 10] < 16);
    for (int more = 0; more < 20; ++more) {
      for (int line = 0; line < 1000; ++line) lines.transcript.add("7f3c58001a20 more of the same", LineKind::Answer);
      const double before = busyMs();
      lines.view.updateLines();
      lines.view.viewport()->repaint();
      QVERIFY(busyMs() - before < 16);
    }
  }
};

HEAPSCAPE_WINDOW_TEST(AnswerViewTest)

}  // namespace heapscape::gui

#include "tst_answer_view.moc"
