// SPDX-License-Identifier: MIT
#include "views/types/object_search_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QStackedLayout>
#include <QTableView>
#include <QToolButton>

#include "models/cells/name_delegate.h"
#include "models/insights_source.h"
#include "models/names/insight_text.h"
#include "models/object_menu.h"
#include "models/query/query_edit.h"
#include "models/query/query_error_line.h"
#include "models/retained_progress.h"
#include "models/rows/stretched_section.h"
#include "models/rows/table_heading.h"
#include "models/rows/table_setup.h"
#include "views/types/found_object_pages.h"
#include "views/types/object_question.h"
#include "views/types/scope_text.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr auto kSearchChannel = "objects";
constexpr auto kRetainedChannel = "retained";
constexpr int kLongestLimit = 48;  // letters
constexpr int kTypeLetters = 32;   // at least

}  // namespace

ObjectSearchView::ObjectSearchView(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_query(new QueryEdit(bridge, QStringLiteral("objects"), this)),
      m_limit(new QToolButton(this)),
      m_totals(new QLabel(this)),
      m_retained(new QToolButton(this)),
      m_model(new FoundObjectsModel(this)),
      m_table(new QTableView(this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout) {
  buildTable();
  buildLine();
  updateLook();
  clear();
}

void ObjectSearchView::buildLine() {
  m_query->setObjectName(QStringLiteral("objectQuery"));
  m_query->setPlaceholderText(tr("type ~ \"Order\" and size > 1 KB"));
  m_query->setAccessibleName(tr("Query over all objects"));
  m_query->setSchema(engine::objectSchema());
  m_query->setOrder([this] { return SavedView{.sortColumn = m_sortColumn, .descending = m_descending}; },
                    [this](const SavedView& view) {
                      m_sortColumn = qBound(0, view.sortColumn, FoundObjectsModel::ColumnCount - 1);
                      m_descending = view.descending;
                    });
  connect(m_query, &QueryEdit::queryChanged, this, [this] {
    Q_EMIT queryChanged(query());
    search();
  });
  connect(m_query, &QueryEdit::complaintChanged, this, &ObjectSearchView::showComplaint);
  m_error = new QueryErrorLine(*m_query, this);
  m_limit->setObjectName(QStringLiteral("objectLimit"));
  m_limit->setIcon(symbolIcon(QStringLiteral("close")));
  m_limit->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_limit->setLayoutDirection(Qt::RightToLeft);  // the cross behind the text, as on every chip
  m_limit->setMinimumHeight(m_query->minimumHeight());
  connect(m_limit, &QToolButton::clicked, this, [this] { m_navigator.showObjectsOf(query()); });
  m_totals->setObjectName(QStringLiteral("objectTotals"));
  m_totals->setTextFormat(Qt::PlainText);
  m_totals->setWordWrap(true);
  m_retained->setObjectName(QStringLiteral("objectsRetained"));
  m_retained->setText(tr("Retained together"));
  m_retained->setToolTip(tr("Count what would be freed with all of them"));
  m_retained->setMinimumHeight(m_query->minimumHeight());
  connect(m_retained, &QToolButton::clicked, this, &ObjectSearchView::askRetained);

  auto* line = new QHBoxLayout;
  line->setSpacing(8);
  line->addWidget(m_query, 1);
  line->addWidget(m_limit);
  auto* figures = new QHBoxLayout;
  figures->setSpacing(8);
  figures->addWidget(m_totals, 1);
  figures->addWidget(m_retained);
  auto* head = new QVBoxLayout;
  head->setContentsMargins(12, 8, 12, 8);
  head->setSpacing(6);
  head->addLayout(line);
  head->addWidget(m_error);
  head->addLayout(figures);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(head);
  column->addLayout(m_pages, 1);
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_table);
  setFocusProxy(m_query);
}

void ObjectSearchView::buildTable() {
  m_table->setObjectName(QStringLiteral("foundObjects"));
  m_table->setAccessibleName(tr("Objects that fit the query"));
  m_table->setModel(m_model);
  setUpTable(m_table, new TableHeading(m_table));
  m_table->setItemDelegate(new NameDelegate(m_table));
  new FoundObjectPages(m_bridge, *m_model, *m_table);
  QHeaderView* heading = m_table->horizontalHeader();
  const int letter = fontMetrics().averageCharWidth();
  m_table->setColumnWidth(FoundObjectsModel::AddressColumn, letter * 20);
  m_table->setColumnWidth(FoundObjectsModel::SizeColumn, figureColumnWidth(*this));
  m_table->setColumnWidth(FoundObjectsModel::RetainedColumn, figureColumnWidth(*this));
  rememberColumns(heading, QStringLiteral("foundObjects"));
  new StretchedSection(m_table, heading, FoundObjectsModel::TypeColumn, letter * kTypeLetters);
  heading->setSortIndicatorShown(true);
  connect(heading, &QHeaderView::sectionClicked, this, &ObjectSearchView::sortBy);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
    if (!m_isFollowing && current.isValid()) m_navigator.select(selectionAt(current.row()));
  });
  connect(m_table, &QAbstractItemView::activated, this,
          [this](const QModelIndex& index) { m_navigator.showObject(m_model->addressAt(index.row())); });
  connect(m_table, &QWidget::customContextMenuRequested, this, &ObjectSearchView::openMenu);
}

