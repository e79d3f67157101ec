// SPDX-License-Identifier: MIT
#include "views/insights/insights_list.h"

#include <QHeaderView>
#include <QMenu>
#include <QStackedLayout>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

#include "insight/insight_groups.h"
#include "models/cells/name_delegate.h"
#include "models/cells/share_bar_delegate.h"
#include "models/names/insight_text.h"
#include "models/rows/picked/picked_sets.h"
#include "models/rows/picked/set_menu.h"
#include "models/rows/rows_as_text.h"
#include "models/rows/stretched_section.h"
#include "models/rows/table_heading.h"
#include "models/rows/table_setup.h"
#include "views/insights/insight_set.h"
#include "views/insights/insight_tree_model.h"
#include "views/insights/insights_filter.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/state_panel.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr auto kChannel = "insights.order";
constexpr int kTitleLetters = 46;
constexpr int kLeastTitleLetters = 26;
constexpr int kOwnerLetters = 28;

}  // namespace

InsightsList::InsightsList(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_filter(new InsightsFilter(this)),
      m_model(new InsightTreeModel(this)),
      m_tree(new QTreeView(this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout) {
  connect(m_filter, &InsightsFilter::regrouped, this, [this] {
    m_currentGroup.reset();
    m_isRegrouped = true;
  });
  connect(m_filter, &InsightsFilter::changed, this, &InsightsList::ask);
  buildTree();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_filter);
  column->addLayout(m_pages, 1);
  m_pages->addWidget(m_tree);
  m_pages->addWidget(m_state);
  setFocusProxy(m_tree);
  clear();
}

void InsightsList::buildTree() {
  m_tree->setObjectName(QStringLiteral("insights"));
  m_tree->setAccessibleName(QStringLiteral("Insights"));
  m_tree->setModel(m_model);
  auto* heading = new TableHeading(m_tree);
  setUpTree(m_tree, heading);
  m_tree->setItemDelegate(new NameDelegate(m_tree));
  // A sentence is cut at its end, unlike a name.
  m_tree->setItemDelegateForColumn(static_cast<int>(InsightColumn::Title), new QStyledItemDelegate(m_tree));
  m_tree->setItemDelegateForColumn(static_cast<int>(InsightColumn::Bytes),
                                   new ShareBarDelegate(ShareBarDelegate::Bar::Plain, m_tree));
  const int letter = fontMetrics().averageCharWidth();
  heading->setStretchLastSection(false);
  heading->setMinimumSectionSize(letter * 6);
  const std::array<int, kInsightColumns> letters{kTitleLetters, 0, 0, 22, kOwnerLetters};
  for (int column = 0; column < kInsightColumns; ++column) {
    const int wanted = letters[static_cast<std::size_t>(column)];
    heading->resizeSection(column, wanted > 0 ? letter * wanted : figureColumnWidth(*this));
  }
  heading->setSectionsClickable(true);
  heading->setSortIndicatorShown(true);
  heading->setSortIndicator(static_cast<int>(m_sortColumn), Qt::DescendingOrder);
  rememberColumns(heading, QStringLiteral("insights"));
  auto* titles =
      new StretchedSection(m_tree, heading, static_cast<int>(InsightColumn::Title), letter * kLeastTitleLetters,
                           {static_cast<int>(InsightColumn::Subject), static_cast<int>(InsightColumn::Owner)});
  titles->putFirst();
  connect(heading, &QHeaderView::sectionClicked, this, [this](int section) {
    const auto column = static_cast<InsightColumn>(section);
    const bool isFigure = column == InsightColumn::Bytes || column == InsightColumn::Objects;
    m_isDescending = column == m_sortColumn ? !m_isDescending : isFigure;
    m_sortColumn = column;
    m_tree->header()->setSortIndicator(section, m_isDescending ? Qt::DescendingOrder : Qt::AscendingOrder);
    ask();
  });
  connect(m_tree->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
    if (m_isShowing || !index.isValid()) return;
    m_current = m_model->insightAt(index);
    m_currentGroup.reset();
    if (m_current) return Q_EMIT picked(*m_current);
    const InsightGroup& group = m_model->table().groups[static_cast<std::size_t>(index.row())];
    m_currentGroup = {group.meaning, group.key};
    Q_EMIT groupPicked(group);
  });
  const auto remember = [this](const QModelIndex& index, bool isFolded) {
    if (m_isShowing || index.parent().isValid()) return;
    const QString& key = m_model->table().groups[static_cast<std::size_t>(index.row())].key;
    isFolded ? static_cast<void>(m_folded.insert(key)) : static_cast<void>(m_folded.erase(key));
  };
  connect(m_tree, &QTreeView::collapsed, this, [remember](const QModelIndex& index) { remember(index, true); });
  connect(m_tree, &QTreeView::expanded, this, [remember](const QModelIndex& index) { remember(index, false); });
  connect(m_tree, &QWidget::customContextMenuRequested, this, &InsightsList::openMenu);
}

