// SPDX-License-Identifier: MIT
// The place on a real dump, driven as a person does.
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QTabWidget>
#include <QTreeView>
#include <atomic>
#include <future>

#include "models/cells/roles.h"
#include "session/references/cuts.h"
#include "session/roots/handles_query.h"
#include "session/roots/held_together.h"
#include "session/roots/roots_query.h"
#include "session/roots/statics_query.h"
#include "support/menu_choice.h"
#include "support/object_values.h"
#include "support/place_scene.h"
#include "support/window_test.h"
#include "views/roots/root_rows.h"
#include "views/roots/roots_place.h"
#include "widgets/bar_row.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

const QString kRoots = QStringLiteral("roots");
const QString kStatics = QStringLiteral("statics");
const QString kHandles = QStringLiteral("handles");
const QString kFinalizers = QStringLiteral("finalizers");
constexpr int kHandlesTab = 3;

/// The first row of the tree below `parent` that is a root of an object with a value; invalid if none is.
QModelIndex firstRootWithValue(const RootTreeModel& model, const engine::Snapshot& snapshot,
                               const QModelIndex& parent = {}) {
  for (int row = 0; row < model.rowCount(parent); ++row) {
    const QModelIndex index = model.index(row, 0, parent);
    if (const engine::HeldRoot* root = model.rootAt(index)) {
      const auto value = engine::referenceTo(engine::ObjectField::Value);
      if (!test::toldOfObject(snapshot, root->root.object, value).isEmpty()) return index;
    }
    if (const QModelIndex below = firstRootWithValue(model, snapshot, index); below.isValid()) return below;
  }
  return {};
}

}  // namespace

class RootsPlaceTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    test::dressApplication();
    m_scene = std::make_unique<test::PlaceScene<RootsPlace>>(PlaceId::Roots);
    QVERIFY(m_scene->openUntilRetained(test::dataFile(QStringLiteral("shop-10.core.zst"))));
    for (const QString& name : {kRoots, kStatics, kHandles, kFinalizers}) {
      QTRY_VERIFY_WITH_TIMEOUT(m_scene->lines(name) > 0, test::kPatienceMs);
    }
  }
  void cleanup() {
    for (RowsPanel* panel : m_scene->place.findChildren<RowsPanel*>()) panel->setFilter({});
    QTRY_COMPARE(m_scene->lines(kHandles), static_cast<int>(m_scene->model(kHandles).list()->size()));
  }

  void everyRowOfTheEngineIsThere() {
    const auto statics = engine::listStatics(m_scene->snapshot(), {}, {});
    const auto handles = engine::listHandles(m_scene->snapshot(), false, {});
    const auto finalizers = engine::listFinalizers(m_scene->snapshot(), {});
    QCOMPARE(m_scene->lines(kStatics), static_cast<int>(statics->statics.size()));
    QCOMPARE(m_scene->lines(kFinalizers), static_cast<int>(finalizers->objects.size()));
    QCOMPARE(m_scene->lines(kHandles), static_cast<int>(handles->handles.size()));
    const int object = m_scene->column(kHandles, QStringLiteral("Object"));
    const int slot = m_scene->column(kHandles, QStringLiteral("Handle"));
    for (int line = 0; line < m_scene->lines(kHandles); ++line) {
      const engine::HandleRow& handle = handles->handles[static_cast<std::size_t>(line)];
      QCOMPARE(m_scene->cell(kHandles, line, 0), handleKindText(handle.kind));
      QCOMPARE(m_scene->cell(kHandles, line, object), addressText(handle.object));
      QCOMPARE(m_scene->cell(kHandles, line, slot), addressText(handle.address));
    }
  }

  void theModelsAreSound() {
    for (const QString& name : {kRoots, kStatics, kHandles, kFinalizers}) {
      const QAbstractItemModelTester tester(&m_scene->model(name));
    }
  }

  void rootsAndTheirGroupsAreCutByTheirMenus() {
    const QString cutHere = QStringLiteral("What if this reference were cut?");
    QStringList cuts;
    const auto listening =
        connect(&m_scene->navigator, &Navigator::cutWanted, &m_scene->place, [&](const QString& cut) { cuts << cut; });
    auto* tabs = m_scene->part<QTabWidget>(QStringLiteral("rootTabs"));
    tabs->setCurrentIndex(0);
    auto* tree = m_scene->part<QTreeView>(QStringLiteral("rootTree"));
    QModelIndex group = tree->model()->index(0, 0);
    for (int row = 1; static_cast<RootTreeModel*>(tree->model())->nodeAt(group).isTogether; ++row)
      group = tree->model()->index(row, 0);
    const auto openMenuOf = [&](const QModelIndex& index) {
      return [tree, index] { Q_EMIT tree->customContextMenuRequested(tree->visualRect(index).center()); };
    };
    QVERIFY(test::chooseFromMenu(openMenuOf(group), cutHere));
    const engine::RootList& list = m_scene->snapshot().roots();
    QCOMPARE(cuts.last(), QStringLiteral("root:") + group.data().toString());
    tabs->setCurrentIndex(1);
    QTableView& table = m_scene->table(kRoots);
    QVERIFY(test::chooseFromMenu(
        [&] { Q_EMIT table.customContextMenuRequested(table.visualRect(table.model()->index(0, 0)).center()); },
        cutHere));
    const std::uint32_t row = m_scene->model(kRoots).rowAt(0);
    QCOMPARE(cuts.last(), fromEngine(engine::cutOfRoot(list.roots[row])));
    for (const QString& cut : cuts) QVERIFY(engine::readCut(m_scene->snapshot(), cut.toStdString(), {}).has_value());
    disconnect(listening);
    tabs->setCurrentIndex(0);
  }

  void tabsTellHowMany() {
    auto* tabs = m_scene->part<QTabWidget>(QStringLiteral("rootTabs"));
    for (int tab = 0; tab < tabs->count(); ++tab) {
      auto* panel = qobject_cast<RowsPanel*>(tabs->widget(tab));
      if (!panel) continue;  // the tree
      QVERIFY(tabs->tabText(tab).endsWith(countText(panel->rows()->size())));
    }
  }

  void theTreeGroupsAllRootsByOwner() {
    auto* tree = m_scene->part<QTreeView>(QStringLiteral("rootTree"));
    QTRY_VERIFY(tree->model()->rowCount() > 0);
    const QAbstractItemModelTester tester(tree->model());
    auto held = engine::listHeldRoots(m_scene->snapshot(), {});
    const std::size_t groups = held->tree[0].children.size();
    engine::addHeldTogether(*held);
    QCOMPARE(held->tree[0].children.size(), groups + 1);  // what several roots hold together
    QCOMPARE(tree->model()->rowCount(), static_cast<int>(held->tree[0].children.size()));
    const engine::RootTreeNode& first = held->tree[held->tree[0].children[0]];
    QCOMPARE(tree->model()->index(0, RootTreeModel::NameColumn).data().toString(), fromEngine(first.name));
    QCOMPARE(tree->model()->index(0, RootTreeModel::AloneColumn).data().toString(), bytesText(first.alone.bytes));
    QCOMPARE(m_scene->lines(kRoots), static_cast<int>(held->roots.size()));
  }

  void allRowsAddUpAndWhatIsHeldTogetherOpens() {
    auto* tree = m_scene->part<QTreeView>(QStringLiteral("rootTree"));
    const auto* model = static_cast<RootTreeModel*>(tree->model());
    QTRY_VERIFY(model->rowCount() > 0);
    std::uint64_t bytes = 0;
    QModelIndex together;
    bool areStaticsOpen = false;
    std::uint64_t most = 0;
    for (int row = 0; row < model->rowCount(); ++row)
      most = std::max(most, model->nodeAt(model->index(row, 0)).alone.bytes);
    for (int row = 0; row < model->rowCount(); ++row) {
      const QModelIndex group = model->index(row, 0);
      bytes += model->nodeAt(group).alone.bytes;
      if (model->nodeAt(group).isTogether) QCOMPARE(tree->isExpanded(group), model->nodeAt(group).alone.bytes == most);
      if (model->nodeAt(group).alone.bytes > most / 2 && model->rowCount(group) <= 30)
        QVERIFY2(tree->isExpanded(group) || model->nodeAt(group).isTogether, "where most is held is seen");
      if (model->nodeAt(group).isTogether) together = group;
      if (model->nodeAt(group).name == "Statics") areStaticsOpen = tree->isExpanded(group);
      // Above the statics no row is open that holds nothing, but for groups that hold much.
      if (model->nodeAt(group).alone.bytes > most / 2) continue;
      for (int child = 0; !areStaticsOpen && tree->isExpanded(group) && child < model->rowCount(group); ++child)
        QVERIFY(model->nodeAt(model->index(child, 0, group)).alone.bytes > 0);
    }
    QVERIFY(areStaticsOpen);
    QCOMPARE(bytes, m_scene->snapshot().retainedTotals().reachableBytes);
    QVERIFY(together.isValid());
    QCOMPARE(together.data().toString(), QStringLiteral("Held by several roots together"));
    QVERIFY(model->rowCount(together) > 0);
    std::uint64_t combined = 0;
    for (int row = 0; row < model->rowCount(together); ++row) {
      const engine::RootTreeNode& node = model->nodeAt(model->index(row, 0, together));
      if (row == 0) QVERIFY(QString::fromStdString(node.name).contains(QStringLiteral(" + ")));
      combined += node.alone.bytes;
    }
    QCOMPARE(combined, model->nodeAt(together).alone.bytes);
  }

  // By more than are told apart, too; a double click opens it and leads nowhere else.
  void whatACombinationHoldsIsSeenObjectByObject() {
    auto* tree = m_scene->part<QTreeView>(QStringLiteral("rootTree"));
    const auto* model = static_cast<RootTreeModel*>(tree->model());
    QTRY_VERIFY(model->rowCount() > 0);
    std::size_t opened = 0;
    for (int row = 0; row < model->rowCount(); ++row) {
      const QModelIndex together = model->index(row, 0);
      if (!model->nodeAt(together).isTogether) continue;
      tree->expand(together);
      for (int child = 0; child < model->rowCount(together); ++child) {
        const QModelIndex combination = model->index(child, 0, together);
        const QString name = combination.data().toString();
        if (model->rowCount(combination) == 0) {
          const bool areOthers = name.contains(QStringLiteral("other combination"));
          QVERIFY2(areOthers || model->objectAt(combination), qPrintable(name));
          continue;
        }
        ++opened;
        std::uint64_t bytes = 0;
        for (int part = 0; part < model->rowCount(combination); ++part) {
          const QModelIndex object = model->index(part, 0, combination);
          bytes += model->nodeAt(object).alone.bytes;
          QVERIFY(model->objectAt(object) || object.data().toString().contains(QStringLiteral("smaller object")));
        }
        QCOMPARE(bytes, model->nodeAt(combination).alone.bytes);
        if (opened > 1) continue;
        Q_EMIT tree->activated(combination);
        QCOMPARE(m_scene->navigator.location().place, PlaceId::Roots);
        const QModelIndex object = model->index(0, 0, combination);
        Q_EMIT tree->activated(object);
        QCOMPARE(m_scene->navigator.location().place, PlaceId::References);
        QVERIFY(m_scene->navigator.location().selection.object == model->objectAt(object));
        m_scene->navigator.goTo(PlaceId::Roots);
      }
    }
    QVERIFY(opened > 0);
  }

  // Owners without namespaces, and cut at the end: those that tell a combination apart stand first.
  void combinationsAreToldApartByWhatIsSeenOfTheirNames() {
    auto* tree = m_scene->part<QTreeView>(QStringLiteral("rootTree"));
    const auto* model = static_cast<RootTreeModel*>(tree->model());
    QTRY_VERIFY(model->rowCount() > 0);
    std::size_t named = 0;
    for (int row = 0; row < model->rowCount(); ++row) {
      const QModelIndex together = model->index(row, 0);
      for (int child = 0; model->nodeAt(together).isTogether && child < model->rowCount(together); ++child) {
        const QModelIndex combination = model->index(child, 0, together);
        const QStringList owners = fromEngine(model->nodeAt(combination).name).split(QStringLiteral(" + "));
        if (owners.size() < 2) continue;
        ++named;
        QVERIFY(combination.data(kCutAtEndRole).toBool());
        const QString name = combination.data().toString();
        QVERIFY2(!name.contains(QStringLiteral("statics of System.")), qPrintable(name));
        const QStringList shown = name.split(QStringLiteral(" + "));
        QCOMPARE(shown.size(), owners.size());
        for (const QString& owner : shown) QVERIFY2(owner.size() <= 26, qPrintable(owner));
        const QString tip = combination.data(Qt::ToolTipRole).toString();
        for (const QString& owner : owners) QVERIFY2(tip.contains(owner), qPrintable(tip));
      }
    }
    QVERIFY(named > 1);
  }

  void whoLeadsToAThreadsRootsFindsThemOpen() {
    auto* tree = m_scene->part<QTreeView>(QStringLiteral("rootTree"));
    const auto& groups = m_scene->snapshot().roots().groups;
    for (const char* kind : {"thread ", "Shop."}) {
      const auto group = std::ranges::find_if(
          groups, [kind](const engine::RootGroup& one) { return one.owner && one.name.starts_with(kind); });
      QVERIFY2(group != groups.end(), kind);
      m_scene->navigator.showListed(PlaceId::Roots, group->owner, {});
      QTRY_COMPARE(tree->currentIndex().siblingAtColumn(0).data().toString(), fromEngine(group->name));
      QVERIFY(tree->isVisible() && tree->isExpanded(tree->currentIndex().siblingAtColumn(0)));
    }
  }

  void rootsOfTheTreeTellTheValuesOfTheirObjects() {
    auto* tree = m_scene->part<QTreeView>(QStringLiteral("rootTree"));
    const auto* model = static_cast<RootTreeModel*>(tree->model());
    tree->expandAll();
    const QModelIndex root = firstRootWithValue(*model, m_scene->snapshot());
    QVERIFY(root.isValid());
    // What several hold together stands first and may fill the view; it has no values.
    tree->scrollTo(root, QAbstractItemView::PositionAtTop);
    QTRY_VERIFY(
        test::tellsValues(*tree, RootTreeModel::ValueColumn, m_scene->snapshot(), [model](const QModelIndex& row) {
          const engine::HeldRoot* root = model->rootAt(row);
          return root ? root->root.object : engine::Address();
        }));
  }

  void aRootOfTheTreeIsPickedAndOpened() {
    auto* tree = m_scene->part<QTreeView>(QStringLiteral("rootTree"));
    auto* model = static_cast<RootTreeModel*>(tree->model());
    const QModelIndex root = firstRootWithValue(*model, m_scene->snapshot());
    QVERIFY(root.isValid());
    tree->setCurrentIndex(root);
    QVERIFY(m_scene->navigator.location().selection.object == model->rootAt(root)->root.object);
    Q_EMIT tree->activated(root);
    QCOMPARE(m_scene->navigator.location().place, PlaceId::Object);
    m_scene->navigator.goTo(PlaceId::Roots);
  }

  void retainedSizesStandInTheLists() {
    const int column = m_scene->column(kHandles, QStringLiteral("Retained"));
    const auto handles = engine::listHandles(m_scene->snapshot(), false, {});
    QTRY_COMPARE(m_scene->cell(kHandles, 0, column), bytesText(*handles->handles[0].retainedBytes));
  }

  // A stage may arrive while the rows of the one before are still on their way.
  void rowsThatAreAskedForAnewAreNotThoseThatWereOnTheirWay() {
    std::promise<void> goOn;
    std::atomic<int> asked = 0;
    const auto load = [&asked, rest = goOn.get_future().share()](
                          const engine::Snapshot&,
                          const std::stop_token&) -> engine::Outcome<std::shared_ptr<const RowList>> {
      const std::size_t rows = static_cast<std::size_t>(++asked);
      rest.wait();
      return makeRowList(std::vector<engine::HandleRow>(rows), handleSchema());
    };
    RowsPanelSetup setup;
    setup.name = QStringLiteral("late");
    setup.noun = QStringLiteral("rows");
    setup.columns = handleSchema().setups();
    RowsPanel panel(m_scene->bridge, m_scene->navigator, std::move(setup), load);
    panel.load();
    QTRY_COMPARE(asked.load(), 1);
    panel.reload();
    goOn.set_value();
    QTRY_VERIFY(panel.rows());
    QCOMPARE(panel.rows()->size(), 2U);
  }

  // The table shows the rows of before until new ones are in order.
  void aRowThatIsNoLongerThereIsNotPicked() {
    RowsPanelSetup setup;
    setup.name = QStringLiteral("fewer");
    setup.noun = QStringLiteral("rows");
    setup.columns = handleSchema().setups();
    RowsPanel panel(m_scene->bridge, m_scene->navigator, std::move(setup), {});
    auto& table = *panel.findChild<RowsTable*>();
    panel.setRows(makeRowList(std::vector<engine::HandleRow>(3), handleSchema()));
    QTRY_COMPARE(table.rows().rowCount(), 3);
    QSignalSpy picked(&panel, &RowsPanel::rowPicked);
    QSignalSpy activated(&panel, &RowsPanel::rowActivated);
    panel.updateRows(makeRowList(std::vector<engine::HandleRow>(1), handleSchema()));
    table.setCurrentIndex(table.rows().index(2, 0));
    Q_EMIT table.activated(table.rows().index(2, 0));
    QVERIFY(picked.isEmpty() && activated.isEmpty());
    QTRY_COMPARE(table.rows().rowCount(), 1);
    table.setCurrentIndex(table.rows().index(0, 0));
    QCOMPARE(picked.size(), 1);
  }

  void withoutInexactWordsAllFiguresFollow() {
    auto* needless = m_scene->part<QCheckBox>(QStringLiteral("stackRoots"));
    QVERIFY(!needless->isEnabled());
    QCOMPARE(needless->text(), QStringLiteral("✓ exact roots"));
    // A dump with frames whose references are not known.
    test::PlaceScene<RootsPlace> scene(PlaceId::Roots);
    QVERIFY(scene.openUntilRetained(test::dumpFile(QStringLiteral("stacks-10"))));
    QTRY_VERIFY_WITH_TIMEOUT(scene.lines(kRoots) > 0, test::kPatienceMs);
    auto* words = scene.part<QCheckBox>(QStringLiteral("stackRoots"));
    QVERIFY(words->isEnabled() && words->isChecked());
    const int before = scene.lines(kRoots);
    words->click();
    QTRY_VERIFY_WITH_TIMEOUT(scene.lines(kRoots) < before, test::kPatienceMs);
    QVERIFY(!scene.snapshot().rootOptions().includeInexact);
    words->click();
    QTRY_COMPARE_WITH_TIMEOUT(scene.lines(kRoots), before, test::kPatienceMs);
  }

  void aChipShowsOnlyItsKind() {
    const auto pinned = static_cast<int>(engine::HandleKind::Pinned);
    auto* chip = m_scene->part<BarRow>(QStringLiteral("handlesKind%1").arg(pinned));
    QVERIFY(chip);
    chip->click();
    const auto expected =
        static_cast<int>(m_scene->model(kHandles).list()->kinds()[static_cast<std::size_t>(pinned)].rows);
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->lines(kHandles), expected, test::kPatienceMs);
    for (int line = 0; line < expected; ++line) {
      QCOMPARE(m_scene->cell(kHandles, line, 0), handleKindText(engine::HandleKind::Pinned));
    }
    const QString count = m_scene->part<QLabel>(QStringLiteral("handlesCount"))->text();
    QVERIFY2(count.startsWith(QStringLiteral("%1 of ").arg(expected)), qPrintable(count));
    chip->click();
  }

  void theFilterFindsAStaticByItsTypeAndByItsValue() {
    m_scene->part<QLineEdit>(QStringLiteral("staticsFilter"))->setText(QStringLiteral("shop.statics"));
    const int type = m_scene->column(kStatics, QStringLiteral("Type"));
    const auto all = static_cast<int>(m_scene->model(kStatics).list()->size());
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->lines(kStatics) > 0 && m_scene->lines(kStatics) < all, test::kPatienceMs);
    for (int line = 0; line < m_scene->lines(kStatics); ++line) {
      QVERIFY(m_scene->cell(kStatics, line, type).contains(QStringLiteral("Shop.Statics")));
    }
  }

  void kindsOfStaticsSayThatThereAreNoContextStatics() {
    const auto normal = static_cast<int>(engine::StaticKind::Normal);
    auto* chip = m_scene->part<BarRow>(QStringLiteral("staticsKind%1").arg(normal));
    QVERIFY(chip->toolTip().contains(QStringLiteral("Context statics")));
  }

  void sortingIsStable() {
    m_scene->part<QTabWidget>(QStringLiteral("rootTabs"))->setCurrentIndex(kHandlesTab);
    const int type = m_scene->column(kHandles, QStringLiteral("Type"));
    m_scene->clickHeading(kHandles, type);
    const RowsModel& model = m_scene->model(kHandles);
    const auto isInOrder = [&] {
      for (int line = 1; line < model.rowCount(); ++line) {
        const QString before = m_scene->cell(kHandles, line - 1, type).toCaseFolded();
        const QString after = m_scene->cell(kHandles, line, type).toCaseFolded();
        if (before > after || (before == after && model.rowAt(line - 1) > model.rowAt(line))) return false;
      }
      return model.rowCount() > 1;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isInOrder(), test::kPatienceMs);  // sorting is done on the engine's thread
  }

  void pickingAHandlePicksItsObjectAndActivatingShowsIt() {
    m_scene->part<QTabWidget>(QStringLiteral("rootTabs"))->setCurrentIndex(1);
    RowsModel& model = m_scene->model(kHandles);
    m_scene->table(kHandles).setCurrentIndex({});
    m_scene->table(kHandles).setCurrentIndex(model.index(2, 0));
    const RowLink target = model.list()->target(model.rowAt(2));
    QVERIFY(target.object);
    QCOMPARE(m_scene->navigator.location().selection.object.value, target.object.value);
    m_scene->table(kHandles).setFocus();
    QTest::keyClick(&m_scene->table(kHandles), Qt::Key_Return);
    QCOMPARE(m_scene->navigator.location().place, PlaceId::Object);
    QCOMPARE(m_scene->navigator.location().selection.object.value, target.object.value);
    m_scene->navigator.goTo(PlaceId::Roots);
  }

  void aHandleThatIsAskedForIsShown() {
    auto* tabs = m_scene->part<QTabWidget>(QStringLiteral("rootTabs"));
    tabs->setCurrentIndex(0);
    m_scene->part<QLineEdit>(QStringLiteral("handlesFilter"))->setText(QStringLiteral("no such handle"));
    QTRY_COMPARE_WITH_TIMEOUT(m_scene->lines(kHandles), 0, test::kPatienceMs);
    const auto list = m_scene->model(kHandles).list();
    const engine::Address wanted = list->identity(list->size() - 1);
    m_scene->navigator.showListed(PlaceId::Roots, wanted, {});
    auto* panel = static_cast<RowsPanel*>(tabs->widget(kHandlesTab));
    QTRY_COMPARE_WITH_TIMEOUT(panel->currentRow(), std::optional(list->size() - 1), test::kPatienceMs);
    QCOMPARE(tabs->currentIndex(), kHandlesTab);
    QVERIFY(m_scene->navigator.location().selection.isEmpty());  // the list follows, it does not pick
  }

  void theFinalizerQueueIsShownWhereItIsAskedFor() {
    auto* tabs = m_scene->part<QTabWidget>(QStringLiteral("rootTabs"));
    tabs->setCurrentIndex(0);
    m_scene->navigator.showListed(PlaceId::Roots, FinalizerQueue{}, {});
    QCOMPARE(tabs->tabText(tabs->currentIndex()).section(QStringLiteral("  "), 0, 0),
             QStringLiteral("Finalizer queue"));
  }

  void clearingDropsEverything() {
    m_scene->bridge.close();
    m_scene->place.clear();
    for (const QString& name : {kStatics, kHandles, kFinalizers}) QCOMPARE(m_scene->lines(name), 0);
    QCOMPARE(m_scene->part<QTabWidget>(QStringLiteral("rootTabs"))->tabText(kHandlesTab), QStringLiteral("Handles"));
    initTestCase();
  }

 private:
  std::unique_ptr<test::PlaceScene<RootsPlace>> m_scene;
};

HEAPSCAPE_WINDOW_TEST(RootsPlaceTest)

}  // namespace heapscape::gui

#include "tst_roots_place.moc"
