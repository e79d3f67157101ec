// SPDX-License-Identifier: MIT
#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "app/guide/guide_bar.h"
#include "app/guide/guided_questions.h"
#include "app/inspector/inspector.h"
#include "app/inspector/inspector_drawer.h"
#include "app/place_info.h"
#include "app/window_actions.h"
#include "support/opened_bridge.h"
#include "support/window_driver.h"
#include "support/window_test.h"
#include "widgets/tab_order.h"

namespace heapscape::gui {

/// The guided questions in the real window, on the sample.
class GuideTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void leadsToEveryPartThatItNames_data();
  void leadsToEveryPartThatItNames();
  void goesOnWhenAStepIsDone();
  void goesBack();
  void endsWithTheSample();
  void everyPlaceSaysWhatItShows();

 private:
  static QLabel* label(const MainWindow& window, const char* name) {
    return window.guide()->findChild<QLabel*>(QString::fromLatin1(name));
  }
  static QPushButton* button(const MainWindow& window, const char* name) {
    return window.findChild<QPushButton*>(QString::fromLatin1(name));
  }
  /// Begins a question as on the start page, and waits until its first step is there.
  static bool begin(MainWindow& window, std::size_t question) {
    button(window, qPrintable(QStringLiteral("guide%1").arg(question)))->click();
    return QTest::qWaitFor([&] { return window.guide()->isVisible() && window.bridge().isAtRest(); },
                           test::kPatienceMs);
  }
  static bool isMarked(const MainWindow& window, const QString& part) {
    const auto parts = window.findChildren<QWidget*>(part);
    const auto marks = window.findChildren<PartMark*>();
    for (const PartMark* mark : marks) {
      if (!mark->isVisible() || qobject_cast<const FocusMark*>(mark)) continue;
      for (const QWidget* each : parts) {
        const QRect whole(each->mapTo(&window, QPoint(0, 0)), each->size());
        if (each->isVisible() && whole.adjusted(-1, -1, 1, 1).contains(mark->geometry())) return true;
      }
    }
    return false;
  }
};

void GuideTest::leadsToEveryPartThatItNames_data() {
  QTest::addColumn<std::size_t>("question");
  for (std::size_t i = 0; i < guidedQuestions().size(); ++i)
    QTest::addRow("%s", qPrintable(guidedQuestions()[i].title)) << i;
}

void GuideTest::leadsToEveryPartThatItNames() {
  QFETCH(const std::size_t, question);
  const GuidedQuestion& asked = guidedQuestions()[question];
  QCOMPARE(asked.steps.size(), std::size_t{5});
  test::WindowDriver driver;
  MainWindow& window = driver.window();
  QVERIFY(begin(window, question));
  for (std::size_t i = 0; i < asked.steps.size(); ++i) {
    const GuideStep& step = asked.steps[i];
    QCOMPARE(window.guide()->step(), i);
    QCOMPARE(label(window, "guideText")->text(), step.text);
    QCOMPARE(label(window, "guideCount")->text(), QStringLiteral("Step %1 of 5").arg(i + 1));
    QTRY_COMPARE(window.navigator().location().place, step.where.place);
    if (!step.picked.isEmpty()) {
      const auto picked = [&] { return window.navigator().location().selection; };
      QTRY_VERIFY2(step.isTypePicked ? bool(picked().methodTable) : bool(picked().object), qPrintable(step.picked));
    }
    QTRY_VERIFY2(isMarked(window, step.part), qPrintable(step.part));
    button(window, "guideNext")->click();
  }
  QCOMPARE(label(window, "guideText")->text(), asked.answer);
  button(window, "guideNext")->click();
  if (question + 1 == guidedQuestions().size()) {
    QVERIFY(!window.guide()->isVisible());
  } else {
    QCOMPARE(window.guide()->question(), std::optional(question + 1));
    QCOMPARE(label(window, "guideTitle")->text(), guidedQuestions()[question + 1].title);
  }
}

