// SPDX-License-Identifier: MIT
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QDropEvent>
#include <QFile>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>
#include <QUrl>
#include <algorithm>
#include <array>
#include <future>
#include <memory>
#include <optional>

#include "app/go_to/go_to_box.h"
#include "app/inspector/inspector.h"
#include "app/screenshot.h"
#include "app/settings.h"
#include "app/window_actions.h"
#include "session/objects/object_query.h"
#include "support/dumps.h"
#include "support/window_driver.h"
#include "support/window_test.h"
#include "views/start/dump_button.h"
#include "views/start/failure_panel.h"

namespace heapscape::gui {

namespace {

constexpr int kMainWindowPatience = 40'000;

QString shopDump() {
  return test::dataFile(QStringLiteral("shop-10.core.zst"));
}

}  // namespace

class MainWindowTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aNewWindowShowsTheStartPageAndOffersNoOtherPlace();
  void openingADumpLeadsToTheOverviewAndIntoTheRecentDumps();
  void everyPlaceSettles();
  void aFailedOpeningSaysWhatAndWhatWouldHelpAndTheWindowStaysUsable_data();
  void aFailedOpeningSaysWhatAndWhatWouldHelpAndTheWindowStaysUsable();
  void cancelLeadsBackToTheStartPage();
  void whatIsOpenedLastWins();
  void aDroppedFileIsOpened();
  void aRecentDumpThatIsGoneCannotBePicked();
  void theInspectorTellsOfAnObject();
  void theInspectorOffersNothingThatFreeSpaceHasNot();
  void theInspectorTellsOfAMappingAndOfAFrame();
  void theInspectorLeadsToTheLayout();
  void backReturnsToThePlaceBefore();
  void closingADumpEmptiesEveryPlace();
  void everyListHasAFilterThatEscapeLeaves_data();
  void everyListHasAFilterThatEscapeLeaves();
  void theThemeChangesTheWindow();
  void theStatusLineSaysWhatADumpTakenWhileCollectingLacks();
  void settingsAreWrittenAsSoonAsTheyChange();
  void aThemeForOneRunIsNotKept();
  void aScreenshotWaitsUntilAllIsThere();
  void filtersThatFindNothingInTheNextFileAreDropped();
};

void MainWindowTest::aNewWindowShowsTheStartPageAndOffersNoOtherPlace() {
  test::WindowDriver driver;
  QVERIFY(driver.window().place(PlaceId::Start)->isVisible());
  QVERIFY(!driver.window().inspector()->isVisible());
  for (const auto& [place, action] : driver.window().actions().places) {
    QCOMPARE(action->isEnabled(), place == PlaceId::Start || place == PlaceId::Review);
  }
  QVERIFY(test::shows(driver.window(), QStringLiteral("Drop a core dump here")));
}

void MainWindowTest::openingADumpLeadsToTheOverviewAndIntoTheRecentDumps() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(shopDump()));
  QVERIFY(driver.window().place(PlaceId::Overview)->isVisible());
  QCOMPARE(driver.window().settings().recentDumps, QStringList{shopDump()});
  QVERIFY(test::shows(driver.window(), QStringLiteral("shop-10.core.zst · .NET 10.")));
  QVERIFY(test::shows(driver.window(), QStringLiteral("complete")));
  for (const auto& [place, action] : driver.window().actions().places) QVERIFY(action->isEnabled());
}

void MainWindowTest::everyPlaceSettles() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(shopDump()));
  for (const PlaceId place : {PlaceId::Overview, PlaceId::Segments, PlaceId::Generations, PlaceId::Types,
                              PlaceId::Layouts, PlaceId::References, PlaceId::Object, PlaceId::Runtime, PlaceId::Roots,
                              PlaceId::Threads, PlaceId::Findings, PlaceId::Console}) {
    QVERIFY(driver.show(place));
    QVERIFY(driver.window().place(place)->isVisible());
  }
}

void MainWindowTest::aFailedOpeningSaysWhatAndWhatWouldHelpAndTheWindowStaysUsable_data() {
  QTest::addColumn<QString>("path");
  QTest::newRow("no such file") << QStringLiteral("/no/such/file.core");
  QTest::newRow("a folder") << QStringLiteral("/proc");
  QTest::newRow("an executable") << QStringLiteral("/proc/self/exe");
  QTest::newRow("an empty file") << QStringLiteral("/dev/null");
}

