// SPDX-License-Identifier: MIT
#include "views/types/object_search_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QStackedLayout>
#include <QTableView>
#include <QToolButton>

#include "models/name_delegate.h"
#include "models/object_menu.h"
#include "models/query/query_edit.h"
#include "models/table_heading.h"
#include "models/table_setup.h"
#include "views/types/scope_text.h"
#include "widgets/colours.h"
#include "widgets/figures.h"
#include "widgets/state_panel.h"

namespace heapscape::gui {
namespace {

using engine::ObjectField;

constexpr auto kSearchChannel = "objects";
constexpr auto kRetainedChannel = "retained";

std::optional<engine::QueryFieldReference> fieldOf(int column) {
  switch (column) {
    case FoundObjectsModel::TypeColumn:
      return engine::referenceTo(ObjectField::Type);
    case FoundObjectsModel::SizeColumn:
      return engine::referenceTo(ObjectField::Size);
    case FoundObjectsModel::RetainedColumn:
      return engine::referenceTo(ObjectField::Retained);
    case FoundObjectsModel::GenerationColumn:
      return engine::referenceTo(ObjectField::Gen);
    default:
      return engine::referenceTo(ObjectField::Address);
  }
}

// On the engine thread.
engine::Outcome<std::shared_ptr<const FoundObjectList>> searchObjects(const engine::Snapshot& snapshot,
                                                                      const std::string& text,
                                                                      engine::ObjectSearch search,
                                                                      engine::ProgressSink* progress,
                                                                      std::stop_token stop) {
  auto query = engine::makeQuery(text, engine::objectSchema());
  if (!query) return tl::unexpected(engine::Unfinished(engine::toError(query.error())));
  search.query = std::move(*query);
  const bool byRetained = search.sortBy == engine::referenceTo(ObjectField::Retained);
  if (byRetained && !snapshot.has(engine::Stage::Retained)) search.sortBy = engine::referenceTo(ObjectField::Size);
  HEAPSCAPE_TRY(engine::FoundObjects found, engine::findObjects(snapshot, search, progress, std::move(stop)));
  return std::make_shared<const FoundObjectList>(FoundObjectList{snapshot, std::move(search), std::move(found)});
}

}  // namespace

ObjectSearchView::ObjectSearchView(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_query(new QueryEdit(bridge, QStringLiteral("objects"), this)),
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
  connect(m_query, &QueryEdit::queryChanged, this, &ObjectSearchView::search);
  m_totals->setObjectName(QStringLiteral("objectTotals"));
  m_totals->setTextFormat(Qt::PlainText);
  m_totals->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_totals->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_retained->setObjectName(QStringLiteral("objectsRetained"));
  m_retained->setText(tr("Retained together"));
  m_retained->setToolTip(tr("Count what would be freed with all of them"));
  m_retained->setMinimumHeight(m_query->minimumHeight());
  connect(m_retained, &QToolButton::clicked, this, &ObjectSearchView::askRetained);

  auto* line = new QHBoxLayout;
  line->setContentsMargins(12, 8, 12, 8);
  line->setSpacing(8);
  line->addWidget(m_query, 5);
  line->addWidget(m_totals, 4);
  line->addWidget(m_retained);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(line);
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
  QHeaderView* heading = m_table->horizontalHeader();
  const int letter = fontMetrics().averageCharWidth();
  m_table->setColumnWidth(FoundObjectsModel::AddressColumn, letter * 20);
  m_table->setColumnWidth(FoundObjectsModel::SizeColumn, figureColumnWidth(*this));
  m_table->setColumnWidth(FoundObjectsModel::RetainedColumn, figureColumnWidth(*this));
  rememberColumns(heading, QStringLiteral("foundObjects"));
  heading->setStretchLastSection(false);
  heading->setSectionResizeMode(FoundObjectsModel::TypeColumn, QHeaderView::Stretch);
  heading->setSortIndicatorShown(true);
  connect(heading, &QHeaderView::sectionClicked, this, &ObjectSearchView::sortBy);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
    if (m_isFollowing || !current.isValid()) return;
    const engine::ObjectRow& row = m_model->objectAt(current.row()).row;
    m_navigator.select({row.address, m_list->snapshot.types()[row.type.value].methodTable, row.segment});
  });
  connect(m_table, &QAbstractItemView::activated, this,
          [this](const QModelIndex& index) { m_navigator.showObject(m_model->objectAt(index.row()).row.address); });
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
  m_bridge.stopAsking(this, kSearchChannel);
  m_bridge.stopAsking(this, kRetainedChannel);
  m_scope = {};
  m_isOld = true;
  m_list.reset();
  m_retainedText.clear();
  m_isFollowing = true;
  m_model->show(nullptr);
  m_isFollowing = false;
  m_query->beginFile();
  showTotals();
  m_state->showEmpty(tr("No dump is open"), tr("Open a core dump to search its objects."));
  m_pages->setCurrentWidget(m_state);
}

