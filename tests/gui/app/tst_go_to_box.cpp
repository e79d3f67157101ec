// SPDX-License-Identifier: MIT
#include <QLineEdit>
#include <QTest>
#include <algorithm>

#include "app/go_to/go_to_box.h"
#include "app/inspector/inspector.h"
#include "app/manual/manual_window.h"
#include "session/objects/object_query.h"
#include "session/roots/handles_query.h"
#include "session/threads/threads_query.h"
#include "support/opened_bridge.h"
#include "support/window_driver.h"
#include "support/window_test.h"

namespace heapscape::gui {

class GoToBoxTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void findsATypeAndPicksIt();
  void findsAnObjectByAnAddressInsideIt();
  void findsAThreadByItsId();
  void knowsAHandleByItsSlot();
  void runsCommands();
  void commandsKnowWhatIsPickedAndTheManual();
  void refusesAQueryThatCannotBeUnderstood();
  void neverPicksWhatAnotherTextFound();
};

void GoToBoxTest::findsATypeAndPicksIt() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(smallDump()));
  GoToBox* box = driver.window().goToBox();
  driver.window().activateWindow();
  box->setFocus();
  QTest::keyClicks(box, QStringLiteral("System.String"));
  QTRY_VERIFY(!box->popup()->entries().empty());
  QTRY_COMPARE(box->popup()->entries().front().title, QStringLiteral("System.String"));
  QTest::keyClick(box, Qt::Key_Return);
  QTRY_COMPARE(driver.window().navigator().location().place, PlaceId::Types);
  QVERIFY(driver.window().navigator().location().selection.methodTable);
  QTRY_VERIFY(test::shows(*driver.window().inspector(), QStringLiteral("System.String")));
  QVERIFY(box->text().isEmpty());
}

void GoToBoxTest::findsAnObjectByAnAddressInsideIt() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(smallDump()));
  engine::ObjectFilter strings;  // a free block would lead to the map
  strings.typeText = "System.String";
  const auto objects = engine::listObjects(*driver.window().bridge().snapshot(), strings, 1000, 1);
  QCOMPARE(objects.size(), std::size_t{1});
  GoToBox* box = driver.window().goToBox();
  box->setFocus();
  QTest::keyClicks(box, QString::fromStdString(engine::toString(objects[0].address + 8)));
  QTest::keyClick(box, Qt::Key_Return);  // before the engine has answered
  QTRY_COMPARE(driver.window().navigator().location().place, PlaceId::Object);
  QCOMPARE(driver.window().navigator().location().selection.object.value, objects[0].address.value);
}

void GoToBoxTest::findsAThreadByItsId() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(smallDump()));
  const auto threads = engine::listThreads(*driver.window().bridge().snapshot(), {});
  QVERIFY(threads && threads->threads.size() > 1);
  GoToBox* box = driver.window().goToBox();
  box->setFocus();
  QTest::keyClicks(box, QStringLiteral("@%1").arg(threads->threads[1].managedId));
  QTest::keyClick(box, Qt::Key_Return);
  QTRY_COMPARE(driver.window().navigator().location().place, PlaceId::Threads);
  QVERIFY(driver.window().navigator().location().listed == Listed(threads->threads[1].address));
}

void GoToBoxTest::knowsAHandleByItsSlot() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(smallDump()));
  const auto handles = engine::listHandles(*driver.window().bridge().snapshot(), false, {});
  QVERIFY(handles && !handles->handles.empty());
  GoToBox* box = driver.window().goToBox();
  box->setFocus();
  QTest::keyClicks(box, QString::fromStdString(engine::toString(handles->handles[0].address)));
  QTest::keyClick(box, Qt::Key_Return);
  QTRY_COMPARE_WITH_TIMEOUT(driver.window().navigator().location().place, PlaceId::Roots, 20'000);
  QVERIFY(driver.window().navigator().location().listed == Listed(handles->handles[0].address));
}

