// SPDX-License-Identifier: MIT
#include "views/types/instances_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QStackedLayout>
#include <QTableView>
#include <QToolButton>

#include "models/cells/name_delegate.h"
#include "models/instances_model.h"
#include "models/object_menu.h"
#include "models/query/query_edit.h"
#include "models/query/query_error_line.h"
#include "models/rows/table_heading.h"
#include "models/rows/table_setup.h"
#include "query/objects/object_search.h"
#include "session/objects/object_query.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/state_panel.h"
#include "widgets/text/counted_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr auto kChannel = "instances";
constexpr std::size_t kPageObjects = 1000;
constexpr int kWidestQuery = 60;  // letters

constexpr std::size_t kMostMatches = 100'000;

struct InstancesPage {
  std::vector<engine::ObjectRow> objects;
  bool hasMore = false;
};

// On the engine thread.
InstancesPage readPage(const engine::Snapshot& snapshot, engine::Address methodTable, const engine::HeapScope& scope,
                       engine::Address from, std::stop_token stop) {
  InstancesPage page;
  engine::ObjectFilter filter;
  filter.type = snapshot.typeOf(methodTable);
  if (filter.type->isNone()) return page;
  filter.generation = scope.generation;
  filter.heap = scope.heap;
  filter.minimumBytes = scope.minimumBytes;
  filter.addresses = engine::AddressRange{from, {UINT64_MAX}};
  const auto keep = [&](const engine::ObjectRow& object) {
    if (object.sizeBytes > scope.maximumBytes) return true;
    page.hasMore = page.objects.size() == kPageObjects;
    if (!page.hasMore) page.objects.push_back(object);
    return !page.hasMore;
  };
  engine::forEachObject(snapshot, filter, keep, stop);
  return page;
}

// Those that fit a query, in the order of their addresses. On the engine thread.
engine::Outcome<InstancesPage> readMatches(const engine::Snapshot& snapshot, const engine::ObjectSearch& search,
                                           std::stop_token stop) {
  HEAPSCAPE_TRY(const engine::FoundObjects found, engine::findObjects(snapshot, search, nullptr, std::move(stop)));
  InstancesPage page;
  for (const engine::FoundObject& object : found.rows) page.objects.push_back(object.row);
  return page;
}

void setUpButton(QToolButton* button, const char* name, const QString& symbol, const QString& text,
                 const QString& tip) {
  button->setObjectName(QString::fromLatin1(name));
  button->setText(text);
  button->setIcon(symbolIcon(symbol));
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setToolTip(tip);
  button->setMinimumHeight(std::max(28, button->fontMetrics().height() * 8 / 5));
}

}  // namespace

