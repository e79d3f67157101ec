// SPDX-License-Identifier: MIT
// What is around the places: actions and their keys, the drawer, how small the window may be, what pops up.
#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <memory>
#include <set>

#include "app/go_to/go_to_box.h"
#include "app/go_to/go_to_popup.h"
#include "app/inspector/inspector.h"
#include "app/inspector/inspector_drawer.h"
#include "app/page_stack.h"
#include "app/place_bar.h"
#include "app/place_info.h"
#include "app/window_actions.h"
#include "session/objects/object_query.h"
#include "shell/opened_bridge.h"
#include "support/window_driver.h"
#include "support/window_test.h"
#include "views/review/review_place.h"
#include "widgets/fact_list.h"
#include "widgets/popup.h"
#include "widgets/tab_order.h"

namespace heapscape::gui {

class ShellTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void onlyTheStartPageIsMadeBeforeTheFirstPaint();
  void aPlaceThatIsNeededAtOnceIsMade();
  void menusPaletteAndSheetHaveTheSameActions();
  void noTwoActionsShareAKey();
  void commandsOfThePaletteAreAboutWhatHadTheFocus();
  void commandsThatCannotBeUsedSaySo();
  void f11FillsTheScreenAndGivesItBack();
  void theDrawerComesWithASelectionAndGoesWithoutOne();
  void theDrawerWaitsForASecondClick();
  void theDrawerStaysClosedUntilItIsAskedFor();
  void everyPlaceFitsASmallWindow_data();
  void everyPlaceFitsASmallWindow();
  void noButtonIsCutInASmallWindow_data() { everyPlaceFitsASmallWindow_data(); }
  void noButtonIsCutInASmallWindow();
  void placesShowIconsAloneInANarrowWindow();
  void tabReachesEveryPartAndComesBack_data() { everyPlaceFitsASmallWindow_data(); }
  void tabReachesEveryPartAndComesBack();
  void tabGoesAsOneReadsAndOutlivesWhatItMarks();
  void popupsStandBesideTheirLine();
  void theGoToPopupHasAnEdgeAndAShadowAndEnds();
  void cleanupTestCase() { m_opened.reset(); }

 private:
  /// The same for all rows of a test: opening it anew for each would take most of the time.
  MainWindow& openedWindow();

  std::unique_ptr<test::WindowDriver> m_opened;
};

namespace {

constexpr QSize kSmall(900, 600);

Selection someObject(MainWindow& window) {
  const auto object = engine::listObjects(*window.bridge().snapshot(), {}, 1000, 1).at(0);
  return {.object = object.address, .methodTable = {}, .segment = object.segment};
}

QList<QAction*> actionsOfMenus(const QMenuBar& bar) {
  QList<QAction*> actions;
  for (const QAction* menu : bar.actions()) {
    for (QAction* action : menu->menu()->actions()) {
      if (!action->isSeparator() && !action->menu()) actions << action;
    }
  }
  return actions;
}

// From a page down to what needs most of the room in it, for those who read of a failure.
QString neediest(const QWidget& page) {
  QString way;
  for (const QWidget* part = &page; part;) {
    const QWidget* most = nullptr;
    for (const QWidget* child : part->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
      const int width = std::max(child->minimumSizeHint().width(), child->minimumWidth());
      if (!child->isHidden() && (!most || width > std::max(most->minimumSizeHint().width(), most->minimumWidth())))
        most = child;
    }
    if (most) {
      way += QStringLiteral(" > %1 %2 (%3 x %4)")
                 .arg(QLatin1String(most->metaObject()->className()), most->objectName())
                 .arg(most->minimumSizeHint().width())
                 .arg(most->minimumSizeHint().height());
    }
    part = most;
  }
  return way;
}

// What is written on the buttons of a page that have less room than they need, or lie beyond an edge of what they are
// part of.
QStringList cutButtons(const QWidget& page) {
  QStringList cut;
  for (const QAbstractButton* button : page.findChildren<QAbstractButton*>()) {
    if (!button->isVisible() || button->text().isEmpty()) continue;
    const QWidget* around = button->parentWidget();
    const bool isBeyond = button->geometry().right() >= around->width();
    if (button->width() < button->minimumSizeHint().width() || isBeyond) cut << button->text();
  }
  return cut;
}

}  // namespace

MainWindow& ShellTest::openedWindow() {
  if (!m_opened) {
    m_opened = std::make_unique<test::WindowDriver>();
    m_opened->openAndWait(smallDump());
  }
  return m_opened->window();
}

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
  QTRY_VERIFY(test::shows(driver.window(), QStringLiteral("Pinned to review · page 1")));
  QVERIFY(!box->popup()->isVisible());
}

