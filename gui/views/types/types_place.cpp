// SPDX-License-Identifier: MIT
#include "views/types/types_place.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedLayout>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>
#include <algorithm>
#include <functional>
#include <utility>

#include "bridge/engine_bridge.h"
#include "models/query/query_edit.h"
#include "models/query/saved_views.h"
#include "models/retained_offer.h"
#include "models/rows/picked_line.h"
#include "models/rows/row_links.h"
#include "query/rows/type_queries.h"
#include "session/types/type_query.h"
#include "views/types/instances_panel.h"
#include "views/types/object_search_view.h"
#include "views/types/scope_text.h"
#include "views/types/types_list.h"
#include "widgets/arranging/split_page.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

/// The line above the types: the filter, which is always there, the namespaces' switch, the part of the heap that the
/// list is about, and the totals.
class TypesFilterBar : public QWidget {
  Q_OBJECT

 public:
  explicit TypesFilterBar(EngineBridge& bridge, QWidget* parent = nullptr);

  QString text() const;
  bool isRegularExpression() const;
  bool isTree() const;
  /// Whether the text compares fields rather than being a part of a name.
  bool isQuery() const;

  void setScope(const engine::HeapScope& scope);
  void setTotals(const QString& totals, const QString& tip = {});
  /// A sentence under the filter about what is wrong with it; empty for nothing.
  void showError(const QString& error);
  /// False while there is such a sentence: nothing answers the text then.
  bool isUnderstood() const;
  bool isQueryBegun() const { return m_filter->isQueryBegun(); }
  /// In place of the list.
  void showNotUnderstood(StatePanel& panel);
  void clearFilter();
  /// As of QueryEdit.
  void beginFile();
  bool dropUnlessFound(bool isFound);
  /// How saved views learn of the order, and give it back.
  void setOrder(std::function<SavedView()> order, std::function<void(const SavedView&)> apply);
  void focusFilter();

 Q_SIGNALS:
  /// After a short rest from typing, at once for the switches.
  void changed();
  /// The text cannot be asked, or can be again; after a short rest, too.
  void complaintChanged();
  void scopeRemoved();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void addControls();
  void updateLook();

  QueryEdit* m_filter;
  QToolButton* m_regularExpression;
  QToolButton* m_tree;
  QToolButton* m_scope;
  QLabel* m_totals;
  QueryErrorLine* m_error = nullptr;
};

