// SPDX-License-Identifier: MIT
#include "views/insights/insights_list.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "insight/insight_groups.h"
#include "models/cells/item_painting.h"
#include "models/names/insight_text.h"
#include "models/rows/picked_sets.h"
#include "models/rows/rows_as_text.h"
#include "models/rows/table_setup.h"
#include "widgets/arranging/layouts.h"
#include "widgets/bar_row.h"
#include "widgets/context_menu.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/filter_line.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

constexpr int kRestMs = 150;
constexpr int kKindLetters = 16;

}  // namespace

InsightsFilter::InsightsFilter(QWidget* parent)
    : QWidget(parent),
      m_words(new QLineEdit(this)),
      m_kind(new QComboBox(this)),
      m_grouping(new QComboBox(this)),
      m_chipBox(new QWidget(this)),
      m_chipLine(new FlowLayout(m_chipBox, 6)),
      m_framework(new QCheckBox(this)),
      m_count(new QLabel(this)),
      m_rest(new QTimer(this)) {
  buildWords();
  buildChoices();
  addParts();
}

void InsightsFilter::buildWords() {
  m_words->setObjectName(u"insightsFilter"_s);
  m_words->setPlaceholderText(u"Filter by words"_s);
  m_words->setAccessibleName(u"Filter by words or owner"_s);
  setUpFilter(m_words);
  m_words->setMaximumWidth(fontMetrics().averageCharWidth() * 40);
  m_rest->setSingleShot(true);
  m_rest->setInterval(kRestMs);
  connect(m_rest, &QTimer::timeout, this, [this] {
    m_question.text = m_words->text();
    Q_EMIT changed();
  });
  connect(m_words, &QLineEdit::textChanged, this, [this] {
    m_isTextOld = false;
    m_rest->start();
  });
}

void InsightsFilter::buildChoices() {
  m_kind->setObjectName(u"insightsKind"_s);
  m_kind->setAccessibleName(u"Kind of insights"_s);
  m_kind->setToolTip(u"Only insights of one kind"_s);
  m_kind->setMinimumHeight(m_words->minimumHeight());
  m_kind->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_kind->setMinimumContentsLength(kKindLetters);
  connect(m_kind, &QComboBox::currentIndexChanged, this, [this](int index) {
    const QVariant kind = m_kind->itemData(index);
    m_question.kind.reset();
    if (kind.isValid()) m_question.kind = static_cast<engine::InsightKind>(kind.toInt());
    Q_EMIT changed();
  });
  m_grouping->setObjectName(u"insightsGroup"_s);
  m_grouping->setAccessibleName(u"Group the insights by"_s);
  m_grouping->setMinimumHeight(m_words->minimumHeight());
  for (int grouping = 0; grouping < kInsightGroupings; ++grouping)
    m_grouping->addItem(u"By %1"_s.arg(insightGroupingText(static_cast<InsightGrouping>(grouping)).toLower()));
  connect(m_grouping, &QComboBox::activated, this, [this](int index) {
    m_question.grouping = static_cast<InsightGrouping>(index);
    Q_EMIT regrouped();
    Q_EMIT changed();
  });
  m_framework->setObjectName(u"insightsFramework"_s);
  m_framework->setToolTip(u"What only .NET's own types hold: not yours to change"_s);
  m_framework->setMinimumHeight(24);
  connect(m_framework, &QCheckBox::toggled, this, [this](bool isOn) {
    m_question.includesFramework = isOn;
    showChoices();
    Q_EMIT changed();
  });
  m_count->setObjectName(u"insightsCount"_s);
  m_count->setForegroundRole(QPalette::PlaceholderText);
}

void InsightsFilter::addParts() {
  auto* choices = new QWidget(this);
  auto* choiceLine = new FlowLayout(choices, 12);
  choiceLine->addWidget(m_kind);
  choiceLine->addWidget(m_grouping);
  auto* line = new HeadLayout;
  line->addWidget(m_words);
  line->addWidget(choices);
  line->addWidget(m_count);
  auto* chips = new QHBoxLayout;
  chips->setSpacing(12);
  chips->addWidget(m_chipBox, 1);
  chips->addWidget(m_framework);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 4, 12, 8);
  column->setSpacing(8);
  column->addLayout(line);
  column->addLayout(chips);
  setFocusProxy(m_words);
}

void InsightsFilter::show(std::shared_ptr<const FoundInsights> found) {
  m_found = std::move(found);
  showSwitch();
  showChoices();
}

void InsightsFilter::clear() {
  m_rest->stop();
  m_found.reset();
  m_question.text = m_words->text();
  m_isTextOld = !m_question.text.isEmpty();
  m_question.meanings.clear();
  m_question.kind.reset();
  m_count->clear();
  showChoices();
}

void InsightsFilter::showListed(std::uint64_t listed) {
  const std::size_t all = m_found->list.insights.size();
  const QString whole = countedText(all, u"insight"_s);
  m_count->setText(listed == all ? whole : u"%1 of %2"_s.arg(countText(listed), whole));
}

bool InsightsFilter::dropUnlessFound(bool isFound) {
  if (!std::exchange(m_isTextOld, false) || isFound) return false;
  makeWay();
  return true;
}

void InsightsFilter::chooseKind(engine::InsightKind kind) {
  m_kind->setCurrentIndex(m_kind->findData(static_cast<int>(kind)));
}

void InsightsFilter::includeFramework() {
  m_framework->setChecked(true);
}

