// SPDX-License-Identifier: MIT
#include "views/references/paths/merged_paths_panel.h"

#include <QLabel>
#include <QMenu>
#include <QTreeView>
#include <QVBoxLayout>

#include "models/cells/name_delegate.h"
#include "models/cells/share_bar_delegate.h"
#include "models/object_menu.h"
#include "models/rows/picked/picked_sets.h"
#include "models/rows/picked/set_menu.h"
#include "models/rows/stretched_section.h"
#include "models/rows/table_heading.h"
#include "models/rows/table_setup.h"
#include "session/references/cuts.h"
#include "views/references/paths/merged_paths_model.h"
#include "widgets/context_menu.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/short_type_name.h"

namespace heapscape::gui {

namespace {

constexpr int kStepsOpenedAtOnce = 12;

// Words of one stack and handles of one kind are one line, whose root is the first of them.
std::string cutOfRootNode(const engine::RootList& list, std::uint32_t root) {
  const engine::RootRow& row = list.roots[root];
  const bool isAlone = row.kind == engine::RootKind::Static || row.kind == engine::RootKind::ThreadStatic ||
                       row.group == engine::RootGroup::kNone;
  return isAlone ? engine::cutOfRoot(row) : engine::cutOfRootGroup(list, row.group);
}

}  // namespace

MergedPathsPanel::MergedPathsPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_model(new MergedPathsModel(this)),
      m_tree(new QTreeView(this)),
      m_note(new QLabel(this)) {
  m_tree->setObjectName(QStringLiteral("mergedPaths"));
  m_tree->setAccessibleName(QStringLiteral("What holds these objects"));
  m_tree->setModel(m_model);
  setUpTree(m_tree, new TableHeading(m_tree));
  m_tree->setItemDelegateForColumn(MergedPathsModel::NameColumn, new NameDelegate(m_tree));
  m_tree->setItemDelegateForColumn(MergedPathsModel::ObjectsColumn,
                                   new ShareBarDelegate(ShareBarDelegate::Bar::Plain, m_tree));
  QHeaderView* heading = m_tree->header();
  heading->setStretchLastSection(false);
  heading->resizeSection(MergedPathsModel::ObjectsColumn, figureColumnWidth(*this) * 3 / 2);
  heading->resizeSection(MergedPathsModel::BytesColumn, figureColumnWidth(*this));
  heading->resizeSection(MergedPathsModel::HoldersColumn, figureColumnWidth(*this));
  rememberColumns(heading, QStringLiteral("mergedPaths"));
  new StretchedSection(m_tree, heading, MergedPathsModel::NameColumn, fontMetrics().averageCharWidth() * 36);
  connect(m_tree, &QWidget::customContextMenuRequested, this, &MergedPathsPanel::openMenu);
  m_note->setContentsMargins(12, 8, 12, 8);
  m_note->setWordWrap(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_note);
  column->addWidget(m_tree, 1);
  setFocusProxy(m_tree);
}

void MergedPathsPanel::show(std::shared_ptr<const engine::MergedPaths> paths) {
  m_note->clear();
  if (paths) {
    QString text = QStringLiteral("The shortest way to each of %1; ways that go through the same fields are one line.")
                       .arg(countedText(paths->objects, QStringLiteral("object")));
    if (paths->unreachable > 0)
      text += paths->unreachable == 1
                  ? QStringLiteral(" 1 more is held by nothing.")
                  : QStringLiteral(" %1 more are held by nothing.").arg(countText(paths->unreachable));
    m_note->setText(text);
  }
  m_model->show(std::move(paths));
  openFirst();
}

void MergedPathsPanel::openMenu(const QPoint& position) {
  const QModelIndex index = m_tree->indexAt(position);
  if (!index.isValid() || !m_bridge.snapshot()) return;
  const engine::MergedPathNode& node = m_model->nodeAt(index);
  const ContextMenu opened(this);
  QMenu& menu = *opened;
  if (node.isRoot) {
    addCut(menu, m_navigator, cutHereText(), cutOfRootNode(m_bridge.snapshot()->roots(), node.root));
  } else {
    const auto take = [this, members = node.members,
                       name = shortTypeName(node.name)](const std::function<void(const QString&)>& use) {
      use(PickedSets::of(m_bridge).add(members, name.isEmpty() ? QStringLiteral("objects") : name));
    };
    if (!node.members.empty()) addSetLinks(menu, m_navigator, take);
    const auto& types = m_bridge.snapshot()->types();
    if (node.type.value < types.size()) {
      menu.addSeparator();
      addSelectionLinks(menu, m_navigator,
                        {.object = {}, .methodTable = types[node.type.value].methodTable, .segment = {}});
    }
  }
  menu.addSeparator();
  menu.addActions(m_tree->actions());
  menu.exec(m_tree->viewport()->mapToGlobal(position));
}

// The way that holds the most, which is what people look for.
void MergedPathsPanel::openFirst() {
  QModelIndex index = m_model->index(0, 0);
  for (int step = 0; step < kStepsOpenedAtOnce && index.isValid(); ++step) {
    m_tree->expand(index);
    index = m_model->index(0, 0, index);
  }
}

}  // namespace heapscape::gui