namespace {

constexpr int kWidestFilter = 64;  // letters

QToolButton* addSwitch(QWidget* parent, const char* name, const QString& text, const QString& tip) {
  auto* button = new QToolButton(parent);
  button->setObjectName(QString::fromLatin1(name));
  button->setText(text);
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setCheckable(true);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

}  // namespace

TypesFilterBar::TypesFilterBar(EngineBridge& bridge, QWidget* parent)
    : QWidget(parent),
      m_filter(new QueryEdit(bridge, u"types"_s, this)),
      m_regularExpression(addSwitch(this, "typeRegularExpression", u".*"_s, u"Regular expression"_s)),
      m_tree(addSwitch(this, "typeTree", u"Namespaces"_s, u"Group the types by namespace"_s)),
      m_scope(new QToolButton(this)),
      m_totals(new QLabel(this)) {
  addControls();
  connect(m_filter, &QueryEdit::queryChanged, this, &TypesFilterBar::changed);
  connect(m_filter, &QueryEdit::complaintChanged, this, &TypesFilterBar::complaintChanged);
  connect(m_regularExpression, &QToolButton::toggled, this, [this](bool isOn) {
    m_filter->setQueries(!isOn);
    Q_EMIT changed();
  });
  connect(m_tree, &QToolButton::toggled, this, &TypesFilterBar::changed);
  connect(m_scope, &QToolButton::clicked, this, &TypesFilterBar::scopeRemoved);
  updateLook();
}

void TypesFilterBar::addControls() {
  m_filter->setObjectName(u"typeFilter"_s);
  m_filter->setPlaceholderText(u"Filter by name or query"_s);
  m_filter->setAccessibleName(u"Filter types by name or query"_s);
  m_filter->setMaximumWidth(fontMetrics().averageCharWidth() * kWidestFilter);
  m_filter->setSchema(engine::typeSchema());

  m_scope->setObjectName(u"typeScope"_s);
  m_scope->setIcon(symbolIcon(u"close"_s));
  m_scope->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_scope->setLayoutDirection(Qt::RightToLeft);  // the cross behind the text, as on every chip
  m_scope->setToolTip(u"Only this part of the heap is counted. Click to count the whole heap."_s);
  m_scope->hide();

  m_totals->setObjectName(u"typeTotals"_s);
  m_totals->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_totals->setWordWrap(true);  // never cut
  m_error = new QueryErrorLine(*m_filter, this);

  auto* line = new QHBoxLayout;
  line->setSpacing(8);
  line->addWidget(m_filter, 3);
  line->addWidget(m_regularExpression);
  line->addWidget(m_tree);
  line->addWidget(m_scope);
  line->addWidget(m_totals, 4);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 8);
  column->setSpacing(4);
  column->addLayout(line);
  column->addWidget(m_error);
  for (QWidget* control : {static_cast<QWidget*>(m_regularExpression), static_cast<QWidget*>(m_tree),
                           static_cast<QWidget*>(m_scope), static_cast<QWidget*>(m_filter)}) {
    control->setMinimumHeight(std::max(28, fontMetrics().height() * 8 / 5));
  }
  setFocusProxy(m_filter);
}

QString TypesFilterBar::text() const {
  return m_filter->text();
}

bool TypesFilterBar::isRegularExpression() const {
  return m_regularExpression->isChecked();
}

bool TypesFilterBar::isQuery() const {
  return !isRegularExpression() && !m_filter->isPlainText();
}

bool TypesFilterBar::isTree() const {
  return m_tree->isChecked();
}

void TypesFilterBar::setScope(const engine::HeapScope& scope) {
  m_scope->setText(scopeText(scope));
  m_scope->setAccessibleName(u"Limited to %1; remove the limit"_s.arg(scopeText(scope)));
  m_scope->setVisible(!scope.isWhole());
}

void TypesFilterBar::setTotals(const QString& totals, const QString& tip) {
  m_totals->setText(totals);
  m_totals->setToolTip(tip);
}

void TypesFilterBar::showError(const QString& error) {
  m_error->say(error);
}

bool TypesFilterBar::isUnderstood() const {
  return m_error->text().isEmpty();
}

void TypesFilterBar::showNotUnderstood(StatePanel& panel) {
  gui::showNotUnderstood(panel, *m_filter);
}

void TypesFilterBar::clearFilter() {
  m_filter->clear();
}

void TypesFilterBar::beginFile() {
  m_filter->beginFile();
}

bool TypesFilterBar::dropUnlessFound(bool isFound) {
  return m_filter->dropUnlessFound(isFound);
}

void TypesFilterBar::setOrder(std::function<SavedView()> order, std::function<void(const SavedView&)> apply) {
  m_filter->setOrder(std::move(order), std::move(apply));
}

void TypesFilterBar::focusFilter() {
  m_filter->setFocus();
  m_filter->selectAll();
}

void TypesFilterBar::updateLook() {
  QPalette dimmed = palette();
  dimmed.setColor(QPalette::WindowText, Colours(palette()).dimmedText());
  m_totals->setPalette(dimmed);
}

void TypesFilterBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) updateLook();
  QWidget::changeEvent(event);
}

namespace {

constexpr int kPatienceMs = 250;
constexpr SplitPage::Shares kTypesShares{.besideFrom = 190, .beside = 0.6, .above = 0.55};

}  // namespace

