// SPDX-License-Identifier: MIT
// What the window tells of insights elsewhere: cards and the types' picture on the overview, the inspector's line.
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>

#include "app/inspector/inspector.h"
#include "models/insights_source.h"
#include "support/dumps.h"
#include "support/place_scene.h"
#include "support/window_driver.h"
#include "support/window_test.h"
#include "views/overview/insight_cards.h"
#include "widgets/fact_list.h"
#include "widgets/text/figures.h"
#include "widgets/treemap/treemap.h"

namespace heapscape::gui {

class OverviewInsightsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    m_driver = std::make_unique<test::WindowDriver>();
    QVERIFY(m_driver->openAndWait(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    QTRY_COMPARE_WITH_TIMEOUT(source().state(), InsightsState::Ready, test::kPatienceMs);
  }
  void cleanupTestCase() { m_driver.reset(); }

  void theCostliestInsightsAreCardsAndLeadToThem() {
    window().navigator().goTo(PlaceId::Overview);
    const auto wanted = costliestInsights(source().found()->list, 3);
    QVERIFY(!wanted.empty());
    for (std::size_t card = 0; card < wanted.size(); ++card) {
      const auto* button = this->card(card);
      QVERIFY(button);
      QCOMPARE(button->text(), titleOf(wanted[card]));
    }
    QVERIFY2(wanted.front().meaning != engine::InsightMeaning::Held, "what cannot be won back does not lead");
    const engine::InsightList& list = source().found()->list;
    QCOMPARE(window().findChild<QLabel*>(QStringLiteral("insightLead"))->text(),
             QStringLiteral("%1 can be won back").arg(bytesText(list.wasteBytes + list.leakBytes)));
    card(wanted.size() - 1)->click();
    QCOMPARE(window().navigator().location().place, PlaceId::Insights);
    QVERIFY(window().navigator().location().listed == identityOf(list.insights[wanted.back().insights.front()]));
    const QString title = fromEngine(list.insights[wanted.back().insights.front()].title);
    QTRY_VERIFY(test::visibleTexts(*window().place(PlaceId::Insights)).contains(title));
    QVERIFY2(qobject_cast<QTreeView*>(window().focusWidget()), "the arrow keys go on from there");
    window().navigator().back();
  }

  void theInspectorSaysWhichInsightsAreAboutAType() {
    const std::vector<engine::Insight>& insights = source().found()->list.insights;
    const auto typed =
        std::ranges::find_if(insights, [](const engine::Insight& insight) { return insight.methodTable.value != 0; });
    QVERIFY(typed != insights.end());
    window().navigator().goTo(PlaceId::Types);
    window().navigator().select({.object = {}, .methodTable = typed->methodTable, .segment = {}});
    auto* link = window().inspector()->findChild<QPushButton*>(QStringLiteral("toInsights"));
    QTRY_VERIFY(link->isVisible());
    QVERIFY(link->toolTip().contains(fromEngine(typed->title)));
    link->click();
    QCOMPARE(window().navigator().location().place, PlaceId::Insights);
    const engine::TypeRow* plain = nullptr;
    for (const engine::TypeRow& type : window().bridge().snapshot()->types()) {
      if (source().found()->of({}, type.methodTable).empty()) plain = &type;
    }
    QVERIFY(plain);
    window().navigator().goTo(PlaceId::Types);
    window().navigator().select({.object = {}, .methodTable = plain->methodTable, .segment = {}});
    QTRY_VERIFY(!link->isVisible());
  }

  void theTypesPictureAddsUpToTheHeapByEitherMeasure() {
    window().navigator().goTo(PlaceId::Overview);
    auto* picture = window().place(PlaceId::Overview)->findChild<Treemap*>(QStringLiteral("typesMap"));
    const auto bytes = [picture] {
      std::uint64_t sum = 0;
      for (const TreemapPart& group : picture->groups()) sum += group.bytes;
      return sum;
    };
    const engine::Snapshot& snapshot = *window().bridge().snapshot();
    QTRY_COMPARE(bytes(), snapshot.totals().bytes - snapshot.totals().freeBytes);
    window().findChild<QToolButton*>(QStringLiteral("typesMapMeasure1"))->click();
    QTRY_COMPARE(bytes(), snapshot.retainedTotals().reachableBytes);
  }

  void theProcesssMemoryIsToldByItsBounds() {
    window().navigator().goTo(PlaceId::Overview);
    const auto* list = window().place(PlaceId::Overview)->findChild<FactList*>();
    const auto found = [list] {
      return std::ranges::find(list->facts(), QStringLiteral("Process's memory"), &Fact::label);
    };
    QTRY_VERIFY_WITH_TIMEOUT(found() != list->facts().end(), test::kPatienceMs);
    QVERIFY2(found()->value.contains(QStringLiteral(" or more")), qPrintable(found()->value));
    QVERIFY(found()->detail.contains(QStringLiteral("at least ")));
  }

  void bothPlacesAreDrawnInEitherThemeSmallAndLarge() {
    for (const Theme theme : {Theme::Dark, Theme::Light}) {
      window().setTheme(theme);
      for (const QSize size : {QSize(1280, 720), QSize(3840, 2160)}) {
        window().resize(size);
        for (const PlaceId place : {PlaceId::Insights, PlaceId::Memory, PlaceId::Overview}) {
          QVERIFY(m_driver->show(place));
          QVERIFY(!window().grab().isNull());
        }
      }
    }
  }

 private:
  MainWindow& window() { return m_driver->window(); }
  InsightsSource& source() { return InsightsSource::of(window().bridge()); }
  QString titleOf(const engine::InsightRow& row) {
    return row.isGroup() ? fromEngine(engine::insightGroupTitle(row.kind, row.insights.size(), row.objects))
                         : fromEngine(source().found()->list.insights[row.insights.front()].title);
  }
  QAbstractButton* card(std::size_t index) {
    for (auto* button : window().findChildren<QAbstractButton*>(QStringLiteral("insightCard%1").arg(index))) {
      if (!button->isHidden()) return button;
    }
    return nullptr;
  }

  std::unique_ptr<test::WindowDriver> m_driver;
};

HEAPSCAPE_WINDOW_TEST(OverviewInsightsTest)

}  // namespace heapscape::gui

#include "tst_overview_insights.moc"
