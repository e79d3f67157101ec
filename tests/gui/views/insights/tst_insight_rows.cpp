// SPDX-License-Identifier: MIT
// Insights grouped, filtered and sorted, and as the tree shows them.
#include <QAbstractItemModelTester>
#include <QTest>

#include "models/cells/roles.h"
#include "models/names/insight_text.h"
#include "support/made_insights.h"
#include "support/window_test.h"
#include "views/insights/insight_detail.h"
#include "views/insights/insight_tree_model.h"
#include "views/overview/types_map.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

using engine::InsightKind;
using engine::InsightMeaning;

class InsightRowsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void whatCouldBeSavedComesByBytesAndWhatIsHeldLast() {
    const auto table = groupInsights(*test::madeInsights(), {}, {});
    QCOMPARE(table->groups.size(), std::size_t{4});
    QCOMPARE(table->groups[0].meaning, InsightMeaning::Leak);  // 9,000
    QCOMPARE(table->groups[1].kind, InsightKind::DuplicateStrings);
    QCOMPARE(table->groups[2].kind, InsightKind::PaddingWaste);
    QCOMPARE(table->groups[3].meaning, InsightMeaning::Held);
    QCOMPARE(table->listed, std::uint64_t{5});
    const auto rising = groupInsights(*test::madeInsights(), {.descending = false}, {});
    QCOMPARE(rising->groups[0].kind, InsightKind::PaddingWaste);
    QCOMPARE(rising->groups[2].meaning, InsightMeaning::Leak);
    QCOMPARE(rising->groups[3].meaning, InsightMeaning::Held);
  }

  void aSumSaysWhatOtherGroupsCount() {
    const auto found = test::madeInsights();
    InsightTreeModel model;
    model.show(found, *groupInsights(*found, {.kind = InsightKind::PaddingWaste}, {}));
    const QModelIndex group = model.index(0, 0);
    QVERIFY2(group.data().toString().endsWith(QStringLiteral("· %1 shared").arg(bytesText(2'000))),
             qPrintable(group.data().toString()));
    model.show(found, *groupInsights(*found, {.kind = InsightKind::DuplicateStrings}, {}));
    QVERIFY(!model.index(0, 0).data().toString().contains(QStringLiteral("shared")));
  }

  void aGroupCountsEachByteOnce() {
    const auto table = groupInsights(*test::madeInsights(), {.text = QStringLiteral("padding")}, {});
    QCOMPARE(table->groups.size(), std::size_t{1});
    QCOMPARE(table->groups[0].bytes, std::uint64_t{5'000});  // 7,000, of which 2,000 are counted elsewhere
  }

  void theFrameworksOwnIsLeftOutUnlessAskedFor() {
    const auto found = test::madeInsights();
    QCOMPARE(groupInsights(*found, {}, {})->groups[1].insights, (std::vector<std::uint32_t>{2, 5}));
    QCOMPARE(groupInsights(*found, {.includesFramework = true}, {})->groups[0].insights,
             (std::vector<std::uint32_t>{2, 3, 5}));
    QCOMPARE(countInsights(*found, false).meanings[0], std::uint64_t{3});
    QCOMPARE(countInsights(*found, true).meanings[0], std::uint64_t{4});
    const auto duplicates = static_cast<std::size_t>(InsightKind::DuplicateStrings);
    QCOMPARE(countInsights(*found, false).kinds[duplicates], std::uint64_t{2});
    QCOMPARE(countInsights(*found, true).kinds[duplicates], std::uint64_t{3});
  }

  void oneKindAlone() {
    const auto table = groupInsights(*test::madeInsights(), {.kind = InsightKind::DelegateLeak}, {});
    QCOMPARE(table->groups.size(), std::size_t{1});
    QCOMPARE(table->groups[0].insights, (std::vector<std::uint32_t>{1}));
  }

  void titlesLeaveTheNamespacesOfTheirTypeOut() {
    engine::Insight insight =
        test::madeInsight(InsightKind::UniformArrays, InsightMeaning::Waste,
                          "3 arrays of System.Collections.Generic.List<Shop.Order> of 1.5 KB", 10);
    insight.subject = "System.Collections.Generic.List<Shop.Order>[]";
    QCOMPARE(shortInsightTitle(insight), fromEngine(insight.title));  // it may be the name of a member
    insight.methodTable = {0x10};
    QCOMPARE(shortInsightTitle(insight), QStringLiteral("3 arrays of List<Order> of 1.5 KB"));
    insight.title = "1 array of System.Double";
    insight.subject = "System.Double[,]";
    QCOMPARE(shortInsightTitle(insight), QStringLiteral("1 array of Double"));
    insight.title = "unfinished]";
    insight.subject = "odd.name]";
    QCOMPARE(shortInsightTitle(insight), fromEngine(insight.title));
    insight.title = "static Shop.Program.orders holds half";
    insight.subject = "static Shop.Program.orders";
    QCOMPARE(shortInsightTitle(insight), fromEngine(insight.title));
  }

  void anInsightIsFoundAgainByWhatItIsAbout() {
    const auto found = test::madeInsights();
    engine::InsightList other = found->list;
    std::swap(other.insights[1], other.insights[4]);
    other.insights[1].bytes = 1;  // counted otherwise this time
    const FoundInsights again = indexed(std::move(other), 100'000);
    QCOMPARE(again.find(keyOf(found->list.insights[4])), std::optional<std::uint32_t>(1));
    QCOMPARE(again.find(keyOf(found->list.insights[1])), std::optional<std::uint32_t>(4));
    InsightKey gone = keyOf(found->list.insights[1]);
    gone.subject += "?";
    QVERIFY(!again.find(gone));
  }

  void theFilterLooksIntoTitleSubjectContentsAndOwner() {
    const auto found = test::madeInsights();
    const auto only = [&found](const QString& text) {
      const auto table = groupInsights(*found, {.text = text}, {});
      return table->groups.empty() ? std::vector<std::uint32_t>() : table->groups[0].insights;
    };
    QCOMPARE(only(QStringLiteral("more EQUAL")), (std::vector<std::uint32_t>{5}));
    QCOMPARE(only(QStringLiteral("shop.order")), (std::vector<std::uint32_t>{4}));
    QCOMPARE(only(QStringLiteral("northern")), (std::vector<std::uint32_t>{2}));
    QCOMPARE(only(QStringLiteral("names.all")), (std::vector<std::uint32_t>{2}));
    QVERIFY(only(QStringLiteral("no such thing")).empty());
  }

  void rowsAreSortedWithinTheirGroup() {
    const auto table =
        groupInsights(*test::madeInsights(),
                      {.includesFramework = true, .sortColumn = InsightColumn::Title, .descending = false}, {});
    QCOMPARE(table->groups[0].insights, (std::vector<std::uint32_t>{3, 2, 5}));
  }

  void aStoppedQuestionHasNoAnswer() {
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(!groupInsights(*test::madeInsights(), {}, stop.get_token()));
  }

  void theTreeIsASoundModel() {
    InsightTreeModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto found = test::madeInsights();
    model.show(found, *groupInsights(*found, {.includesFramework = true}, {}));
    QCOMPARE(model.rowCount(), 4);
    const QModelIndex group = model.index(0, 0);
    QCOMPARE(model.rowCount(group), 3);
    QCOMPARE(group.data().toString(), QStringLiteral("Duplicate strings · 3 texts"));
    const QModelIndex row = model.indexOf(2);
    QCOMPARE(model.insightAt(row), std::optional<std::uint32_t>(2));
    QCOMPARE(row.data().toString(), QStringLiteral("Equal strings of the program"));
    QCOMPARE(row.siblingAtColumn(1).data(kPlainRole).toString(), QStringLiteral("4000"));
    QCOMPARE(row.siblingAtColumn(3).data().toString(), QStringLiteral("“Northern branch”"));
    QCOMPARE(row.siblingAtColumn(4).data().toString(), QStringLiteral("static Shop.Names.all"));
    QVERIFY(model.indexOf(4).siblingAtColumn(1).data(Qt::ToolTipRole).toString().contains(QStringLiteral("2,000")));
    QVERIFY(model.indexOf(3).data(Qt::ForegroundRole).isValid());
    QVERIFY(!model.indexOf(2).data(Qt::ForegroundRole).isValid());
    model.show(nullptr, {});
    QCOMPARE(model.rowCount(), 0);
  }

  void whatAnInsightIsAboutIsFoundByAddress() {
    const auto found = test::madeInsights();
    QCOMPARE(found->of({0x2000}, {}), (std::vector<std::uint32_t>{1}));
    QCOMPARE(found->of({0x3000}, {0x7000}), (std::vector<std::uint32_t>{4}));
    QVERIFY(found->of({}, {}).empty());
  }

  void manyOfAKindAreOneLine() {
    engine::InsightList list;
    for (int i = 0; i < 1'100; ++i) {
      list.insights.push_back(test::madeInsight(InsightKind::DuplicateStrings, InsightMeaning::Waste, "equal", 4'000));
      list.insights.back().contents = "text";
    }
    list.insights.push_back(test::madeInsight(InsightKind::PaddingWaste, InsightMeaning::Waste, "Padding", 3'000));
    InsightTreeModel model;
    const auto found = std::make_shared<const FoundInsights>(indexed(std::move(list), 10'000'000));
    model.show(found, *groupInsights(*found, {}, {}));
    QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("Duplicate strings · 1,100 texts"));
  }

  void everyKindAndMeaningHasWords() {
    for (std::size_t kind = 0; kind < kInsightKinds; ++kind) {
      QVERIFY(!insightKindText(static_cast<InsightKind>(kind)).isEmpty());
      QVERIFY(!insightKindTip(static_cast<InsightKind>(kind)).isEmpty());
    }
    QVERIFY(insightMeaningText(InsightMeaning::Waste) != insightMeaningText(InsightMeaning::Leak));
    QVERIFY(insightMeaningText(InsightMeaning::Held) != insightMeaningText(InsightMeaning::Leak));
  }

  void namesOfTheDumpCannotBreakTheLine() {
    engine::Insight insight = test::madeInsight(InsightKind::DuplicateStrings, InsightMeaning::Waste, "a\nb", 10);
    insight.contents = "line\n\xE2\x80\xAEturned";
    const QString shown = insightSubject(insight);
    QVERIFY(!shown.contains(QLatin1Char('\n')));
    QVERIFY(!shown.contains(QChar(0x202E)));
  }

  void typesStandInTheirNamespacesAndSmallOnesTogether() {
    const std::vector<SizedType> types{{"Shop.Order", {0x10}, 5, 5'000}, {"System.String", {0x20}, 9, 4'000},
                                       {"Shop.Tiny", {0x30}, 1, 3},      {"Shop.Less", {0x40}, 2, 4},
                                       {"Bare", {0x50}, 1, 1'000},       {"Shop.None", {0x60}, 0, 0}};
    const TypeTreemap treemap = typeTreemap(types, 0.01);
    QCOMPARE(treemap.groups.size(), std::size_t{3});
    QCOMPARE(treemap.groups[0].name, QStringLiteral("Shop"));
    QCOMPARE(treemap.groups[0].bytes, std::uint64_t{5'007});
    QCOMPARE(treemap.groups[0].parts.size(), std::size_t{2});
    QCOMPARE(treemap.groups[0].parts[1].name, QStringLiteral("2 smaller"));
    QCOMPARE(treemap.groups[0].parts[1].bytes, std::uint64_t{7});
    QCOMPARE(treemap.methodTables[0], (std::vector<engine::Address>{{0x10}, {}}));
  }
};

HEAPSCAPE_WINDOW_TEST(InsightRowsTest)

}  // namespace heapscape::gui

#include "tst_insight_rows.moc"