TypesPlace::TypesPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_bar(new TypesFilterBar(bridge, this)),
      m_list(new TypesList(this)),
      m_instances(new InstancesPanel(bridge, navigator, this)),
      m_objects(new ObjectSearchView(bridge, navigator, this)),
      m_tabs(new QTabWidget(this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout),
      m_patience(new QTimer(this)) {
  addParts();
  connectParts();
  clear();
}

void TypesPlace::addParts() {
  auto* left = new QWidget(this);
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_list);
  auto* listed = new QVBoxLayout(left);
  listed->setContentsMargins(0, 0, 0, 0);
  listed->setSpacing(0);
  listed->addLayout(m_pages, 1);
  auto* picked = new PickedLine(m_bridge, m_navigator, m_list->table(), left);
  m_list->setPicked(picked);
  listed->addWidget(picked);
  auto* types = new SplitPage(m_bar, left, m_instances, kTypesShares, m_tabs);
  types->setNeeds([this] { return std::pair(m_list->wantedWidth(), m_instances->wantedWidth()); });
  types->layout()->setSpacing(0);
  types->setFocusProxy(m_bar);
  m_tabs->setObjectName(u"typesPages"_s);
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(types, u"Types"_s);
  m_tabs->addTab(m_objects, u"Objects"_s);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 4, 0, 0);
  column->setSpacing(0);
  column->addWidget(new RetainedOffer(m_bridge, this));
  column->addWidget(m_tabs, 1);
  setFocusProxy(m_bar);
  connect(m_tabs, &QTabWidget::currentChanged, this, &TypesPlace::choosePage);
}

// By a click or the keyboard; what the page of objects shows goes along.
void TypesPlace::choosePage(int page) {
  setFocusProxy(page == 0 ? static_cast<QWidget*>(m_bar) : m_objects);
  Location location = m_navigator.location();
  if (location.place != PlaceId::Types || static_cast<int>(location.typesPage) == page) return;
  location.typesPage = static_cast<TypesPage>(page);
  location.objectsQuery = m_objects->query();
  location.objectsOf = m_objects->insight();
  location.areObjectsByType = false;
  location.listed = {};
  m_navigator.go(location);
}

// What is typed on the page stays while something is picked there; who comes to it gets what was asked for.
void TypesPlace::followPage(const Location& location) {
  const auto before = std::exchange(m_followed, location);
  const bool isNews = !before || before->typesPage != location.typesPage ||
                      before->objectsQuery != location.objectsQuery || before->objectsOf != location.objectsOf ||
                      before->areObjectsByType != location.areObjectsByType;
  m_tabs->setCurrentIndex(static_cast<int>(location.typesPage));
  if (!isNews || location.typesPage != TypesPage::Objects) return;
  m_objects->ask(location.objectsQuery, location.objectsOf);
  if (location.areObjectsByType) m_objects->groupByType();
}

void TypesPlace::connectParts() {
  m_patience->setSingleShot(true);
  m_patience->setInterval(kPatienceMs);
  connect(m_patience, &QTimer::timeout, this, [this] { m_bar->setTotals(u"Counting…"_s); });
  connect(m_bar, &TypesFilterBar::changed, this, &TypesPlace::ask);
  connect(m_bar, &TypesFilterBar::complaintChanged, this, [this] {
    if (m_rows && !m_bar->isUnderstood()) showNotUnderstood();
  });
  connect(m_objects, &ObjectSearchView::queryChanged, this, [this](const QString& query) {
    m_navigator.keepObjectsQuery(query);
    if (m_followed) m_followed->objectsQuery = query;
  });
  connect(m_bar, &TypesFilterBar::scopeRemoved, this, [this] { m_navigator.showTypesIn({}); });
  connect(m_list, &TypesList::sortWanted, this, [this](int section, bool descending) {
    m_sortedSection = section;
    m_isDescending = descending;
    ask();
  });
  m_bar->setOrder([this] { return SavedView{.sortColumn = m_sortedSection, .descending = m_isDescending}; },
                  [this](const SavedView& view) {
                    m_sortedSection = std::clamp(view.sortColumn, 0, TypeTableColumnCount - 1);
                    m_isDescending = view.descending;
                  });
  connect(m_list, &TypesList::typePicked, this, [this](engine::Address type) { m_navigator.select({{}, type, {}}); });
  connect(m_list, &TypesList::otherPicked, this, [this](const QModelIndex& row, const QHeaderView& headings) {
    tellRow(m_navigator, u"Namespace"_s, row, headings);
  });
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
  if (snapshot.has(engine::Stage::Objects)) {
    ask();
    return;
  }
  m_state->showLoading(u"Counting the objects of each type"_s);
  showState(m_state);
}

