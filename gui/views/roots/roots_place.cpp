// SPDX-License-Identifier: MIT
#include "views/roots/roots_place.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QStackedLayout>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>
#include <QWidget>
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "bridge/engine_bridge.h"
#include "models/cells/item_painting.h"
#include "models/lacking_heap.h"
#include "models/object_menu.h"
#include "models/retained_offer.h"
#include "models/root_switch.h"
#include "models/rows/picked_sets.h"
#include "models/rows/row_groups.h"
#include "models/rows/row_links.h"
#include "models/rows/rows_panel.h"
#include "models/rows/seen_values.h"
#include "models/rows/static_rows.h"
#include "models/rows/table_setup.h"
#include "session/objects/object_query.h"
#include "session/references/cuts.h"
#include "session/roots/held_together.h"
#include "views/roots/root_rows.h"
#include "widgets/context_menu.h"
#include "widgets/dimming.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

/// All roots by owner, or grouped otherwise, and what each keeps alive that nothing else does.
class RootTreePanel : public QWidget {
 public:
  RootTreePanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  /// Null while retained sizes are not known.
  void show(std::shared_ptr<const engine::HeldRoots> roots);
  /// Picks a thread or a type with statics in the roots by owner, now or once they are there.
  void pickOwner(engine::Address owner);

 private:
  void addTree();
  QWidget* buildHead();
  void regroup();
  void showRoots(std::shared_ptr<const engine::HeldRoots> roots, bool isByOwner);
  void openSmallGroups();
  void showState();
  void pickWanted();
  void pick(const QModelIndex& index);
  void openMenu(const QPoint& position);

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  RootTreeModel* m_model;
  QTreeView* m_tree;
  GroupChoice* m_choice;
  std::shared_ptr<const engine::HeldRoots> m_held;  // by owner
  engine::Address m_wanted;                         // owner to be picked
  StatePanel* m_state;
  QStackedLayout* m_pages;
};

namespace {

constexpr int kOpenedUpTo = 30;  // children
constexpr std::size_t kMostCombinations = 50;
constexpr std::string_view kStatics = "Statics";
constexpr auto kGroupRootsChannel = "groupRoots";
constexpr std::array kGroupFields{engine::ObjectField::Type, engine::ObjectField::Namespace, engine::ObjectField::Gen,
                                  engine::ObjectField::Value};

enum RootGrouping : int { ByOwner, ByKind, ByThread };

std::string plainGroupOf(const engine::RootList& list, const engine::RootRow& root, RootGrouping grouping) {
  if (grouping == ByKind) return rootKindText(root.kind).toStdString();
  const std::string thread = engine::threadOfRoot(list, root);
  return thread.empty() ? "no thread" : thread;
}

/// On the engine thread. By a field of the objects if there is one, else as `grouping` says.
engine::Outcome<engine::HeldRoots> groupRoots(const engine::Snapshot& snapshot, const engine::HeldRoots& held,
                                              const std::optional<engine::QueryFieldReference>& field,
                                              RootGrouping grouping, engine::ProgressSink* progress,
                                              std::stop_token stop) {
  std::vector<std::string> names;
  if (field) {
    std::vector<engine::Address> objects;
    for (const engine::HeldRoot& root : held.roots) objects.push_back(root.root.object);
    HEAPSCAPE_TRY(const std::vector<QString> groups, groupNames(snapshot, objects, *field, stop));
    for (const QString& name : groups) names.push_back(name.toStdString());
  } else {
    for (const engine::HeldRoot& root : held.roots)
      names.push_back(plainGroupOf(snapshot.roots(), root.root, grouping));
  }
  HEAPSCAPE_TRY(engine::HeldRoots grouped, engine::groupHeldRoots(snapshot, held, names, progress, std::move(stop)));
  engine::addHeldTogether(grouped);
  return grouped;
}

}  // namespace

