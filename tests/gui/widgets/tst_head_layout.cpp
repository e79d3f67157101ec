// SPDX-License-Identifier: MIT
// How what stands over a list shares the width: heads, tiles and legends.
#include <QApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <algorithm>
#include <vector>

#include "support/window_driver.h"
#include "support/window_test.h"
#include "widgets/arranging/layouts.h"
#include "widgets/figure_tile.h"

namespace heapscape::gui {

namespace {

/// A head with a line to write in, two chips and a count.
struct Head {
  QWidget window;
  QLineEdit* filter = new QLineEdit(&window);
  QWidget* chips = new QWidget(&window);
  QPushButton* left = new QPushButton(chips);
  QPushButton* right = new QPushButton(chips);
  QPushButton* count = new QPushButton(&window);

  Head() {
    filter->setMinimumWidth(120);
    filter->setMaximumWidth(360);
    auto* line = new FlowLayout(chips, 8);
    for (QPushButton* chip : {left, right}) {
      chip->setFixedSize(150, 24);
      line->addWidget(chip);
    }
    count->setFixedSize(80, 24);
    auto* head = new HeadLayout(&window);
    head->addWidget(filter);
    head->addWidget(chips);
    head->addWidget(count);
  }

  void show(int width) {
    window.resize(width, window.layout()->heightForWidth(width));
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
  }
  bool isBelow(const QWidget& lower, const QWidget& upper) const {
    return lower.mapTo(&window, QPoint()).y() >= upper.geometry().bottom();
  }
};

}  // namespace

class HeadLayoutTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { test::dressApplication(); }
  void allStandInOneLineWhereThereIsRoom();
  void whatDoesNotFitGoesBelowTheFirstLine();
  void whatIsHiddenTakesNoRoom();
  void aGapPartsWhatStandsOnOneLine();
  void tilesFillTheirRows_data();
  void tilesFillTheirRows();
};

void HeadLayoutTest::allStandInOneLineWhereThereIsRoom() {
  Head head;
  head.show(900);
  QVERIFY(!head.isBelow(*head.chips, *head.filter));
  QCOMPARE(head.filter->width(), 360);  // as wide as it may be
  QVERIFY(head.chips->geometry().left() > head.filter->geometry().right());
  QCOMPARE(head.left->y(), head.right->y());
  QCOMPARE(head.count->geometry().right(), head.window.width() - 1);
}

void HeadLayoutTest::whatDoesNotFitGoesBelowTheFirstLine() {
  Head head;
  head.show(420);
  QVERIFY(head.isBelow(*head.chips, *head.filter));
  QCOMPARE(head.left->mapTo(&head.window, QPoint()).x(), 0);
  QCOMPARE(head.left->y(), head.right->y());
  QVERIFY(!head.isBelow(*head.count, *head.filter));
  QCOMPARE(head.filter->geometry().right() + 12, head.count->geometry().left() - 1);
  const int two = head.window.layout()->heightForWidth(420);
  // Narrower still, they take a line each.
  QVERIFY(head.window.layout()->heightForWidth(240) > two);
  QVERIFY(two > head.window.layout()->heightForWidth(900));
}

void HeadLayoutTest::whatIsHiddenTakesNoRoom() {
  Head head;
  head.chips->hide();
  head.show(420);
  QVERIFY(head.window.height() <= head.filter->sizeHint().height() + 2);
  head.filter->hide();
  head.chips->show();
  QCoreApplication::processEvents();
  QCOMPARE(head.chips->geometry().left(), 0);
}

void HeadLayoutTest::aGapPartsWhatStandsOnOneLine() {
  QWidget window;
  auto* line = new FlowLayout(&window, 2);
  std::vector<QPushButton*> buttons;
  for (int i = 0; i < 4; ++i) {
    if (i > 0) line->addItem(new QSpacerItem(12, 0));
    buttons.push_back(new QPushButton(&window));
    buttons.back()->setFixedSize(50, 24);
    line->addWidget(buttons.back());
  }
  buttons[1]->hide();
  window.resize(200, line->heightForWidth(200));
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  QCOMPARE(line->heightForWidth(200), 24);
  QCOMPARE(buttons[2]->x() - buttons[0]->geometry().right() - 1, 16);  // one gap, though one between is hidden
  window.resize(120, 100);
  QTRY_VERIFY(buttons[3]->y() > buttons[2]->y());
  QCOMPARE(buttons[3]->x(), 0);
}

void HeadLayoutTest::tilesFillTheirRows_data() {
  QTest::addColumn<int>("tiles");
  QTest::addColumn<int>("room");  // for so many
  QTest::addColumn<int>("inRow");
  QTest::newRow("all") << 4 << 4 << 4;
  QTest::newRow("two and two") << 4 << 3 << 2;
  QTest::newRow("three and two") << 5 << 4 << 3;
  QTest::newRow("below each other") << 3 << 1 << 1;
}

void HeadLayoutTest::tilesFillTheirRows() {
  QFETCH(int, tiles);
  QFETCH(int, room);
  QFETCH(int, inRow);
  QWidget window;
  auto* layout = new TileLayout;
  std::vector<FigureTile*> all;
  for (int tile = 0; tile < tiles; ++tile) {
    all.push_back(new FigureTile(QStringLiteral("Tile"), &window));
    layout->addWidget(all.back());
  }
  window.setLayout(layout);
  const int width = room * (all.front()->minimumSizeHint().width() + layout->spacing());
  window.resize(width, layout->heightForWidth(width));
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  const auto inFirst = std::ranges::count(all, all.front()->y(), [](const FigureTile* tile) { return tile->y(); });
  QCOMPARE(static_cast<int>(inFirst), inRow);
}

HEAPSCAPE_WINDOW_TEST(HeadLayoutTest)

}  // namespace heapscape::gui

#include "tst_head_layout.moc"