void TypesPlace::clear() {
  m_patience->stop();
  m_rows.reset();
  m_scope = {};
  m_selection = {};
  m_bar->beginFile();
  m_followed.reset();
  m_bar->setScope(m_scope);
  m_bar->setTotals({});
  m_bar->showError({});
  m_list->show(nullptr);
  m_instances->beginFile();
  m_list->setEnabled(true);
  m_instances->clear();
  m_objects->clear();
  m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see its types."_s);
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
  if (location.place == PlaceId::Types) {
    followPage(location);
  } else {
    m_followed.reset();
  }
  if (location.scope != m_scope) {
    m_scope = location.scope;
    m_bar->setScope(m_scope);
    // Who asks for a part of the heap wants all of it, not what fits an older question.
    if (!m_scope.isWhole()) m_bar->clearFilter();
    ask();
  }
  showInstances();
}

void TypesPlace::ask() {
  const auto& snapshot = m_bridge.snapshot();
  if (!snapshot || !snapshot->has(engine::Stage::Objects)) return;
  TypeQuestion question;
  question.scope = m_scope;
  question.query.text = m_bar->text().toStdString();
  question.query.isRegularExpression = m_bar->isRegularExpression();
  question.asTree = m_bar->isTree();
  question.section = m_sortedSection;
  question.descending = m_isDescending;
  // Counts of an earlier stage, or as seen from other roots, know of no garbage, or of other garbage.
  const bool isSame = m_rows && &m_rows->snapshot.contents() == &snapshot->contents();
  if (isSame && m_rows->question.scope == m_scope) question.counts = m_rows->question.counts;
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
    showRows(std::move(*answer));
    return;
  }
  if (answer.error().isCancelled()) return;
  const engine::Error& error = answer.error().error();
  if (error.code == engine::ErrorCode::BadQuery) {
    if (m_bar->dropUnlessFound(false)) {
      ask();
      return;
    }
    m_bar->showError(fromEngine(error.message()));
    showNotUnderstood();
    return;
  }
  m_state->showFailed(u"The types cannot be counted"_s, fromEngine(error.message()));
  showState(m_state);
}

// The last good list stays, dimmed.
void TypesPlace::showNotUnderstood() {
  m_patience->stop();
  m_list->setEnabled(false);
  m_bar->setTotals({});
  if (m_rows && !m_rows->selection.types.empty()) {
    showState(m_list);
    return;
  }
  m_bar->showNotUnderstood(*m_state);
  showState(m_state);
}

