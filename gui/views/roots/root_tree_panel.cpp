// SPDX-License-Identifier: MIT
#include "views/roots/root_tree_panel.h"

#include <QMenu>
#include <QStackedLayout>

#include "models/cells/name_delegate.h"
#include "models/cells/share_bar_delegate.h"
#include "models/object_menu.h"
#include "models/retained_progress.h"
#include "models/rows/stretched_section.h"
#include "models/rows/table_heading.h"
#include "models/rows/table_setup.h"
#include "views/roots/root_tree_model.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr int kOpenedUpTo = 30;  // children

}  // namespace

RootTreePanel::RootTreePanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_model(new RootTreeModel(this)),
      m_tree(new QTreeView(this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout(this)) {
  addTree();
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
  m_tree->setItemDelegateForColumn(RootTreeModel::AloneColumn,
                                   new ShareBarDelegate(ShareBarDelegate::Bar::Plain, m_tree));
  const int letter = fontMetrics().averageCharWidth();
  QHeaderView* heading = m_tree->header();
  heading->setStretchLastSection(false);
  heading->resizeSection(RootTreeModel::AloneColumn, letter * 18);
  heading->resizeSection(RootTreeModel::ObjectColumn, figureColumnWidth(*this));
  heading->resizeSection(RootTreeModel::RootsColumn, letter * 9);
  heading->resizeSection(RootTreeModel::TypeColumn, letter * 36);
  rememberColumns(heading, QStringLiteral("rootTree"));
  new StretchedSection(m_tree, heading, RootTreeModel::NameColumn, letter * 36);
  connect(m_tree->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &RootTreePanel::pick);
  connect(m_tree, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
    if (const engine::HeldRoot* root = m_model->rootAt(index)) m_navigator.showObject(root->root.object);
  });
  connect(m_tree, &QWidget::customContextMenuRequested, this, &RootTreePanel::openMenu);
}

void RootTreePanel::show(std::shared_ptr<const engine::HeldRoots> roots) {
  const bool isKnown = roots != nullptr;
  m_model->show(std::move(roots));
  if (isKnown) openSmallGroups();
  m_pages->setCurrentWidget(isKnown ? static_cast<QWidget*>(m_tree) : m_state);
  showState();
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
  QMenu menu(this);
  if (m_bridge.snapshot()) {
    const std::string cut = m_model->cutOf(index, m_bridge.snapshot()->roots());
    if (!cut.empty()) addCut(menu, m_navigator, cutHereText(), cut);
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
