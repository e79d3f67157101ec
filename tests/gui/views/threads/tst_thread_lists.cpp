// SPDX-License-Identifier: MIT
// Exceptions, values by thread and HTTP requests as lists beside the stacks, of a real dump.
#include <QTabWidget>
#include <algorithm>

#include "models/query/query_edit.h"
#include "session/details/exceptions_query.h"
#include "session/threads/local_values.h"
#include "support/dump_path.h"
#include "support/menu_choice.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/threads/stack_model.h"
#include "views/threads/threads_place.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

const QString kExceptions = QStringLiteral("exceptions");
const QString kLocals = QStringLiteral("localValues");
const QString kRequests = QStringLiteral("httpRequests");

}  // namespace

class ThreadListsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    test::dressApplication();
    m_scene = std::make_unique<test::PlaceScene<ThreadsPlace>>(PlaceId::Threads);
    QVERIFY(m_scene->openUntilRetained(QString::fromStdString(heapscape::test::dumpPath("traces-10").string())));
    QTRY_VERIFY(m_scene->lines(QStringLiteral("threads")) > 0);
  }

  void exceptionsAreListedOnceTheirTabIsLookedAt() {
    QCOMPARE(m_scene->lines(kExceptions), 0);
    const QList<QRect> before = tabRects();
    lookAt(kExceptions);
    const auto expected = engine::listExceptions(m_scene->snapshot(), false, {});
    QVERIFY(expected && !expected->exceptions.empty());
    QTRY_COMPARE(m_scene->lines(kExceptions), static_cast<int>(expected->exceptions.size()));
    const auto column = [&](const char* title) { return m_scene->column(kExceptions, QString::fromLatin1(title)); };
    for (int line = 0; line < m_scene->lines(kExceptions); ++line) {
      const engine::ExceptionRow& row = expected->exceptions[static_cast<std::size_t>(line)];
      QCOMPARE(m_scene->cell(kExceptions, line, column("Count")), countText(row.count));
      QCOMPARE(m_scene->cell(kExceptions, line, column("Type")), fromEngine(row.typeName));
      QCOMPARE(m_scene->cell(kExceptions, line, column("Message")), fromEngine(row.message));
      if (!row.isThrown) QCOMPARE(m_scene->cell(kExceptions, line, column("Thrown in")), QStringLiteral("not thrown"));
    }
    QVERIFY(tabText(kExceptions).endsWith(QString::number(expected->exceptions.size())));
    QCOMPARE(tabRects(), before);  // the room for the count was kept
  }

  void anExceptionInFlightLeadsToItsThread() {
    test::PlaceScene<ThreadsPlace> scene(PlaceId::Threads);
    QVERIFY(scene.openUntilRetained(QString::fromStdString(heapscape::test::dumpPath("variables-debug-10").string())));
    const auto list = engine::listExceptions(scene.snapshot(), false, {});
    QVERIFY(list && !list->exceptions.empty() && !list->exceptions.front().threads.empty());
    const std::uint32_t thread = list->exceptions.front().threads.front();
    auto* tabs = scene.part<QTabWidget>("lockTabs");
    QTableView& table = scene.table(kExceptions);
    tabs->setCurrentWidget(pageOf(*tabs, table));
    QTRY_VERIFY(scene.lines(kExceptions) > 0);
    QCOMPARE(scene.cell(kExceptions, 0, scene.column(kExceptions, QStringLiteral("In flight on"))),
             QString::number(thread));
    const auto openMenu = [&] {
      Q_EMIT table.customContextMenuRequested(table.visualRect(table.model()->index(0, 0)).center());
    };
    QVERIFY(test::chooseFromMenu(openMenu, QStringLiteral("Show thread %1").arg(thread)));
    auto* stack = static_cast<StackModel*>(scene.part<QTreeView>("stack")->model());
    QTRY_VERIFY(stack->stack() && stack->stack()->managedId == thread);
    QVERIFY(tabs->currentWidget()->findChild<QTreeView*>(QStringLiteral("stack")));
  }

  void valuesByThreadAreListed() {
    lookAt(kLocals);
    const auto expected = engine::listLocalValues(m_scene->snapshot(), {}, {});
    QVERIFY(expected && !expected->values.empty());
    QTRY_COMPARE(m_scene->lines(kLocals), static_cast<int>(expected->values.size()));
    const int value = m_scene->column(kLocals, QStringLiteral("Value"));
    const int kind = m_scene->column(kLocals, QStringLiteral("Kind"));
    for (int line = 0; line < m_scene->lines(kLocals); ++line) {
      const engine::LocalValueRow& row = expected->values[static_cast<std::size_t>(line)];
      if (row.damage.empty()) QCOMPARE(m_scene->cell(kLocals, line, value), fromEngine(row.value));
      QCOMPARE(m_scene->cell(kLocals, line, kind), row.kind == engine::LocalKind::ThreadLocal
                                                       ? QStringLiteral("ThreadLocal")
                                                       : QStringLiteral("AsyncLocal"));
    }
  }

  void whereThereIsNoRequestThatIsSaid() {
    lookAt(kRequests);
    QTRY_VERIFY(test::shows(m_scene->place, QStringLiteral("No HTTP requests")));
  }

  void nothingIsLeftOfADumpThatWasClosed() {
    lookAt(kExceptions);
    m_scene->place.clear();
    QCOMPARE(m_scene->lines(kExceptions), 0);
    QCOMPARE(tabText(kExceptions), QStringLiteral("Exceptions"));
  }

 private:
  QTabWidget& tabs() { return *m_scene->part<QTabWidget>("lockTabs"); }
  static QWidget* pageOf(const QTabWidget& tabs, QWidget& part) {
    QWidget* page = &part;
    while (tabs.indexOf(page) < 0) page = page->parentWidget();
    return page;
  }
  QWidget* pageOf(const QString& list) { return pageOf(tabs(), m_scene->table(list)); }
  void lookAt(const QString& list) { tabs().setCurrentWidget(pageOf(list)); }
  QList<QRect> tabRects() {
    QList<QRect> rects;
    for (int tab = 0; tab < tabs().count(); ++tab) rects << tabs().tabBar()->tabRect(tab);
    return rects;
  }
  QString tabText(const QString& list) { return tabs().tabText(tabs().indexOf(pageOf(list))); }

  std::unique_ptr<test::PlaceScene<ThreadsPlace>> m_scene;
};

HEAPSCAPE_WINDOW_TEST(ThreadListsTest)

}  // namespace heapscape::gui

#include "tst_thread_lists.moc"
