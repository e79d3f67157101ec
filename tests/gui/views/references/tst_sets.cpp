// SPDX-License-Identifier: MIT
// Sets of objects in the place References, and what is cut from there, on a real dump, driven as a person does.
#include <QDialog>
#include <QLabel>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>
#include <set>

#include "app/help_dialogs.h"
#include "app/window_actions.h"
#include "models/rows/picked_sets.h"
#include "session/objects/object_query.h"
#include "support/menu_choice.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/references/cuts/cut_list.h"
#include "views/references/dominators/dominator_forms.h"
#include "views/references/dominators/dominator_table.h"
#include "views/references/dominators/dominator_view.h"
#include "views/references/graph/graph_canvas.h"
#include "views/references/graph/reference_graph_view.h"
#include "views/references/references_place.h"
#include "widgets/fact_list.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using test::kPatienceMs;

const QString kSetCut = QStringLiteral("What if these objects were released?");

}  // namespace

class SetsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    test::dressApplication();
    m_scene = std::make_unique<test::PlaceScene<ReferencesPlace>>(PlaceId::References);
    m_scene->place.findChild<GraphCanvas*>()->setAnimated(false);
    QVERIFY(m_scene->openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    engine::ObjectFilter filter;
    for (std::uint32_t type = 0; type < m_scene->snapshot().types().size(); ++type) {
      if (m_scene->snapshot().types()[type].name == "Catalog.Order") filter.type = engine::TypeId{type};
    }
    QVERIFY(filter.type);
    engine::forEachObject(m_scene->snapshot(), filter, [this](const engine::ObjectRow& row) {
      m_orders.push_back(row.id.value);
      return true;
    });
    QVERIFY(m_orders.size() > kMostStarts);
    m_together = *engine::retainedOfSet(m_scene->snapshot(), {.types = {*filter.type}}, nullptr, {});
    m_set = PickedSets::of(m_scene->bridge).add(m_orders);
    QCOMPARE(m_set, QStringLiteral("picked"));
  }

  void whyAliveLaysTheWaysToAllOfThemOverEachOther() {
    m_scene->navigator.showReferencesOf(ReferencesPage::WhyAlive, m_set);
    auto* tree = m_scene->part<QTreeView>("mergedPaths");
    QTRY_VERIFY_WITH_TIMEOUT(tree->isVisible() && tree->model()->rowCount() == 1, kPatienceMs);
    QCOMPARE(m_scene->part<ElidedText>("whyAliveHeadline")->text(), m_set);
    QCOMPARE(tree->model()->index(0, 0).data().toString(), QStringLiteral("Catalog.Order"));
    QCOMPARE(tree->model()->index(0, 1).data().toString(), countText(m_orders.size()));
    // What is looked at there does not change what the page is about.
    m_scene->navigator.select(
        {.object = m_scene->snapshot().roots().roots.front().object, .methodTable = {}, .segment = {}});
    QTest::qWait(20);
    QVERIFY(tree->isVisible());
  }

  void allOfThemAreCutFromThere() {
    m_scene->navigator.showReferencesOf(ReferencesPage::WhyAlive, m_set);
    auto* tree = m_scene->part<QTreeView>("mergedPaths");
    QTRY_VERIFY_WITH_TIMEOUT(tree->isVisible() && tree->model()->rowCount() == 1, kPatienceMs);
    const QModelIndex top = tree->model()->index(0, 0);
    const auto openMenu = [&](const QModelIndex& index) {
      tree->scrollTo(index);
      return [tree, index] { Q_EMIT tree->customContextMenuRequested(tree->visualRect(index).center()); };
    };
    QVERIFY(test::chooseFromMenu(openMenu(top), kSetCut));
    auto& cuts = *m_scene->place.findChild<CutList*>();
    QTRY_VERIFY_WITH_TIMEOUT(cuts.answer() && !cuts.isAsking(), kPatienceMs);
    QCOMPARE(cuts.answer()->whatIf.freed().bytes, m_together.retained.bytes);
    QCOMPARE(cuts.answer()->whatIf.freed().objects, m_together.retained.objects);
    cuts.removeAll();
    // And a root at the end of a way.
    QModelIndex root = top;
    while (tree->model()->rowCount(root) > 0) {
      tree->expand(root);
      root = tree->model()->index(0, 0, root);
    }
    QVERIFY(test::chooseFromMenu(openMenu(root), QStringLiteral("What if this reference were cut?")));
    QTRY_VERIFY_WITH_TIMEOUT(cuts.answer() && !cuts.isAsking(), kPatienceMs);
    QVERIFY(cuts.cuts().front().startsWith(QStringLiteral("root:")));
    cuts.removeAll();
  }

  void theDominatorTreeIsThatOfTheSet() {
    auto* view = m_scene->place.findChild<DominatorView*>();
    for (int grouping = 0; grouping < 3; ++grouping) {
      m_scene->navigator.showReferencesOf(ReferencesPage::Dominators, m_set);
      view->findChild<QToolButton*>(QStringLiteral("dominatorGrouping%1").arg(grouping))->click();
      QTRY_VERIFY_WITH_TIMEOUT(
          view->scene() && view->scene()->way.size() == 2 && static_cast<int>(view->scene()->grouping) == grouping,
          kPatienceMs);
      const engine::DominatorNode& top = view->scene()->top();
      QCOMPARE(top.kind, engine::DominatorKind::Set);
      QCOMPARE(top.retainedBytes, m_together.retained.bytes);
      QCOMPARE(top.objects, m_together.members.objects);
      auto& rows = view->findChild<DominatorTable*>()->rows();
      QCOMPARE(rows.index(0, 0).data().toString(), QStringLiteral("These objects"));
      // Above it there is all that it was picked from.
      QTest::keyClick(view->findChild<DominatorIcicle*>(), Qt::Key_Home);
      QTRY_VERIFY_WITH_TIMEOUT(view->scene()->way.size() == 1, kPatienceMs);
      QVERIFY(m_scene->navigator.location().set.isEmpty());
      m_scene->navigator.back();
      QTRY_VERIFY_WITH_TIMEOUT(view->scene()->way.size() == 2, kPatienceMs);
    }
  }

  void theGraphBeginsFromThoseThatRetainMost() {
    auto* graph = m_scene->place.findChild<ReferenceGraphView*>();
    m_scene->navigator.showReferencesOf(ReferencesPage::Graph, m_set);
    QTRY_COMPARE_WITH_TIMEOUT(graph->state().beside().size(), kMostStarts - 1, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!graph->picture().nodes.empty(), kPatienceMs);
    const auto starts = std::ranges::count(graph->picture().nodes, true, &GraphNode::isCentre);
    QCOMPARE(static_cast<std::size_t>(starts), kMostStarts);
    for (const GraphNode& node : graph->picture().nodes) QVERIFY(node.isCentre || node.column <= 0);
    auto* notice = m_scene->part<QLabel>("graphNotice");
    QTRY_VERIFY(notice->text().contains(QStringLiteral("20 of %1").arg(countText(m_orders.size()))));
    // One of them in the middle is about that one again.
    QVERIFY(m_scene->part<QToolButton>("referencesSet")->isVisible());
    m_scene->part<QToolButton>("referencesSet")->click();
    QVERIFY(m_scene->navigator.location().set.isEmpty());
    QVERIFY(!m_scene->part<QToolButton>("referencesSet")->isVisible());
  }

  void rootsAreCutInThePicturesOfTheDominators() {
    m_scene->navigator.showReferences(ReferencesPage::Dominators, {});
    auto* view = m_scene->place.findChild<DominatorView*>();
    auto* icicle = view->findChild<DominatorIcicle*>();
    view->findChild<QToolButton*>(QStringLiteral("dominatorForm1"))->click();
    view->findChild<QToolButton*>(QStringLiteral("dominatorGrouping1"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(
        view->scene() && view->scene()->way.size() == 1 && view->scene()->grouping == engine::DominatorGrouping::Type,
        kPatienceMs);
    const auto& shapes = view->scene()->shapes;
    auto& cuts = *m_scene->place.findChild<CutList*>();
    for (const engine::DominatorKind kind : {engine::DominatorKind::RootGroup, engine::DominatorKind::Root}) {
      const auto shape = std::ranges::find_if(
          shapes, [kind](const engine::DominatorShape& each) { return each.node.kind == kind && !each.isRest; });
      QVERIFY(shape != shapes.end());
      const std::uint64_t expected = shape->node.retainedBytes;
      const auto openMenu = [&] {
        Q_EMIT icicle->menuWanted(static_cast<std::uint32_t>(shape - shapes.begin()),
                                  icicle->mapToGlobal(QPoint(5, 5)));
      };
      QVERIFY(test::chooseFromMenu(openMenu, QStringLiteral("What if this reference were cut?")));
      QTRY_VERIFY_WITH_TIMEOUT(cuts.answer() && !cuts.isAsking(), kPatienceMs);
      QCOMPARE(cuts.answer()->whatIf.freed().bytes, expected);
      QCOMPARE(m_scene->navigator.location().page, ReferencesPage::WhatIf);
      cuts.removeAll();
      m_scene->navigator.showReferences(ReferencesPage::Dominators, {});
    }
    // Several objects at once: those that the shape stands for.
    const auto many = std::ranges::find_if(
        shapes, [](const engine::DominatorShape& each) { return each.node.objects > 1 && !each.isRest; });
    QVERIFY(many != shapes.end());
    const auto openMenu = [&] {
      Q_EMIT icicle->menuWanted(static_cast<std::uint32_t>(many - shapes.begin()), icicle->mapToGlobal(QPoint(5, 5)));
    };
    QVERIFY(test::chooseFromMenu(openMenu, kSetCut));
    QTRY_VERIFY_WITH_TIMEOUT(cuts.answer() && !cuts.isAsking(), kPatienceMs);
    QCOMPARE(cuts.answer()->whatIf.cuts().front().cut.places, many->node.objects);
    QVERIFY(cuts.answer()->whatIf.freed().bytes >= many->node.retainedBytes);
    cuts.removeAll();
  }

  void theSheetOfShortcutsHasWhatFinds() {
    m_scene->navigator.showReferences(ReferencesPage::Dominators, {});
    showShortcuts(&m_scene->place, {}, QStringLiteral("References"), m_scene->place);
    auto* sheet = m_scene->place.findChild<QDialog*>(QStringLiteral("shortcutSheet"));
    QVERIFY(sheet);
    std::set<QString> told;
    for (const FactList* list : sheet->findChildren<FactList*>()) {
      for (const Fact& fact : list->facts()) told.insert(fact.label);
    }
    QVERIFY(told.contains(QStringLiteral("Find next")));
    QVERIFY(told.contains(QStringLiteral("Find previous")));
    sheet->close();
  }

  void anotherDumpHasNoneOfTheSets() {
    m_scene->navigator.showReferencesOf(ReferencesPage::Dominators, m_set);
    m_scene->bridge.close();
    QVERIFY(!PickedSets::of(m_scene->bridge).find(m_set));
  }

  void cleanupTestCase() { m_scene.reset(); }

 private:
  std::unique_ptr<test::PlaceScene<ReferencesPlace>> m_scene;
  std::vector<std::uint32_t> m_orders;
  engine::RetainedSet m_together;
  QString m_set;
};

HEAPSCAPE_WINDOW_TEST(SetsTest)

}  // namespace heapscape::gui

#include "tst_sets.moc"
