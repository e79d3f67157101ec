// SPDX-License-Identifier: MIT
// What the window shows after finding out who holds what was stopped: nothing waits, and every place that lacks
// retained sizes offers to compute them.
#include <QAbstractItemView>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>
#include <algorithm>

#include "app/inspector/inspector.h"
#include "app/place_info.h"
#include "insight/insight.h"
#include "models/rows/header_columns.h"
#include "session/objects/object_query.h"
#include "support/dumps.h"
#include "support/window_driver.h"
#include "support/window_test.h"
#include "widgets/choice_bar.h"

namespace heapscape::gui {

namespace {

constexpr int kLackingRetainedPatience = 40'000;

QPushButton* offerIn(const QWidget& part) {
  const QStringList offers{QStringLiteral("Compute them"), QStringLiteral("Compute it now"),
                           QStringLiteral("Find out who holds what")};
  for (QPushButton* button : part.findChildren<QPushButton*>()) {
    if (button->isVisible() && offers.contains(button->text())) return button;
  }
  return nullptr;
}

QPushButton* buttonIn(const QWidget& part, const QString& text) {
  for (QPushButton* button : part.findChildren<QPushButton*>()) {
    if (button->isVisible() && button->text() == text) return button;
  }
  return nullptr;
}

/// The first cell that can be seen and says that something is still to come; empty for none.
QString waitingCell(const QWidget& part) {
  for (const QAbstractItemView* view : part.findChildren<QAbstractItemView*>()) {
    if (!view->isVisible() || !view->model()) continue;
    for (int row = 0; row < std::min(view->model()->rowCount(), 50); ++row) {
      for (const int column : shownColumns(*view)) {
        if (view->model()->index(row, column).data().toString() == QStringLiteral("…"))
          return QStringLiteral("%1 %2 %3").arg(view->objectName()).arg(row).arg(column);
      }
    }
  }
  return {};
}

class StoppedWindow : public test::WindowDriver {
 public:
  bool open() {
    QObject::connect(&window().bridge(), &EngineBridge::retainedStateChanged, &window(), [this] {
      if (std::exchange(m_isStopped, true)) return;
      window().bridge().stopRetained();
    });
    return openAndWait(test::dataFile(QStringLiteral("shop-10.core.zst"))) &&
           window().bridge().retainedState() == RetainedState::Stopped;
  }

 private:
  bool m_isStopped = false;
};

}  // namespace

class LackingRetainedTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyPlaceOffersToComputeThemAndNothingWaits() {
    StoppedWindow driver;
    QVERIFY(driver.open());
    const auto objects = engine::listObjects(*driver.window().bridge().snapshot(), {}, 1000, 1);
    const engine::TypeRow& type = driver.window().bridge().snapshot()->types()[objects.front().type.value];
    driver.window().navigator().select({objects.front().address, type.methodTable, objects.front().segment});
    QTRY_VERIFY(offerIn(*driver.window().inspector()));
    for (const PlaceId place : {PlaceId::Overview, PlaceId::Insights, PlaceId::Types, PlaceId::References,
                                PlaceId::Object, PlaceId::Roots, PlaceId::Threads, PlaceId::Compare}) {
      QVERIFY2(driver.show(place), qPrintable(driver.window().place(place)->title()));
      QVERIFY2(offerIn(*driver.window().place(place)), qPrintable(driver.window().place(place)->title()));
      const QString waiting = waitingCell(*driver.window().place(place));
      QVERIFY2(waiting.isEmpty(), qPrintable(waiting));
    }
  }

  void everyListOfRootsOffersToComputeThem() {
    StoppedWindow driver;
    QVERIFY(driver.open());
    QVERIFY(driver.show(PlaceId::Roots));
    auto* tabs = driver.window().place(PlaceId::Roots)->findChild<QTabWidget*>(QStringLiteral("rootTabs"));
    for (int tab = 0; tab < tabs->count(); ++tab) {
      tabs->setCurrentIndex(tab);
      QTRY_VERIFY2(!test::isLoading(*tabs), qPrintable(tabs->tabText(tab)));
      QVERIFY2(offerIn(*tabs), qPrintable(tabs->tabText(tab)));
    }
  }