RootTreePanel::RootTreePanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_model(new RootTreeModel(this)),
      m_tree(new QTreeView(this)),
      m_choice(new GroupChoice(bridge, u"rootTreeGroup"_s, u"roots"_s, this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout) {
  addTree();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildHead());
  column->addLayout(m_pages, 1);
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_tree);
  setFocusProxy(m_tree);
  connect(&bridge, &EngineBridge::retainedStateChanged, this, &RootTreePanel::showState);
  connect(&bridge, &EngineBridge::retainedProgressed, this, &RootTreePanel::showState);
  show(nullptr);
}

void RootTreePanel::addTree() {
  m_tree->setObjectName(u"rootTree"_s);
  m_tree->setAccessibleName(u"Roots by kind and owner"_s);
  m_tree->setModel(m_model);
  setUpTree(m_tree, new TableHeading(m_tree));
  m_tree->setItemDelegateForColumn(RootTreeModel::NameColumn, new NameDelegate(m_tree));
  m_tree->setItemDelegateForColumn(RootTreeModel::TypeColumn, new NameDelegate(m_tree));
  m_tree->setItemDelegateForColumn(RootTreeModel::ValueColumn, new NameDelegate(m_tree));
  m_tree->setItemDelegateForColumn(RootTreeModel::AloneColumn,
                                   new ShareBarDelegate(ShareBarDelegate::Bar::Plain, m_tree));
  const int letter = fontMetrics().averageCharWidth();
  QHeaderView* heading = m_tree->header();
  heading->setStretchLastSection(false);
  heading->resizeSection(RootTreeModel::AloneColumn, letter * 30);
  heading->resizeSection(RootTreeModel::ObjectColumn, letter * 26);
  heading->resizeSection(RootTreeModel::RootsColumn, letter * 9);
  heading->resizeSection(RootTreeModel::TypeColumn, letter * 20);
  heading->resizeSection(RootTreeModel::ValueColumn, letter * 20);
  rememberColumns(heading, u"rootTree"_s);
  new StretchedSection(m_tree, heading, RootTreeModel::NameColumn, letter * 36,
                       {RootTreeModel::TypeColumn, RootTreeModel::ValueColumn});
  new SeenValues(m_bridge, *m_tree,
                 {RootTreeModel::ValueColumn, [this](const QModelIndex& row) { return m_model->objectAt(row); },
                  m_model->values()});
  connect(m_tree->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &RootTreePanel::pick);
  connect(m_tree, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
    if (const engine::HeldRoot* root = m_model->rootAt(index))
      m_navigator.showObject(root->root.object);
    else if (const engine::Address largest = m_model->nodeAt(index).largest;
             largest && m_model->nodeAt(index).children.empty())  // else it opens
      m_navigator.showReferences(ReferencesPage::WhyAlive, {.object = largest, .methodTable = {}, .segment = {}});
  });
  connect(m_tree, &QWidget::customContextMenuRequested, this, &RootTreePanel::openMenu);
}

QWidget* RootTreePanel::buildHead() {
  m_choice->add(u"By owner"_s, ByOwner);
  m_choice->add(u"By kind"_s, ByKind);
  m_choice->add(u"By thread"_s, ByThread);
  for (const engine::ObjectField field : kGroupFields) m_choice->add(field);
  m_choice->addPrompt();
  m_choice->setMinimumHeight(std::max(24, fontMetrics().height() * 8 / 5));
  m_choice->setToolTip(u"How roots are put together; what each group holds is exact whichever way"_s);
  connect(m_choice, &GroupChoice::chosen, this, &RootTreePanel::regroup);
  auto* head = new QWidget(this);
  auto* line = new QHBoxLayout(head);
  line->setContentsMargins(12, 8, 12, 8);
  line->addWidget(m_choice);
  line->addStretch(1);
  return head;
}

