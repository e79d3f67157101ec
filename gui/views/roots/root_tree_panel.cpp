// SPDX-License-Identifier: MIT
#include "views/roots/root_tree_panel.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "models/cells/name_delegate.h"
#include "models/cells/share_bar_delegate.h"
#include "models/object_menu.h"
#include "models/retained_progress.h"
#include "models/rows/group_choice.h"
#include "models/rows/picked/picked_sets.h"
#include "models/rows/picked/set_menu.h"
#include "models/rows/seen_values.h"
#include "models/rows/stretched_section.h"
#include "models/rows/table_heading.h"
#include "models/rows/table_setup.h"
#include "session/objects/set_query.h"
#include "session/roots/grouped_roots.h"
#include "views/roots/root_rows.h"
#include "views/roots/root_tree_model.h"
#include "widgets/context_menu.h"
#include "widgets/dimming.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr int kOpenedUpTo = 30;  // children
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
  return engine::groupHeldRoots(snapshot, held, names, progress, std::move(stop));
}

}  // namespace

RootTreePanel::RootTreePanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_model(new RootTreeModel(this)),
      m_tree(new QTreeView(this)),
      m_choice(new GroupChoice(bridge, QStringLiteral("rootTreeGroup"), QStringLiteral("roots"), this)),
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
  m_tree->setObjectName(QStringLiteral("rootTree"));
  m_tree->setAccessibleName(QStringLiteral("Roots by kind and owner"));
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
  heading->resizeSection(RootTreeModel::AloneColumn, letter * 18);
  heading->resizeSection(RootTreeModel::ObjectColumn, figureColumnWidth(*this));
  heading->resizeSection(RootTreeModel::RootsColumn, letter * 9);
  heading->resizeSection(RootTreeModel::TypeColumn, letter * 36);
  heading->resizeSection(RootTreeModel::ValueColumn, letter * 24);
  rememberColumns(heading, QStringLiteral("rootTree"));
  new StretchedSection(m_tree, heading, RootTreeModel::NameColumn, letter * 36,
                       {RootTreeModel::TypeColumn, RootTreeModel::ValueColumn});
  new SeenValues(m_bridge, *m_tree,
                 {RootTreeModel::ValueColumn, [this](const QModelIndex& row) { return m_model->objectAt(row); },
                  m_model->values()});
  connect(m_tree->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &RootTreePanel::pick);
  connect(m_tree, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
    if (const engine::HeldRoot* root = m_model->rootAt(index)) m_navigator.showObject(root->root.object);
  });
  connect(m_tree, &QWidget::customContextMenuRequested, this, &RootTreePanel::openMenu);
}

QWidget* RootTreePanel::buildHead() {
  m_choice->add(QStringLiteral("By owner"), ByOwner);
  m_choice->add(QStringLiteral("By kind"), ByKind);
  m_choice->add(QStringLiteral("By thread"), ByThread);
  for (const engine::ObjectField field : kGroupFields) m_choice->add(field);
  m_choice->addPrompt();
  m_choice->setMinimumHeight(std::max(24, fontMetrics().height() * 8 / 5));
  m_choice->setToolTip(QStringLiteral("How roots are put together; what each group holds is exact whichever way"));
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
  m_choice->setEnabled(m_held != nullptr);
  if (m_held) return regroup();
  m_bridge.stopAsking(this, kGroupRootsChannel);
  m_model->show(nullptr);
  m_pages->setCurrentWidget(m_state);
  showState();
}

void RootTreePanel::regroup() {
  if (!m_held) return;
  if (m_choice->choice() == ByOwner) {
    m_bridge.stopAsking(this, kGroupRootsChannel);
    return showRoots(m_held, true);
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
        m_state->showFailed(QStringLiteral("The roots cannot be grouped"),
                            fromEngine(grouped.error().error().message()));
        m_pages->setCurrentWidget(m_state);
      });
}

void RootTreePanel::showRoots(std::shared_ptr<const engine::HeldRoots> roots, bool isByOwner) {
  setDimmed(m_tree, false);
  m_model->show(std::move(roots), isByOwner);
  openSmallGroups();
  m_pages->setCurrentWidget(m_tree);
}

// A group of hundreds would push all others out of sight.
void RootTreePanel::openSmallGroups() {
  for (int row = 0; row < m_model->rowCount(); ++row) {
    const QModelIndex group = m_model->index(row, 0);
    if (m_model->rowCount(group) <= kOpenedUpTo || m_model->rowCount() == 1) m_tree->expand(group);
  }
}

void RootTreePanel::showState() {
  if (m_pages->currentWidget() == m_state) showRetainedState(*m_state, m_bridge);
}

void RootTreePanel::pick(const QModelIndex& index) {
  if (!index.isValid()) return;
  if (const engine::HeldRoot* root = m_model->rootAt(index))
    m_navigator.select({.object = root->root.object, .methodTable = root->methodTable, .segment = {}});
}

void RootTreePanel::openMenu(const QPoint& position) {
  const QModelIndex index = m_tree->indexAt(position);
  if (!index.isValid()) return;
  const ContextMenu opened(this);
  QMenu& menu = *opened;
  if (m_bridge.snapshot()) {
    const std::string cut = m_model->cutOf(index, m_bridge.snapshot()->roots());
    if (!cut.empty()) addCut(menu, m_navigator, cutHereText(), cut);
    if (!m_model->rootAt(index)) {
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
  }
  menu.addActions(m_tree->actions());
  menu.exec(m_tree->viewport()->mapToGlobal(position));
}

}  // namespace heapscape::gui
