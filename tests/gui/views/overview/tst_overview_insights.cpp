// SPDX-License-Identifier: MIT
// What the window tells of insights elsewhere: what to fix first and the types' picture on the overview, the
// inspector's line.
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>

#include "app/inspector/inspector.h"
#include "models/insights_source.h"
#include "models/names/insight_text.h"
#include "session/objects/object_query.h"
#include "support/dumps.h"
#include "support/place_scene.h"
#include "support/window_driver.h"
#include "support/window_test.h"
#include "views/overview/heap_head.h"
#include "widgets/bar_row.h"
#include "widgets/fact_list.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/treemap/treemap.h"

namespace heapscape::gui {

class OverviewInsightsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    m_driver = std::make_unique<test::WindowDriver>();
    QVERIFY(m_driver->openAndWait(test::dumpFile(QStringLiteral("flaws-10"))));
    QTRY_COMPARE_WITH_TIMEOUT(source().state(), InsightsState::Ready, test::kPatienceMs);
  }
  void cleanupTestCase() { m_driver.reset(); }

  void theOverviewLeadsWithWhatIsLiveThenOwnersAndSavings() {
    window().navigator().goTo(PlaceId::Overview);
    const engine::ActionPlan& plan = source().found()->list.plan;
    QVERIFY(!plan.actions.empty());
    const QString lead = label("insightLead")->text();
    QVERIFY2(lead.startsWith(QStringLiteral("Possible savings: ")), qPrintable(lead));
    QVERIFY2(lead.endsWith(bytesText(plan.bytes)), qPrintable(lead));
    QCOMPARE(lead.contains(QStringLiteral("at least ")), plan.isLeast);
    const auto above = [this](const QWidget* upper, const QWidget* lower) {
      return upper->mapTo(&window(), QPoint()).y() < lower->mapTo(&window(), QPoint()).y();
    };
    const auto* map = window().place(PlaceId::Overview)->findChild<Treemap*>();
    QTRY_VERIFY(row("fix0") && row("owner0"));
    QVERIFY(map);
    QVERIFY(above(label("heapSentence"), window().findChild<HeapBar*>()));
    QVERIFY(above(window().findChild<HeapBar*>(), row("owner0")));
    QVERIFY(above(window().findChild<HeapBar*>(), row("fix0")));
    QVERIFY2(above(row("fix0"), map) && above(row("owner0"), map), "all else comes below");
  }

  void eachActionLeadsToItsObjectsAndToItsAdvice() {
    const auto found = source().found();
    const engine::ActionPlan& plan = found->list.plan;
    std::uint64_t last = UINT64_MAX;
    for (std::size_t i = 0; i < plan.actions.size(); ++i) {
      window().navigator().goTo(PlaceId::Overview);
      const BarRow* fix = row(QStringLiteral("fix%1").arg(i));
      if (!fix) break;
      const engine::InsightAction& action = plan.actions[i];
      QCOMPARE(fix->line().text, shortActionText(found->list, action));
      QVERIFY(fix->line().figures.front().text.endsWith(bytesText(action.bytes)));
      QVERIFY(action.bytes <= last);
      last = action.bytes;
      const_cast<BarRow*>(fix)->click();
      const InsightKey objects = keyOf(found->list, action);
      QVERIFY(window().navigator().location().place == PlaceId::Types);
      QVERIFY(window().navigator().location().objectsOf == objects);
      std::vector<std::uint32_t> ids;
      for (const std::uint32_t insight : action.insights) {
        const auto& more = found->list.insights[insight].ids;
        ids.insert(ids.end(), more.begin(), more.end());
      }
      std::ranges::sort(ids);
      ids.erase(std::ranges::unique(ids).begin(), ids.end());
      QVERIFY(!ids.empty());
      QCOMPARE(*found->objectsOf(objects), ids);
      QTRY_VERIFY2(label("objectTotals")->text().startsWith(countText(ids.size())),
                   qPrintable(label("objectTotals")->text()));
    }
    window().navigator().goTo(PlaceId::Overview);
    window().findChild<QToolButton*>(QStringLiteral("fix0Why"))->click();
    QCOMPARE(window().navigator().location().place, PlaceId::Insights);
    const QString title = fromEngine(found->list.insights[plan.actions[0].insights.front()].title);
    QTRY_VERIFY(test::visibleTexts(*window().place(PlaceId::Insights)).contains(title));
    QVERIFY2(qobject_cast<QTreeView*>(window().focusWidget()), "the arrow keys go on from there");
    window().navigator().back();
  }

  void aLowWindowShowsFewerActions() {
    window().navigator().goTo(PlaceId::Overview);
    window().resize(900, 600);
    QTRY_VERIFY(row("fix2") && !row("fix3"));
    QVERIFY(label("fixRest")->isVisible());
    QVERIFY2(label("fixRest")->text().startsWith(
                 QStringLiteral("and %1 ").arg(countText(source().found()->list.plan.actions.size() - 3))),
             qPrintable(label("fixRest")->text()));
    const QPointer<QWidget> first(row("fix0"));
    window().resize(1440, 1300);
    QTRY_VERIFY(row("fix4"));
    QVERIFY2(first && first == row("fix0"), "rows are not made anew while a window is resized");
    window().resize(1440, 900);
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

  void theInspectorSaysWhetherAnInsightIsAboutThePickedObject() {
    const engine::Snapshot& snapshot = *window().bridge().snapshot();
    const FoundInsights& found = *source().found();
    auto* link = window().inspector()->findChild<QPushButton*>(QStringLiteral("toInsights"));
    window().navigator().goTo(PlaceId::Types);
    const auto isIn = [](const engine::Insight& insight, engine::ObjectId id) {
      return std::ranges::binary_search(insight.ids, id.value);
    };
    engine::Address named, other;  // two of one type: an insight names one of them
    for (const engine::Insight& insight : found.list.insights) {
      if (!insight.methodTable || insight.items.empty() || !insight.items.front().object) continue;
      engine::ObjectFilter filter;
      const engine::TypeId type = snapshot.typeOf(insight.methodTable);
      filter.type = type;
      if (type.isNone() || !found.about.contains(insight.methodTable.value)) continue;
      for (const engine::ObjectRow& object : engine::listObjects(snapshot, filter, 0, 2000)) {
        if (found.about.contains(object.address.value))
          named = object.address;
        else if (std::ranges::none_of(found.list.insights,
                                      [&](const engine::Insight& each) { return isIn(each, object.id); }))
          other = object.address;
      }
      if (named && other) break;
    }
    QVERIFY(named && other);
    window().navigator().select({.object = named, .methodTable = {}, .segment = {}});
    QTRY_VERIFY(link->isVisible() && link->text().startsWith(QStringLiteral("This object: ")));
    window().navigator().select({.object = other, .methodTable = {}, .segment = {}});
    QTRY_VERIFY(link->text().contains(QStringLiteral("ts type: ")));
    QVERIFY(link->isVisible());
  }

  // It names the costliest objects alone, but is about all of them.
  void theInspectorKnowsTheObjectsThatAnInsightDoesNotList() {
    const engine::Snapshot& snapshot = *window().bridge().snapshot();
    const FoundInsights& found = *source().found();
    auto* link = window().inspector()->findChild<QPushButton*>(QStringLiteral("toInsights"));
    window().navigator().goTo(PlaceId::Types);
    engine::Address unlisted;
    for (const engine::Insight& insight : found.list.insights) {
      const engine::TypeId type = snapshot.typeOf(insight.methodTable);
      if (type.isNone() || insight.ids.empty()) continue;
      engine::ObjectFilter filter;
      filter.type = type;
      for (const engine::ObjectRow& object : engine::listObjects(snapshot, filter, 0, 5000)) {
        if (std::ranges::binary_search(insight.ids, object.id.value) && !found.about.contains(object.address.value))
          unlisted = object.address;
      }
      if (unlisted) break;
    }
    QVERIFY(unlisted);
    window().navigator().select({.object = unlisted, .methodTable = {}, .segment = {}});
    QTRY_VERIFY(link->isVisible() && link->text().startsWith(QStringLiteral("This object: ")));
  }

  void whatAnObjectHoldsTakesALineEachWithItsSize() {
    const engine::Snapshot& snapshot = *window().bridge().snapshot();
    window().navigator().goTo(PlaceId::Types);
    auto* contents = window().inspector()->findChild<FactList*>(QStringLiteral("inspectorContents"));
    // Any object that refers to something.
    std::vector<Fact> facts;
    const auto hasFigure = [&] {
      facts = contents->facts();
      return std::ranges::any_of(facts, [](const Fact& fact) { return !fact.figure.isEmpty(); });
    };
    for (const engine::ObjectRow& object : engine::listObjects(snapshot, {}, 3000, 40)) {
      window().navigator().select({.object = object.address, .methodTable = {}, .segment = {}});
      if (QTest::qWaitFor(hasFigure, 500)) break;
    }
    QVERIFY(hasFigure());
    // Names are cut where they end for want of room, not before: those who hover read them whole.
    for (const Fact& fact : facts)
      QVERIFY2(fact.label == QStringLiteral("…") || !fact.label.contains(QChar(0x2026)), qPrintable(fact.label));
    const int line = QFontMetrics(contents->font()).height() * 2;
    for (const ElidedText* text : contents->findChildren<ElidedText*>())
      if (text->isVisible()) QVERIFY2(text->height() <= line, qPrintable(text->text()));
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
    QVERIFY2(found()->value.contains(QStringLiteral("at least ")), qPrintable(found()->value));
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
  QLabel* label(const char* name) { return window().findChild<QLabel*>(QString::fromLatin1(name)); }
  /// Null if there is none that can be seen.
  BarRow* row(const QString& name) {
    for (auto* found : window().findChildren<BarRow*>(name)) {
      if (!found->isHidden() && !found->parentWidget()->isHidden()) return found;
    }
    return nullptr;
  }
  BarRow* row(const char* name) { return row(QString::fromLatin1(name)); }

  std::unique_ptr<test::WindowDriver> m_driver;
};

HEAPSCAPE_WINDOW_TEST(OverviewInsightsTest)

}  // namespace heapscape::gui

#include "tst_overview_insights.moc"