void MainWindowTest::aFailedOpeningSaysWhatAndWhatWouldHelpAndTheWindowStaysUsable() {
  QFETCH(QString, path);
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(path));
  auto* panel = driver.window().findChild<FailurePanel*>();
  QVERIFY(panel && panel->isVisible());
  QVERIFY(test::visibleTexts(*panel).size() >= 2);
  for (const QString& text : test::visibleTexts(*panel)) QVERIFY(!text.isEmpty());
  QVERIFY(driver.window().settings().recentDumps.isEmpty());

  QVERIFY(driver.openAndWait(shopDump()));
  QVERIFY(driver.window().place(PlaceId::Overview)->isVisible());
  driver.show(PlaceId::Start);
  QVERIFY(!panel->isVisible());
}

void MainWindowTest::cancelLeadsBackToTheStartPage() {
  const QTemporaryDir folder;
  const QString slow = folder.filePath(QStringLiteral("slow.core.zst"));
  QVERIFY(test::writeSlowDump(slow));
  test::WindowDriver driver;
  QSignalSpy progressed(&driver.window().bridge(), &EngineBridge::progressed);
  driver.window().open(slow);
  QVERIFY(progressed.wait(kMainWindowPatience));
  QVERIFY(test::shows(driver.window(), QStringLiteral("Walk the objects")));
  QTest::keyClick(&driver.window(), Qt::Key_Escape);
  QVERIFY(!driver.window().bridge().isOpening());
  QVERIFY(test::shows(driver.window(), QStringLiteral("Drop a core dump here")));
  QVERIFY(test::shows(driver.window(), QStringLiteral("No dump open")));
}

// What a file is, is read on another thread: the window goes on, and may be told to open something else.
void MainWindowTest::whatIsOpenedLastWins() {
  test::WindowDriver driver;
  QSignalSpy started(&driver.window().bridge(), &EngineBridge::openStarted);
  QSignalSpy settled(&driver.window(), &MainWindow::settled);
  driver.window().open(QStringLiteral("/no/such/file"));
  driver.window().open(shopDump());
  QCOMPARE(started.count(), 0);
  QVERIFY(settled.wait(kMainWindowPatience));
  QCOMPARE(started.count(), 1);
  QCOMPARE(driver.window().bridge().path(), shopDump());
}

void MainWindowTest::aDroppedFileIsOpened() {
  test::WindowDriver driver;
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(shopDump())});
  QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&driver.window(), &enter);
  QVERIFY(enter.isAccepted());
  QSignalSpy settled(&driver.window(), &MainWindow::settled);
  QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&driver.window(), &drop);
  QVERIFY(settled.wait(kMainWindowPatience));
  QCOMPARE(driver.window().bridge().path(), shopDump());

  QMimeData web;
  web.setUrls({QUrl(QStringLiteral("https://example.org/x.core"))});
  QDragEnterEvent other(QPoint(10, 10), Qt::CopyAction, &web, Qt::LeftButton, Qt::NoModifier);
  other.ignore();
  QApplication::sendEvent(&driver.window(), &other);
  QVERIFY(!other.isAccepted());
}

void MainWindowTest::aRecentDumpThatIsGoneCannotBePicked() {
  Settings settings;
  settings.recentDumps = {shopDump(), QStringLiteral("/no/longer/there.core")};
  test::WindowDriver driver(settings);
  const auto buttons = [&](const QString& path, bool isEnabled) {
    const QList<DumpButton*> all = driver.window().findChildren<DumpButton*>();
    return std::ranges::count_if(
        all, [&](const DumpButton* button) { return button->path() == path && button->isEnabled() == isEnabled; });
  };
  QTRY_COMPARE(buttons(settings.recentDumps[1], false), 1);
  QCOMPARE(buttons(settings.recentDumps[0], true), 1);
}

void MainWindowTest::theInspectorTellsOfAnObject() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(shopDump()));
  const auto object = engine::listObjects(*driver.window().bridge().snapshot(), {}, 1000, 1).at(0);
  driver.window().navigator().select({.object = object.address, .methodTable = {}, .segment = object.segment});
  Inspector& inspector = *driver.window().inspector();
  QTRY_VERIFY(test::shows(inspector, QString::fromStdString(engine::toString(object.address))));
  const std::string type = driver.window().bridge().snapshot()->types()[object.type.value].name;
  QVERIFY(test::shows(inspector, QString::fromStdString(type)));
  QVERIFY(test::shows(inspector, QStringLiteral("Its type")));
  driver.window().navigator().select({});
  QTRY_VERIFY(test::shows(inspector, QStringLiteral("Nothing picked")));
}

