// SPDX-License-Identifier: MIT
// The place Insights on real dumps: looking by itself, stopping, the list, the detail, and where it leads.
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTreeView>
#include <map>
#include <set>

#include "models/rows/header_columns.h"
#include "models/rows/picked_sets.h"
#include "models/rows/rows_table.h"
#include "support/made_insights.h"
#include "support/object_values.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/insights/insight_detail.h"
#include "views/insights/insight_tree_model.h"
#include "views/insights/insights_list.h"
#include "views/insights/insights_place.h"
#include "widgets/bar_row.h"
#include "widgets/figure_tile.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

const QString kDump = QStringLiteral("shop-10.core.zst");

struct Scene : test::PlaceScene<InsightsPlace> {
  Scene() : test::PlaceScene<InsightsPlace>(PlaceId::Insights) {}

  InsightsSource& source() { return InsightsSource::of(bridge); }
  QTreeView& tree() { return *part<QTreeView>(QStringLiteral("insights")); }
  InsightTreeModel& rows() { return *static_cast<InsightTreeModel*>(tree().model()); }
  QString title() {
    const auto* label = part<QLabel>(QStringLiteral("insightTitle"));
    return label ? label->text().remove(QChar(0x200B)) : QString();
  }
  const std::vector<engine::Insight>& found() { return source().found()->list.insights; }

  bool openUntilFound() {
    return openUntilRetained(test::dataFile(kDump)) &&
           QTest::qWaitFor([this] { return source().state() == InsightsState::Ready && rows().table().listed > 0; },
                           test::kPatienceMs);
  }
  void go(std::uint32_t insight) { showInsight(navigator, found()[insight]); }
  std::optional<std::uint32_t> first(const std::function<bool(const engine::Insight&)>& fits) {
    for (std::uint32_t insight = 0; insight < found().size(); ++insight) {
      if (fits(found()[insight])) return insight;
    }
    return std::nullopt;
  }
};

}  // namespace

class InsightsPlaceTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { test::dressApplication(); }

  void aDumpIsLookedIntoByItself() {
    Scene scene;
    QVERIFY(scene.openUntilFound());
    const engine::InsightList& list = scene.source().found()->list;
    QCOMPARE(scene.part<FigureTile>(QStringLiteral("insightsWaste"))->figure(), bytesText(list.wasteBytes));
    QCOMPARE(scene.part<FigureTile>(QStringLiteral("insightsLeaks"))->figure(), bytesText(list.leakBytes));
    QCOMPARE(scene.part<FigureTile>(QStringLiteral("insightsTotal"))->figure(), countText(list.insights.size()));
    std::uint64_t waste = 0;
    scene.part<QCheckBox>(QStringLiteral("insightsFramework"))->setChecked(true);
    QTRY_COMPARE(scene.rows().table().listed, std::uint64_t{list.insights.size()});
    for (const InsightGroup& group : scene.rows().table().groups) {
      if (group.meaning == engine::InsightMeaning::Waste) waste += group.bytes;
    }
    QCOMPARE(waste, list.wasteBytes);
  }

  void insightsAreGroupedByOwnerTypeOrNamespace() {
    Scene scene;
    QVERIFY(scene.openUntilFound());
    auto& choice = *scene.part<QComboBox>(QStringLiteral("insightsGroup"));
    std::map<engine::InsightMeaning, std::uint64_t> bytes;
    for (int grouping = 0; grouping < kInsightGroupings; ++grouping) {
      choice.setCurrentIndex(grouping);
      Q_EMIT choice.activated(grouping);
      QTRY_COMPARE(static_cast<int>(scene.rows().table().groups.front().grouping), grouping);
      std::map<engine::InsightMeaning, std::uint64_t> sums;
      std::size_t insights = 0;
      for (const InsightGroup& group : scene.rows().table().groups) {
        sums[group.meaning] += group.bytes;
        insights += group.insights.size();
        std::set<QString> owners;
        for (const std::uint32_t insight : group.insights) {
          QCOMPARE(scene.found()[insight].meaning, group.meaning);
          const auto& held = scene.found()[insight].owners;
          owners.insert(held.empty() ? QString() : fromEngine(held.front().name));
        }
        if (group.grouping == InsightGrouping::Owner) QCOMPARE(owners.size(), 1u);
      }
      QCOMPARE(insights, static_cast<std::size_t>(scene.rows().table().listed));
      if (grouping == 0) bytes = sums;
      QVERIFY2(sums == bytes, "however they are grouped, they come to the same");
    }
    // What the group is about is told beside the list, and by the inspector.
    QStringList told;
    connect(&scene.navigator, &Navigator::thingPicked, &scene.place,
            [&](const PickedThing& thing) { told << thing.title; });
    scene.tree().setCurrentIndex(scene.rows().index(0, 0));
    QCOMPARE(told, QStringList(insightGroupText(scene.rows().table().groups.front())));
    QTRY_COMPARE(scene.title(), insightGroupText(scene.rows().table().groups.front()));
  }

  void allObjectsOfAnInsightAreOneCut() {
    Scene scene;
    QVERIFY(scene.openUntilFound());
    const auto several = scene.first([](const engine::Insight& insight) {
      return insight.ids.size() > 3 && insight.kind != engine::InsightKind::Fragmentation && !insight.isFramework;
    });
    QVERIFY(several);
    scene.go(*several);
    QStringList cuts;
    connect(&scene.navigator, &Navigator::cutWanted, &scene.place, [&](const QString& cut) { cuts << cut; });
    QTRY_VERIFY(scene.part<QPushButton>(QStringLiteral("insightCutAll")));
    scene.part<QPushButton>(QStringLiteral("insightCutAll"))->click();
    QCOMPARE(cuts.size(), 1);
    QVERIFY(cuts.front().startsWith(QStringLiteral("set:")));
    const auto set = PickedSets::of(scene.bridge).find(cuts.front().mid(4));
    QVERIFY(set && *set == scene.found()[*several].ids);
    // The map shows all of them, too.
    scene.part<QPushButton>(QStringLiteral("insightMap"))->click();
    QCOMPARE(scene.navigator.location().place, PlaceId::Segments);
    QVERIFY(PickedSets::of(scene.bridge).find(scene.navigator.location().onMap.set) == set);
  }

  void theFirstOfTheListIsPickedAndDescribed() {
    Scene scene;
    QVERIFY(scene.openUntilFound());
    const engine::Insight& first = scene.found()[scene.rows().table().groups.front().insights.front()];
    QVERIFY(!first.isFramework);
    QTRY_COMPARE(scene.title(), fromEngine(first.title));
    QVERIFY(scene.part<QLabel>(QStringLiteral("insightAdvice"))->text().size() > 10);
  }

  void codeThatWouldDoBetterStandsBesideTheCodeOfToday() {
    Scene scene;
    QVERIFY(scene.openUntilFound());
    const auto trim = scene.first([](const engine::Insight& insight) {
      return insight.kind == engine::InsightKind::OversizedCollections && !insight.isFramework;
    });
    QVERIFY(trim);
    scene.go(*trim);
    const QString type = shortTypeName(scene.found()[*trim].subject);
    QTRY_VERIFY(scene.part<QLabel>(QStringLiteral("insightBefore")));
    QVERIFY(scene.part<QLabel>(QStringLiteral("insightBefore"))->text().contains(u"new %1()"_s.arg(type)));
    QVERIFY(scene.part<QLabel>(QStringLiteral("insightAfter"))->text().contains(u"new %1(source.Count)"_s.arg(type)));
  }

  void manyOfAKindStayFoldedUntilTheyAreAskedFor() {
    engine::InsightList found;
    for (int i = 0; i < 1'100; ++i) {
      found.insights.push_back(test::madeInsight(engine::InsightKind::DuplicateStrings, engine::InsightMeaning::Waste,
                                                 "10 equal strings", 4'000));
    }
    found.insights.push_back(
        test::madeInsight(engine::InsightKind::PaddingWaste, engine::InsightMeaning::Waste, "Padding", 3'000));
    EngineBridge bridge;
    Navigator navigator;
    InsightsList list(bridge, navigator);
    QStringList picked;
    connect(&list, &InsightsList::groupPicked, this,
            [&](const InsightGroup& group) { picked << insightGroupText(group); });
    list.show(std::make_shared<const FoundInsights>(indexed(std::move(found), 10'000'000)));
    auto* tree = list.findChild<QTreeView*>(QStringLiteral("insights"));
    QTRY_COMPARE(picked, QStringList{QStringLiteral("1,100 texts, 11,000 strings")});
    QVERIFY(!tree->isExpanded(tree->model()->index(0, 0)));
    QVERIFY(tree->isExpanded(tree->model()->index(1, 0)));
    list.open(insightGroupKey(engine::InsightKind::DuplicateStrings));
    QVERIFY(tree->isExpanded(tree->model()->index(0, 0)));
  }

  void aGroupNamesItsLargestInsightsAndTheirCode() {
    Scene scene;
    QVERIFY(scene.openUntilFound());
    const std::vector<InsightGroup>& groups = scene.rows().table().groups;
    const auto strings = std::ranges::find_if(groups, [](const InsightGroup& group) {
      return group.kind == engine::InsightKind::DuplicateStrings && group.insights.size() > 1;
    });
    QVERIFY(strings != groups.end());
    const InsightGroup group = *strings;
    scene.tree().setCurrentIndex(scene.rows().index(static_cast<int>(strings - groups.begin()), 0));
    QTRY_COMPARE(scene.title(), insightGroupText(group));
    QTRY_VERIFY(scene.part<BarRow>(QStringLiteral("insightOfGroup1")));
    QVERIFY(scene.part<QLabel>(QStringLiteral("insightBefore")));
    auto* first = scene.part<BarRow>(QStringLiteral("insightOfGroup0"));
    const std::uint32_t largestIndex = *std::ranges::max_element(
        group.insights, {}, [&](std::uint32_t insight) { return scene.found()[insight].bytes; });
    const engine::Insight& largest = scene.found()[largestIndex];
    QCOMPARE(first->line().figures.front().text, bytesText(largest.bytes));
    QVERIFY2(first->line().text.contains(insightContents(largest)), "texts of one length are told apart");
    first->click();
    QTRY_COMPARE(scene.title(), fromEngine(largest.title));
  }

  void aLeakOfWastefulObjectsIsNoSmallerForThat() {
    engine::InsightList found;
    found.insights.push_back(
        test::madeInsight(engine::InsightKind::DelegateLeak, engine::InsightMeaning::Leak, "29 screens", 570'000));
    found.insights.back().sharedBytes = 566'000;
    found.leakBytes = 4'000;
    QCOMPARE(leaksNote(found, 8'000'000),
             QStringLiteral("0.1% of 7.63 MB live, and %1 counted as waste already").arg(bytesText(566'000)));
    found.insights.back().sharedBytes = 0;
    QCOMPARE(leaksNote(found, 8'000'000), QStringLiteral("0.1% of 7.63 MB live"));
  }

  void lookingIsStoppedAndBegunAnew() {
    Scene scene;
    bool isStopped = false;
    connect(&scene.source(), &InsightsSource::stateChanged, this, [&] {
      if (scene.source().state() != InsightsState::Computing || std::exchange(isStopped, true)) return;
      scene.source().stop();
    });
    QVERIFY(scene.openUntilRetained(test::dataFile(kDump)));
    QCOMPARE(scene.source().state(), InsightsState::Stopped);
    auto* state = scene.place.findChild<StatePanel*>(QString(), Qt::FindDirectChildrenOnly);
    QCOMPARE(state->accessibleName(), QStringLiteral("Not looked for"));
    state->findChild<QPushButton*>()->click();
    QCOMPARE(scene.source().state(), InsightsState::Computing);
    QTRY_COMPARE_WITH_TIMEOUT(scene.source().state(), InsightsState::Ready, test::kPatienceMs);
    QTRY_VERIFY(scene.rows().table().listed > 0);
    const auto before = scene.source().found();
    scene.part<QPushButton>(QStringLiteral("insightsAgain"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(scene.source().state(), InsightsState::Ready, test::kPatienceMs);
    QVERIFY(before != scene.source().found());
    QCOMPARE(before->list.wasteBytes, scene.source().found()->list.wasteBytes);
  }

  void chipsAndFilterNarrowTheListAndAFilterWithoutMatchSaysSo() {
    Scene scene;
    QVERIFY(scene.openUntilFound());
    const InsightGroup group = scene.rows().table().groups.front();
    const auto meaning = static_cast<int>(group.meaning);
    scene.part<BarRow>(QStringLiteral("insightsMeaning%1").arg(meaning))->click();
    QTRY_VERIFY(std::ranges::all_of(scene.rows().table().groups,
                                    [&](const InsightGroup& one) { return one.meaning == group.meaning; }));
    QCOMPARE(scene.rows().table().groups.front().insights, group.insights);
    QVERIFY(scene.tree().isExpanded(scene.rows().index(0, 0)));
    auto* filter = scene.part<QLineEdit>(QStringLiteral("insightsFilter"));
    filter->setText(QStringLiteral("no insight says this"));
    QTRY_COMPARE(scene.rows().table().listed, std::uint64_t{0});
    QPushButton* clear = nullptr;
    for (QPushButton* button : scene.place.findChildren<QPushButton*>()) {
      if (button->isVisible() && button->text() == QStringLiteral("Clear the filter")) clear = button;
    }
    QVERIFY(clear);
    clear->click();
    QTRY_VERIFY(scene.rows().table().listed > 0);
    QVERIFY(scene.rows().table().groups.back().meaning != group.meaning);
    QVERIFY(filter->text().isEmpty());
  }

  void eachInsightPickedIsAStepOfTheHistory() {
    Scene scene;
    QVERIFY(scene.openUntilFound());
    QTRY_VERIFY(!scene.title().isEmpty());
    const QModelIndex group = scene.rows().index(0, 0);
    QVERIFY(scene.rows().rowCount(group) >= 2);
    scene.tree().setCurrentIndex(scene.rows().index(0, 0, group));
    const QString first = scene.title();
    scene.tree().setCurrentIndex(scene.rows().index(1, 0, group));
    const QString second = scene.title();
    QVERIFY(first != second);
    scene.part<QPushButton>(QStringLiteral("insightReason"))->click();
    QCOMPARE(scene.navigator.location().place, PlaceId::References);
    scene.navigator.back();
    QCOMPARE(scene.title(), second);
    scene.navigator.back();
    QCOMPARE(scene.title(), first);
    QVERIFY2(scene.navigator.canGoForward(), "following is no step of its own");
    scene.navigator.forward();
    QCOMPARE(scene.title(), second);
  }

  void oneKindAloneIsListedOnDemand() {
    Scene scene;
    QVERIFY(scene.openUntilFound());
    QVERIFY(scene.rows().rowCount() > 2);
    auto* kinds = scene.part<QComboBox>(QStringLiteral("insightsKind"));
    const engine::InsightKind wanted = scene.rows().table().groups[1].kind;
    kinds->setCurrentIndex(kinds->findData(static_cast<int>(wanted)));
    QTRY_COMPARE(scene.rows().rowCount(), 1);
    QCOMPARE(scene.rows().table().groups[0].kind, wanted);
    // One of another kind that is wanted from elsewhere makes the choice give way.
    const Listed listed = scene.navigator.location().listed;
    const auto other = scene.first([&](const engine::Insight& insight) {
      return insight.kind != wanted && !insight.isFramework && Listed(keyOf(insight)) != listed;
    });
    QVERIFY(other);
    scene.go(*other);
    QTRY_VERIFY(scene.rows().rowCount() > 1);
    QCOMPARE(kinds->currentIndex(), 0);
  }

  void anInsightOfATypeLeadsToItsObjects() {
    Scene scene;
    QVERIFY(scene.openUntilFound());
    const auto typed = scene.first([](const engine::Insight& insight) { return insight.methodTable.value != 0; });
    QVERIFY(typed);
    scene.go(*typed);
    QTRY_COMPARE(scene.title(), fromEngine(scene.found()[*typed].title));
    QVERIFY(scene.navigator.location().selection.methodTable == scene.found()[*typed].methodTable);
    scene.part<QPushButton>(QStringLiteral("insightType"))->click();
    QCOMPARE(scene.navigator.location().place, PlaceId::Types);
    QCOMPARE(scene.navigator.location().typesPage, TypesPage::Types);
    QVERIFY(scene.navigator.location().selection.methodTable == scene.found()[*typed].methodTable);
  }

  void wordsThatAreLongerThanTheirLineAreBroken() {
    const std::string name =
        "Shop.Warehouse.Infrastructure.CachingRepositoryOfArticlesWithTheirTranslations<System.String>";
    engine::Insight insight;
    insight.title = "2,500 " + name + " objects live only because of static " + name + ".Instances";
    insight.contents = std::string(180, 'w');
    insight.advice = "Remove them from " + name + " when they are done with.";
    engine::InsightList list;
    list.insights.push_back(insight);
    EngineBridge bridge;
    Navigator navigator;
    InsightDetail detail(bridge, navigator);
    detail.show(std::make_shared<const FoundInsights>(indexed(std::move(list), 1000)), 0);
    detail.setMinimumSize(0, 0);
    detail.resize(360, 700);
    static_cast<QWidget&>(detail).show();
    QVERIFY(QTest::qWaitForWindowExposed(&detail));
    for (const char* part : {"insightTitle", "insightContents", "insightAdvice"}) {
      const auto* label = detail.findChild<QLabel*>(QString::fromLatin1(part));
      QVERIFY(label && label->width() <= detail.viewport()->width());
      const QRect text =
          label->fontMetrics().boundingRect(QRect(0, 0, label->width(), 10'000), Qt::TextWordWrap, label->text());
      QVERIFY2(text.width() <= label->width() && text.height() <= label->height(), qPrintable(label->text()));
    }
  }

  void anInsightLeadsToItsOwnObjects() {
    Scene scene;
    QVERIFY(scene.openUntilFound());
    const auto some = scene.first([](const engine::Insight& insight) { return insight.objects > 1; });
    QVERIFY(some);
    scene.go(*some);
    QTRY_COMPARE(scene.title(), fromEngine(scene.found()[*some].title));
    scene.part<QPushButton>(QStringLiteral("insightObjects"))->click();
    QCOMPARE(scene.navigator.location().place, PlaceId::Types);
    QCOMPARE(scene.navigator.location().typesPage, TypesPage::Objects);
    QVERIFY(scene.navigator.location().objectsOf == keyOf(scene.found()[*some]));
  }

  void itemsAndOwnersLeadToObjects() {
    Scene scene;
    QVERIFY(scene.openUntilFound());
    const auto owned = scene.first([](const engine::Insight& insight) {
      return insight.kind != engine::InsightKind::Fragmentation && insight.items.size() > 1 &&
             std::ranges::any_of(insight.owners,
                                 [](const engine::InsightOwner& owner) { return owner.object || owner.methodTable; });
    });
    QVERIFY(owned);
    scene.go(*owned);
    QTRY_COMPARE(scene.title(), fromEngine(scene.found()[*owned].title));
    const engine::Insight insight = scene.found()[*owned];
    auto* items = scene.part<QTableView>(QStringLiteral("insightItems"));
    QCOMPARE(items->model()->rowCount(), static_cast<int>(insight.items.size()));
    // What the objects hold is read where it is shown.
    auto& table = static_cast<RowsTable&>(*items);
    table.columns().setShown(table.sectionOf("value"), true);
    QTRY_VERIFY_WITH_TIMEOUT(test::tellsValues(*items, scene.snapshot()), test::kPatienceMs);
    items->setCurrentIndex(items->model()->index(1, 0));
    QVERIFY(scene.navigator.location().selection.object == insight.items[1].object);
    scene.part<QPushButton>(QStringLiteral("insightReason"))->click();
    QCOMPARE(scene.navigator.location().place, PlaceId::References);
    QCOMPARE(scene.navigator.location().page, ReferencesPage::WhyAlive);
    QVERIFY(scene.navigator.location().selection.object == insight.items[1].object);
    const auto rows = scene.place.findChildren<BarRow*>(QRegularExpression(QStringLiteral("^insightOwner\\d+$")));
    QCOMPARE(rows.size(), static_cast<qsizetype>(insight.owners.size()));
    for (std::size_t index = 0; index < insight.owners.size(); ++index) {
      const engine::InsightOwner& owner = insight.owners[index];
      if (!owner.object && !owner.methodTable) continue;
      rows[static_cast<qsizetype>(index)]->click();
      const Location& there = scene.navigator.location();
      QVERIFY(owner.object ? there.selection.object == owner.object : there.selection.methodTable == owner.methodTable);
      break;
    }
  }

  void pickingTheFrameworksOwnShowsIt() {
    Scene scene;
    QVERIFY(scene.openUntilFound());
    const auto framework = scene.first([](const engine::Insight& insight) { return insight.isFramework; });
    if (!framework) QSKIP("the framework alone holds nothing that is an insight here");
    scene.go(*framework);
    QTRY_VERIFY(scene.part<QCheckBox>(QStringLiteral("insightsFramework"))->isChecked());
    QTRY_COMPARE(scene.title(), fromEngine(scene.found()[*framework].title));
  }

  void anotherDumpDropsWhatWasFound() {
    Scene scene;
    QVERIFY(scene.openUntilFound());
    scene.bridge.close();
    scene.place.clear();
    QCOMPARE(scene.source().state(), InsightsState::Waiting);
    QVERIFY(!scene.source().found());
    QCOMPARE(scene.rows().rowCount(), 0);
    QVERIFY(scene.title().isEmpty());
  }
};

HEAPSCAPE_WINDOW_TEST(InsightsPlaceTest)

}  // namespace heapscape::gui

#include "tst_insights_place.moc"
