// SPDX-License-Identifier: MIT
// Async chains in the place Threads, of a real dump.
#include <QAbstractItemModelTester>
#include <QLabel>
#include <QScrollBar>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>

#include "session/async/async_query.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/threads/async_panel.h"
#include "views/threads/stack_icicle.h"
#include "views/threads/threads_place.h"
#include "widgets/choice_bar.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

const QString kGroups = QStringLiteral("async");

}  // namespace

class AsyncPanelTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    test::dressApplication();
    m_scene = std::make_unique<test::PlaceScene<ThreadsPlace>>(PlaceId::Threads);
    QVERIFY(m_scene->openUntilRetained(test::dumpFile(QStringLiteral("asyncs-10"))));
    const auto list = engine::listAsync(m_scene->snapshot(), {}, {});
    QVERIFY(list && !list->groups.empty());
    m_list = *list;
    auto* tabs = m_scene->part<QTabWidget>("lockTabs");
    tabs->setCurrentWidget(&panel());
    QTRY_COMPARE(m_scene->lines(kGroups), static_cast<int>(m_list.groups.size()));
  }

  void everyGroupOfTheEngineIsThere() {
    for (int line = 0; line < m_scene->lines(kGroups); ++line) {
      const engine::AsyncGroup& group = m_list.groups[m_scene->model(kGroups).rowAt(line)];
      const engine::AsyncChain& chain = m_list.firstOf(group);
      QCOMPARE(cell(line, "Chains"), countText(group.chains.size()));
      QCOMPARE(cell(line, "Waits in"), nameOf(m_list.framesOf(chain).front().name));
      QCOMPARE(cell(line, "Begun by"), nameOf(m_list.framesOf(chain).back().name));
      QCOMPARE(cell(line, "Waits for"), nameOf(chain.waitsFor));
      QVERIFY(!cell(line, "Retained").isEmpty());
    }
  }

  void inALowWindowChainsHaveTheRoomOfTheThreads() {
    auto* tabs = m_scene->part<QTabWidget>("lockTabs");
    const QTableView& threads = m_scene->table(QStringLiteral("threads"));
    const QTableView& groups = m_scene->table(kGroups);
    const QSize before = m_scene->place.size();
    m_scene->place.resize(860, 505);
    QTRY_VERIFY(!threads.isVisible());
    QTRY_VERIFY(groups.viewport()->height() >= 4 * groups.rowHeight(0));
    tabs->setCurrentIndex(0);
    QTRY_VERIFY(threads.isVisible() && threads.viewport()->height() >= 2 * threads.rowHeight(0));
    tabs->setCurrentWidget(&panel());
    QVERIFY(!threads.isVisible());
    const engine::Address thread = m_scene->model(QStringLiteral("threads")).identityAt(1);
    m_scene->navigator.showListed(PlaceId::Threads, thread, {});
    QVERIFY2(threads.isVisible(), "who is led to a thread sees it");
    QCOMPARE(threads.currentIndex().row(), 1);
    tabs->setCurrentWidget(&panel());
    m_scene->place.resize(before);
    QTRY_VERIFY(threads.isVisible());
  }

  void groupsStandBesideAChainOnlyWhereAllTheirColumnsAreSeen() {
    const QTableView& groups = m_scene->table(kGroups);
    const QTreeView& tree = *m_scene->part<QTreeView>("chain");
    const QSize before = m_scene->place.size();
    bool wasAbove = false, wasBeside = false;
    for (int width = 1000; width <= 1900; width += 50) {
      m_scene->place.resize(width, before.height());
      QTest::qWait(10);
      const bool isBeside = tree.mapTo(&m_scene->place, QPoint()).x() > groups.mapTo(&m_scene->place, QPoint()).x();
      (isBeside ? wasBeside : wasAbove) = true;
      QVERIFY2(groups.horizontalScrollBar()->maximum() == 0, qPrintable(QString::number(width)));
    }
    QVERIFY(wasAbove && wasBeside);
    m_scene->place.resize(before);
  }

  void aPickedGroupShowsItsFirstChainWithLocals() {
    const QAbstractItemModelTester tester(&chain());
    for (int line = 0; line < m_scene->lines(kGroups); ++line) {
      m_scene->table(kGroups).setCurrentIndex(m_scene->table(kGroups).model()->index(line, 0));
      const auto frames = m_list.framesOf(m_list.firstOf(m_list.groups[m_scene->model(kGroups).rowAt(line)]));
      QVERIFY(chain().rowCount() == 0 || chain().page().calls[0].frame.object == frames[0].object);
      QTRY_COMPARE(chain().rowCount(), static_cast<int>(frames.size()));
      for (int call = 0; call < chain().rowCount(); ++call) {
        const engine::AsyncFrame& frame = frames[static_cast<std::size_t>(call)];
        const QModelIndex index = chain().index(call, 0);
        QCOMPARE(index.data().toString(), nameOf(frame.name));
        QCOMPARE(chain().objectAt(index).value, frame.object.value);
        const auto locals = engine::AsyncLocals(m_scene->snapshot()).of(frame.object);
        QCOMPARE(chain().rowCount(index), frame.isMethod && locals ? static_cast<int>(locals->size()) : 0);
      }
    }
  }

  void localsLeadToTheirObjects() {
    QModelIndex local;
    for (int line = 0; line < m_scene->lines(kGroups) && !local.isValid(); ++line) {
      m_scene->table(kGroups).setCurrentIndex(m_scene->table(kGroups).model()->index(line, 0));
      QTRY_VERIFY(chain().rowCount() > 0);
      local = localWithAnObject();
    }
    QVERIFY(local.isValid());
    const engine::Address object = chain().objectAt(local);
    tree().expand(local.parent());
    tree().setCurrentIndex(local);
    QCOMPARE(m_scene->navigator.location().selection.object.value, object.value);
    Q_EMIT tree().activated(local);
    QCOMPARE(m_scene->navigator.location().place, PlaceId::Object);
    m_scene->navigator.goTo(PlaceId::Threads);
  }

  void equalChainsCanBeGoneThrough() {
    const auto largest = std::ranges::max_element(m_list.groups, {},
                                                  [](const engine::AsyncGroup& group) { return group.chains.size(); });
    QVERIFY(largest->chains.size() > 1);
    const int line = m_scene->model(kGroups).lineOf(static_cast<std::uint32_t>(largest - m_list.groups.begin()));
    m_scene->table(kGroups).setCurrentIndex({});
    m_scene->table(kGroups).setCurrentIndex(m_scene->table(kGroups).model()->index(line, 0));
    QTRY_VERIFY(chain().rowCount() > 0);
    m_scene->part<QToolButton>("nextChain")->click();
    const engine::AsyncChain& second = m_list.chains[largest->chains[1]];
    QTRY_VERIFY(chain().rowCount() > 0);
    QCOMPARE(chain().objectAt(chain().index(0, 0)).value, m_list.framesOf(second).front().object.value);
    QCOMPARE(m_scene->part<QLabel>("whichChain")->text(),
             QStringLiteral("2 of %1").arg(countText(largest->chains.size())));
  }

  void thePictureHasAllThatIsReachable() {
    const auto isReachable = [this](const engine::AsyncGroup& group) { return m_list.firstOf(group).isReachable; };
    std::uint64_t chains = 0;
    for (const engine::AsyncGroup& group : m_list.groups) chains += isReachable(group) ? group.chains.size() : 0;
    m_scene->place.findChild<QAbstractButton*>(QStringLiteral("asyncForm1"))->click();
    auto& picture = *m_scene->part<StackIcicle>("asyncPicture");
    QVERIFY(picture.isVisible());
    QCOMPARE(picture.shapes().front().count, chains);
    QVERIFY(picture.boxes().size() > 1);
    QVERIFY2(m_scene->part<QWidget>("asyncLegend")->isVisible(), "colours are told by words");
    const auto* hint = m_scene->part<QLabel>("asyncHint");
    QVERIFY(hint->isVisible());
    QVERIFY(hint->height() >= hint->heightForWidth(hint->width()));
    QCOMPARE(hint->text().contains(QStringLiteral("Not drawn")), chains < m_list.chains.size());
    const StackShape& last = picture.shapes().back();
    QVERIFY(last.facts.contains(QStringLiteral("Waited for")) || last.facts.contains(QStringLiteral("Async method")));
    m_scene->place.findChild<QAbstractButton*>(QStringLiteral("asyncForm0"))->click();
    QVERIFY(!picture.isVisible());
    QVERIFY(!m_scene->part<QWidget>("asyncLegend")->isVisible());
  }

  void nothingIsLeftOfADumpThatWasClosed() {
    m_scene->place.clear();
    QCOMPARE(chain().rowCount(), 0);
    QCOMPARE(m_scene->lines(kGroups), 0);
    QVERIFY(test::visibleTexts(panel()).contains(QStringLiteral("No dump is open")));
  }

 private:
  AsyncPanel& panel() { return *m_scene->place.findChild<AsyncPanel*>(); }
  QTreeView& tree() { return *m_scene->part<QTreeView>("chain"); }
  ChainModel& chain() { return *static_cast<ChainModel*>(tree().model()); }
  QString cell(int line, const char* column) {
    return m_scene->cell(kGroups, line, m_scene->column(kGroups, QString::fromLatin1(column)));
  }
  QString nameOf(std::uint32_t name) const { return fromEngine(std::string(m_list.nameOf(name))); }
  QModelIndex localWithAnObject() {
    for (int call = 0; call < chain().rowCount(); ++call) {
      const QModelIndex parent = chain().index(call, 0);
      for (int local = 0; local < chain().rowCount(parent); ++local) {
        const QModelIndex index = chain().index(local, ChainModel::ValueColumn, parent);
        if (chain().objectAt(index)) return index;
      }
    }
    return {};
  }

  std::unique_ptr<test::PlaceScene<ThreadsPlace>> m_scene;
  engine::AsyncList m_list;
};

HEAPSCAPE_WINDOW_TEST(AsyncPanelTest)

}  // namespace heapscape::gui

#include "tst_async_panel.moc"