void ObjectSearchView::showSnapshot(const engine::Snapshot& snapshot) {
  if (!snapshot.has(engine::Stage::Objects)) {
    m_state->showLoading(tr("Counting the objects"));
    return m_pages->setCurrentWidget(m_state);
  }
  m_isOld = true;
  if (isVisible()) search();
}

void ObjectSearchView::clear() {
  m_scope = {};
  m_insight = {};
  m_isOld = true;
  m_query->settle();
  drop();
  showLimit();
  m_state->showEmpty(tr("No dump is open"), tr("Open a core dump to search its objects."));
}

void ObjectSearchView::drop() {
  m_bridge.stopAsking(this, kSearchChannel);
  m_bridge.stopAsking(this, kRetainedChannel);
  m_list.reset();
  m_retainedText.clear();
  m_isFollowing = true;
  m_model->show(nullptr);
  m_isFollowing = false;
  m_query->beginFile();
  m_table->setEnabled(true);
  showTotals();
  m_pages->setCurrentWidget(m_state);
}

void ObjectSearchView::setScope(const engine::HeapScope& scope) {
  if (scope == m_scope) return;
  m_scope = scope;
  m_isOld = true;
  if (isVisible()) search();
}

QString ObjectSearchView::query() const {
  return m_query->text();
}

void ObjectSearchView::ask(const QString& query, engine::Address insight) {
  m_isOld |= query != m_query->text() || insight != m_insight;
  m_insight = insight;
  m_query->setText(query);
  m_query->settle();
  if (m_isOld && isVisible()) search();
}

void ObjectSearchView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (m_isOld) search();
}

void ObjectSearchView::search() {
  const auto& snapshot = m_bridge.snapshot();
  if (!snapshot || !snapshot->has(engine::Stage::Objects)) return;
  showLimit();
  if (m_query->error() && !m_query->dropUnlessFound(false)) return showComplaint(m_query->complaint());
  engine::ObjectSearch search;
  search.scope = m_scope;
  search.sortBy = sortFieldOf(m_sortColumn);
  search.descending = m_descending;
  search.limit = SIZE_MAX;
  search.rows = FoundObjectsModel::kPageRows;
  if (m_insight && !findAmong(search)) return;
  m_isOld = false;
  m_bridge.stopAsking(this, kRetainedChannel);
  m_retainedText.clear();
  if (!m_list) {
    m_state->showLoading(tr("Searching the objects"));
    m_pages->setCurrentWidget(m_state);
  }
  m_retained->hide();
  m_totals->setText(tr("Searching…"));
  const bool isOther = query() != m_listedQuery || m_insight != m_listedInsight;
  m_bridge.askLong(
      this, kSearchChannel,
      [text = query().toStdString(), search](const engine::Snapshot& current, engine::ProgressSink* progress,
                                             std::stop_token stop) {
        return searchObjects(current, text, search, progress, std::move(stop));
      },
      [this, isOther](const engine::Progress& progress) {
        m_totals->setText(tr("Searching… %1%").arg(static_cast<int>(progress.fraction * 100)));
        if (isOther) m_table->setEnabled(false);  // what it lists answers another question
      },
      [this, query = query(), insight = m_insight](Answer answer) {
        m_listedQuery = query;
        m_listedInsight = insight;
        take(std::move(answer));
      });
}

