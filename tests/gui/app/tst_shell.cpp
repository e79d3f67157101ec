// SPDX-License-Identifier: MIT
// What is around the places: actions and their keys, the drawer, what pops up.
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>
#include <set>

#include "app/go_to/go_to_box.h"
#include "app/inspector/inspector.h"
#include "app/inspector/inspector_drawer.h"
#include "app/inspector/stack_holders_part.h"
#include "app/place_window.h"
#include "app/window_actions.h"
#include "support/opened_bridge.h"
#include "support/window_driver.h"
#include "support/window_test.h"
#include "views/review/review_place.h"
#include "widgets/bar_row.h"
#include "widgets/fact_list.h"
#include "widgets/popup.h"
#include "widgets/text/elided_text.h"

namespace heapscape::gui {

class ShellTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void onlyTheStartPageIsMadeBeforeTheFirstPaint();
  void aPlaceThatIsNeededAtOnceIsMade();
  void aPlaceThatIsMadeLateHearsOfAllStages();
  void menusPaletteAndSheetHaveTheSameActions();
  void noTwoActionsShareAKey();
  void commandsOfThePaletteAreAboutWhatHadTheFocus();
  void commandsThatCannotBeUsedSaySo();
  void f11FillsTheScreenAndGivesItBack();
  void theDrawerIsThereBeforeAnythingIsPicked();
  void theDrawerStaysClosedUntilItIsAskedFor();
  void valuesOfOneLineFactsKeepRoomBesideLongLabels();
  void aFrameThatHasAnObjectTwiceIsOneLine();
  void popupsStandBesideTheirLine();
  void theGoToPopupHasAnEdgeAndAShadowAndEnds();
};

namespace {

QList<QAction*> actionsOfMenus(const QMenuBar& bar) {
  QList<QAction*> actions;
  for (const QAction* menu : bar.actions()) {
    for (QAction* action : menu->menu()->actions()) {
      if (!action->isSeparator() && !action->menu()) actions << action;
    }
  }
  return actions;
}

}  // namespace

// All other places together take three times as long as what is shown first.
void ShellTest::onlyTheStartPageIsMadeBeforeTheFirstPaint() {
  test::dressApplication();
  Settings settings;
  DesktopScheme scheme;
  MainWindow window(settings, scheme);
  QCOMPARE(window.findChildren<Place*>().size(), 1);
  window.show();
  const qsizetype withAssembly = static_cast<qsizetype>(allPlaces().size()) + 1;
  QTRY_COMPARE(window.findChildren<Place*>().size(), withAssembly);
  for (const PlaceId place : allPlaces()) QCOMPARE(window.place(place)->title(), placeTitle(place));
}

void ShellTest::aPlaceThatIsNeededAtOnceIsMade() {
  test::dressApplication();
  Settings settings;
  DesktopScheme scheme;
  MainWindow window(settings, scheme);
  window.navigator().goTo(PlaceId::Review);
  QVERIFY(!window.review()->isHidden());
  QCOMPARE(window.place(PlaceId::Types)->id(), PlaceId::Types);
}

// The window that is not shown makes none by itself: a dump that arrives early finds few.
void ShellTest::aPlaceThatIsMadeLateHearsOfAllStages() {
  test::dressApplication();
  Settings settings;
  DesktopScheme scheme;
  MainWindow window(settings, scheme);
  QSignalSpy settled(&window, &MainWindow::settled);
  window.open(smallDump());
  QVERIFY(settled.wait(test::kPatienceMs));
  QVERIFY2(window.findChildren<Place*>().size() < static_cast<qsizetype>(allPlaces().size()) / 2,
           "what is not needed yet keeps no frame waiting");
  QVERIFY(!window.findChild<QTreeView*>(QStringLiteral("rootTree")));
  window.show();  // lists are read once they are seen
  window.navigator().goTo(PlaceId::Roots);
  auto* roots = window.findChild<QTreeView*>(QStringLiteral("rootTree"));
  QVERIFY(roots);
  QTRY_VERIFY_WITH_TIMEOUT(roots->model()->rowCount() > 0, test::kPatienceMs);
  // In a window of its own, too, a place has what came with earlier stages.
  window.navigator().goTo(PlaceId::Overview);
  PlaceWindow beside(PlaceId::Overview, window.bridge(), window.navigator(), &window);
  QTRY_VERIFY_WITH_TIMEOUT(beside.findChild<BarRow*>(QStringLiteral("activity0")), test::kPatienceMs);
}