  void theMapOfTypesDoesNotWaitForThem() {
    StoppedWindow driver;
    QVERIFY(driver.open());
    QVERIFY(driver.show(PlaceId::Overview));
    driver.window().findChild<QAbstractButton*>(QStringLiteral("typesMapMeasure1"))->click();
    QVERIFY(!test::isLoading(*driver.window().place(PlaceId::Overview)));
  }

  void anOfferComputesThemAndAllOffersGo() {
    StoppedWindow driver;
    QVERIFY(driver.open());
    QVERIFY(driver.show(PlaceId::Types));
    offerIn(*driver.window().place(PlaceId::Types))->click();
    QTRY_COMPARE_WITH_TIMEOUT(driver.window().bridge().retainedState(), RetainedState::Ready, kLackingRetainedPatience);
    for (const PlaceId place : {PlaceId::Overview, PlaceId::Types, PlaceId::Roots}) {
      QVERIFY(driver.show(place));
      QVERIFY2(!offerIn(*driver.window().place(place)), qPrintable(driver.window().place(place)->title()));
    }
  }

  void withoutEnoughMemoryEveryPlaceSaysSoAndGoesOnAllTheSame() {
    test::WindowDriver driver;
    EngineBridge& bridge = driver.window().bridge();
    bridge.setRetainedMemory(1000);
    QVERIFY(driver.openAndWait(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    QCOMPARE(bridge.retainedState(), RetainedState::Failed);
    QVERIFY(bridge.lacksMemory());
    const auto anyway = [&](PlaceId place) {
      return buttonIn(*driver.window().place(place), QStringLiteral("Compute anyway"));
    };
    for (const PlaceId place : {PlaceId::Overview, PlaceId::Insights, PlaceId::Types, PlaceId::References,
                                PlaceId::Roots, PlaceId::Compare}) {
      QVERIFY2(driver.show(place), qPrintable(placeTitle(place)));
      QVERIFY2(anyway(place), qPrintable(placeTitle(place)));
      QVERIFY2(test::shows(*driver.window().place(place), QStringLiteral("1000 bytes is what they may take")),
               qPrintable(placeTitle(place)));
    }
    anyway(PlaceId::Compare)->click();
    QTRY_COMPARE_WITH_TIMEOUT(bridge.retainedState(), RetainedState::Ready, kLackingRetainedPatience);
  }

  void insightsThatNeedMoreMemoryThanRetainedSizesSaySo() {
    test::WindowDriver driver;
    EngineBridge& bridge = driver.window().bridge();
    constexpr std::uint64_t kObjects = 33'096;  // gaps among them
    bridge.setRetainedMemory(engine::insightsNeedBytes(kObjects) - 1);
    QVERIFY(driver.openAndWait(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    QCOMPARE(bridge.retainedState(), RetainedState::Ready);
    for (const PlaceId place : {PlaceId::Overview, PlaceId::Insights}) {
      QVERIFY(driver.show(place));
      const QWidget& shown = *driver.window().place(place);
      QTRY_VERIFY2_WITH_TIMEOUT(buttonIn(shown, QStringLiteral("Scan anyway")), qPrintable(placeTitle(place)),
                                kLackingRetainedPatience);
      QVERIFY2(test::shows(shown, QStringLiteral("1.45 MB is what they may take")), qPrintable(placeTitle(place)));
    }
    const QWidget& insights = *driver.window().place(PlaceId::Insights);
    buttonIn(insights, QStringLiteral("Scan anyway"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(buttonIn(insights, QStringLiteral("Scan again")), kLackingRetainedPatience);
  }

  void otherRootsThatWereStoppedLeaveWhatIsShown() {
    test::WindowDriver driver;
    QVERIFY(driver.openAndWait(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    EngineBridge& bridge = driver.window().bridge();
    QCOMPARE(bridge.retainedState(), RetainedState::Ready);
    engine::RootOptions others = bridge.rootOptions();
    others.includeStacks = !others.includeStacks;
    bridge.computeRetained(others);
    bridge.stopRetained();
    QCOMPARE(bridge.retainedState(), RetainedState::Ready);
    QCOMPARE(bridge.rootOptions().includeStacks, !others.includeStacks);
    QVERIFY(!offerIn(driver.window()));
  }
};

HEAPSCAPE_WINDOW_TEST(LackingRetainedTest)

}  // namespace heapscape::gui

#include "tst_lacking_retained.moc"