void InsightsFilter::makeWay() {
  m_question.meanings.clear();
  m_question.kind.reset();
  m_question.text.clear();
  const QSignalBlocker quiet(m_words);
  m_words->clear();
  m_rest->stop();
  showChoices();
  Q_EMIT changed();
}

// Where all that was found is the framework's, there is nothing else to show.
void InsightsFilter::showSwitch() {
  const std::vector<engine::Insight>& insights = m_found->list.insights;
  const auto framework = static_cast<std::size_t>(std::ranges::count(insights, true, &engine::Insight::isFramework));
  const QSignalBlocker quiet(m_framework);
  if (framework == insights.size()) m_framework->setChecked(true);
  m_question.includesFramework = m_framework->isChecked();
  m_framework->setText(u"Include .NET's own (%1)"_s.arg(countText(framework)));
  m_framework->setVisible(framework > 0);
}

void InsightsFilter::showChoices() {
  const InsightCounts counts = m_found ? countInsights(*m_found, m_question.includesFramework) : InsightCounts();
  showKinds(counts);
  showMeanings(counts);
}

void InsightsFilter::showKinds(const InsightCounts& counts) {
  const QSignalBlocker quiet(m_kind);
  m_kind->clear();
  m_kind->addItem(u"All kinds"_s);
  for (std::size_t index = 0; index < counts.kinds.size(); ++index) {
    if (counts.kinds[index] == 0) continue;
    const auto kind = static_cast<engine::InsightKind>(index);
    m_kind->addItem(u"%1 (%2)"_s.arg(insightKindText(kind), countText(counts.kinds[index])), static_cast<int>(index));
    m_kind->setItemData(m_kind->count() - 1, insightKindTip(kind), Qt::ToolTipRole);
    if (kind == m_question.kind) m_kind->setCurrentIndex(m_kind->count() - 1);
  }
  m_kind->setVisible(m_kind->count() > 2);
}

void InsightsFilter::showMeanings(const InsightCounts& counts) {
  for (BarRow* chip : m_chips) {
    m_chipLine->removeWidget(chip);
    chip->hide();
    chip->deleteLater();
  }
  m_chips.clear();
  for (std::size_t index = 0; index < counts.meanings.size(); ++index) {
    const auto meaning = static_cast<engine::InsightMeaning>(index);
    const std::uint64_t count = counts.meanings[index];
    if (count == 0) continue;
    auto* chip = makeKindChip(insightMeaningText(meaning), count, m_found->list.insights.size(), m_chipBox);
    chip->setObjectName(u"insightsMeaning%1"_s.arg(index));
    chip->setToolTip(insightMeaningTip(meaning));
    chip->setChecked(m_question.meanings.contains(meaning));
    connect(chip, &QAbstractButton::toggled, this, [this, meaning](bool isOn) {
      if (isOn) {
        m_question.meanings.insert(meaning);
      } else {
        m_question.meanings.erase(meaning);
      }
      Q_EMIT changed();
    });
    m_chipLine->addWidget(chip);
    m_chips.push_back(chip);
  }
}

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
  m_tree->setObjectName(u"insights"_s);
  m_tree->setAccessibleName(u"Insights"_s);
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
  rememberColumns(heading, u"insights"_s);
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
    if (isFolded) {
      m_folded.insert(key);
    } else {
      m_folded.erase(key);
    }
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
      menu.addAction(u"Only %1"_s.arg(insightKindText(kind)), this, [this, kind] { m_filter->chooseKind(kind); });
  }
  menu.addAction(u"Fold all"_s, this, [this] { foldAll(true); });
  menu.addAction(u"Unfold all"_s, this, [this] { foldAll(false); });
  menu.addSeparator();
  menu.addAction(symbolIcon(u"copy"_s), u"Copy rows, tab-separated"_s, this, [this] { copySelectedRows(*m_tree); });
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
  if (areFolded) {
    m_tree->collapseAll();
  } else {
    m_tree->expandAll();
  }
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
    m_state->showEmpty(u"No match"_s, u"None of the %1 fits the filter."_s.arg(
                                          countedText(m_found->list.insights.size(), u"insight"_s)));
    m_state->setAction(u"Clear the filter"_s, [this] { m_filter->makeWay(); });
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
    if (m_currentGroup == std::pair(groups[group].meaning, groups[group].key)) {
      m_tree->setCurrentIndex(m_model->index(static_cast<int>(group), 0));
      return;
    }
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
    if (!m_tree->isExpanded(first)) {
      m_tree->setCurrentIndex(first);
      return;
    }
    m_wanted = m_model->table().groups.front().insights.front();
  }
  if (!m_wanted || !m_found || *m_wanted >= m_found->list.insights.size()) return;
  const QModelIndex index = m_model->indexOf(*m_wanted);
  if (!index.isValid()) {
    if (m_found->list.insights[*m_wanted].isFramework && !m_filter->question().includesFramework) {
      m_filter->includeFramework();
      return;
    }
    if (m_filter->isNarrowed()) m_filter->makeWay();
    return;
  }
  m_wanted.reset();
  m_tree->expand(index.parent());
  m_tree->setCurrentIndex(index);
  // The head of the first kind is not left half above the edge.
  if (index.row() + index.parent().row() == 0) {
    m_tree->scrollToTop();
  } else {
    m_tree->scrollTo(index);
  }
}

void InsightsList::open(const QString& key) {
  for (int row = -1; const InsightGroup& group : m_model->table().groups)
    if (++row; group.key == key) m_tree->expand(m_model->index(row, 0));
  m_tree->setFocus();
}

}  // namespace heapscape::gui
