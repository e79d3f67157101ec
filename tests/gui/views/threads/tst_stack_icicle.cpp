// SPDX-License-Identifier: MIT
#include <QAction>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>

#include "support/builders/hand_made_stacks.h"
#include "support/window_driver.h"
#include "support/window_test.h"
#include "views/threads/parallel_panel.h"
#include "views/threads/stack_icicle.h"
#include "widgets/hover_bubble.h"

namespace heapscape::gui {

namespace {

using engine::managedFrame;

// Three in Run, two of which are in Restock; one in Main.
engine::StackList fourThreads() {
  const engine::FrameRow run = managedFrame("Shop.Worker", "Run");
  const engine::FrameRow restock = managedFrame("Shop.Warehouse", "Restock");
  engine::StackList stacks;
  stacks.threads = {engine::stackOf(1, {managedFrame("Shop.Program", "Main")}), engine::stackOf(2, {restock, run}),
                    engine::stackOf(3, {restock, run}), engine::stackOf(4, {run})};
  return stacks;
}

std::vector<StackShape> someShapes() {
  const engine::StackList stacks = fourThreads();
  return stackShapes(stacks, engine::parallelStacks(stacks, {}));
}

constexpr std::uint32_t kAll = 0, kRun = 1, kRestock = 2, kMain = 3;

}  // namespace

class StackIcicleTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { test::dressApplication(); }

  void init() {
    m_icicle = std::make_unique<StackIcicle>();
    m_icicle->resize(800, 300);
    m_icicle->show(someShapes(), QStringLiteral("thread"));
    m_icicle->QWidget::show();
    QVERIFY(QTest::qWaitForWindowExposed(m_icicle.get()));
  }

  void framesAreAsWideAsTheirThreads() {
    QCOMPARE(rectOf(kAll).width(), 800.0);
    QCOMPARE(rectOf(kRun).width(), 600.0);
    QCOMPARE(rectOf(kRestock).width(), 400.0);
    QCOMPARE(rectOf(kMain), QRectF(600, rectOf(kRun).top(), 200, rectOf(kRun).height()));
    QCOMPARE(rectOf(kRestock).top(), rectOf(kRun).bottom());
    QCOMPARE(m_icicle->shapes()[kRestock].name, QStringLiteral("Warehouse.Restock"));
  }

  void whatIsInFocusHasTheWholeWidthAndSoHasWhatLiesAbove() {
    const auto spans = stackSpans(someShapes(), kRestock);
    QCOMPARE(spans.size(), std::size_t{3});
    for (const IcicleSpan& span : spans) QVERIFY(span.first == 0 && span.size == 2);
    QVERIFY(spans[1].isDivided && !spans[2].isDivided);
    QVERIFY(stackSpans({}, 0).empty());
  }

  void aClickPutsAFrameIntoFocusAndOneAboveTakesItBack() {
    QSignalSpy changed(m_icicle.get(), &StackIcicle::focusChanged);
    QTest::mouseClick(m_icicle.get(), Qt::LeftButton, {}, rectOf(kRestock).center().toPoint());
    QCOMPARE(changed.takeFirst().at(0).toUInt(), kRestock);
    QCOMPARE(rectOf(kRestock).width(), 800.0);
    QTest::mouseClick(m_icicle.get(), Qt::LeftButton, {}, rectOf(kAll).center().toPoint());
    QCOMPARE(changed.takeFirst().at(0).toUInt(), kAll);
    QCOMPARE(rectOf(kRestock).width(), 400.0);
    QTest::mouseClick(m_icicle.get(), Qt::LeftButton, {}, rectOf(kAll).center().toPoint());
    QVERIFY(changed.isEmpty());
  }

  void theKeyboardReachesEveryFrame() {
    m_icicle->setFocus();
    for (const auto& [key, expected] : std::initializer_list<std::pair<Qt::Key, std::uint32_t>>{
             {Qt::Key_Down, kAll},  // the first key marks what is in focus
             {Qt::Key_Down, kRun},
             {Qt::Key_Right, kMain},
             {Qt::Key_Right, kMain},
             {Qt::Key_Left, kRun},
             {Qt::Key_Down, kRestock},
             {Qt::Key_Up, kRun}}) {
      QTest::keyClick(m_icicle.get(), key);
      QCOMPARE(m_icicle->markedShape().value(), expected);
    }
    const BubbleText said = m_icicle->itemText(m_icicle->currentItem().value());
    QCOMPARE(said.title, QStringLiteral("Shop.Worker.Run()"));
    QCOMPARE(said.facts.first(), QStringLiteral("3 threads"));
    QTest::keyClick(m_icicle.get(), Qt::Key_Return);
    QCOMPARE(m_icicle->focusShape(), kRun);
    QTest::keyClick(m_icicle.get(), Qt::Key_Up);
    QTest::keyClick(m_icicle.get(), Qt::Key_Down);
    QCOMPARE(m_icicle->markedShape().value(), kRun);
    QTest::keyClick(m_icicle.get(), Qt::Key_Escape);
    QCOMPARE(m_icicle->focusShape(), kAll);
  }

  void theBubbleNamesFrameAndThreads() {
    QTest::mouseMove(m_icicle.get(), rectOf(kRestock).center().toPoint());
    QTRY_VERIFY(m_icicle->bubble().isVisible());
    QCOMPARE(m_icicle->bubble().text().title, QStringLiteral("Shop.Warehouse.Restock()"));
    QCOMPARE(m_icicle->bubble().text().facts,
             (QStringList{QStringLiteral("2 threads"), QStringLiteral("Thread 2"), QStringLiteral("Thread 3")}));
  }

  void itCanBeCopiedSavedAndPinned() {
    QVERIFY(m_icicle->actions().size() >= 3);
    QVERIFY(std::ranges::any_of(m_icicle->actions(),
                                [](const QAction* action) { return action->text().contains(QStringLiteral("Pin")); }));
  }

  void deepStacksMakeItHigherRatherThanCut() {
    engine::StackList stacks;
    stacks.threads = {engine::stackOf(1, {})};
    for (int i = 0; i < 200; ++i)
      stacks.threads[0].frames.push_back(managedFrame("Shop.Worker", "Run" + std::to_string(i)));
    m_icicle->show(stackShapes(stacks, engine::parallelStacks(stacks, {})), QStringLiteral("thread"));
    QCOMPARE(m_icicle->boxes().size(), std::size_t{201});
    QVERIFY(m_icicle->minimumHeight() >= 201 * 24);
    m_icicle->clear();
    QVERIFY(m_icicle->boxes().empty());
    QTest::keyClick(m_icicle.get(), Qt::Key_Down);
  }

 private:
  QRectF rectOf(std::uint32_t shape) const {
    const auto found = std::ranges::find(m_icicle->boxes(), shape, &IcicleBox::shape);
    return found == m_icicle->boxes().end() ? QRectF() : found->rect;
  }

  std::unique_ptr<StackIcicle> m_icicle;
};

HEAPSCAPE_WINDOW_TEST(StackIcicleTest)

}  // namespace heapscape::gui

#include "tst_stack_icicle.moc"