void RootTreePanel::show(std::shared_ptr<const engine::HeldRoots> roots) {
  m_held = std::move(roots);
  if (!m_held) m_wanted = {};
  m_choice->setEnabled(m_held != nullptr);
  if (m_held) {
    regroup();
    return;
  }
  m_bridge.stopAsking(this, kGroupRootsChannel);
  m_model->show(nullptr);
  m_pages->setCurrentWidget(m_state);
  showState();
}

void RootTreePanel::regroup() {
  if (!m_held) return;
  if (m_choice->choice() == ByOwner) {
    m_bridge.stopAsking(this, kGroupRootsChannel);
    showRoots(m_held, true);
    return;
  }
  const auto grouping = static_cast<RootGrouping>(m_choice->choice().value_or(ByOwner));
  m_bridge.askLong(
      this, kGroupRootsChannel,
      [held = m_held, field = m_choice->field(), grouping](const engine::Snapshot& snapshot,
                                                           engine::ProgressSink* progress, std::stop_token stop) {
        return groupRoots(snapshot, *held, field, grouping, progress, std::move(stop));
      },
      [this](const engine::Progress&) { setDimmed(m_tree, true); },
      [this](engine::Outcome<engine::HeldRoots> grouped) {
        if (grouped) return showRoots(std::make_shared<const engine::HeldRoots>(std::move(*grouped)), false);
        if (grouped.error().isCancelled()) return;
        m_state->showFailed(u"The roots cannot be grouped"_s, fromEngine(grouped.error().error().message()));
        m_pages->setCurrentWidget(m_state);
      });
}

void RootTreePanel::showRoots(std::shared_ptr<const engine::HeldRoots> roots, bool isByOwner) {
  setDimmed(m_tree, false);
  m_model->show(std::move(roots), isByOwner);
  openSmallGroups();
  m_pages->setCurrentWidget(m_tree);
  if (isByOwner) pickWanted();
}

void RootTreePanel::pickOwner(engine::Address owner) {
  m_wanted = owner;
  if (m_choice->choice() == ByOwner) {
    pickWanted();
    return;
  }
  m_choice->setCurrentIndex(ByOwner);
  Q_EMIT m_choice->activated(ByOwner);
}

void RootTreePanel::pickWanted() {
  if (!m_wanted || !m_bridge.snapshot() || m_model->rowCount() == 0) return;
  const QModelIndex index = m_model->indexOfOwner(std::exchange(m_wanted, {}), m_bridge.snapshot()->roots());
  if (!index.isValid()) return;
  m_tree->setCurrentIndex(index);  // which opens what is above
  m_tree->expand(index);
  m_tree->scrollTo(index, QAbstractItemView::PositionAtTop);
}

// A group of hundreds would push all others out of sight; but statics are what is looked for. Above them stands no row
// that holds nothing, unless it is in a group that holds much.
void RootTreePanel::openSmallGroups() {
  bool isBelowStatics = false;
  std::uint64_t most = 0;
  for (int row = 0; row < m_model->rowCount(); ++row)
    most = std::max(most, m_model->nodeAt(m_model->index(row, 0)).alone.bytes);
  for (int row = 0; row < m_model->rowCount(); ++row) {
    const QModelIndex group = m_model->index(row, 0);
    const engine::RootTreeNode& node = m_model->nodeAt(group);
    if (node.isTogether) {
      // Where more of what is live is held so than in any other way, its combinations are the answer.
      if (node.alone.bytes == most) m_tree->expand(group);
      continue;
    }
    const int children = m_model->rowCount(group);
    const bool areStatics = node.name == kStatics;
    const auto holdsNothing = [&](int child) {
      return m_model->nodeAt(m_model->index(child, 0, group)).alone.bytes == 0;
    };
    const bool holdsMuch = node.alone.bytes > most / 2;
    const bool isCalm = isBelowStatics || holdsMuch || children == 0 || !holdsNothing(children - 1);
    if (areStatics || m_model->rowCount() == 1 || (children <= kOpenedUpTo && isCalm)) m_tree->expand(group);
    isBelowStatics = isBelowStatics || areStatics;
  }
}