InstancesPanel::InstancesPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_model(new InstancesModel(this)),
      m_table(new QTableView(this)),
      m_heading(new QLabel(this)),
      m_query(new QueryEdit(bridge, QStringLiteral("instances"), this)),
      m_open(new QToolButton(this)),
      m_showOnMap(new QToolButton(this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout) {
  m_table->setObjectName(QStringLiteral("instances"));
  m_table->setAccessibleName(tr("Instances"));
  m_table->setModel(m_model);
  setUpTable(m_table, new TableHeading(m_table));
  m_table->setItemDelegate(new NameDelegate(m_table));
  const int letter = fontMetrics().averageCharWidth();
  m_table->setColumnWidth(InstancesModel::AddressColumn, letter * 24);
  m_table->setColumnWidth(InstancesModel::SizeColumn, letter * 12);
  m_table->setColumnWidth(InstancesModel::RetainedColumn, letter * 12);
  rememberColumns(m_table->horizontalHeader(), QStringLiteral("instances"));

  m_heading->setTextFormat(Qt::PlainText);
  m_query->setObjectName(QStringLiteral("instanceQuery"));
  m_query->setPlaceholderText(tr("field(\"Name\") = \"x\", size > 1 KB"));
  m_query->setAccessibleName(tr("Query over the instances"));
  engine::QuerySchema schema = engine::objectSchema();
  schema.fields.front().isPlain = false;  // the type is the same for all
  m_query->setSchema(std::move(schema));
  m_query->setMaximumWidth(fontMetrics().averageCharWidth() * kWidestQuery);
  setUpButton(m_open, "openObject", QStringLiteral("object"), tr("Open"), tr("What the object holds"));
  setUpButton(m_showOnMap, "showOnMap", QStringLiteral("segments"), tr("Show on map"),
              tr("Where the object lies among the segments"));

  auto* line = new QHBoxLayout;
  line->setContentsMargins(12, 8, 12, 8);
  line->setSpacing(12);
  line->addWidget(m_heading);
  line->addWidget(m_query, 1);
  line->addStretch();
  line->addWidget(m_open);
  line->addWidget(m_showOnMap);
  m_error = new QueryErrorLine(*m_query, this);
  m_error->setContentsMargins(12, 0, 12, 8);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(line);
  column->addWidget(m_error);
  column->addLayout(m_pages, 1);
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_table);

  connect(m_model, &InstancesModel::pageWanted, this, &InstancesPanel::askForPage);
  connect(m_query, &QueryEdit::complaintChanged, this, &InstancesPanel::showComplaint);
  connect(m_query, &QueryEdit::queryChanged, this, [this] {
    if (m_methodTable) load();
  });
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
    setPicked(current.isValid());
    if (!m_isFollowing && current.isValid()) m_navigator.select(this->current());
  });
  connect(m_table, &QAbstractItemView::activated, this, [this] { m_navigator.showObject(current().object); });
  connect(m_table, &QWidget::customContextMenuRequested, this, &InstancesPanel::openContextMenu);
  connect(m_open, &QToolButton::clicked, this, [this] { m_navigator.showObject(current().object); });
  connect(m_showOnMap, &QToolButton::clicked, this, [this] { m_navigator.showInSegments(current()); });
  clear();
}

void InstancesPanel::show(engine::Address methodTable, const QString& typeName, std::uint64_t count,
                          const engine::HeapScope& scope) {
  const bool isSame = methodTable == m_methodTable && scope == m_scope && count == m_count;
  if (isSame) return;
  m_methodTable = methodTable;
  m_typeName = typeName;
  m_count = count;
  m_scope = scope;
  m_isLoaded = false;
  if (isVisible()) load();
}

void InstancesPanel::showSnapshot(const engine::Snapshot& snapshot) {
  m_model->setSnapshot(snapshot);
}

void InstancesPanel::beginFile() {
  m_query->beginFile();
}

void InstancesPanel::clear() {
  m_model->setSnapshot(std::nullopt);
  showNoType();
}

void InstancesPanel::showNoType() {
  m_bridge.stopAsking(this, kChannel);
  m_methodTable = {};
  m_followed = {};
  m_count = 0;
  m_isLoaded = false;
  m_isFollowing = true;
  m_model->clear();
  m_isFollowing = false;
  setPicked(false);
  m_heading->setText(tr("Instances"));
  m_heading->setToolTip({});
  m_state->showEmpty(tr("No type selected"), tr("Pick a type to list its objects."));
  m_pages->setCurrentWidget(m_state);
}

void InstancesPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (m_methodTable && !m_isLoaded) load();
}

void InstancesPanel::load() {
  if (m_query->error()) m_query->dropUnlessFound(false);
  m_isLoaded = true;
  m_bridge.stopAsking(this, kChannel);
  m_isFollowing = true;
  m_query->error() ? m_model->clear() : m_model->start();
  m_isFollowing = false;
  setPicked(false);
  m_table->setEnabled(!m_query->error());
  updateHeading();
  m_pages->setCurrentWidget(m_table);
  showComplaint(m_query->complaint());
}