bool ObjectSearchView::findAmong(engine::ObjectSearch& search) {
  InsightsSource& source = InsightsSource::of(m_bridge);
  followInsights(source);
  const auto& found = source.found();
  const auto index = found ? found->find(m_insight) : std::nullopt;
  if (index) {
    search.among = {found, &found->list.insights[*index].ids};
    return true;
  }
  drop();
  showNoInsights(source);
  return false;
}

void ObjectSearchView::followInsights(InsightsSource& source) {
  if (std::exchange(m_followsInsights, true)) return;
  connect(&source, &InsightsSource::stateChanged, this, [this] {
    if (!m_insight) return;
    m_isOld = true;
    if (isVisible()) search();
  });
  connect(&source, &InsightsSource::progressed, this, [this, &source] {
    if (m_insight && !m_list) showNoInsights(source);
  });
}

void ObjectSearchView::showNoInsights(InsightsSource& source) {
  m_pages->setCurrentWidget(m_state);
  if (source.state() == InsightsState::Waiting) return showRetainedState(*m_state, m_bridge);
  if (source.state() == InsightsState::Computing) return m_state->showLoading(insightsProgressText(source));
  if (source.found()) {
    m_state->showEmpty(tr("No such insight any more"), tr("It is not among those that were found from these roots."));
    m_state->setAction(tr("Search all objects"), [this] { m_navigator.showObjectsOf(query()); });
    return;
  }
  m_state->showEmpty(tr("Not looked for"), tr("Which objects these are is known once waste and leaks are looked for."));
  m_state->setAction(tr("Look now"), [&source] { source.look(); });
}

// What fits the last query stays, dimmed, and is not counted.
void ObjectSearchView::showComplaint(const QString& complaint) {
  if (complaint.isEmpty() || !m_bridge.snapshot()) return;
  m_isOld = true;
  m_bridge.stopAsking(this, kSearchChannel);
  m_table->setEnabled(false);
  showTotals();
  if (m_model->rowCount() > 0) return m_pages->setCurrentWidget(m_table);
  showNotUnderstood(*m_state, *m_query);
  m_pages->setCurrentWidget(m_state);
}

void ObjectSearchView::take(Answer answer) {
  if (!answer) {
    if (!answer.error().isCancelled()) showFailure(answer.error().error());
    return;
  }
  if (m_scope.isWhole() && m_query->dropUnlessFound((*answer)->found.objects > 0)) return search();
  const engine::Address picked = m_navigator.location().selection.object;
  m_list = std::move(*answer);
  m_isFollowing = true;
  m_model->show(m_list);
  // Until it is known what they retain, they are in the order of their size.
  const bool bySize = m_list->search.sortBy == sortFieldOf(FoundObjectsModel::SizeColumn);
  m_table->horizontalHeader()->setSortIndicator(bySize ? FoundObjectsModel::SizeColumn : m_sortColumn,
                                                m_descending ? Qt::DescendingOrder : Qt::AscendingOrder);
  m_isFollowing = false;
  m_table->setEnabled(true);
  follow(picked);
  showTotals();
  showState();
}

void ObjectSearchView::showFailure(const engine::Error& error) {
  drop();
  m_state->showFailed(tr("The objects cannot be searched"), fromEngine(error.message()));
}

void ObjectSearchView::showState() {
  if (m_model->rowCount() > 0) return m_pages->setCurrentWidget(m_table);
  m_state->showEmpty(tr("No match"), m_insight ? tr("None of the insight's objects fits the query.")
                                     : m_scope.isWhole()
                                         ? tr("No object of the heap fits the query.")
                                         : tr("No object in %1 fits the query.").arg(scopeText(m_scope)));
  if (!query().isEmpty()) m_state->setAction(tr("Clear the query"), [this] { m_query->clear(); });
  m_pages->setCurrentWidget(m_state);
}