void InsightsList::openMenu(const QPoint& position) {
  const QModelIndex index = m_tree->indexAt(position);
  const ContextMenu opened(this);
  QMenu& menu = *opened;
  if (index.isValid()) {
    const QModelIndex parent = index.parent().isValid() ? index.parent() : index;
    const InsightGroup& group = m_model->table().groups[static_cast<std::size_t>(parent.row())];
    const engine::Insight* insight = m_model->at(index);
    addSets(menu, group, insight);
    const engine::InsightKind kind = insight ? insight->kind : group.kind;
    if (insight || group.grouping == InsightGrouping::Kind)
      menu.addAction(QStringLiteral("Only %1").arg(insightKindText(kind)), this,
                     [this, kind] { m_filter->chooseKind(kind); });
  }
  menu.addAction(QStringLiteral("Fold all"), this, [this] { foldAll(true); });
  menu.addAction(QStringLiteral("Unfold all"), this, [this] { foldAll(false); });
  menu.addSeparator();
  menu.addAction(symbolIcon(QStringLiteral("copy")), QStringLiteral("Copy rows, tab-separated"), this,
                 [this] { copySelectedRows(*m_tree); });
  menu.addActions(m_tree->actions());
  menu.exec(m_tree->viewport()->mapToGlobal(position));
}

void InsightsList::addSets(QMenu& menu, const InsightGroup& group, const engine::Insight* insight) {
  const bool hasObjects =
      insight ? hasSetOfObjects(*insight) : std::ranges::any_of(group.insights, [this](std::uint32_t row) {
        return hasSetOfObjects(m_found->list.insights[row]);
      });
  if (!hasObjects) return;
  const auto take = [this, group, found = m_found, insight](const std::function<void(const QString&)>& use) {
    if (found != m_found) return;
    if (insight) return use(setOfInsight(m_bridge, *insight));
    use(PickedSets::of(m_bridge).add(objectsOf(group, *found), insightGroupText(group)));
  };
  addSetLinks(menu, m_navigator, take);
  menu.addSeparator();
}

void InsightsList::foldAll(bool areFolded) {
  areFolded ? m_tree->collapseAll() : m_tree->expandAll();
}

// The owners are told beside the list, too; titles are not.
void InsightsList::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const QHeaderView* heading = m_tree->header();
  const int others = heading->sectionSize(static_cast<int>(InsightColumn::Subject)) + 2 * figureColumnWidth(*this);
  const int letter = fontMetrics().averageCharWidth();
  m_tree->setColumnHidden(static_cast<int>(InsightColumn::Owner),
                          width() < others + letter * (kTitleLetters + kOwnerLetters));
}

void InsightsList::show(std::shared_ptr<const FoundInsights> found) {
  clear();
  m_found = std::move(found);
  m_wantsFirst = true;
  m_isRegrouped = true;
  m_filter->show(m_found);
  ask();
}

void InsightsList::clear() {
  m_filter->clear();
  m_bridge.stopAsking(this, kChannel);
  m_found.reset();
  m_current.reset();
  m_currentGroup.reset();
  m_wanted.reset();
  m_folded.clear();
  m_isShowing = true;
  m_model->show(nullptr, {});
  m_isShowing = false;
}