void ShellTest::commandsThatCannotBeUsedSaySo() {
  test::WindowDriver driver;
  GoToBox* box = driver.window().goToBox();
  box->beginCommand();
  QTest::keyClicks(box, QStringLiteral("threads"));
  QCOMPARE(box->popup()->entries().size(), std::size_t{1});
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

void ShellTest::theDrawerComesWithASelectionAndGoesWithoutOne() {
  test::WindowDriver driver;
  MainWindow& window = driver.window();
  QVERIFY(!window.drawer()->isVisible());
  QVERIFY(driver.openAndWait(smallDump()));
  QVERIFY(driver.show(PlaceId::Types));
  QVERIFY(!window.drawer()->isVisible());
  window.navigator().select(someObject(window));
  QTRY_VERIFY(window.drawer()->isVisible());
  QTRY_VERIFY(test::shows(*window.inspector(), QStringLiteral("Its type")));
  QVERIFY(driver.show(PlaceId::Object));
  QVERIFY2(!window.drawer()->isVisible(), "the object's own page tells it all");
  QVERIFY(driver.show(PlaceId::Segments));
  QVERIFY(window.drawer()->isVisible());
  window.navigator().select({});
  QVERIFY(!window.drawer()->isVisible());
  window.navigator().select(someObject(window));
  QVERIFY(window.drawer()->isVisible());
  window.actions().close->trigger();
  QVERIFY(!window.drawer()->isVisible());
}

void ShellTest::theDrawerWaitsForASecondClick() {
  test::WindowDriver driver;
  MainWindow& window = driver.window();
  QVERIFY(driver.openAndWait(smallDump()));
  QVERIFY(driver.show(PlaceId::Types));
  QTest::mousePress(window.place(PlaceId::Types), Qt::LeftButton);
  window.navigator().select(someObject(window));
  QVERIFY(!window.drawer()->isVisible());
  QTest::mouseRelease(window.place(PlaceId::Types), Qt::LeftButton);
  QTRY_VERIFY(window.drawer()->isVisible());
}

void ShellTest::theDrawerStaysClosedUntilItIsAskedFor() {
  test::WindowDriver driver;
  MainWindow& window = driver.window();
  QVERIFY(driver.openAndWait(smallDump()));
  QVERIFY(driver.show(PlaceId::Types));
  window.navigator().select(someObject(window));
  QTRY_VERIFY(window.drawer()->isVisible());
  auto* cross = window.drawer()->findChild<QToolButton*>(QStringLiteral("closeInspector"));
  QTest::mouseClick(cross, Qt::LeftButton);
  QVERIFY(!window.drawer()->isVisible());
  QVERIFY(!window.settings().isInspectorShown);
  window.navigator().select({});
  window.navigator().select(someObject(window));
  QTest::qWait(QApplication::doubleClickInterval() + 50);
  QVERIFY(!window.drawer()->isVisible());
  QTest::keyClick(&window, Qt::Key_I, Qt::ControlModifier);
  QTRY_VERIFY(window.drawer()->isVisible());
}

void ShellTest::everyPlaceFitsASmallWindow_data() {
  QTest::addColumn<PlaceId>("place");
  for (const QString& name : placeNames()) QTest::newRow(qPrintable(name)) << *placeByName(name);
}

void ShellTest::everyPlaceFitsASmallWindow() {
  QFETCH(PlaceId, place);
  MainWindow& window = openedWindow();
  window.resize(kSmall);
  QVERIFY(m_opened->show(place));
  window.navigator().select(someObject(window));
  QTRY_COMPARE(window.drawer()->isVisible(),
               place != PlaceId::Object && place != PlaceId::Start && place != PlaceId::Review);
  QVERIFY(test::isLoading(window) || QTest::qWaitFor([&] { return window.bridge().isAtRest(); }, test::kPatienceMs));
  window.resize(kSmall);
  QCOMPARE(window.size(), kSmall);
  QVERIFY(window.minimumSizeHint().width() <= kSmall.width());
  QVERIFY(window.minimumSizeHint().height() <= kSmall.height());
  // Nothing of the place has to be scrolled to be found.
  const auto* page = window.findChild<PageStack*>();
  const auto* frame = qobject_cast<QScrollArea*>(page->currentWidget());
  const auto words = [](QSize size) { return QStringLiteral("%1 x %2").arg(size.width()).arg(size.height()); };
  const QSize needed = frame->widget()->minimumSizeHint();
  const QSize room = frame->maximumViewportSize();
  QVERIFY2(
      needed.width() <= room.width() && needed.height() <= room.height(),
      qPrintable(QStringLiteral("needs %1, has %2:%3").arg(words(needed), words(room), neediest(*frame->widget()))));
  for (const QScrollBar* bar : {frame->horizontalScrollBar(), frame->verticalScrollBar()}) QVERIFY(!bar->isVisible());
}

void ShellTest::noButtonIsCutInASmallWindow() {
  QFETCH(PlaceId, place);
  MainWindow& window = openedWindow();
  window.resize(kSmall);
  QVERIFY(m_opened->show(place));
  window.navigator().select(someObject(window));
  QVERIFY(QTest::qWaitFor([&] { return window.bridge().isAtRest(); }, test::kPatienceMs));
  QWidget& page = *window.place(place);
  const QList<QTabWidget*> all = page.findChildren<QTabWidget*>();
  QTabWidget* tabs = all.isEmpty() ? nullptr : all.front();
  for (int tab = 0; tab < (tabs ? tabs->count() : 1); ++tab) {
    if (tabs && !tabs->isTabVisible(tab)) continue;
    if (tabs) tabs->setCurrentIndex(tab);
    QVERIFY(QTest::qWaitFor([&] { return window.bridge().isAtRest(); }, test::kPatienceMs));
    QTest::qWait(100);  // what came is laid out
    const QStringList cut = cutButtons(page);
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QStringLiteral(", "))));
  }
  if (tabs) tabs->setCurrentIndex(0);
}

