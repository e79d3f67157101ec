// SPDX-License-Identifier: MIT
#include "views/types/types_place.h"

#include <QResizeEvent>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "views/types/instances_panel.h"
#include "views/types/object_search_view.h"
#include "views/types/scope_text.h"
#include "views/types/types_filter_bar.h"
#include "views/types/types_list.h"
#include "widgets/figures.h"
#include "widgets/state_panel.h"

namespace heapscape::gui {
namespace {

constexpr int kPatienceMs = 250;
constexpr int kSideBySideLetters = 190;  // wide enough for the instances to stand beside the table

}  // namespace

TypesPlace::TypesPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_bar(new TypesFilterBar(bridge, this)),
      m_list(new TypesList(this)),
      m_instances(new InstancesPanel(bridge, navigator, this)),
      m_objects(new ObjectSearchView(bridge, navigator, this)),
      m_tabs(new QTabWidget(this)),
      m_state(new StatePanel(this)),
      m_splitter(new QSplitter(Qt::Vertical, this)),
      m_pages(new QStackedLayout),
      m_patience(new QTimer(this)) {
  addParts();
  connectParts();
  clear();
}

void TypesPlace::addParts() {
  auto* left = new QWidget(m_splitter);
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_list);
  left->setLayout(m_pages);
  m_splitter->addWidget(left);
  m_splitter->addWidget(m_instances);
  m_splitter->setStretchFactor(0, 3);
  m_splitter->setStretchFactor(1, 1);
  m_splitter->setChildrenCollapsible(false);
  m_splitter->setHandleWidth(1);

