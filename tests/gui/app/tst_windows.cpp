// SPDX-License-Identifier: MIT
// What outlives a window, and what several share: the last session, bookmarks, settings, places in windows of their
// own.
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <memory>

#include "app/go_to/go_to_box.h"
#include "app/place_window.h"
#include "app/session/bookmarks.h"
#include "app/window_actions.h"
#include "app/windows.h"
#include "session/objects/object_query.h"
#include "support/opened_bridge.h"
#include "support/settings_folder.h"
#include "support/test_assembly.h"
#include "support/window_driver.h"
#include "support/window_test.h"
#include "views/assembly/assembly_place.h"
#include "views/start/dump_button.h"

namespace heapscape::gui {

class WindowsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init();
  void aLocationComesBackFromItsText();
  void theStartPageOffersWhatWasOpenLast();
  void theLastSessionComesBackAtItsPlace();
  void anotherDumpUnderTheSameNameComesBackWithoutItsSelection();
  void anAssemblyComesBackWhereItWasLeft();
  void bookmarksBelongToTheDumpsMemory();
  void bookmarksAreListedInTheMenuAndTheGoToBox();
  void everyWindowHasItsOwnDump();
  void windowsShareTheirSettings();
  void aPlaceInAWindowOfItsOwnSharesDumpAndSelection();
  void aPlaceWindowGoesWithTheDump();
  void aMenuGoesWithTheWindowItIsOpenIn();

 private:
  std::unique_ptr<test::SettingsFolder> m_folder;
};

namespace {

Selection objectOf(MainWindow& window, std::uint64_t number) {
  const auto object = engine::listObjects(*window.bridge().snapshot(), {}, number, 1).at(0);
  const engine::Address type = window.bridge().snapshot()->types()[object.type.value].methodTable;
  return {.object = object.address, .methodTable = type, .segment = object.segment};
}

DumpButton* continueButton(MainWindow& window) {
  return window.findChild<DumpButton*>(QStringLiteral("continue"));
}

}  // namespace

void WindowsTest::init() {
  m_folder = std::make_unique<test::SettingsFolder>();
}