void ShellTest::placesShowIconsAloneInANarrowWindow() {
  test::WindowDriver driver;
  MainWindow& window = driver.window();
  const auto buttonOf = [&](PlaceId place) {
    const QList<QToolButton*> buttons = window.findChildren<QToolButton*>();
    return *std::ranges::find_if(buttons, [&](const QToolButton* button) {
      return button->defaultAction() == window.actions().places.at(place);
    });
  };
  const int wide = buttonOf(PlaceId::Types)->width();
  window.resize(kSmall);
  QTRY_VERIFY(buttonOf(PlaceId::Types)->width() < wide / 2);
  QVERIFY(buttonOf(PlaceId::Types)->toolTip().startsWith(QStringLiteral("Types")));
  for (const QString& place : placeNames()) {
    const QToolButton* button = buttonOf(*placeByName(place));
    QVERIFY2(button->mapTo(&window, QPoint(0, button->height())).y() <= kSmall.height(), qPrintable(place));
    QVERIFY(button->height() >= 24);
  }
  window.resize(1440, 900);
  QTRY_COMPARE(buttonOf(PlaceId::Types)->width(), wide);
}

void ShellTest::tabReachesEveryPartAndComesBack() {
  QFETCH(PlaceId, place);
  MainWindow& window = openedWindow();
  window.resize(1440, 900);
  QVERIFY(m_opened->show(place));
  window.navigator().select(someObject(window));
  QTRY_VERIFY(window.bridge().isAtRest());
  window.goToBox()->begin();
  std::set<const QWidget*> met;
  for (int step = 0; step < 200; ++step) {
    QTest::keyClick(window.focusWidget(), Qt::Key_Tab);
    const QWidget* focused = window.focusWidget();
    QVERIFY(focused && focused->isVisible());
    QVERIFY2(met.insert(focused).second,
             qPrintable(QStringLiteral("met twice: %1 %2")
                            .arg(QLatin1String(focused->metaObject()->className()), focused->objectName())));
    const auto* mark = window.findChild<FocusMark*>();
    QVERIFY(mark->isVisible());
    QVERIFY(mark->geometry().contains(QRect(focused->mapTo(&window, QPoint(0, 0)), focused->size())));
    if (focused == window.goToBox()) break;
  }
  QCOMPARE(window.focusWidget(), window.goToBox());
  const auto wasIn = [&](const QWidget* part) {
    return std::ranges::any_of(met, [&](const QWidget* widget) { return part->isAncestorOf(widget); });
  };
  QVERIFY(wasIn(window.place(place)));
  QVERIFY(wasIn(window.findChild<PlaceBar*>()));
  if (window.drawer()->isVisible()) QVERIFY(wasIn(window.drawer()));
  // And back the same way.
  QTest::keyClick(window.goToBox(), Qt::Key_Backtab);
  QVERIFY(met.contains(window.focusWidget()));
  QTest::keyClick(window.focusWidget(), Qt::Key_Tab);
  QCOMPARE(window.focusWidget(), window.goToBox());
}

void ShellTest::tabGoesAsOneReadsAndOutlivesWhatItMarks() {
  test::dressApplication();
  QWidget window;
  window.resize(400, 300);
  QWidget left(&window);
  left.setGeometry(0, 40, 200, 260);
  const auto addButton = [](QWidget* parent, const QRect& place) {
    auto* button = new QPushButton(parent);
    button->setGeometry(place);
    return button;
  };
  // Made in another order than they are read in.
  QPushButton* right = addButton(&window, QRect(210, 50, 80, 24));
  QPushButton* lower = addButton(&left, QRect(10, 100, 80, 24));
  QPushButton* upper = addButton(&left, QRect(10, 10, 80, 24));
  QPushButton* top = addButton(&window, QRect(300, 4, 80, 24));
  lower->parentWidget()->setFocusProxy(lower);  // a part that stands for one of its own is not met twice
  FocusMark mark(&window);
  window.show();
  QCOMPARE(tabOrder(window), (std::vector<QWidget*>{top, upper, lower, right}));
  top->setFocus();
  QVERIFY(mark.move(true));
  QCOMPARE(window.focusWidget(), upper);
  QVERIFY(mark.isVisible());
  delete upper;
  QVERIFY(!mark.isVisible());
  QVERIFY(mark.move(true));
  right->setEnabled(false);
  QCOMPARE(tabOrder(window), (std::vector<QWidget*>{top, lower}));
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
