// SPDX-License-Identifier: MIT
// How small the window may be, and whether the Tab key goes through every part of it.
#include <QAbstractButton>
#include <QApplication>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <functional>
#include <memory>
#include <set>

#include "app/bars.h"
#include "app/page_stack.h"
#include "app/place_info.h"
#include "app/window_actions.h"
#include "support/opened_bridge.h"
#include "support/window_driver.h"
#include "support/window_test.h"
#include "views/layouts/layout_panel.h"
#include "views/review/review_place.h"
#include "widgets/bar_row.h"
#include "widgets/figure_tile.h"
#include "widgets/layout_diagram/side_by_side_canvas.h"
#include "widgets/tab_order.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

class SmallWindowTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyPlaceFitsASmallWindow_data();
  void everyPlaceFitsASmallWindow();
  void noButtonIsCutInASmallWindow_data() { everyPlaceFitsASmallWindow_data(); }
  void noButtonIsCutInASmallWindow();
  void noWordsAreCutInASmallWindow_data() { everyPlaceFitsASmallWindow_data(); }
  void noWordsAreCutInASmallWindow();
  void cutsFitASmallWindow_data();
  void cutsFitASmallWindow();
  void listsKeepAFewRowsInASmallWindow();
  void aLayoutIsSeenInASmallWindow();
  void placesShowIconsAloneInANarrowWindow();
  void tabReachesEveryPartAndComesBack_data() { everyPlaceFitsASmallWindow_data(); }
  void tabReachesEveryPartAndComesBack();
  void tabGoesAsOneReadsAndOutlivesWhatItMarks();
  void cleanupTestCase() { m_opened.reset(); }

 private:
  /// The same for all rows of a test: opening it anew for each would take most of the time.
  MainWindow& openedWindow();
  /// Beside the inspector.
  void onEachTabInASmallWindow(PlaceId place, const std::function<void(QWidget& page)>& look);

  std::unique_ptr<test::WindowDriver> m_opened;
};

namespace {

constexpr QSize kSmall(900, 600);

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

// Room for that many rows, whether it has them or not.
int rowsSeen(const QAbstractItemView& list) {
  return list.viewport()->height() / tableRowHeight(list);
}

// Tabs that are scrolled out of sight, and lines that do not have the height that their width asks for.
QStringList cutWords(const QWidget& page) {
  QStringList cut;
  for (const QTabBar* bar : page.findChildren<QTabBar*>()) {
    if (!bar->isVisible()) continue;
    for (int tab = 0; tab < bar->count(); ++tab) {
      if (!QRect(QPoint(), bar->size()).contains(bar->tabRect(tab)) && bar->isTabVisible(tab)) cut << bar->tabText(tab);
    }
  }
  for (const QWidget* part : page.findChildren<QWidget*>()) {
    const bool isWords = qobject_cast<const FigureTile*>(part) || qobject_cast<const BarRow*>(part);
    if (isWords && part->isVisible() && part->height() < part->heightForWidth(part->width()))
      cut << part->accessibleName();
  }
  return cut;
}

}  // namespace

MainWindow& SmallWindowTest::openedWindow() {
  if (!m_opened) {
    m_opened = std::make_unique<test::WindowDriver>();
    m_opened->openAndWait(smallDump());
  }
  return m_opened->window();
}

void SmallWindowTest::everyPlaceFitsASmallWindow_data() {
  QTest::addColumn<PlaceId>("place");
  for (const QString& name : placeNames()) QTest::newRow(qPrintable(name)) << *placeByName(name);
}

void SmallWindowTest::everyPlaceFitsASmallWindow() {
  QFETCH(PlaceId, place);
  MainWindow& window = openedWindow();
  window.resize(kSmall);
  QVERIFY(m_opened->show(place));
  window.navigator().select(m_opened->someObject());
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

void SmallWindowTest::onEachTabInASmallWindow(PlaceId place, const std::function<void(QWidget& page)>& look) {
  MainWindow& window = openedWindow();
  window.resize(kSmall);
  QVERIFY(m_opened->show(place));
  window.navigator().select(m_opened->someObject());
  QVERIFY(QTest::qWaitFor([&] { return window.bridge().isAtRest(); }, test::kPatienceMs));
  QWidget& page = *window.place(place);
  const QList<QTabWidget*> all = page.findChildren<QTabWidget*>();
  QTabWidget* tabs = all.isEmpty() ? nullptr : all.front();
  for (int tab = 0; tab < (tabs ? tabs->count() : 1); ++tab) {
    if (tabs && !tabs->isTabVisible(tab)) continue;
    if (tabs) tabs->setCurrentIndex(tab);
    QVERIFY(QTest::qWaitFor([&] { return window.bridge().isAtRest(); }, test::kPatienceMs));
    QTest::qWait(100);  // what came is laid out
    look(page);
  }
  if (tabs) tabs->setCurrentIndex(0);
}

void SmallWindowTest::noButtonIsCutInASmallWindow() {
  QFETCH(PlaceId, place);
  onEachTabInASmallWindow(place, [](QWidget& page) {
    const QStringList cut = cutButtons(page);
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QStringLiteral(", "))));
  });
}

// What figures and advice say.
void SmallWindowTest::noWordsAreCutInASmallWindow() {
  QFETCH(PlaceId, place);
  onEachTabInASmallWindow(place, [](QWidget& page) {
    QTRY_VERIFY2(cutWords(page).isEmpty(), qPrintable(cutWords(page).join(QStringLiteral(", "))));
  });
}