void TypesPlace::showRows(std::shared_ptr<const TypeRows> rows) {
  if (m_scope.isWhole() && m_bar->dropUnlessFound(!rows->selection.types.empty())) {
    ask();
    return;
  }
  // As under a complaint.
  if (rows->selection.types.empty() && m_rows && !m_rows->selection.types.empty() && m_bar->isQueryBegun() &&
      &m_rows->snapshot.contents() == &rows->snapshot.contents()) {
    m_list->setEnabled(false);
    return;
  }
  m_rows = std::move(rows);
  m_list->show(m_rows);
  m_list->follow(m_selection.methodTable);
  if (!m_bar->isUnderstood()) {
    showNotUnderstood();
    return;
  }
  m_list->setEnabled(true);
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
    m_state->showEmpty(u"No such type"_s,
                       m_bar->isQuery() ? u"No type with objects here fits the query."_s
                                        : u"No type with objects here has “%1” in its name."_s.arg(m_bar->text()));
    m_state->setAction(u"Clear the filter"_s, [this] { m_bar->clearFilter(); });
  } else if (!m_scope.isWhole()) {
    m_state->showEmpty(u"No objects"_s, u"Nothing lies in %1."_s.arg(scopeText(m_scope)));
    m_state->setAction(u"Show the whole heap"_s, [this] { m_navigator.showTypesIn({}); });
  } else {
    m_state->showEmpty(u"No objects"_s, u"The heap in this dump holds no objects."_s);
  }
  showState(m_state);
}

// The list has a row for gaps, too, which are neither a type nor objects.
void TypesPlace::showTotals() {
  if (!m_rows) {
    m_bar->setTotals({});
    return;
  }
  const engine::TypeSelection& selection = m_rows->selection;
  const std::vector<engine::TypeRow>& types = m_rows->snapshot.types();
  const auto gap = std::ranges::find_if(selection.types, [&](engine::TypeId type) { return types[type.value].isFree; });
  const bool hasGaps = gap != selection.types.end();
  const std::uint64_t gaps = hasGaps ? m_rows->counts().count[gap->value] : 0;
  const std::uint64_t freeBytes = hasGaps ? m_rows->counts().bytes[gap->value] : 0;
  const std::size_t listed = selection.types.size() - (hasGaps ? 1 : 0);
  const auto all = static_cast<std::size_t>(std::ranges::count(types, false, &engine::TypeRow::isFree));
  const std::uint64_t bytes = selection.bytes - freeBytes;
  QStringList parts;
  parts << (listed == all ? countedText(all, u"type"_s)
                          : u"%1 of %2"_s.arg(countText(listed), countedText(all, u"type"_s)))
        << countedText(selection.objects - gaps, u"object"_s) << bytesText(bytes);
  QString tip = exactBytesText(bytes);
  if (hasGaps) {
    tip += QLatin1Char('\n') +
           u"Beside them %1 (row Free), %2"_s.arg(countedText(gaps, u"free object"_s), exactBytesText(freeBytes));
  }
  if (m_rows->hasPadding()) {
    parts << u"padding %1"_s.arg(bytesText(selection.paddingBytes));
    tip += QLatin1Char('\n') + u"Padding: %1, %2 of them"_s.arg(exactBytesText(selection.paddingBytes),
                                                                percentText(selection.paddingBytes, bytes));
  }
  if (!m_scope.isWhole() && m_rows->hasRetained()) {
    parts << u"retained in the whole heap"_s;
    tip += u"\nRetained sizes are those of all objects of a type, wherever they lie; all other columns count %1."_s.arg(
        scopeText(m_scope));
  }
  m_bar->setTotals(parts.join(u" · "_s), tip);
}

void TypesPlace::showInstances() {
  const engine::Address methodTable = m_selection.methodTable;
  if (!methodTable || !m_rows || m_rows->question.scope != m_scope) {
    if (!methodTable) m_instances->showNoType();
    return;
  }
  const engine::TypeId type = m_rows->snapshot.typeOf(methodTable);
  if (type.isNone()) {
    m_instances->showNoType();
    return;
  }
  const std::string& name = m_rows->snapshot.typeName(type);
  m_instances->show(methodTable, fromEngine(name), m_rows->counts().count[type.value], m_scope);
  m_instances->follow(m_selection.object);
}

void TypesPlace::showState(QWidget* page) {
  m_pages->setCurrentWidget(page);
  m_instances->setVisible(page == m_list);
}

}  // namespace heapscape::gui

#include "types_place.moc"