void RootTreePanel::showState() {
  if (m_pages->currentWidget() == m_state) showRetainedState(*m_state, m_bridge);
}

void RootTreePanel::pick(const QModelIndex& index) {
  if (!index.isValid()) return;
  if (const engine::HeldRoot* root = m_model->rootAt(index))
    m_navigator.select({.object = root->root.object, .methodTable = root->methodTable, .segment = {}});
  else if (const engine::Address largest = m_model->nodeAt(index).largest)
    m_navigator.select({.object = largest, .methodTable = {}, .segment = {}});
  else if (isVisible())
    tellRow(m_navigator, u"Roots"_s, index, *m_tree->header());
}

void RootTreePanel::openMenu(const QPoint& position) {
  const QModelIndex index = m_tree->indexAt(position);
  if (!index.isValid()) return;
  const ContextMenu opened(this);
  QMenu& menu = *opened;
  if (m_bridge.snapshot()) {
    const std::string cut = m_model->cutOf(index, m_bridge.snapshot()->roots());
    if (!cut.empty()) addCut(menu, m_navigator, cutHereText(), cut);
    if (!m_model->rootAt(index) && !m_model->nodeAt(index).isTogether) {
      const auto take = [this, objects = m_model->objectsOf(index),
                         name = m_model->nodeAt(index).name](const std::function<void(const QString&)>& use) {
        m_bridge.ask(
            this, "rootSet",
            [objects](const engine::Snapshot& snapshot, std::stop_token stop) {
              return engine::idsOfSet(snapshot, {.objects = objects}, std::move(stop));
            },
            [this, use, name](engine::Outcome<std::vector<std::uint32_t>> ids) {
              if (ids && !ids->empty()) use(PickedSets::of(m_bridge).add(std::move(*ids), fromEngine(name)));
            });
      };
      addSetLinks(menu, m_navigator, take);
    }
    menu.addSeparator();
  }
  if (const engine::HeldRoot* root = m_model->rootAt(index)) {
    addSelectionLinks(menu, m_navigator,
                      {.object = root->root.object, .methodTable = root->methodTable, .segment = {}});
  } else if (const engine::Address largest = m_model->nodeAt(index).largest) {
    addSelectionLinks(menu, m_navigator, {.object = largest, .methodTable = {}, .segment = {}});
  }
  menu.addActions(m_tree->actions());
  menu.exec(m_tree->viewport()->mapToGlobal(position));
}

namespace {

using Rows = engine::Outcome<std::shared_ptr<const RowList>>;

}  // namespace

RootsPlace::RootsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_tabs(new QTabWidget(this)),
      m_tree(new RootTreePanel(bridge, navigator, this)),
      m_roots(buildRoots()),
      m_finalizers(buildFinalizers()) {
  m_tabs->setObjectName(u"rootTabs"_s);
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(m_tree, u"By owner"_s);
  addTab(m_roots, u"All roots"_s);
  addTab(buildStatics(), u"Statics"_s);
  addTab(buildHandles(), u"Handles"_s);
  addTab(m_finalizers, u"Finalizer queue"_s);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 4, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_tabs, 1);
  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(12, 4, 12, 4);
  foot->addWidget(new RootSwitch(bridge, this));
  foot->addStretch(1);
  column->addLayout(foot);
  setFocusProxy(m_tabs);
  connect(&bridge, &EngineBridge::retainedStateChanged, this, &RootsPlace::showLacking);
  connect(&bridge, &EngineBridge::retainedProgressed, this, &RootsPlace::showLacking);
}