void SmallWindowTest::cutsFitASmallWindow_data() {
  QTest::addColumn<ReferencesPage>("page");
  QTest::newRow("graph") << ReferencesPage::Graph;
  QTest::newRow("dominators") << ReferencesPage::Dominators;
  QTest::newRow("why alive") << ReferencesPage::WhyAlive;
  QTest::newRow("what if") << ReferencesPage::WhatIf;
}

// What is cut, what would go by type and by object, and the bar that says so.
void SmallWindowTest::cutsFitASmallWindow() {
  QFETCH(ReferencesPage, page);
  MainWindow& window = openedWindow();
  window.resize(kSmall);
  QVERIFY(m_opened->show(PlaceId::References));
  const Selection object = m_opened->someObject();
  window.navigator().cut(fromEngine(engine::toString(object.object)));
  window.navigator().showReferences(ReferencesPage::WhatIf, object);
  auto* parts = window.place(PlaceId::References)->findChild<QTabBar*>(QStringLiteral("whatIfParts"));
  QTRY_VERIFY_WITH_TIMEOUT(parts->isVisible(), test::kPatienceMs);
  window.navigator().showReferences(page, object);
  QTRY_VERIFY_WITH_TIMEOUT(window.bridge().isAtRest(), test::kPatienceMs);
  QTest::qWait(100);  // what came is laid out
  QCOMPARE(window.size(), kSmall);
  QVERIFY(window.drawer()->isVisible());
  const auto* frame = qobject_cast<QScrollArea*>(window.findChild<PageStack*>()->currentWidget());
  for (const QScrollBar* bar : {frame->horizontalScrollBar(), frame->verticalScrollBar()})
    QVERIFY2(!bar->isVisible(), qPrintable(neediest(*frame->widget())));
}

void SmallWindowTest::listsKeepAFewRowsInASmallWindow() {
  constexpr int kFew = 6;
  MainWindow& window = openedWindow();
  window.resize(kSmall);
  const Selection object = m_opened->someObject();
  QVERIFY(m_opened->show(PlaceId::Threads));
  window.navigator().select(object);
  QTRY_VERIFY_WITH_TIMEOUT(window.drawer()->isVisible(), test::kPatienceMs);
  const auto* threads = window.place(PlaceId::Threads)->findChild<QTableView*>(QStringLiteral("threads"));
  QTRY_VERIFY_WITH_TIMEOUT(threads->model()->rowCount() > 0, test::kPatienceMs);
  QTRY_VERIFY(rowsSeen(*threads) >= std::min(kFew, threads->model()->rowCount()));

  window.navigator().cut(fromEngine(engine::toString(object.object)));
  window.navigator().showReferences(ReferencesPage::WhatIf, object);
  const QWidget& references = *window.place(PlaceId::References);
  auto* parts = references.findChild<QTabBar*>(QStringLiteral("whatIfParts"));
  QTRY_VERIFY_WITH_TIMEOUT(parts->isVisible(), test::kPatienceMs);
  const QStringList names{QStringLiteral("cuts"), QStringLiteral("freedTypes"), QStringLiteral("freedObjects")};
  QCOMPARE(parts->count(), static_cast<int>(names.size()));
  for (int part = 0; part < parts->count(); ++part) {
    parts->setCurrentIndex(part);
    const auto* list = references.findChild<QTableView*>(names[part]);
    QTRY_VERIFY2_WITH_TIMEOUT(list->isVisible() && rowsSeen(*list) >= kFew, qPrintable(names[part]), test::kPatienceMs);
  }
  parts->setCurrentIndex(0);

  window.navigator().showObject(object.object);
  const QWidget& page = *window.place(PlaceId::Object);
  auto* sides = page.findChild<QTabBar*>(QStringLiteral("objectParts"));
  QTRY_VERIFY_WITH_TIMEOUT(sides->isVisible(), test::kPatienceMs);
  auto* bytes = page.findChild<QAbstractScrollArea*>(QStringLiteral("objectBytes"));
  QVERIFY(!bytes->isVisible());
  sides->setCurrentIndex(1);
  QTRY_VERIFY(bytes->isVisible() && bytes->viewport()->height() >= kFew * tableRowHeight(*bytes));
  sides->setCurrentIndex(0);
  // With more room nothing is hidden.
  window.resize(1440, 1000);
  QTRY_VERIFY(!sides->isVisible() && bytes->isVisible());
  window.resize(kSmall);
}

void SmallWindowTest::aLayoutIsSeenInASmallWindow() {
  MainWindow& window = openedWindow();
  window.resize(kSmall);
  QVERIFY(m_opened->show(PlaceId::Layouts));
  window.navigator().select(m_opened->someObject());
  const auto* diagram = window.place(PlaceId::Layouts)->findChild<LayoutPanel*>()->findChild<SideBySideDiagram*>();
  QTRY_VERIFY(diagram->isVisible() && !diagram->canvas()->columns().empty());
  QVERIFY(window.drawer()->isVisible());
  QTRY_VERIFY2(diagram->viewport()->height() >= 14 * diagram->fontMetrics().height(),
               qPrintable(QString::number(diagram->viewport()->height())));
}

void SmallWindowTest::placesShowIconsAloneInANarrowWindow() {
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

void SmallWindowTest::tabReachesEveryPartAndComesBack() {
  QFETCH(PlaceId, place);
  MainWindow& window = openedWindow();
  window.resize(1440, 900);
  QVERIFY(m_opened->show(place));
  window.navigator().select(m_opened->someObject());
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

void SmallWindowTest::tabGoesAsOneReadsAndOutlivesWhatItMarks() {
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

HEAPSCAPE_WINDOW_TEST(SmallWindowTest)

}  // namespace heapscape::gui

#include "tst_small_window.moc"
