// SPDX-License-Identifier: MIT
// The place on a real dump with a deadlock in it.
#include <QAbstractItemModelTester>
#include <QTabWidget>

#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/threads/threads_place.h"
#include "views/threads/waits_picture.h"
#include "widgets/bar_row.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

const QString kThreads = QStringLiteral("threads");
const QString kLocks = QStringLiteral("locks");

}  // namespace

class ThreadsPlaceTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    test::dressApplication();
    m_scene = std::make_unique<test::PlaceScene<ThreadsPlace>>(PlaceId::Threads);
    QVERIFY(m_scene->openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->lines(kThreads) > 0 && m_scene->lines(kLocks) > 0, test::kPatienceMs);
  }

  void everyThreadAndLockOfTheEngineIsThere() {
    const auto threads = engine::listThreads(m_scene->snapshot(), {});
    const auto locks = engine::listLocks(m_scene->snapshot(), {});
    QCOMPARE(m_scene->lines(kThreads), static_cast<int>(threads->threads.size()));
    QCOMPARE(m_scene->lines(kLocks), static_cast<int>(locks->locks.size()));
    for (int line = 0; line < m_scene->lines(kThreads); ++line) {
      const engine::ThreadRow& thread = threads->threads[static_cast<std::size_t>(line)];
      QCOMPARE(m_scene->cell(kThreads, line, 0), countText(thread.managedId));
      QCOMPARE(m_scene->cell(kThreads, line, m_scene->column(kThreads, QStringLiteral("Name"))),
               fromEngine(thread.name));
    }
    const QAbstractItemModelTester threadTester(&m_scene->model(kThreads));
    const QAbstractItemModelTester lockTester(&m_scene->model(kLocks));
  }

  void namesAndStatesAreTold() {
    const int name = m_scene->column(kThreads, QStringLiteral("Name"));
    const int state = m_scene->column(kThreads, QStringLiteral("State"));
    const int holder = m_scene->lineWith(kThreads, name, QStringLiteral("holder"));
    QVERIFY(holder >= 0);
    QVERIFY(m_scene->cell(kThreads, holder, state).contains(QStringLiteral("background")));
    QVERIFY(m_scene->cell(kThreads, holder, m_scene->column(kThreads, QStringLiteral("Locks"))).toInt() >= 4);
  }

  void whileThreadsAreReadNothingSaysThatNoDumpIsOpen() {
    test::PlaceScene<ThreadsPlace> scene(PlaceId::Threads);
    QVERIFY(test::shows(scene.place, QStringLiteral("No dump is open")));
    QStringList said;
    connect(&scene.bridge, &EngineBridge::openFinished, &scene.place, [&] { said = test::visibleTexts(scene.place); });
    QVERIFY(scene.open(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    QVERIFY(!said.isEmpty());
    QVERIFY2(!said.contains(QStringLiteral("No dump is open")), qPrintable(said.join(QStringLiteral(" | "))));
  }

  void severalThreadsAreSeenInASmallWindow() {
    test::PlaceScene<ThreadsPlace> small(PlaceId::Threads);
    small.place.resize(560, 500);
    QVERIFY(small.open(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    QTRY_VERIFY_WITH_TIMEOUT(small.lines(kThreads) > 0, test::kPatienceMs);
    const QTableView& threads = small.table(kThreads);
    QTRY_VERIFY(threads.viewport()->height() >= 3 * threads.rowHeight(0));
  }

  void theDeadlockIsDrawn() {
    auto* tabs = m_scene->part<QTabWidget>(QStringLiteral("lockTabs"));
    const auto waits = [tabs](int tab) { return tabs->widget(tab)->isAncestorOf(tabs->findChild<WaitsPicture*>()); };
    int tab = 0;
    while (!waits(tab)) ++tab;
    QVERIFY(tabs->tabText(tab).endsWith(QStringLiteral("⚠")));
    tabs->setCurrentIndex(tab);
    const Waits& drawn = picture().waits();
    QCOMPARE(drawn.cycles.size(), std::size_t{1});
    QCOMPARE(drawn.cycles[0].size(), std::size_t{2});
    QStringList names;
    for (const std::size_t member : drawn.cycles[0]) names << drawn.nodes[member].title.section(QLatin1Char(' '), 1);
    names.sort();
    QCOMPARE(names, (QStringList{QStringLiteral("left first"), QStringLiteral("right first")}));
    QVERIFY(picture().accessibleDescription().contains(QStringLiteral("Deadlock")));
    const auto hasPlace = [](const WaitNode& node) { return node.lines.value(0).startsWith(QStringLiteral("in ")); };
    for (const std::size_t member : drawn.cycles[0]) QTRY_VERIFY(hasPlace(picture().waits().nodes[member]));
    QVERIFY(picture().isVisible());
  }

  void clickingAThreadInThePicturePicksItsRow() {
    const Waits& waits = picture().waits();
    const std::size_t member = waits.cycles[0][0];
    const QRectF title = picture().geometry().boxes[member].title;
    QTest::mouseClick(&picture(), Qt::LeftButton, {}, title.center().toPoint());
    const RowsModel& model = m_scene->model(kThreads);
    const int line = m_scene->table(kThreads).currentIndex().row();
    QVERIFY(line >= 0);
    QCOMPARE(model.list()->identity(model.rowAt(line)).value, waits.nodes[member].address.value);
  }

  void clickingALockInThePictureShowsItInTheList() {
    const Waits& waits = picture().waits();
    const std::size_t member = waits.cycles[0][1];
    const QRectF lock = picture().geometry().boxes[member].locks[0];
    QTest::mouseClick(&picture(), Qt::LeftButton, {}, lock.center().toPoint());
    QVERIFY(m_scene->table(kLocks).isVisible());
    const RowsModel& model = m_scene->model(kLocks);
    const int line = m_scene->table(kLocks).currentIndex().row();
    QCOMPARE(model.list()->identity(model.rowAt(line)).value, waits.nodes[member].locks[0].identity.value);
  }

  void locksSayWhatTheirOwnersDo() {
    const int owner = m_scene->column(kLocks, QStringLiteral("Doing"));
    const int waiting = m_scene->column(kLocks, QStringLiteral("Waiting"));
    QVERIFY(owner >= 0 && waiting >= 0);
    int contended = 0;
    for (int line = 0; line < m_scene->lines(kLocks); ++line) {
      if (m_scene->cell(kLocks, line, waiting).isEmpty()) continue;
      QTRY_VERIFY(!m_scene->cell(kLocks, line, owner).isEmpty());
      ++contended;
    }
    QVERIFY(contended > 0);
  }

  void aThreadThatIsAskedForIsShown() {
    const auto list = m_scene->model(kThreads).list();
    m_scene->navigator.showListed(PlaceId::Threads, list->identity(1), {});
    QCOMPARE(m_scene->table(kThreads).currentIndex().row(), 1);
  }

  void contendedLocksCanBeShownAlone() {
    auto* chip = m_scene->part<BarRow>(QStringLiteral("locksKind0"));
    QVERIFY(chip);
    chip->click();
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->lines(kLocks), static_cast<int>(m_scene->model(kLocks).list()->kinds()[0].rows),
                              test::kPatienceMs);
    QVERIFY(m_scene->lines(kLocks) >= 3);  // one awaited, and those of the deadlock
    chip->click();
  }

 private:
  WaitsPicture& picture() { return *m_scene->part<WaitsPicture>(QStringLiteral("waits")); }

  std::unique_ptr<test::PlaceScene<ThreadsPlace>> m_scene;
};

HEAPSCAPE_WINDOW_TEST(ThreadsPlaceTest)

}  // namespace heapscape::gui

#include "tst_threads_place.moc"