RowsPanel* RootsPlace::buildRoots() {
  RowsPanelSetup setup = RowsPanelSetup::ofList(rootSchema());
  setup.name = u"roots"_s;
  setup.title = u"All roots"_s;
  setup.noun = u"roots"_s;
  setup.filterHint = u"Filter by name, type or address"_s;
  setup.emptyText = u"Nothing holds objects from outside the heap."_s;
  setup.sortColumn = kRootAloneColumn;
  setup.descending = true;
  auto* panel = new RowsPanel(m_bridge, m_navigator, std::move(setup), {}, this);
  connect(panel, &RowsPanel::menuOpening, this, [this, panel](QMenu* menu, std::uint32_t row) {
    const auto& held = panel->rows()->as<engine::HeldRoot>(row);
    addCut(*menu, m_navigator, cutHereText(), engine::cutOfRoot(held.root));
    menu->addSeparator();
  });
  return panel;
}

RowsPanel* RootsPlace::buildStatics() {
  RowsPanelSetup setup = RowsPanelSetup::ofList(staticSchema());
  setup.name = u"statics"_s;
  setup.title = u"Static fields"_s;
  setup.noun = u"static fields"_s;
  setup.filterHint = u"Filter by type, field or value"_s;
  setup.loading = u"Reading the static fields"_s;
  setup.emptyText = u"None of the loaded types has static fields that could be read."_s;
  setup.hasRetained = true;
  setup.sortColumn = kStaticKindColumn;  // what the compiler keeps in images comes last
  const auto load = [](const engine::Snapshot& snapshot, std::stop_token stop) -> Rows {
    HEAPSCAPE_TRY(engine::StaticList list, engine::listStatics(snapshot, {}, stop));
    return makeRowList(std::move(list.statics), staticSchema(), std::move(list.findings));
  };
  return new RowsPanel(m_bridge, m_navigator, std::move(setup), load, this);
}

RowsPanel* RootsPlace::buildHandles() {
  RowsPanelSetup setup = RowsPanelSetup::ofList(handleSchema());
  setup.name = u"handles"_s;
  setup.title = u"GC handles"_s;
  setup.noun = u"handles"_s;
  setup.filterHint = u"Filter by type or address"_s;
  setup.loading = u"Reading the handle tables"_s;
  setup.emptyText = u"The handle tables hold no handle to an object."_s;
  setup.hasRetained = true;
  const auto load = [](const engine::Snapshot& snapshot, std::stop_token stop) -> Rows {
    HEAPSCAPE_TRY(engine::HandleList list, engine::listHandles(snapshot, false, stop));
    return makeRowList(std::move(list.handles), handleSchema(), std::move(list.findings));
  };
  return new RowsPanel(m_bridge, m_navigator, std::move(setup), load, this);
}

RowsPanel* RootsPlace::buildFinalizers() {
  RowsPanelSetup setup = RowsPanelSetup::ofList(finalizerSchema());
  setup.name = u"finalizers"_s;
  setup.title = u"Objects with a finalizer that has not run"_s;
  setup.noun = u"objects"_s;
  setup.filterHint = u"Filter by type or address"_s;
  setup.loading = u"Reading the finalizer queue"_s;
  setup.emptyHeading = u"The finalizer queue is empty"_s;
  setup.emptyText = u"No object on the heap has a finalizer that is still to run."_s;
  setup.hasRetained = true;
  const auto load = [](const engine::Snapshot& snapshot, std::stop_token stop) -> Rows {
    HEAPSCAPE_TRY(engine::FinalizerList list, engine::listFinalizers(snapshot, stop));
    return makeRowList(std::move(list.objects), finalizerSchema(), std::move(list.findings));
  };
  return new RowsPanel(m_bridge, m_navigator, std::move(setup), load, this);
}

void RootsPlace::addTab(RowsPanel* panel, const QString& title) {
  const int tab = m_tabs->addTab(panel, title);
  m_tabs->tabBar()->setTabData(tab, title + u"  88,888"_s);  // the count comes late
  m_panels.push_back(panel);
  connect(panel, &RowsPanel::loaded, this, [this, panel, tab, title] {
    m_tabs->setTabText(tab, u"%1  %2"_s.arg(title, countText(panel->rows()->size())));
  });
  connect(panel, &RowsPanel::cleared, this, [this, tab, title] { m_tabs->setTabText(tab, title); });
  connect(panel, &RowsPanel::found, this, [this, panel] { m_tabs->setCurrentWidget(panel); });
}