  auto* types = new QWidget(m_tabs);
  auto* page = new QVBoxLayout(types);
  page->setContentsMargins(0, 0, 0, 0);
  page->setSpacing(0);
  page->addWidget(m_bar);
  page->addWidget(m_splitter, 1);
  types->setFocusProxy(m_bar);
  m_tabs->setObjectName(QStringLiteral("typesPages"));
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(types, tr("Types"));
  m_tabs->addTab(m_objects, tr("Objects"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 4, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_tabs, 1);
  setFocusProxy(m_bar);
  connect(m_tabs, &QTabWidget::currentChanged, this,
          [this](int page) { setFocusProxy(page == 0 ? static_cast<QWidget*>(m_bar) : m_objects); });
}

void TypesPlace::followObjects(const QString& query) {
  if (query == m_objectsQuery) return;
  m_objectsQuery = query;
  if (query.isNull()) {
    m_tabs->setCurrentIndex(0);
  } else {
    m_tabs->setCurrentWidget(m_objects);
    m_objects->ask(query);
  }
}

void TypesPlace::connectParts() {
  m_patience->setSingleShot(true);
  m_patience->setInterval(kPatienceMs);
  connect(m_patience, &QTimer::timeout, this, [this] { m_bar->setTotals(tr("Counting…")); });
  connect(m_bar, &TypesFilterBar::changed, this, &TypesPlace::ask);
  connect(m_bar, &TypesFilterBar::scopeRemoved, this, [this] { m_navigator.showTypesIn({}); });
  connect(m_list, &TypesList::sortWanted, this, [this](engine::TypeColumn column, bool descending) {
    m_order.sortBy = column;
    m_order.descending = descending;
    ask();
  });
  m_bar->setOrder(
      [this] { return SavedView{.sortColumn = static_cast<int>(m_order.sortBy), .descending = m_order.descending}; },
      [this](const SavedView& view) {
        const int last = static_cast<int>(engine::TypeColumn::Assembly);
        m_order.sortBy = static_cast<engine::TypeColumn>(std::clamp(view.sortColumn, 0, last));
        m_order.descending = view.descending;
      });
  connect(m_list, &TypesList::typePicked, this, [this](engine::Address type) { m_navigator.select({{}, type, {}}); });
  connect(m_list, &TypesList::layoutWanted, this, [this](engine::Address type) { m_navigator.showLayoutOf(type); });
  connect(m_list, &TypesList::reasonWanted, this, [this](engine::Address type) {
    m_navigator.showReferences(ReferencesPage::WhyAlive, {{}, type, {}});
  });
  connect(m_list, &TypesList::instancesWanted, this, [this](engine::Address type) {
    m_navigator.select({{}, type, {}});
    m_instances->setFocus();
  });
}

void TypesPlace::showSnapshot(const engine::Snapshot& snapshot) {
  m_bar->show();
  m_instances->showSnapshot(snapshot);
  m_objects->showSnapshot(snapshot);
  if (snapshot.has(engine::Stage::Objects)) return ask();
  m_state->showLoading(tr("Counting the objects of each type"));
  showState(m_state);
}

void TypesPlace::clear() {
  m_patience->stop();
  m_rows.reset();
  m_scope = {};
  m_selection = {};
  m_objectsQuery.clear();
  m_bar->beginFile();
  m_bar->setScope(m_scope);
  m_bar->setTotals({});
  m_bar->showError({});
  m_list->show(nullptr);
  m_instances->beginFile();
  m_instances->clear();
  m_objects->clear();
  m_state->showEmpty(tr("No dump is open"), tr("Open a core dump to see its types."));
  showState(m_state);
  m_bar->hide();
}

void TypesPlace::follow(const Location& location) {
  if (location.selection != m_selection) {
    m_selection = location.selection;
    m_list->follow(m_selection.methodTable);
    m_objects->follow(m_selection.object);
  }
  m_objects->setScope(location.scope);
  if (location.place == PlaceId::Types) followObjects(location.objectsQuery);
  if (location.scope != m_scope) {
    m_scope = location.scope;
    m_bar->setScope(m_scope);
    ask();
  }
  showInstances();
}

void TypesPlace::ask() {
  const auto& snapshot = m_bridge.snapshot();
  if (!snapshot || !snapshot->has(engine::Stage::Objects)) return;
  TypeQuestion question;
  question.scope = m_scope;
  question.query = m_order;
  question.query.text = m_bar->text().toStdString();
  question.query.isRegularExpression = m_bar->isRegularExpression();
  question.asTree = m_bar->isTree();
  if (m_rows && m_rows->question.scope == m_scope) question.counts = m_rows->question.counts;
  m_patience->start();
  m_bridge.ask(
      this, "types",
      [question](const engine::Snapshot& current, std::stop_token stop) { return askTypes(current, question, stop); },
      [this](Answer answer) { take(std::move(answer)); });
}

void TypesPlace::take(Answer answer) {
  m_patience->stop();
  if (answer) {
    m_bar->showError({});
    m_list->setEnabled(true);
    return showRows(std::move(*answer));
  }
  if (answer.error().isCancelled()) return;
  const engine::Error& error = answer.error().error();
  if (error.code == engine::ErrorCode::BadQuery) {
    if (m_bar->dropUnlessFound(false)) return ask();
    m_bar->showError(fromEngine(error.message()));
    m_list->setEnabled(false);  // the last good list stays, dimmed
    return showTotals();
  }
  m_state->showFailed(tr("The types cannot be counted"), fromEngine(error.message()));
  showState(m_state);
}

void TypesPlace::showRows(std::shared_ptr<const TypeRows> rows) {
  if (m_scope.isWhole() && m_bar->dropUnlessFound(!rows->selection.types.empty())) return ask();
  m_rows = std::move(rows);
  m_list->show(m_rows);
  m_list->follow(m_selection.methodTable);
  showTotals();
  if (m_rows->selection.types.empty()) {
    showNothingFound();
  } else {
    showState(m_list);
  }
  showInstances();
}

void TypesPlace::showNothingFound() {
  if (!m_bar->text().isEmpty()) {
    m_state->showEmpty(tr("No such type"),
                       m_bar->isQuery() ? tr("No type with objects here fits the query.")
                                        : tr("No type with objects here has “%1” in its name.").arg(m_bar->text()));
    m_state->setAction(tr("Clear the filter"), [this] { m_bar->clearFilter(); });
  } else if (!m_scope.isWhole()) {
    m_state->showEmpty(tr("No objects"), tr("Nothing lies in %1.").arg(scopeText(m_scope)));
    m_state->setAction(tr("Show the whole heap"), [this] { m_navigator.showTypesIn({}); });
  } else {
    m_state->showEmpty(tr("No objects"), tr("The heap in this dump holds no objects."));
  }
  showState(m_state);
}

void TypesPlace::showTotals() {
  if (!m_rows) return m_bar->setTotals({});
  const engine::TypeSelection& selection = m_rows->selection;
  const auto shown = countText(selection.types.size());
  const std::size_t all = m_rows->snapshot.types().size();
  QStringList parts;
  parts << (selection.types.size() == all ? tr("%1 types").arg(shown) : tr("%1 of %2 types").arg(shown, countText(all)))
        << tr("%1 objects").arg(countText(selection.objects)) << bytesText(selection.bytes);
  QString tip = exactBytesText(selection.bytes);
  if (m_rows->hasPadding()) {
    parts << tr("padding %1").arg(bytesText(selection.paddingBytes));
    tip += QLatin1Char('\n') +
           tr("Padding: %1, %2 of them")
               .arg(exactBytesText(selection.paddingBytes), percentText(selection.paddingBytes, selection.bytes));
  }
  m_bar->setTotals(parts.join(QStringLiteral(" · ")), tip);
}

void TypesPlace::showInstances() {
  const engine::Address methodTable = m_selection.methodTable;
  if (!methodTable || !m_rows || m_rows->question.scope != m_scope) {
    if (!methodTable) m_instances->clear();
    return;
  }
  const auto& types = m_rows->snapshot.types();
  const auto type = std::ranges::find(types, methodTable, &engine::TypeRow::methodTable);
  if (type == types.end()) return m_instances->clear();
  const std::uint64_t count = m_rows->counts().count[static_cast<std::size_t>(type - types.begin())];
  m_instances->show(methodTable, fromEngine(type->name), count, m_scope);
  m_instances->follow(m_selection.object);
}

void TypesPlace::showState(QWidget* page) {
  m_pages->setCurrentWidget(page);
  m_instances->setVisible(page == m_list);
}

void TypesPlace::resizeEvent(QResizeEvent* event) {
  Place::resizeEvent(event);
  const bool isWide = event->size().width() >= kSideBySideLetters * fontMetrics().averageCharWidth();
  m_splitter->setOrientation(isWide ? Qt::Horizontal : Qt::Vertical);
}

}  // namespace heapscape::gui