void GuideTest::goesOnWhenAStepIsDone() {
  test::WindowDriver driver;
  MainWindow& window = driver.window();
  QVERIFY(begin(window, 0));
  button(window, "guideNext")->click();
  QCOMPARE(window.guide()->step(), std::size_t{1});
  window.navigator().goTo(PlaceId::Types);
  QCOMPARE(window.guide()->step(), std::size_t{1});
  window.actions().places.at(PlaceId::References)->trigger();
  QCOMPARE(window.guide()->step(), std::size_t{2});
  auto* start = window.findChild<QTableView*>(QStringLiteral("graphStart"));
  int row = -1;
  const auto find = [&] {
    for (int i = 0; i < start->model()->rowCount() && row < 0; ++i) {
      for (int column = 0; column < start->model()->columnCount(); ++column) {
        const QString text = start->model()->index(i, column).data().toString();
        if (text == QStringLiteral("Cache<String, Rendered>")) row = i;
      }
    }
    return row >= 0;
  };
  QVERIFY2(QTest::qWaitFor(find, test::kPatienceMs), "the step names a row that is there");
  QTest::mouseClick(start->viewport(), Qt::LeftButton, {}, start->visualRect(start->model()->index(row, 2)).center());
  QTRY_COMPARE(window.guide()->step(), std::size_t{3});
  QVERIFY(window.navigator().location().selection.object);
  button(window, "guideNext")->click();
  QTabBar* pages = window.findChild<QTabWidget*>(QStringLiteral("referencesPages"))->tabBar();
  QTest::mouseClick(pages, Qt::LeftButton, {}, pages->tabRect(3).center());
  QTRY_COMPARE(window.guide()->step(), std::size_t{5});
  QCOMPARE(label(window, "guideText")->text(), guidedQuestions()[0].answer);
}

void GuideTest::goesBack() {
  test::WindowDriver driver;
  MainWindow& window = driver.window();
  QVERIFY(begin(window, 2));
  QVERIFY(!button(window, "guideBack")->isVisible());
  button(window, "guideNext")->click();
  QVERIFY(button(window, "guideBack")->isVisible());
  window.navigator().goTo(PlaceId::Roots);
  button(window, "guideBack")->click();
  QCOMPARE(window.guide()->step(), std::size_t{0});
  QCOMPARE(window.navigator().location().place, PlaceId::Layouts);
}

void GuideTest::endsWithTheSample() {
  test::WindowDriver driver;
  MainWindow& window = driver.window();
  window.actions().guides.at(1)->trigger();
  QTRY_VERIFY(window.guide()->isVisible() && window.bridge().isAtRest());
  window.guide()->findChild<QToolButton*>(QStringLiteral("guideClose"))->click();
  QVERIFY(!window.guide()->isVisible());
  window.actions().guides.at(1)->trigger();
  QVERIFY(window.guide()->isVisible());  // the sample is open already
  window.actions().close->trigger();
  QVERIFY(!window.guide()->isVisible());
  QVERIFY(driver.openAndWait(smallDump()));
  QVERIFY2(!window.guide()->isVisible(), "it is about the sample");
}

void GuideTest::everyPlaceSaysWhatItShows() {
  test::WindowDriver driver;
  MainWindow& window = driver.window();
  QVERIFY(driver.openAndWait(smallDump()));
  for (const PlaceId place : allPlaces()) {
    const QString about = placeAbout(place);
    QVERIFY2(about.endsWith(QLatin1Char('.')), qPrintable(placeTitle(place)));
    QVERIFY(window.actions().places.at(place)->toolTip().contains(about));
    window.navigator().go({.place = place, .selection = {}, .scope = {}});
    if (!window.drawer()->isVisible()) continue;
    QTRY_VERIFY2(test::shows(*window.inspector(), about), qPrintable(placeTitle(place)));
  }
}

HEAPSCAPE_WINDOW_TEST(GuideTest)

}  // namespace heapscape::gui

#include "tst_guide.moc"