void MainWindowTest::theInspectorOffersNothingThatFreeSpaceHasNot() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(shopDump()));
  const engine::Snapshot& snapshot = *driver.window().bridge().snapshot();
  const auto& types = snapshot.types();
  engine::ObjectFilter free;
  free.type = engine::TypeId{
      static_cast<std::uint32_t>(std::ranges::find(types, true, &engine::TypeRow::isFree) - types.begin())};
  engine::Address gap;
  engine::forEachObject(snapshot, free, [&](const engine::ObjectRow& row) {
    gap = row.address;
    return false;
  });
  QVERIFY(gap);
  Inspector& inspector = *driver.window().inspector();
  const auto offers = [&](const QString& text) {
    return std::ranges::any_of(inspector.findChildren<QPushButton*>(), [&](const QPushButton* button) {
      return button->isVisible() && button->text() == text;
    });
  };
  driver.window().navigator().select(driver.someObject());
  QTRY_VERIFY(offers(QStringLiteral("Graph")) && offers(QStringLiteral("Why alive?")));
  driver.window().navigator().select({.object = gap, .methodTable = {}, .segment = {}});
  QTRY_VERIFY(test::shows(inspector, QString::fromStdString(engine::toString(gap))));
  for (const char* text : {"Graph", "Why alive?", "Layout"}) QVERIFY2(!offers(QLatin1String(text)), text);
  QVERIFY(offers(QStringLiteral("On the map")));
}

void MainWindowTest::theInspectorTellsOfAMappingAndOfAFrame() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(shopDump()));
  const Selection object = driver.someObject();
  driver.window().navigator().select(object);
  Inspector& inspector = *driver.window().inspector();
  const QString address = QString::fromStdString(engine::toString(object.object));
  QTRY_VERIFY(test::shows(inspector, address));

  QVERIFY(driver.show(PlaceId::Memory));
  auto* mappings = driver.window().findChild<QTableView*>(QStringLiteral("memory"));
  QTRY_VERIFY(mappings->model()->rowCount() > 3);
  mappings->setCurrentIndex(mappings->model()->index(2, 0));
  const QString owner = mappings->model()->index(2, 0).data().toString();
  QTRY_VERIFY(test::shows(inspector, owner));
  QVERIFY(!test::shows(inspector, address));
  QVERIFY(!test::shows(inspector, QStringLiteral("Its type")));
  driver.window().navigator().select(object);  // the same as before, picked again
  QTRY_VERIFY(test::shows(inspector, address));

  QVERIFY(driver.show(PlaceId::Threads));
  auto* stack = driver.window().findChild<QTreeView*>(QStringLiteral("stack"));
  QVERIFY(stack);
  QTRY_VERIFY(stack->model()->rowCount() > 2);
  stack->setCurrentIndex(stack->model()->index(1, 0));
  QTRY_VERIFY(test::shows(inspector, QStringLiteral("Frame")));
  QTRY_VERIFY2(test::shows(inspector, QStringLiteral("Stack pointer")),
               qPrintable(test::visibleTexts(inspector).join(QStringLiteral(" | "))));
  // Elsewhere it is about what is picked there.
  QVERIFY(driver.show(PlaceId::Types));
  QTRY_VERIFY(test::shows(inspector, address));
}

void MainWindowTest::theInspectorLeadsToTheLayout() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(shopDump()));
  const engine::Address methodTable = driver.window().bridge().snapshot()->types().at(5).methodTable;
  driver.window().navigator().select({.object = {}, .methodTable = methodTable, .segment = {}});
  QPushButton* layout = nullptr;
  const auto findButton = [&] {
    for (QPushButton* button : driver.window().inspector()->findChildren<QPushButton*>()) {
      if (button->isVisible() && button->text() == QStringLiteral("Layout")) layout = button;
    }
    return layout != nullptr;
  };
  QTRY_VERIFY(findButton());
  QTest::mouseClick(layout, Qt::LeftButton);
  QCOMPARE(driver.window().navigator().location().place, PlaceId::Layouts);
  QCOMPARE(driver.window().navigator().location().selection.methodTable.value, methodTable.value);
}