// Those that fit the last query stay, dimmed, and are not counted.
void InstancesPanel::showComplaint(const QString& complaint) {
  if (complaint.isEmpty() || !m_methodTable) return;
  m_table->setEnabled(false);
  updateHeading();
  if (m_model->rowCount() > 0) return;
  showNotUnderstood(*m_state, *m_query);
  m_pages->setCurrentWidget(m_state);
}

void InstancesPanel::askForMatches() {
  auto query = engine::makeQuery(m_query->text().toStdString(), m_query->schema());
  if (!query) return;
  engine::ObjectSearch search;
  search.query = std::move(*query);
  search.scope = m_scope;
  search.methodTable = m_methodTable;
  search.limit = kMostMatches;
  m_bridge.ask(
      this, kChannel,
      [search](const engine::Snapshot& snapshot, std::stop_token stop) {
        return readMatches(snapshot, search, std::move(stop));
      },
      [this](engine::Outcome<InstancesPage> page) {
        if (!page && page.error().isCancelled()) return;
        if (!page) {
          m_state->showFailed(tr("The instances cannot be searched"), fromEngine(page.error().error().message()));
          return m_pages->setCurrentWidget(m_state);
        }
        if (m_query->dropUnlessFound(!page->objects.empty())) return load();
        m_model->append(std::move(page->objects), false);
        updateHeading();
        if (m_model->rowCount() == 0) showNone();
        follow(m_followed);
      });
}

void InstancesPanel::askForPage(engine::Address from) {
  if (!m_query->text().isEmpty()) return askForMatches();
  const auto query = [type = m_methodTable, scope = m_scope, from](const engine::Snapshot& snapshot,
                                                                   std::stop_token stop) {
    return readPage(snapshot, type, scope, from, stop);
  };
  m_bridge.ask(this, kChannel, query, [this](InstancesPage page) {
    m_model->append(std::move(page.objects), page.hasMore);
    updateHeading();
    if (m_model->rowCount() == 0) showNone();
    follow(m_followed);
  });
}

void InstancesPanel::setPicked(bool isPicked) {
  m_open->setEnabled(isPicked);
  m_showOnMap->setEnabled(isPicked);
}

void InstancesPanel::openContextMenu(const QPoint& position) {
  if (!m_table->indexAt(position).isValid()) return;
  const Selection object = current();
  QMenu menu(this);
  addSelectionLinks(menu, m_navigator, object);
  menu.addActions(m_table->actions());
  menu.exec(m_table->viewport()->mapToGlobal(position));
}

void InstancesPanel::showNone() {
  if (!m_query->text().isEmpty()) {
    m_state->showEmpty(tr("No match"), tr("None of the %1 fits the query.").arg(countedText(m_count, tr("instance"))));
    m_state->setAction(tr("Clear the query"), [this] { m_query->clear(); });
  } else {
    m_state->showEmpty(tr("No objects"), tr("This part of the heap holds no object of the selected type."));
  }
  m_pages->setCurrentWidget(m_state);
}

void InstancesPanel::updateHeading() {
  m_heading->setToolTip(m_typeName);
  if (!m_table->isEnabled()) return m_heading->setText(tr("Instances"));
  const auto loaded = static_cast<std::uint64_t>(m_model->rowCount());
  const bool isWhole = loaded == m_count || (loaded == 0 && m_query->text().isEmpty());
  const QString figures = isWhole ? countText(m_count) : tr("%1 of %2").arg(countText(loaded), countText(m_count));
  m_heading->setText(tr("Instances · %1").arg(figures));
}

void InstancesPanel::follow(engine::Address object) {
  m_followed = object;
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

Selection InstancesPanel::current() const {
  const QModelIndex index = m_table->currentIndex();
  if (!index.isValid()) return {};
  const engine::ObjectRow& object = m_model->objectAt(index.row());
  return {object.address, m_methodTable, object.segment};
}

}  // namespace heapscape::gui