void ObjectSearchView::showLimit() {
  QString limit = scopeText(m_scope);
  if (m_insight) {
    const auto& found = InsightsSource::of(m_bridge).found();
    const auto index = found ? found->find(m_insight) : std::nullopt;
    limit = index ? fromEngine(found->list.insights[*index].title) : tr("Objects of one insight");
  }
  const int most = fontMetrics().averageCharWidth() * kLongestLimit;
  m_limit->setText(fontMetrics().elidedText(limit, Qt::ElideRight, most));
  m_limit->setToolTip(tr("Only these are searched: %1. Click to search the whole heap.").arg(limit));
  m_limit->setAccessibleName(tr("Limited to %1; remove the limit").arg(limit));
  m_limit->setVisible(!limit.isEmpty());
}

void ObjectSearchView::showTotals() {
  const bool isAnswer = m_list && m_table->isEnabled();
  m_retained->setVisible(isAnswer && m_list->found.objects > 0);
  m_retained->setEnabled(isAnswer && m_list->snapshot.has(engine::Stage::Retained) && m_retainedText.isEmpty());
  m_totals->setToolTip({});
  if (!isAnswer) return m_totals->setText({});
  const QString totals = objectTotals(m_list->found);
  m_totals->setText(m_retainedText.isEmpty() ? totals : totals + QStringLiteral(" · ") + m_retainedText);
  m_totals->setToolTip(objectTotalsTip(m_list->found));
}

void ObjectSearchView::sortBy(int section) {
  m_descending = section == m_sortColumn
                     ? !m_descending
                     : section == FoundObjectsModel::SizeColumn || section == FoundObjectsModel::RetainedColumn;
  m_sortColumn = section;
  search();
}

void ObjectSearchView::askRetained() {
  if (!m_list) return;
  m_retainedText = tr("counting what they retain…");
  showTotals();
  m_bridge.askLong(
      this, kRetainedChannel,
      [list = m_list](const engine::Snapshot& snapshot, engine::ProgressSink* progress, std::stop_token stop) {
        return engine::retainedWith(snapshot, list->found.ids, progress, std::move(stop));
      },
      [](const engine::Progress&) {},
      [this](const engine::Outcome<engine::RetainedSet>& answer) {
        m_retainedText = answer ? tr("%1 retained together").arg(bytesText(answer->retained.bytes)) : QString();
        showTotals();
      });
}

void ObjectSearchView::follow(engine::Address object) {
  const int row = object ? m_model->rowOf(object) : -1;
  m_isFollowing = true;
  if (row < 0) {
    m_table->selectionModel()->clear();
  } else if (m_table->currentIndex().row() != row) {
    m_table->setCurrentIndex(m_model->index(row, 0));
    m_table->scrollTo(m_model->index(row, 0));
  }
  m_isFollowing = false;
}

// Of a row that has not come yet, what it is is found where the object is looked at.
Selection ObjectSearchView::selectionAt(int row) const {
  const engine::FoundObject* object = m_model->objectAt(row);
  if (!object) return {.object = m_model->addressAt(row), .methodTable = {}, .segment = {}};
  return {object->row.address, m_list->snapshot.types()[object->row.type.value].methodTable, object->row.segment};
}

void ObjectSearchView::openMenu(const QPoint& position) {
  const QModelIndex index = m_table->indexAt(position);
  if (!index.isValid()) return;
  QMenu menu(this);
  addSelectionLinks(menu, m_navigator, selectionAt(index.row()));
  menu.addActions(m_table->actions());
  menu.exec(m_table->viewport()->mapToGlobal(position));
}

void ObjectSearchView::updateLook() {
  QPalette dimmed = palette();
  dimmed.setColor(QPalette::WindowText, Colours(palette()).dimmedText());
  m_totals->setPalette(dimmed);
}

void ObjectSearchView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) updateLook();
}

}  // namespace heapscape::gui