void WindowsTest::aLocationComesBackFromItsText() {
  Location location{.place = PlaceId::References, .selection = {}, .scope = {}};
  location.selection = {
      .object = engine::Address{0x7fff'ffff'ffff'fff8}, .methodTable = engine::Address{0x1234}, .segment = {}};
  location.page = ReferencesPage::WhyAlive;
  const auto back = locationOf(keptText(location));
  QVERIFY(back && *back == location);
  Location query{.place = PlaceId::Types, .selection = {}, .scope = {}};
  query.typesPage = TypesPage::Objects;
  query.objectsQuery = QStringLiteral("type ~ \"Ü\" and size > 1 KB");
  QVERIFY(locationOf(keptText(query)) == query);
  Location map{.place = PlaceId::Segments, .selection = {}, .scope = {}};
  map.onMap.methodTable = engine::Address{0x4321};
  QVERIFY(locationOf(keptText(map)) == map);
  for (const char* damaged : {"", "{", "[]", "{\"place\":\"nowhere\"}", "{\"place\":7}"})
    QVERIFY(!locationOf(QString::fromLatin1(damaged)));
  QVERIFY(locationOf(QStringLiteral("{\"place\":\"layouts\",\"layouts\":99}"))->layoutsPage == LayoutsPage::Types);
}

void WindowsTest::theStartPageOffersWhatWasOpenLast() {
  test::WindowDriver fresh;
  QVERIFY(!continueButton(fresh.window()));
  QVERIFY(!fresh.window().actions().continueSession->isEnabled());
  Settings settings;
  settings.session = {.path = smallDump(), .identity = {}, .location = QStringLiteral("{\"place\":\"threads\"}")};
  test::WindowDriver driver(settings);
  QTRY_VERIFY(continueButton(driver.window()));
  DumpButton* button = continueButton(driver.window());
  QTRY_VERIFY(button->isVisible());
  QVERIFY(button->text().startsWith(QStringLiteral("Reopen shop-10.core.zst")));
  QVERIFY(button->accessibleDescription().contains(QStringLiteral("Threads")));
  QVERIFY2(!driver.window().bridge().isOpening(), "nothing is opened by itself");
  QTest::mouseClick(button, Qt::LeftButton);
  QTRY_COMPARE(driver.window().navigator().location().place, PlaceId::Threads);
  // Once it is open, a click leads back to it.
  driver.window().navigator().goTo(PlaceId::Start);
  QTRY_VERIFY(continueButton(driver.window()) &&
              continueButton(driver.window())->text().startsWith(QStringLiteral("Back to shop-10.core.zst")));

  settings.session.path = QStringLiteral("/no/longer/there.core");
  test::WindowDriver gone(settings);
  QVERIFY(!continueButton(gone.window()));
}

void WindowsTest::theLastSessionComesBackAtItsPlace() {
  const QString file = m_folder->filePath(QStringLiteral("kept.ini"));
  Selection picked;
  {
    DesktopScheme scheme;
    test::dressApplication();
    Windows windows(Settings(), scheme, file);
    MainWindow& window = windows.add();
    window.show();
    window.open(smallDump());
    QTRY_VERIFY(window.bridge().retainedState() == RetainedState::Ready);
    picked = objectOf(window, 500);
    window.navigator().go({.place = PlaceId::Object, .selection = picked, .scope = {}});
    window.close();
  }
  const Settings settings = loadSettings(file);
  QCOMPARE(settings.session.path, smallDump());
  test::WindowDriver driver(settings);
  driver.window().continueSession();
  QTRY_COMPARE(driver.window().navigator().location().place, PlaceId::Object);
  QTRY_COMPARE(driver.window().navigator().location().selection.object.value, picked.object.value);
}

void WindowsTest::anotherDumpUnderTheSameNameComesBackWithoutItsSelection() {
  Settings settings;
  settings.session = {.path = smallDump(),
                      .identity = QStringLiteral("of another dump"),
                      .location = QStringLiteral("{\"place\":\"types\",\"object\":\"7f0000001000\"}")};
  test::WindowDriver driver(settings);
  driver.window().continueSession();
  QTRY_VERIFY(driver.window().bridge().retainedState() == RetainedState::Ready);
  QCOMPARE(driver.window().navigator().location().place, PlaceId::Types);
  QVERIFY(!driver.window().navigator().location().selection.object);
}

void WindowsTest::anAssemblyComesBackWhereItWasLeft() {
  const heapscape::test::TestAssembly zoo("LayoutZoo1");
  const auto goOn = [&](const QString& location) {
    Settings settings;
    settings.session = {.path = QString::fromStdString(zoo.path().string()), .identity = {}, .location = location};
    auto driver = std::make_unique<test::WindowDriver>(settings);
    driver->window().continueSession();
    return driver;
  };
  const auto atOverview = goOn(QStringLiteral("{\"place\":\"overview\"}"));
  QTRY_VERIFY(atOverview->window().assembly()->isVisible());
  QCOMPARE(atOverview->window().navigator().location().place, PlaceId::Overview);
  const auto atLayouts = goOn(QStringLiteral("{\"place\":\"layouts\",\"layouts\":2}"));
  QTRY_VERIFY(atLayouts->window().navigator().location().layoutsPage == LayoutsPage::Compare);
  QCOMPARE(atLayouts->window().navigator().location().place, PlaceId::Layouts);
}

void WindowsTest::bookmarksBelongToTheDumpsMemory() {
  const QString copy = m_folder->filePath(QStringLiteral("moved.core.zst"));
  QVERIFY(QFile::copy(smallDump(), copy));
  Selection picked;
  {
    test::WindowDriver driver;
    QVERIFY(driver.openAndWait(smallDump()));
    picked = objectOf(driver.window(), 300);
    driver.window().navigator().go({.place = PlaceId::Segments, .selection = picked, .scope = {}});
    QVERIFY(!driver.window().actions().bookmark->isChecked());
    QTest::keyClick(&driver.window(), Qt::Key_D, Qt::ControlModifier);
    QVERIFY(driver.window().actions().bookmark->isChecked());
    QVERIFY(test::shows(driver.window(), QStringLiteral("Bookmarked: Segments · ")));
    QVERIFY(driver.openAndWait(otherDump()));
    QVERIFY(Bookmarks(driver.window().bridge(), driver.window().navigator(), {}).all().empty());
  }
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(copy));
  const Bookmarks bookmarks(driver.window().bridge(), driver.window().navigator(), {});
  QCOMPARE(bookmarks.all().size(), std::size_t{1});
  bookmarks.goTo(bookmarks.all()[0]);
  QCOMPARE(driver.window().navigator().location().place, PlaceId::Segments);
  QCOMPARE(driver.window().navigator().location().selection.object.value, picked.object.value);
  driver.window().actions().bookmark->trigger();
  QVERIFY(bookmarks.all().empty());
}

void WindowsTest::bookmarksAreListedInTheMenuAndTheGoToBox() {
  test::WindowDriver driver;
  MainWindow& window = driver.window();
  QVERIFY(driver.openAndWait(smallDump()));
  QVERIFY(driver.show(PlaceId::Roots));
  window.actions().bookmark->trigger();
  QVERIFY(driver.show(PlaceId::Memory));
  window.actions().bookmark->trigger();
  QMenu* menu = window.actions().bookmarks;
  Q_EMIT menu->aboutToShow();
  QCOMPARE(menu->actions().front()->text(), QStringLiteral("Roots"));
  menu->actions().front()->trigger();
  QCOMPARE(window.navigator().location().place, PlaceId::Roots);

  GoToBox* box = window.goToBox();
  box->begin();
  QCOMPARE(box->popup()->entries().size(), std::size_t{2});
  QTest::keyClicks(box, QStringLiteral("*mem"));
  QCOMPARE(box->popup()->entries().size(), std::size_t{1});
  QTest::keyClick(box, Qt::Key_Return);
  QCOMPARE(window.navigator().location().place, PlaceId::Memory);
  Q_EMIT menu->aboutToShow();
  menu->actions().back()->trigger();
  Q_EMIT menu->aboutToShow();
  QVERIFY(!menu->actions().front()->isEnabled());
}

void WindowsTest::everyWindowHasItsOwnDump() {
  DesktopScheme scheme;
  test::dressApplication();
  Windows windows(Settings(), scheme, std::nullopt);
  MainWindow& first = windows.add();
  first.show();
  first.open(smallDump());
  QTRY_VERIFY(first.bridge().retainedState() == RetainedState::Ready);
  first.actions().newWindow->trigger();
  QCOMPARE(windows.all().size(), std::size_t{2});
  MainWindow& second = *windows.all()[1];
  QVERIFY(second.isVisible());
  QVERIFY(second.bridge().path().isEmpty());
  second.open(otherDump());
  QTRY_VERIFY(second.bridge().retainedState() == RetainedState::Ready);
  QCOMPARE(first.bridge().path(), smallDump());
  second.navigator().goTo(PlaceId::Types);
  QCOMPARE(first.navigator().location().place, PlaceId::Overview);
  second.actions().closeWindow->trigger();
  QTRY_COMPARE(windows.all().size(), std::size_t{1});
  QVERIFY(first.isVisible());
  QCOMPARE(first.bridge().path(), smallDump());
}

void WindowsTest::windowsShareTheirSettings() {
  const QString file = m_folder->filePath(QStringLiteral("shared.ini"));
  DesktopScheme scheme;
  test::dressApplication();
  Windows windows(Settings(), scheme, file);
  MainWindow& first = windows.add();
  MainWindow& second = windows.add();
  first.show();
  second.show();
  first.setTheme(Theme::Dark);
  QVERIFY(second.actions().themes.at(Theme::Dark)->isChecked());
  second.open(smallDump());
  QTRY_COMPARE(first.settings().recentDumps, QStringList{smallDump()});
  first.actions().reopensLast->trigger();
  QVERIFY(second.actions().reopensLast->isChecked());
  QVERIFY(loadSettings(file).reopensLast);
  QVERIFY(loadSettings(file).theme == Theme::Dark);
  QCOMPARE(loadSettings(file).recentDumps, QStringList{smallDump()});
}

void WindowsTest::aPlaceInAWindowOfItsOwnSharesDumpAndSelection() {
  test::WindowDriver driver;
  MainWindow& window = driver.window();
  QVERIFY(driver.openAndWait(smallDump()));
  QVERIFY(driver.show(PlaceId::Types));
  window.actions().placeWindow->trigger();
  auto* beside = window.findChild<PlaceWindow*>();
  QVERIFY(beside && beside->isVisible());
  QCOMPARE(beside->place().id(), PlaceId::Types);
  QVERIFY(&beside->place() != window.place(PlaceId::Types));
  QVERIFY(driver.show(PlaceId::Segments));
  QTRY_VERIFY(!test::isLoading(beside->place()));
  const Selection picked = objectOf(window, 700);
  window.navigator().select(picked);
  QCOMPARE(beside->navigator().location().selection.object.value, picked.object.value);
  QCOMPARE(beside->navigator().location().place, PlaceId::Types);
  const Selection other = objectOf(window, 900);
  beside->navigator().select(other);
  QCOMPARE(window.navigator().location().selection.object.value, other.object.value);
  QCOMPARE(window.navigator().location().place, PlaceId::Segments);
  // What leads out of it leads there in the main window.
  beside->navigator().showType(other.methodTable);
  QCOMPARE(window.navigator().location().place, PlaceId::Runtime);
  QCOMPARE(beside->navigator().location().place, PlaceId::Types);
  QVERIFY(!window.actions().placeWindow->isEnabled() || window.navigator().location().place != PlaceId::Start);
}

void WindowsTest::aPlaceWindowGoesWithTheDump() {
  test::WindowDriver driver;
  MainWindow& window = driver.window();
  QVERIFY(!window.actions().placeWindow->isEnabled());
  QVERIFY(driver.openAndWait(smallDump()));
  QVERIFY(driver.show(PlaceId::Roots));
  window.actions().placeWindow->trigger();
  QPointer<PlaceWindow> beside = window.findChild<PlaceWindow*>();
  QTRY_VERIFY(window.bridge().isAtRest());
  QVERIFY(driver.openAndWait(otherDump()));
  QVERIFY(beside && beside->isVisible());
  QVERIFY(beside->windowTitle().contains(QStringLiteral("shop-8")));
  window.actions().close->trigger();
  QTRY_VERIFY(!beside);
  QTRY_COMPARE(test::mappedDumps(), 0);
}

void WindowsTest::aMenuGoesWithTheWindowItIsOpenIn() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(smallDump()));
  QVERIFY(driver.show(PlaceId::Types));
  driver.window().actions().placeWindow->trigger();
  const QPointer<PlaceWindow> beside = driver.window().findChild<PlaceWindow*>();
  QVERIFY(beside);
  QTRY_VERIFY(!test::isLoading(beside->place()));
  QAbstractItemView* list = nullptr;
  const auto findList = [&] {
    for (auto* view : beside->findChildren<QAbstractItemView*>())
      if (view->isVisible() && view->contextMenuPolicy() == Qt::CustomContextMenu && view->model()->rowCount() > 0)
        list = view;
    return list != nullptr;
  };
  QTRY_VERIFY(findList());
  const QPoint row = list->visualRect(list->model()->index(0, 0)).center();
  bool wasOpen = false;
  QTimer::singleShot(0, list, [&] {
    wasOpen = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    delete beside.data();
  });
  Q_EMIT list->customContextMenuRequested(row);
  QVERIFY(wasOpen);
  QVERIFY(!beside);
}

HEAPSCAPE_WINDOW_TEST(WindowsTest)

}  // namespace heapscape::gui

#include "tst_windows.moc"