void ObjectSearchView::setScope(const engine::HeapScope& scope) {
  if (scope == m_scope) return;
  m_scope = scope;
  m_isOld = true;
  if (isVisible()) search();
}

void ObjectSearchView::ask(const QString& query) {
  m_query->setText(query);
  m_query->settle();
  m_isOld = true;
  if (isVisible()) search();
}

void ObjectSearchView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (m_isOld) search();
}

void ObjectSearchView::search() {
  const auto& snapshot = m_bridge.snapshot();
  if (!snapshot || !snapshot->has(engine::Stage::Objects)) return;
  if (m_query->error() && !m_query->dropUnlessFound(false)) return;
  m_isOld = false;
  engine::ObjectSearch search;
  search.scope = m_scope;
  search.sortBy = fieldOf(m_sortColumn);
  search.descending = m_descending;
  m_bridge.stopAsking(this, kRetainedChannel);
  m_retainedText.clear();
  if (!m_list) {
    m_state->showLoading(tr("Searching the objects"));
    m_pages->setCurrentWidget(m_state);
  }
  m_totals->setText(tr("Searching…"));
  m_bridge.askLong(
      this, kSearchChannel,
      [text = m_query->text().toStdString(), search](const engine::Snapshot& current, engine::ProgressSink* progress,
                                                     std::stop_token stop) {
        return searchObjects(current, text, search, progress, std::move(stop));
      },
      [this](const engine::Progress& progress) {
        m_totals->setText(tr("Searching… %1%").arg(static_cast<int>(progress.fraction * 100)));
      },
      [this](Answer answer) { take(std::move(answer)); });
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
  m_table->horizontalHeader()->setSortIndicator(m_sortColumn, m_descending ? Qt::DescendingOrder : Qt::AscendingOrder);
  m_isFollowing = false;
  follow(picked);
  showTotals();
  showState();
}

void ObjectSearchView::showFailure(const engine::Error& error) {
  m_list.reset();
  m_isFollowing = true;
  m_model->show(nullptr);
  m_isFollowing = false;
  showTotals();
  m_state->showFailed(tr("The objects cannot be searched"), fromEngine(error.message()));
  m_pages->setCurrentWidget(m_state);
}

void ObjectSearchView::showState() {
  if (m_model->rowCount() > 0) return m_pages->setCurrentWidget(m_table);
  m_state->showEmpty(tr("No match"), m_scope.isWhole() ? tr("No object of the heap fits the query.")
                                                       : tr("No object in %1 fits the query.").arg(scopeText(m_scope)));
  if (!m_query->text().isEmpty()) m_state->setAction(tr("Clear the query"), [this] { m_query->clear(); });
  m_pages->setCurrentWidget(m_state);
}

void ObjectSearchView::showTotals() {
  m_retained->setVisible(m_list && m_list->found.objects > 0);
  m_retained->setEnabled(m_bridge.retainedState() == RetainedState::Ready && m_retainedText.isEmpty());
  if (!m_list) return m_totals->setText({});
  const engine::FoundObjects& found = m_list->found;
  QStringList parts{tr("%1 objects").arg(countText(found.objects)), bytesText(found.bytes)};
  QString tip = exactBytesText(found.bytes);
  if (found.rows.size() < found.objects) {
    parts << tr("the first %1 shown").arg(countText(found.rows.size()));
    tip += QLatin1Char('\n') + tr("The list shows the first of them in its order; the totals are of all.");
  }
  if (found.unreadable) {
    parts << tr("⚠ %1 values unreadable").arg(countText(found.unreadable));
    tip += QLatin1Char('\n') + tr("Values that are damaged or not in the dump fit no comparison.");
  }
  if (!m_retainedText.isEmpty()) parts << m_retainedText;
  m_totals->setText(parts.join(QStringLiteral(" · ")));
  m_totals->setToolTip(m_totals->text() + QLatin1Char('\n') + tip);
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

void ObjectSearchView::openMenu(const QPoint& position) {
  const QModelIndex index = m_table->indexAt(position);
  if (!index.isValid()) return;
  const engine::ObjectRow& row = m_model->objectAt(index.row()).row;
  const Selection object{row.address, m_list->snapshot.types()[row.type.value].methodTable, row.segment};
  QMenu menu(this);
  addSelectionLinks(menu, m_navigator, object);
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