void MainWindowTest::backReturnsToThePlaceBefore() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(shopDump()));
  driver.window().actions().places.at(PlaceId::Types)->trigger();
  driver.window().actions().places.at(PlaceId::Layouts)->trigger();
  QTest::keyClick(&driver.window(), Qt::Key_Left, Qt::AltModifier);
  QVERIFY(driver.window().place(PlaceId::Types)->isVisible());
  QTest::mouseClick(driver.window().place(PlaceId::Types), Qt::BackButton);
  QVERIFY(driver.window().place(PlaceId::Overview)->isVisible());
  QTest::mouseClick(driver.window().place(PlaceId::Overview), Qt::ForwardButton);
  QVERIFY(driver.window().place(PlaceId::Types)->isVisible());
}

void MainWindowTest::closingADumpEmptiesEveryPlace() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(shopDump()));
  for (const PlaceId place :
       {PlaceId::Segments, PlaceId::Generations, PlaceId::Types, PlaceId::Layouts, PlaceId::References, PlaceId::Object,
        PlaceId::Runtime, PlaceId::Roots, PlaceId::Threads, PlaceId::Findings, PlaceId::Console}) {
    driver.show(place);
  }
  driver.window().actions().close->trigger();
  QVERIFY(driver.window().place(PlaceId::Start)->isVisible());
  QVERIFY(!driver.window().actions().places.at(PlaceId::Types)->isEnabled());
  // Nobody holds on to a snapshot, so the dump is not mapped any more.
  QTRY_COMPARE(test::mappedDumps(), 0);
}

void MainWindowTest::everyListHasAFilterThatEscapeLeaves_data() {
  QTest::addColumn<PlaceId>("place");
  QTest::addColumn<QString>("filter");
  QTest::addColumn<QString>("list");
  QTest::newRow("types") << PlaceId::Types << QStringLiteral("typeFilter") << QStringLiteral("typeTable");
  QTest::newRow("layouts") << PlaceId::Layouts << QStringLiteral("layoutTypeFilter") << QStringLiteral("layoutTypes");
  QTest::newRow("threads") << PlaceId::Threads << QStringLiteral("threadsFilter") << QStringLiteral("threads");
  QTest::newRow("insights") << PlaceId::Insights << QStringLiteral("insightsFilter") << QStringLiteral("insights");
}

void MainWindowTest::everyListHasAFilterThatEscapeLeaves() {
  QFETCH(PlaceId, place);
  QFETCH(QString, filter);
  QFETCH(QString, list);
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(shopDump()));
  QVERIFY(driver.show(place));
  auto* line = driver.window().place(place)->findChild<QLineEdit*>(filter);
  auto* view = driver.window().place(place)->findChild<QAbstractItemView*>(list);
  QVERIFY(line && view);
  QTRY_VERIFY_WITH_TIMEOUT(view->isVisible(), kMainWindowPatience);
  driver.window().actions().filter->trigger();
  QVERIFY(line->hasFocus());
  QTest::keyClicks(line, QStringLiteral("a"));
  QTest::keyClick(line, Qt::Key_Escape);
  QVERIFY(line->text().isEmpty());
  QVERIFY(view->hasFocus());
  driver.window().actions().filter->trigger();
  QVERIFY(line->hasFocus());
}

void MainWindowTest::theThemeChangesTheWindow() {
  test::WindowDriver driver;
  driver.window().setTheme(Theme::Light);
  const QColor light = driver.window().grab().toImage().pixelColor(3, 200);
  driver.window().setTheme(Theme::Dark);
  const QColor dark = driver.window().grab().toImage().pixelColor(3, 200);
  QVERIFY(light.lightness() > 200);
  QVERIFY(dark.lightness() < 60);
}

void MainWindowTest::theStatusLineSaysWhatADumpTakenWhileCollectingLacks() {
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(test::dataFile(QStringLiteral("storm-8-collecting.core.zst"))));
  QVERIFY(test::shows(driver.window(), QStringLiteral("incomplete: taken in the middle of a collection")));
  QVERIFY(test::shows(*driver.window().place(PlaceId::Overview), QStringLiteral("in the middle of a collection")));
}

void MainWindowTest::settingsAreWrittenAsSoonAsTheyChange() {
  const QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("kept.ini"));
  test::WindowDriver driver;
  const SettingsKeeper keeper(driver.window(), std::nullopt, file);
  driver.window().setTheme(Theme::Dark);
  QVERIFY(loadSettings(file).theme == Theme::Dark);
  driver.window().actions().inspector->toggle();
  QVERIFY(!loadSettings(file).isInspectorShown);
  QVERIFY(driver.openAndWait(shopDump()));
  QCOMPARE(loadSettings(file).recentDumps, QStringList{shopDump()});
}