void ShellTest::menusPaletteAndSheetHaveTheSameActions() {
  test::WindowDriver driver;
  MainWindow& window = driver.window();
  const QList<QAction*> inMenus = actionsOfMenus(*window.menuBar());
  QCOMPARE(inMenus, window.actions().all());
  window.actions().commands->trigger();
  const GoToBox& box = *window.goToBox();
  QVERIFY(box.popup()->isVisible());
  QCOMPARE(box.popup()->entries().size(), static_cast<std::size_t>(inMenus.size()));

  window.actions().shortcuts->trigger();
  auto* sheet = window.findChild<QDialog*>(QStringLiteral("shortcutSheet"));
  QVERIFY(sheet && sheet->isVisible());
  std::set<std::pair<QString, QString>> told;
  for (const FactList* list : sheet->findChildren<FactList*>()) {
    for (const Fact& fact : list->facts()) told.emplace(fact.label, fact.value);
  }
  for (const QAction* action : inMenus) {
    if (action->shortcut().isEmpty()) continue;
    const QString first = action->shortcut().toString(QKeySequence::NativeText);
    QVERIFY2(
        std::ranges::any_of(
            told, [&](const auto& line) { return line.first == plainText(*action) && line.second.startsWith(first); }),
        qPrintable(action->text()));
  }
  sheet->close();
}

void ShellTest::noTwoActionsShareAKey() {
  test::WindowDriver driver;
  std::set<QString> keys;
  for (const QAction* action : driver.window().actions().all()) {
    for (const QKeySequence& key : action->shortcuts()) {
      QVERIFY2(keys.insert(key.toString()).second, qPrintable(action->text() + key.toString()));
    }
  }
  QVERIFY(keys.size() > 25);
}

void ShellTest::commandsOfThePaletteAreAboutWhatHadTheFocus() {
  const QTemporaryDir folder;
  const QString dump = folder.filePath(QStringLiteral("pinned.core.zst"));  // its review is kept beside it
  QVERIFY(QFile::copy(smallDump(), dump));
  test::WindowDriver driver;
  QVERIFY(driver.openAndWait(dump));
  QVERIFY(driver.show(PlaceId::Types));
  auto* table = driver.window().place(PlaceId::Types)->findChild<QAbstractItemView*>(QStringLiteral("typeTable"));
  QVERIFY(table);
  table->setFocus();
  QTest::keyClick(&driver.window(), Qt::Key_K, Qt::ControlModifier);
  GoToBox* box = driver.window().goToBox();
  QVERIFY(box->hasFocus());
  QTest::keyClicks(box, QStringLiteral("pin to"));
  QTest::keyClick(box, Qt::Key_Return);
  QVERIFY(table->hasFocus());
  QTRY_VERIFY(test::shows(driver.window(), QStringLiteral("Pinned to review · page 2")));
  QVERIFY(!box->popup()->isVisible());
}

void ShellTest::commandsThatCannotBeUsedSaySo() {
  test::WindowDriver driver;
  GoToBox* box = driver.window().goToBox();
  box->beginCommand();
  QTest::keyClicks(box, QStringLiteral("threads"));
  QVERIFY(!box->popup()->entries().empty());
  QCOMPARE(box->popup()->entries()[0].detail, QStringLiteral("not now"));
  QTest::keyClick(box, Qt::Key_Return);
  QCOMPARE(driver.window().navigator().location().place, PlaceId::Start);
}

void ShellTest::f11FillsTheScreenAndGivesItBack() {
  test::WindowDriver driver;
  QTest::keyClick(&driver.window(), Qt::Key_F11);
  QTRY_VERIFY(driver.window().isFullScreen());
  QVERIFY(driver.window().actions().fullScreen->isChecked());
  QTest::keyClick(&driver.window(), Qt::Key_F11);
  QTRY_VERIFY(!driver.window().isFullScreen());
  QVERIFY(!driver.window().actions().fullScreen->isChecked());
}

void ShellTest::theDrawerIsThereBeforeAnythingIsPicked() {
  test::WindowDriver driver;
  MainWindow& window = driver.window();
  QVERIFY(!window.drawer()->isVisible());
  QVERIFY(driver.openAndWait(smallDump()));
  QVERIFY(driver.show(PlaceId::Types));
  QVERIFY(window.drawer()->isVisible());
  window.navigator().select({});
  QTRY_VERIFY(test::shows(*window.inspector(), QStringLiteral("Nothing picked")));
  const QRect place = window.place(PlaceId::Types)->geometry();
  const int width = window.drawer()->width();
  window.navigator().select(driver.someObject());
  QTRY_VERIFY(test::shows(*window.inspector(), QStringLiteral("Its type")));
  QCOMPARE(window.drawer()->width(), width);
  QCOMPARE(window.place(PlaceId::Types)->geometry(), place);  // nothing moves under the pointer
  QVERIFY(driver.show(PlaceId::Object));
  QVERIFY2(!window.drawer()->isVisible(), "the object's own page tells it all");
  QVERIFY(driver.show(PlaceId::Segments));
  QVERIFY(window.drawer()->isVisible());
  window.actions().close->trigger();
  QVERIFY(!window.drawer()->isVisible());
}

void ShellTest::theDrawerStaysClosedUntilItIsAskedFor() {
  test::WindowDriver driver;
  MainWindow& window = driver.window();
  QVERIFY(driver.openAndWait(smallDump()));
  QVERIFY(driver.show(PlaceId::Types));
  window.navigator().select(driver.someObject());
  QTRY_VERIFY(window.drawer()->isVisible());
  auto* cross = window.drawer()->findChild<QToolButton*>(QStringLiteral("closeInspector"));
  QTest::mouseClick(cross, Qt::LeftButton);
  QVERIFY(!window.drawer()->isVisible());
  QVERIFY(!window.settings().isInspectorShown);
  window.navigator().select({});
  window.navigator().select(driver.someObject());
  QTest::qWait(QApplication::doubleClickInterval() + 50);
  QVERIFY(!window.drawer()->isVisible());
  QTest::keyClick(&window, Qt::Key_I, Qt::ControlModifier);
  QTRY_VERIFY(window.drawer()->isVisible());
}