void InsightsList::ask() {
  if (!m_found) return;
  InsightQuestion question = m_filter->question();
  question.sortColumn = m_sortColumn;
  question.descending = m_isDescending;
  m_bridge.compute(
      this, kChannel,
      [found = m_found, question](std::stop_token stop) { return groupInsights(*found, question, std::move(stop)); },
      [this, asked = m_found](std::optional<InsightTable> table) {
        if (table && asked == m_found) take(std::move(*table));
      });
}

void InsightsList::take(InsightTable table) {
  // What was written for other insights and fits none of these is dropped.
  if (m_filter->dropUnlessFound(table.listed > 0)) return;
  m_isShowing = true;
  m_model->show(m_found, std::move(table));
  if (std::exchange(m_isRegrouped, false)) foldLarge();
  unfold();
  const QModelIndex current = m_current ? m_model->indexOf(*m_current) : QModelIndex();
  if (current.isValid()) {
    m_tree->setCurrentIndex(current);
    m_tree->scrollTo(current);
  }
  m_isShowing = false;
  const std::uint64_t listed = m_model->table().listed;
  m_filter->showListed(listed);
  if (listed == 0) {
    m_state->showEmpty(QStringLiteral("No match"),
                       QStringLiteral("None of the %1 fits the filter.")
                           .arg(countedText(m_found->list.insights.size(), QStringLiteral("insight"))));
    m_state->setAction(QStringLiteral("Clear the filter"), [this] { m_filter->makeWay(); });
  }
  m_pages->setCurrentIndex(listed == 0 ? 1 : 0);
  takeCurrentGroup();
  pickWanted();
}

// Another filter may have changed what the group comes to.
void InsightsList::takeCurrentGroup() {
  if (!m_currentGroup) return;
  const std::vector<InsightGroup>& groups = m_model->table().groups;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    if (m_currentGroup == std::pair(groups[group].meaning, groups[group].key))
      return m_tree->setCurrentIndex(m_model->index(static_cast<int>(group), 0));
  }
}

void InsightsList::foldLarge() {
  m_folded.clear();
  for (const InsightGroup& group : m_model->table().groups) {
    if (group.insights.size() > engine::kFewInsights) m_folded.insert(group.key);
  }
}

void InsightsList::unfold() {
  const std::vector<InsightGroup>& groups = m_model->table().groups;
  for (int row = 0; const InsightGroup& group : groups)
    m_tree->setExpanded(m_model->index(row++, 0),
                        m_filter->isNarrowed() || groups.size() == 1 || !m_folded.contains(group.key));
}

void InsightsList::pick(std::uint32_t insight) {
  m_wanted = insight;
  m_wantsFirst = false;
  if (m_found && m_model->table().listed > 0) pickWanted();
}

void InsightsList::pickWanted() {
  if (std::exchange(m_wantsFirst, false) && !m_wanted && m_model->table().listed > 0) {
    const QModelIndex first = m_model->index(0, 0);
    if (!m_tree->isExpanded(first)) return m_tree->setCurrentIndex(first);
    m_wanted = m_model->table().groups.front().insights.front();
  }
  if (!m_wanted || !m_found || *m_wanted >= m_found->list.insights.size()) return;
  const QModelIndex index = m_model->indexOf(*m_wanted);
  if (!index.isValid()) {
    if (m_found->list.insights[*m_wanted].isFramework && !m_filter->question().includesFramework)
      return m_filter->includeFramework();
    if (m_filter->isNarrowed()) m_filter->makeWay();
    return;
  }
  m_wanted.reset();
  m_tree->expand(index.parent());
  m_tree->setCurrentIndex(index);
  // The head of the first kind is not left half above the edge.
  index.row() + index.parent().row() == 0 ? m_tree->scrollToTop() : m_tree->scrollTo(index);
}

void InsightsList::open(const QString& key) {
  for (int row = -1; const InsightGroup& group : m_model->table().groups)
    if (++row; group.key == key) m_tree->expand(m_model->index(row, 0));
  m_tree->setFocus();
}

}  // namespace heapscape::gui