void MainWindowTest::aThemeForOneRunIsNotKept() {
  const QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("kept.ini"));
  Settings settings;
  settings.theme = Theme::Light;
  saveSettings(settings, file);
  settings.theme = Theme::Dark;
  test::WindowDriver driver(settings);
  const SettingsKeeper keeper(driver.window(), Theme::Dark, file);
  driver.window().actions().inspector->toggle();
  QVERIFY(!loadSettings(file).isInspectorShown);
  QVERIFY(loadSettings(file).theme == Theme::Light);
  driver.window().setTheme(Theme::System);
  QVERIFY(loadSettings(file).theme == Theme::System);
}

void MainWindowTest::aScreenshotWaitsUntilAllIsThere() {
  const QTemporaryDir folder;
  const QString picture = folder.filePath(QStringLiteral("a.png"));
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(shopDump()));
  QTRY_VERIFY_WITH_TIMEOUT(driver.window().bridge().isAtRest(), kMainWindowPatience);
  auto hold = std::make_shared<std::promise<void>>();
  driver.window().bridge().askLong(
      &driver.window(), "held",
      [held = hold->get_future().share()](const engine::Snapshot&, engine::ProgressSink*, std::stop_token) {
        held.wait();
        return true;
      },
      [](const engine::Progress&) {}, [](bool) {});
  Screenshot screenshot(driver.window(), picture, false);
  QSignalSpy taken(&screenshot, &Screenshot::taken);
  QVERIFY2(!taken.wait(2500), "something is still to come");
  hold->set_value();
  QTRY_COMPARE_WITH_TIMEOUT(taken.count(), 1, kMainWindowPatience);
  QCOMPARE(taken[0][0].toString(), QString());
  QVERIFY(QFile::exists(picture));
}

void MainWindowTest::filtersThatFindNothingInTheNextFileAreDropped() {
  struct Filter {
    PlaceId place;
    const char* name;
    const char* list;  // that shows what fits
  };
  constexpr std::array kFilters{
      Filter{PlaceId::Types, "typeFilter", "typeTable"}, Filter{PlaceId::Layouts, "layoutTypeFilter", "layoutTypes"},
      Filter{PlaceId::Threads, "threadsFilter", "threads"}, Filter{PlaceId::Insights, "insightsFilter", "insights"}};
  test::WindowDriver driver;
  MainWindow& window = driver.window();
  const auto filterOf = [&window](const Filter& filter) {
    return window.place(filter.place)->findChild<QLineEdit*>(QLatin1String(filter.name));
  };
  const auto rowsOf = [&window](const Filter& filter) {
    return window.place(filter.place)->findChild<QAbstractItemView*>(QLatin1String(filter.list))->model()->rowCount();
  };
  QVERIFY(driver.openAndWait(shopDump()));
  QTRY_VERIFY_WITH_TIMEOUT(window.bridge().isAtRest(), kMainWindowPatience);
  for (const Filter& filter : kFilters) {
    QVERIFY2(driver.show(filter.place), filter.name);
    QVERIFY2(filterOf(filter), filter.name);
    filterOf(filter)->setText(QStringLiteral("nothing is called so"));
    QTRY_COMPARE_WITH_TIMEOUT(rowsOf(filter), 0, kMainWindowPatience);
  }
  QVERIFY(driver.openAndWait(test::dataFile(QStringLiteral("shop-8.core.zst"))));
  for (const Filter& filter : kFilters) {
    QVERIFY2(driver.show(filter.place), filter.name);
    QTRY_VERIFY2_WITH_TIMEOUT(rowsOf(filter) > 0, filter.name, kMainWindowPatience);
    QCOMPARE(filterOf(filter)->text(), QString());
    QTRY_VERIFY_WITH_TIMEOUT(window.bridge().isAtRest(), kMainWindowPatience);
    QVERIFY2(!test::isLoading(*window.place(filter.place)), filter.name);
  }
  filterOf(kFilters[0])->setText(QStringLiteral("shop.order"));
  QTRY_VERIFY_WITH_TIMEOUT(rowsOf(kFilters[0]) > 0 && rowsOf(kFilters[0]) < 20, kMainWindowPatience);
  QVERIFY(driver.openAndWait(shopDump()));
  QTRY_VERIFY_WITH_TIMEOUT(rowsOf(kFilters[0]) > 0, kMainWindowPatience);
  QCOMPARE(filterOf(kFilters[0])->text(), QStringLiteral("shop.order"));
}

HEAPSCAPE_WINDOW_TEST(MainWindowTest)

}  // namespace heapscape::gui

#include "tst_main_window.moc"