void ShellTest::valuesOfOneLineFactsKeepRoomBesideLongLabels() {
  test::dressApplication();
  FactList facts;
  facts.setOneLineEach();
  const QString type = QStringLiteral("DbContextDependencies");
  facts.setFacts({{.label = QStringLiteral("_dbContextDependencies"), .value = type, .figure = QStringLiteral("136 B")},
                  {.label = QStringLiteral("_configurationSnapshot"), .value = QStringLiteral("null")}});
  facts.resize(230, 60);
  facts.show();
  const auto widthOf = [&](const QString& text) {
    for (const ElidedText* part : facts.findChildren<ElidedText*>())
      if (part->text() == text) return part->width();
    return 0;
  };
  QTRY_VERIFY(widthOf(type) >= 8 * facts.fontMetrics().averageCharWidth());
  // Short values need no more than they are.
  facts.setFacts({{.label = QStringLiteral("_configurationSnapshot"), .value = QStringLiteral("null")}});
  QTRY_VERIFY(widthOf(QStringLiteral("_configurationSnapshot")) >=
              facts.fontMetrics().horizontalAdvance(QStringLiteral("_configurationSnapshot")));
}

void ShellTest::aFrameThatHasAnObjectTwiceIsOneLine() {
  engine::StackHolder holder{};
  holder.thread = {0x1000};
  holder.managedId = 1;
  holder.type = "Shop.Program";
  holder.method = "Main";
  holder.place = "rsp+0x28";
  engine::StackHolder second = holder;
  second.place = "rsp+0xa0";
  const std::vector<StackHolderLine> lines = stackHolderLines({holder, second});
  QCOMPARE(lines.size(), std::size_t{1});
  QCOMPARE(lines[0].text, QStringLiteral("Program.Main, thread 1"));
  QVERIFY(lines[0].tip.contains(QStringLiteral("rsp+0x28")) && lines[0].tip.contains(QStringLiteral("rsp+0xa0")));
  second.thread = {0x2000};
  QCOMPARE(stackHolderLines({holder, second}).size(), std::size_t{2});
}

void ShellTest::popupsStandBesideTheirLine() {
  const QSize window(900, 600);
  const QRect high(100, 40, 300, 28);
  const QRect below = popupPlace(high, QSize(400, 300), window);
  QCOMPARE(below.size(), QSize(400, 300));
  QVERIFY(below.top() > high.bottom());
  const QRect low(700, 520, 190, 28);
  const QRect above = popupPlace(low, QSize(400, 300), window);
  QCOMPARE(above.size(), QSize(400, 300));
  QVERIFY(above.bottom() < low.top());
  QVERIFY(above.right() < 900);
  const QRect middle(10, 280, 300, 28);
  QVERIFY(!popupPlace(middle, QSize(1200, 800), window).intersects(middle));
  QVERIFY(QRect(QPoint(0, 0), window).contains(popupPlace(middle, QSize(1200, 800), window)));
}

void ShellTest::theGoToPopupHasAnEdgeAndAShadowAndEnds() {
  test::WindowDriver driver;
  MainWindow& window = driver.window();
  QVERIFY(driver.openAndWait(smallDump()));
  GoToBox* box = window.goToBox();
  box->begin();
  QTest::keyClicks(box, QStringLiteral("Catalog"));
  QTRY_VERIFY(box->popup()->isVisible());
  QVERIFY(box->popup()->frameWidth() > 0);
  const QRect popup = box->popup()->geometry();
  QVERIFY(!popup.intersects(QRect(box->mapTo(&window, QPoint(0, 0)), box->size())));
  const QImage shown = window.grab().toImage();
  QTest::keyClick(box, Qt::Key_Escape);
  QVERIFY(!box->popup()->isVisible());
  const QImage plain = window.grab().toImage();
  // Just below it, the ground is darker while it is shown.
  const QPoint beside(popup.center().x(), popup.bottom() + 3);
  QVERIFY(shown.pixelColor(beside).lightness() < plain.pixelColor(beside).lightness());
  QVERIFY(shown.pixelColor(popup.topLeft()) != plain.pixelColor(popup.topLeft()));

  QTest::keyClicks(box, QStringLiteral("?size > 1 KB"));
  box->clear();
  QTest::keyClicks(box, QStringLiteral("?size > 1 KB"));
  QTest::keyClick(box, Qt::Key_Return);
  QTRY_COMPARE(window.navigator().location().typesPage, TypesPage::Objects);
  QTest::qWait(200);
  QVERIFY(!box->popup()->isVisible());
  QVERIFY(!box->hasFocus());
}

HEAPSCAPE_WINDOW_TEST(ShellTest)

}  // namespace heapscape::gui

#include "tst_shell.moc"
