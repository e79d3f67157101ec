// SPDX-License-Identifier: MIT
// Stacks in the place Threads, of a real dump.
#include <QAbstractButton>
#include <QClipboard>
#include <QGuiApplication>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>

#include "models/rows/row_groups.h"
#include "session/references/cuts.h"
#include "session/stacks/parallel_stacks.h"
#include "session/threads/thread_waits.h"
#include "support/menu_choice.h"
#include "support/object_values.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/threads/parallel_panel.h"
#include "views/threads/stack_icicle.h"
#include "views/threads/stack_model.h"
#include "views/threads/threads_place.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

const QString kThreadList = QStringLiteral("threads");

}  // namespace

class StacksOfThreadsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    test::dressApplication();
    m_scene = std::make_unique<test::PlaceScene<ThreadsPlace>>(PlaceId::Threads);
    QVERIFY(m_scene->openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    QTRY_VERIFY(m_scene->lines(kThreadList) > 0);
    QTRY_VERIFY(!picture().shapes().empty());
    const auto stacks = engine::listStacks(m_scene->snapshot(), {}, {});
    QVERIFY(stacks);
    m_stacks = *stacks;
    QVERIFY(!m_stacks.threads.empty());
  }

  void theFirstThreadsStackIsThereAtOnce() {
    QTRY_VERIFY(stack().stack());
    QCOMPARE(stack().stack()->thread.value, identityOf(currentLine()).value);
  }

  void pickingAThreadShowsItsStackAndNoOther() {
    for (int line = 0; line < m_scene->lines(kThreadList); ++line) {
      m_scene->table(kThreadList).setCurrentIndex(m_scene->table(kThreadList).model()->index(line, 0));
      // Until the answer is here nothing is shown, least of all the stack of another thread.
      QVERIFY(!stack().stack() || stack().stack()->thread == identityOf(line));
      const engine::ThreadStackRow* expected = stackOf(identityOf(line));
      if (!expected) {
        QTRY_VERIFY(m_scene->bridge.isAtRest());
        QVERIFY(!stack().stack());
        continue;
      }
      QTRY_VERIFY(stack().stack());
      QCOMPARE(stack().stack()->thread.value, identityOf(line).value);
      QCOMPARE(stack().stack()->frames.size(), expected->frames.size());
    }
  }

  void aWholeStackIsCutByTheMenuOfItsThread() {
    QStringList cuts;
    const auto listening =
        connect(&m_scene->navigator, &Navigator::cutWanted, &m_scene->place, [&](const QString& cut) { cuts << cut; });
    const auto [thread, frame] = threadWithALocal();
    QVERIFY(thread);
    int line = 0;
    while (identityOf(line) != thread->thread) ++line;
    QTableView& table = m_scene->table(kThreadList);
    const auto openMenu = [&] {
      Q_EMIT table.customContextMenuRequested(table.visualRect(table.model()->index(line, 0)).center());
    };
    QVERIFY(test::chooseFromMenu(openMenu, QStringLiteral("What if its whole stack were gone?")));
    QVERIFY(!cuts.isEmpty());
    std::size_t roots = 0;
    for (const QString& text : cuts) {
      const auto cut = engine::readCut(m_scene->snapshot(), text.toStdString(), {});
      QVERIFY(cut.has_value());
      for (const std::uint32_t root : cut->roots)
        QCOMPARE(m_scene->snapshot().roots().roots[root].kind, engine::RootKind::Stack);
      roots += cut->roots.size();
    }
    const engine::RootList& list = m_scene->snapshot().roots();
    const auto isOfThread = [&](const engine::RootRow& root) {
      return root.kind == engine::RootKind::Stack &&
             list.groups[list.groups[root.group].parent].owner == thread->thread;
    };
    QCOMPARE(roots, static_cast<std::size_t>(std::ranges::count_if(list.roots, isOfThread)));
    QVERIFY(test::chooseFromMenu(openMenu, QStringLiteral("What if all that it holds were released?")));
    disconnect(listening);
  }

  void localsLeadToTheirObjects() {
    const auto [thread, frame] = threadWithALocal();
    QVERIFY(thread);
    m_scene->navigator.showListed(PlaceId::Threads, thread->thread, {});
    QTRY_VERIFY(stack().stack() && stack().stack()->thread == thread->thread);
    const QModelIndex parent = stack().index(static_cast<int>(frame), 0);
    QVERIFY(stack().rowCount(parent) > 0);
    int row = 0;
    while (row < stack().rowCount(parent) && !stack().objectAt(stack().index(row, 0, parent))) ++row;
    const QModelIndex local = stack().index(row, StackModel::ObjectColumn, parent);
    const engine::Address object = stack().objectAt(local);
    QVERIFY(object);
    tree().expand(parent);
    tree().setCurrentIndex(local);
    QCOMPARE(m_scene->navigator.location().selection.object.value, object.value);
    Q_EMIT tree().activated(local);
    QCOMPARE(m_scene->navigator.location().place, PlaceId::Object);
    m_scene->navigator.goTo(PlaceId::Threads);
  }

  void localsTellTheValuesOfTheirObjects() {
    const auto [thread, frame] = threadWithALocal();
    QVERIFY(thread);
    m_scene->navigator.showListed(PlaceId::Threads, thread->thread, {});
    QTRY_VERIFY(stack().stack() && stack().stack()->thread == thread->thread);
    tree().expandAll();
    QTRY_VERIFY(test::tellsValues(
        tree(), StackModel::ValueColumn, m_scene->snapshot(),
        [this](const QModelIndex& row) { return stack().objectAt(row); }, true));
    tree().collapseAll();
  }

  void localsAreGroupedByTheTypeOfTheirObjects() {
    const engine::ThreadStackRow* thread = threadWithALocal().first;
    QVERIFY(thread);
    m_scene->navigator.showListed(PlaceId::Threads, thread->thread, {});
    QTRY_VERIFY(stack().stack() && stack().stack()->thread == thread->thread);
    auto* choice = m_scene->part<GroupChoice>("stackGroup");
    const auto group = [choice](const QString& by) {
      choice->setCurrentIndex(choice->findText(by));
      Q_EMIT choice->activated(choice->currentIndex());
    };
    const int frames = stack().rowCount();
    group(QStringLiteral("By type"));
    QTRY_VERIFY(stack().isGrouped());
    int locals = 0;
    for (int row = 0; row < stack().rowCount(); ++row) {
      const QModelIndex type = stack().index(row, 0);
      const QString name = type.data().toString();
      locals += stack().rowCount(type);
      for (int local = 0; local < stack().rowCount(type); ++local) {
        const engine::StackRootRow& root = *stack().localAt(stack().index(local, 0, type));
        QCOMPARE(root.object ? fromEngine(root.typeName) : QStringLiteral("without"), name);
      }
    }
    QCOMPARE(locals, static_cast<int>(stack().stack()->roots.size()));
    // Another thread is grouped as well, and by frame all is as it was.
    m_scene->table(QStringLiteral("threads"))
        .setCurrentIndex(m_scene->table(QStringLiteral("threads")).model()->index(0, 0));
    m_scene->navigator.showListed(PlaceId::Threads, thread->thread, {});
    QTRY_VERIFY(stack().stack() && stack().stack()->thread == thread->thread && stack().isGrouped());
    group(QStringLiteral("By frame"));
    QTRY_COMPARE(stack().rowCount(), frames);
  }

  void theSwitchesFoldAndOpen() {
    auto* onlyMyCode = m_scene->part<QToolButton>("stackOnlyMyCode");
    auto* locals = m_scene->part<QToolButton>("stackLocals");
    const int all = stack().rowCount();
    locals->click();
    QVERIFY(tree().isExpanded(firstWithLocals()));
    locals->click();
    QVERIFY(!tree().isExpanded(firstWithLocals()));
    onlyMyCode->click();
    QVERIFY(stack().rowCount() < all);
    onlyMyCode->click();
    QCOMPARE(stack().rowCount(), all);
  }

  void parametersTellWhatTheyHold() {
    const engine::StackOptions options{.variables = true};
    const auto expected = engine::listStacks(m_scene->snapshot(), options, {});
    QVERIFY(expected);
    std::size_t told = 0;
    for (const engine::ThreadStackRow& thread : expected->threads) {
      m_scene->navigator.showListed(PlaceId::Threads, thread.thread, {});
      if (thread.frames.empty()) continue;
      QTRY_VERIFY(stack().stack() && stack().stack()->thread == thread.thread);
      for (int line = 0; line < stack().rowCount(); ++line) {
        const QModelIndex parent = stack().index(line, 0);
        const engine::FrameRow* frame = stack().frameAt(parent);
        if (!frame) continue;
        std::size_t variables = 0;
        for (int row = 0; row < stack().rowCount(parent); ++row) {
          const QModelIndex part = stack().index(row, StackModel::ValueColumn, parent);
          if (!stack().variableAt(part)) continue;
          ++variables;
          QVERIFY(!part.data().toString().isEmpty());
        }
        QCOMPARE(variables, frame->variables.size());
        told += variables;
      }
    }
    QVERIFY(told > 0);
  }

  void registersComeOnlyWhereTheyAreWanted() {
    auto* registers = m_scene->part<QToolButton>("stackRegisters");
    const auto first = [this] { return stack().index(0, 0).data().toString(); };
    QVERIFY(first() != QStringLiteral("Registers of the thread"));
    registers->click();
    QTRY_COMPARE(first(), QStringLiteral("Registers of the thread"));
    QVERIFY(stack().rowCount(stack().index(0, 0)) >= 17);
    const QModelIndex name = stack().index(0, 0, stack().index(0, 0));
    const QString value = name.siblingAtColumn(StackModel::ValueColumn).data().toString();
    QCOMPARE(addressText(stack().memoryAt(name)),
             QStringLiteral("0x") + QString::number(value.toULongLong(nullptr, 16), 16));
    registers->click();
    QTRY_VERIFY(first() != QStringLiteral("Registers of the thread"));
  }

  void nativeFramesCome() {
    auto* native = m_scene->part<QToolButton>("stackNative");
    const auto countNative = [this] {
      return std::ranges::count(stack().stack()->frames, engine::FrameKind::Native, &engine::FrameRow::kind);
    };
    QCOMPARE(countNative(), 0);
    native->click();
    QTRY_VERIFY(countNative() > 0);
    native->click();
    QTRY_COMPARE(countNative(), 0);
  }

  void theStackCanBeCopied() {
    m_scene->part<QToolButton>("stackCopy")->click();
    const QString text = QGuiApplication::clipboard()->text();
    QVERIFY(text.startsWith(QStringLiteral("Thread %1").arg(stack().stack()->managedId)));
    QCOMPARE(text.contains(fromEngine(engine::nameOf(stack().stack()->frames.back()))), true);
  }

  void aFrameOfTheParallelStacksLimitsTheListAndTheChipTakesThatBack() {
    auto* tabs = m_scene->part<QTabWidget>("lockTabs");
    tabs->setCurrentWidget(m_scene->place.findChild<ParallelPanel*>());
    const int all = m_scene->lines(kThreadList);
    const auto& shapes = picture().shapes();
    std::uint32_t some = 0;
    for (std::uint32_t i = 1; i < shapes.size() && some == 0; ++i) {
      if (static_cast<int>(shapes[i].count) < all && boxOf(i)) some = i;
    }
    QVERIFY(some != 0);
    const auto count = static_cast<int>(shapes[some].count);
    QTest::mouseClick(&picture(), Qt::LeftButton, {}, boxOf(some)->rect.center().toPoint());
    QTRY_COMPARE(m_scene->lines(kThreadList), count);
    auto* chip = m_scene->part<QAbstractButton>("threadsChip");
    QVERIFY(chip->isVisible());
    QVERIFY(chip->text().contains(QString::number(count)));
    // The stack below is one of those.
    QTRY_VERIFY(stack().stack() && lineOf(stack().stack()->thread) >= 0);
    QTest::mouseClick(chip, Qt::LeftButton);
    QTRY_COMPARE(m_scene->lines(kThreadList), all);
    QVERIFY(!chip->isVisible());
    QCOMPARE(picture().focusShape(), 0u);
  }

  void threadsThatDoTheSameCanBeAskedFor() {
    const auto groups = engine::activitiesOf(m_stacks);
    const engine::ActivityGroup& group = groups.back();
    const int all = m_scene->lines(kThreadList);
    m_scene->navigator.showListed(PlaceId::Threads, ActivityKey{group.doing}, {});
    QTRY_COMPARE(m_scene->lines(kThreadList), static_cast<int>(group.threads.size()));
    const int doing = m_scene->column(kThreadList, QStringLiteral("Doing"));
    QCOMPARE(m_scene->cell(kThreadList, 0, doing), fromEngine(group.doing));
    // A thread that is asked for is shown though it is none of them.
    const auto other = std::ranges::find_if(m_stacks.threads, [&](const engine::ThreadStackRow& thread) {
      return engine::activityOf(thread) != group.doing;
    });
    QVERIFY(other != m_stacks.threads.end());
    m_scene->navigator.showListed(PlaceId::Threads, other->thread, {});
    QTRY_COMPARE(m_scene->lines(kThreadList), all);
    QTRY_COMPARE(identityOf(currentLine()).value, other->thread.value);
  }

  void nothingIsLeftOfADumpThatWasClosed() {
    m_scene->place.clear();
    QVERIFY(!stack().stack());
    QVERIFY(picture().shapes().empty());
    QVERIFY(test::visibleTexts(m_scene->place).contains(QStringLiteral("No dump is open")));
  }

 private:
  StackModel& stack() { return *static_cast<StackModel*>(tree().model()); }
  QTreeView& tree() { return *m_scene->part<QTreeView>("stack"); }
  StackIcicle& picture() { return *m_scene->part<StackIcicle>("parallelStacks"); }
  int currentLine() { return m_scene->table(kThreadList).currentIndex().row(); }
  engine::Address identityOf(int line) {
    const RowsModel& model = m_scene->model(kThreadList);
    return line < 0 ? engine::Address() : model.list()->identity(model.rowAt(line));
  }
  int lineOf(engine::Address thread) {
    for (int line = 0; line < m_scene->lines(kThreadList); ++line) {
      if (identityOf(line) == thread) return line;
    }
    return -1;
  }
  const engine::ThreadStackRow* stackOf(engine::Address thread) const {
    const auto found = std::ranges::find(m_stacks.threads, thread, &engine::ThreadStackRow::thread);
    return found == m_stacks.threads.end() ? nullptr : &*found;
  }
  /// And the index of the frame that has it.
  std::pair<const engine::ThreadStackRow*, std::size_t> threadWithALocal() const {
    for (const engine::ThreadStackRow& thread : m_stacks.threads) {
      for (std::size_t frame = 0; frame < thread.frames.size(); ++frame) {
        const engine::FrameRow& row = thread.frames[frame];
        if (row.rootCount > 0 && thread.roots[row.firstRoot].object) return {&thread, frame};
      }
    }
    return {nullptr, 0};
  }
  QModelIndex firstWithLocals() {
    for (int row = 0; row < stack().rowCount(); ++row) {
      if (stack().rowCount(stack().index(row, 0)) > 0) return stack().index(row, 0);
    }
    return {};
  }
  const IcicleBox* boxOf(std::uint32_t shape) {
    const auto found = std::ranges::find(picture().boxes(), shape, &IcicleBox::shape);
    return found == picture().boxes().end() ? nullptr : &*found;
  }

  std::unique_ptr<test::PlaceScene<ThreadsPlace>> m_scene;
  engine::StackList m_stacks;
};

HEAPSCAPE_WINDOW_TEST(StacksOfThreadsTest)

}  // namespace heapscape::gui

#include "tst_stacks_of_threads.moc"