void RootsPlace::showSnapshot(const engine::Snapshot& snapshot) {
  m_hasObjects = snapshot.has(engine::Stage::Objects);
  m_hasNoHeap = lacksHeap(snapshot);
  m_isRecorded = snapshot.isRecorded();
  for (RowsPanel* panel : m_panels) m_tabs->setTabVisible(m_tabs->indexOf(panel), panel == m_roots || !m_isRecorded);
  m_areListsOld = m_areRootsOld = snapshot.has(engine::Stage::Retained);
  if (!m_hasObjects && !m_hasNoHeap) {
    for (RowsPanel* panel : m_panels) panel->showWaiting(u"Waiting for the objects of the heap"_s);
  } else if (isVisible()) {
    load();
  }
}

void RootsPlace::clear() {
  m_hasObjects = m_hasNoHeap = m_areListsOld = m_areRootsOld = false;
  m_listed = {};
  m_tree->show(nullptr);
  for (RowsPanel* panel : m_panels) panel->clear();
}

void RootsPlace::follow(const Location& location) {
  const bool isOther = location.place == PlaceId::Roots && location.listed != m_listed;
  m_listed = location.listed;
  if (isOther && std::holds_alternative<FinalizerQueue>(m_listed)) m_tabs->setCurrentWidget(m_finalizers);
  const auto* slot = std::get_if<engine::Address>(&m_listed);
  if (!isOther || !slot) return;
  const engine::Snapshot* snapshot = m_bridge.snapshot();
  const auto isOwner = [slot](const engine::RootGroup& group) { return group.owner == *slot; };
  if (snapshot && std::ranges::any_of(snapshot->roots().groups, isOwner)) {
    m_tabs->setCurrentWidget(m_tree);
    m_tree->pickOwner(*slot);
    return;
  }
  for (RowsPanel* panel : m_panels) {
    if (panel != m_roots) panel->pick(*slot);
  }
}

void RootsPlace::showEvent(QShowEvent* event) {
  Place::showEvent(event);
  load();
}

void RootsPlace::load() {
  if (!m_hasObjects && !m_hasNoHeap) return;
  for (RowsPanel* panel : m_panels) {
    if (panel == m_roots || m_isRecorded) continue;
    if (m_hasNoHeap && panel == m_finalizers) {
      panel->showLacking();
      continue;
    }
    m_areListsOld ? panel->reload() : panel->load();
  }
  m_areListsOld = false;
  if (m_areRootsOld)
    loadRoots();
  else
    showLacking();
}

void RootsPlace::showLacking() {
  const auto& snapshot = m_bridge.snapshot();
  if ((m_hasObjects || m_hasNoHeap) && snapshot && !snapshot->has(engine::Stage::Retained)) m_roots->showLacking();
}

void RootsPlace::loadRoots() {
  m_areRootsOld = false;
  const auto query = [](const engine::Snapshot& snapshot, std::stop_token stop) -> engine::Outcome<engine::HeldRoots> {
    HEAPSCAPE_TRY(engine::HeldRoots held, engine::listHeldRoots(snapshot, stop));
    HEAPSCAPE_CHECK(engine::addCombinations(snapshot, held, kMostCombinations, nullptr, stop));
    return held;
  };
  m_bridge.ask(this, "roots", query, [this](engine::Outcome<engine::HeldRoots> answer) {
    if (!answer) {
      if (!answer.error().isCancelled()) m_roots->showFailure(answer.error().error());
      return;
    }
    const auto held = std::make_shared<const engine::HeldRoots>(std::move(*answer));
    m_tree->show(held);
    const auto rows = std::shared_ptr<const std::vector<engine::HeldRoot>>(held, &held->roots);
    m_roots->updateRows(makeRowList(rows, rootSchema()));
  });
}

}  // namespace heapscape::gui