void GoToBoxTest::runsCommands() {
  test::WindowDriver driver;
  GoToBox* box = driver.window().goToBox();
  box->setFocus();
  QTest::keyClicks(box, QStringLiteral("> dark theme"));
  QVERIFY(!box->popup()->entries().empty());
  QTest::keyClick(box, Qt::Key_Return);
  QVERIFY(driver.window().settings().theme == Theme::Dark);
  QVERIFY(!box->popup()->isVisible());
}

void GoToBoxTest::commandsKnowWhatIsPickedAndTheManual() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(smallDump()));
  QVERIFY(driver.show(PlaceId::Types));
  const auto titles = [&](const QString& detail) {
    QStringList found;
    for (const GoToEntry& entry : driver.window().goToBox()->popup()->entries())
      if (entry.detail == detail) found << entry.title;
    return found;
  };
  GoToBox* box = driver.window().goToBox();
  box->beginCommand();
  QTest::keyClicks(box, QStringLiteral("alive"));
  QVERIFY(titles(QStringLiteral("what is picked")).isEmpty());
  QTest::keyClick(box, Qt::Key_Escape);
  driver.window().navigator().select(driver.someObject());
  box->beginCommand();
  QTest::keyClicks(box, QStringLiteral("alive"));
  QCOMPARE(titles(QStringLiteral("what is picked")), QStringList{QStringLiteral("Why is it alive?")});
  QVERIFY(titles(QStringLiteral("manual")).contains(QStringLiteral("References")));
  QTest::keyClick(box, Qt::Key_Return);
  QCOMPARE(driver.window().navigator().location().place, PlaceId::References);
  // A word that only the manual has.
  box->beginCommand();
  QTest::keyClicks(box, QStringLiteral("histogram"));
  QVERIFY(titles(QStringLiteral("manual")).contains(QStringLiteral("Generations")));
  QTest::keyClick(box, Qt::Key_Return);
  QTRY_VERIFY(driver.window().manual() && driver.window().manual()->isVisible());
}

void GoToBoxTest::refusesAQueryThatCannotBeUnderstood() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(smallDump()));
  GoToBox* box = driver.window().goToBox();
  driver.window().activateWindow();
  box->setFocus();
  for (const auto& [query, complaint] :
       {std::pair("?size >", "A value is missing"), std::pair("?foo > 3", "no field “foo”")}) {
    box->clear();
    QTest::keyClicks(box, QString::fromUtf8(query));
    QVERIFY(!box->popup()->entries().empty());
    const GoToEntry& said = box->popup()->entries().front();
    QVERIFY2(said.title.contains(QString::fromUtf8(complaint)), qPrintable(said.title));
    QVERIFY(std::ranges::none_of(box->popup()->entries(), [](const GoToEntry& entry) { return bool(entry.run); }));
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(driver.window().navigator().location().place, PlaceId::Overview);
    QVERIFY(box->popup()->isVisible());
  }
}

void GoToBoxTest::neverPicksWhatAnotherTextFound() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(smallDump()));
  GoToBox* box = driver.window().goToBox();
  driver.window().activateWindow();
  box->setFocus();
  QTest::keyClicks(box, QStringLiteral("Catalog.Order"));
  QTRY_VERIFY(!box->popup()->entries().empty());
  QTRY_COMPARE(box->popup()->entries().front().title, QStringLiteral("Catalog.Order"));
  // The engine has not answered the longer text yet when Enter comes.
  QTest::keyClicks(box, QStringLiteral("Line"));
  QTest::keyClick(box, Qt::Key_Return);
  QTRY_COMPARE(driver.window().navigator().location().place, PlaceId::Types);
  QTRY_VERIFY(test::shows(*driver.window().inspector(), QStringLiteral("Catalog.OrderLine")));
}

HEAPSCAPE_WINDOW_TEST(GoToBoxTest)

}  // namespace heapscape::gui

#include "tst_go_to_box.moc"
