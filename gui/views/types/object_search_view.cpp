// SPDX-License-Identifier: MIT
#include "views/types/object_search_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <array>
#include <utility>

#include "bridge/engine_thread.h"
#include "models/insights_source.h"
#include "models/names/insight_text.h"
#include "models/names/type_name.h"
#include "models/query/query_edit.h"
#include "models/retained_offer.h"
#include "models/rows/row_groups.h"
#include "models/rows/rows_panel.h"
#include "views/types/object_rows.h"
#include "views/types/scope_text.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

/// Objects that were found, in groups by what a field holds of them, with their sums. Picking a group tells which
/// objects these are. Hidden while nothing is grouped.
class ObjectGroupsPanel : public QWidget {
  Q_OBJECT

 public:
  using Objects = std::shared_ptr<const std::vector<std::uint32_t>>;  // ObjectIds, ascending

  ObjectGroupsPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  /// Choice of what to group by, to stand wherever there is room for it.
  GroupChoice& choice() const { return *m_choice; }
  bool isGrouping() const { return m_choice->field().has_value(); }
  /// Groups what was found as it is wanted; drops what was picked.
  void group(std::shared_ptr<const FoundObjectList> found);
  void clear();
  /// Those of the group that is picked; null for none.
  const Objects& picked() const { return m_picked; }

 Q_SIGNALS:
  void pickedChanged();
  /// Another field, or none any more.
  void fieldChanged();

 private:
  struct Grouped {
    std::shared_ptr<const engine::ObjectGroups> groups;
    std::shared_ptr<const RowList> rows;
  };

  static Grouped groupedFrom(engine::ObjectGroups groups, bool areOfTypes);
  void regroup();
  void show(Grouped grouped);
  void pick(std::uint32_t row);
  void drop();

  EngineBridge& m_bridge;
  GroupChoice* m_choice;
  RowsPanel* m_panel;
  std::shared_ptr<const FoundObjectList> m_found;
  std::shared_ptr<const engine::ObjectGroups> m_groups;
  Objects m_picked;
};

namespace {

using engine::ObjectField;

constexpr auto kGroupChannel = "group";
constexpr auto kPickChannel = "pick";
constexpr int kFewestFilterLetters = 14;

constexpr std::array kGroupFields{ObjectField::Type,        ObjectField::Namespace, ObjectField::Assembly,
                                  ObjectField::LoadContext, ObjectField::Owner,     ObjectField::HeldBy,
                                  ObjectField::Gen,         ObjectField::Heap,      ObjectField::Segment,
                                  ObjectField::Length,      ObjectField::Reachable};

RowSchema<engine::ObjectGroup> groupSchema(bool areOfTypes) {
  using Group = engine::ObjectGroup;
  RowSchema<Group> schema;
  schema.columns = {
      {.setup = {.title = u"Group"_s, .letters = 16, .stretches = true, .isSearched = true},
       .words = [](const Group& group) { return groupName(group.value.get()); }},
      {.setup = {.title = u"Objects"_s, .kind = engine::ColumnKind::Count, .bar = ColumnBar::Plain},
       .cell = &Group::objects},
      {.setup = {.title = u"Bytes"_s, .kind = engine::ColumnKind::Bytes, .bar = ColumnBar::Plain},
       .cell = &Group::bytes},
  };
  if (areOfTypes)
    schema.columns[0].more = [](const Group& group, int role) {
      return cutTypeName(groupName(group.value.get()), role);
    };
  return schema;
}

RowsPanelSetup groupsSetup() {
  RowsPanelSetup setup;
  setup.name = u"objectGroups"_s;
  setup.title = u"Groups of objects"_s;
  setup.noun = u"groups"_s;
  setup.filterHint = u"Part of a group's name"_s;
  setup.loading = u"Grouping the objects"_s;
  setup.columns = groupSchema(false).setups();
  return setup;
}

}  // namespace

ObjectGroupsPanel::ObjectGroupsPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_choice(new GroupChoice(bridge, u"groupObjects"_s, u"objects"_s, this)),
      m_panel(new RowsPanel(bridge, navigator, groupsSetup(), {}, this)) {
  m_choice->add(u"Not grouped"_s, 0);
  for (const ObjectField field : kGroupFields) m_choice->add(field);
  m_choice->addPrompt();
  connect(m_choice, &GroupChoice::chosen, this, &ObjectGroupsPanel::regroup);
  connect(m_panel, &RowsPanel::rowPicked, this, &ObjectGroupsPanel::pick);
  // Beside the objects, in a small window as well.
  m_panel->findChild<QueryEdit*>()->setMinimumWidth(fontMetrics().averageCharWidth() * kFewestFilterLetters);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_panel);
  hide();
}

void ObjectGroupsPanel::regroup() {
  setVisible(isGrouping());
  drop();
  Q_EMIT fieldChanged();
}

void ObjectGroupsPanel::drop() {
  m_bridge.stopAsking(this, kGroupChannel);
  m_bridge.stopAsking(this, kPickChannel);
  releaseLater(std::exchange(m_groups, nullptr));
  releaseLater(std::exchange(m_picked, nullptr));
}

void ObjectGroupsPanel::clear() {
  drop();
  m_found.reset();
  m_panel->clear();
}

void ObjectGroupsPanel::group(std::shared_ptr<const FoundObjectList> found) {
  drop();
  m_found = std::move(found);
  const auto& field = m_choice->field();
  if (!field || !m_found) return;
  m_panel->showWaiting(u"Grouping the objects"_s);
  if (!engine::isFieldKnown(m_found->snapshot, *field)) {
    m_panel->showLacking();
    return;
  }
  m_bridge.askLong(
      this, kGroupChannel,
      [found = m_found, field = *field](const engine::Snapshot& snapshot, engine::ProgressSink* progress,
                                        std::stop_token stop) -> engine::Outcome<Grouped> {
        HEAPSCAPE_TRY(auto groups, engine::groupObjects(snapshot, found->found.ids, field, progress, std::move(stop)));
        return groupedFrom(std::move(groups), field == engine::referenceTo(ObjectField::Type));
      },
      [](const engine::Progress&) {},
      [this](engine::Outcome<Grouped> grouped) {
        if (grouped) return show(std::move(*grouped));
        if (!grouped.error().isCancelled()) m_panel->showFailure(grouped.error().error());
      });
}

// There may be as many as objects, so nothing is copied, and names are made of those in sight.
ObjectGroupsPanel::Grouped ObjectGroupsPanel::groupedFrom(engine::ObjectGroups groups, bool areOfTypes) {
  auto shared = std::make_shared<const engine::ObjectGroups>(std::move(groups));
  std::shared_ptr<const std::vector<engine::ObjectGroup>> rows(shared, &shared->groups);
  return {shared, makeRowList(std::move(rows), groupSchema(areOfTypes))};
}

void ObjectGroupsPanel::show(Grouped grouped) {
  m_groups = std::move(grouped.groups);
  m_panel->setRows(std::move(grouped.rows));
}

void ObjectGroupsPanel::pick(std::uint32_t row) {
  if (!m_groups || !m_found) return;
  m_bridge.compute(
      this, kPickChannel,
      [found = m_found, groups = m_groups, row](std::stop_token) -> Objects {
        auto objects = std::make_shared<std::vector<std::uint32_t>>();
        for (std::size_t i = 0; i < groups->groupOf.size(); ++i) {
          if (groups->groupOf[i] == row) objects->push_back(found->found.ids[i]);
        }
        return objects;
      },
      [this](Objects objects) {
        m_picked = std::move(objects);
        Q_EMIT pickedChanged();
      });
}

namespace {

constexpr auto kRetainedChannel = "retained";
constexpr int kLongestLimit = 48;  // letters

using engine::ObjectField;
const std::vector<ObjectField> kFoundColumns{ObjectField::Address,  ObjectField::Type, ObjectField::Size,
                                             ObjectField::Retained, ObjectField::Gen,  ObjectField::Value};
constexpr int kRetainedColumn = 3;

}  // namespace

ObjectSearchView::ObjectSearchView(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_query(new QueryEdit(bridge, u"objects"_s, this)),
      m_limit(new QToolButton(this)),
      m_totals(new QLabel(this)),
      m_retained(new QToolButton(this)),
      m_list(new ObjectList(bridge, navigator,
                            {.name = u"foundObjects"_s,
                             .title = u"Objects that fit the query"_s,
                             .columns = kFoundColumns,
                             .sortColumn = kRetainedColumn,
                             .descending = true},
                            this)),
      m_groups(new ObjectGroupsPanel(bridge, navigator, this)) {
  buildLine();
  updateLook();
  clear();
}

void ObjectSearchView::buildLine() {
  m_query->setObjectName(u"objectQuery"_s);
  m_query->setPlaceholderText(u"type ~ \"Order\" and size > 1 KB"_s);
  m_query->setAccessibleName(u"Query over all objects"_s);
  m_query->setSchema(engine::objectSchema());
  m_query->setOrder(
      [this] { return SavedView{.sortColumn = m_list->sortColumn(), .descending = m_list->isDescending()}; },
      [this](const SavedView& view) { m_list->setOrder(view.sortColumn, view.descending); });
  connect(m_query, &QueryEdit::queryChanged, this, [this] {
    Q_EMIT queryChanged(query());
    search();
  });
  connect(m_query, &QueryEdit::complaintChanged, this, &ObjectSearchView::showComplaint);
  m_error = new QueryErrorLine(*m_query, this);
  m_limit->setObjectName(u"objectLimit"_s);
  m_limit->setIcon(symbolIcon(u"close"_s));
  m_limit->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_limit->setLayoutDirection(Qt::RightToLeft);  // the cross behind the text, as on every chip
  m_limit->setMinimumHeight(m_query->minimumHeight());
  connect(m_limit, &QToolButton::clicked, this, [this] { m_navigator.showObjectsOf(query()); });
  m_totals->setObjectName(u"objectTotals"_s);
  m_totals->setTextFormat(Qt::PlainText);
  m_totals->setWordWrap(true);
  m_retained->setObjectName(u"objectsRetained"_s);
  m_retained->setText(u"Retained together"_s);
  m_retained->setToolTip(u"Count what would be freed with all of them"_s);
  m_retained->setMinimumHeight(m_query->minimumHeight());
  connect(m_retained, &QToolButton::clicked, this, &ObjectSearchView::askRetained);

  auto* line = new QHBoxLayout;
  line->setSpacing(8);
  line->addWidget(m_query, 1);
  line->addWidget(m_limit);
  line->addWidget(&m_groups->choice());
  m_groups->choice().setMinimumHeight(m_query->minimumHeight());
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
  auto* parts = new QSplitter(Qt::Horizontal, this);
  parts->addWidget(m_groups);
  parts->addWidget(m_list);
  parts->setStretchFactor(0, 2);
  parts->setStretchFactor(1, 3);
  parts->setChildrenCollapsible(false);
  parts->setHandleWidth(1);
  column->addWidget(parts, 1);
  connect(m_list, &ObjectList::orderChanged, this, [this] { m_groups->picked() ? showGroup() : search(); });
  connect(m_groups, &ObjectGroupsPanel::pickedChanged, this, &ObjectSearchView::showGroup);
  connect(m_groups, &ObjectGroupsPanel::fieldChanged, this, [this] {
    // Not grouped any more, or otherwise: all are listed again.
    if (m_found && m_list->list() != m_found) return search();
    m_groups->group(m_found);
  });
  setFocusProxy(m_query);
}

void ObjectSearchView::showSnapshot(const engine::Snapshot& snapshot) {
  if (!snapshot.has(engine::Stage::Objects)) {
    m_list->showState().showLoading(u"Counting the objects"_s);
    return;
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
  m_list->showState().showEmpty(u"No dump is open"_s, u"Open a core dump to search its objects."_s);
}

void ObjectSearchView::drop() {
  m_bridge.stopAsking(this, kRetainedChannel);
  m_retainedText.clear();
  m_list->drop();
  releaseLater(std::exchange(m_found, nullptr));
  m_groups->clear();
  m_query->beginFile();
  showTotals();
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

void ObjectSearchView::ask(const QString& query, std::optional<InsightKey> insight) {
  m_isOld |= query != m_query->text() || insight != m_insight;
  m_insight = std::move(insight);
  m_query->setText(query);
  m_query->settle();
  if (m_isOld && isVisible()) search();
}

void ObjectSearchView::groupByType() {
  m_groups->choice().choose(ObjectField::Type);
}

void ObjectSearchView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (m_isOld) search();
}

void ObjectSearchView::search() {
  const auto& snapshot = m_bridge.snapshot();
  if (!snapshot || !snapshot->has(engine::Stage::Objects)) return;
  showLimit();
  if (m_query->error() && !m_query->dropUnlessFound(false)) {
    showComplaint(m_query->complaint());
    return;
  }
  engine::ObjectSearch search;
  search.scope = m_scope;
  if (m_insight && !findAmong(search)) return;
  m_isOld = false;
  m_bridge.stopAsking(this, kRetainedChannel);
  m_retainedText.clear();
  if (!m_list->list()) m_list->showState().showLoading(u"Searching the objects"_s);
  m_retained->hide();
  m_totals->setText(u"Searching…"_s);
  const bool isOther = query() != m_listedQuery || m_insight != m_listedInsight;
  m_list->ask(
      query().toStdString(), std::move(search), isOther,
      [this](const engine::Progress& progress) { m_totals->setText(searchProgressText(progress)); },
      [this, query = query(), insight = m_insight](ObjectList::Answer answer) {
        m_listedQuery = query;
        m_listedInsight = insight;
        take(std::move(answer));
      });
}

bool ObjectSearchView::findAmong(engine::ObjectSearch& search) {
  InsightsSource& source = InsightsSource::of(m_bridge);
  followInsights(source);
  const auto& found = source.found();
  if (const std::vector<std::uint32_t>* objects = found ? found->objectsOf(*m_insight) : nullptr) {
    search.among = {found, objects};
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
    if (m_insight && !m_list->list()) showNoInsights(source);
  });
}

void ObjectSearchView::showNoInsights(InsightsSource& source) {
  StatePanel& state = m_list->showState();
  if (source.state() == InsightsState::Waiting) {
    showRetainedState(state, m_bridge);
    return;
  }
  if (source.state() == InsightsState::Computing) {
    state.showLoading(insightsProgressText(source));
    return;
  }
  if (source.found()) {
    state.showEmpty(u"No such insight any more"_s, u"It is not among those that were found from these roots."_s);
    state.setAction(u"Search all objects"_s, [this] { m_navigator.showObjectsOf(query()); });
    return;
  }
  state.showEmpty(u"Not looked for"_s, u"Which objects these are is known once waste and leaks are looked for."_s);
  state.setAction(u"Look now"_s, [&source] { source.look(); });
}

// What fits the last query stays, dimmed, and is not counted.
void ObjectSearchView::showComplaint(const QString& complaint) {
  if (complaint.isEmpty() || !m_bridge.snapshot()) return;
  m_isOld = true;
  m_list->dim();
  showTotals();
  if (m_list->size() > 0)
    m_list->showTable();
  else
    showNotUnderstood(m_list->showState(), *m_query);
}

void ObjectSearchView::take(ObjectList::Answer answer) {
  if (!answer) {
    if (!answer.error().isCancelled()) showFailure(answer.error().error());
    return;
  }
  if (m_scope.isWhole() && m_query->dropUnlessFound((*answer)->found.objects > 0)) {
    search();
    return;
  }
  const engine::Address picked = m_navigator.location().selection.object;
  releaseLater(std::exchange(m_found, *answer));
  m_list->show(std::move(*answer));
  m_list->follow(picked);
  showTotals();
  m_groups->group(m_found);
  m_list->size() > 0 ? m_list->showTable() : showNone();
}

void ObjectSearchView::showGroup() {
  if (!m_found || !m_groups->picked()) return;
  engine::ObjectSearch search;
  search.among = m_groups->picked();
  m_list->ask(
      {}, std::move(search), true, [](const engine::Progress&) {},
      [this](ObjectList::Answer answer) {
        if (!answer) return;
        m_list->show(std::move(*answer));
        m_list->showTable();
      });
}

void ObjectSearchView::showFailure(const engine::Error& error) {
  drop();
  m_list->showState().showFailed(u"The objects cannot be searched"_s, fromEngine(error.message()));
}

void ObjectSearchView::showNone() {
  StatePanel& state = m_list->showState();
  state.showEmpty(u"No match"_s, m_insight           ? u"None of the insight's objects fits the query."_s
                                 : m_scope.isWhole() ? u"No object of the heap fits the query."_s
                                                     : u"No object in %1 fits the query."_s.arg(scopeText(m_scope)));
  if (!query().isEmpty()) state.setAction(u"Clear the query"_s, [this] { m_query->clear(); });
}

void ObjectSearchView::showLimit() {
  QString limit = scopeText(m_scope);
  if (m_insight) {
    const auto& found = InsightsSource::of(m_bridge).found();
    limit = found ? fromEngine(found->titleOf(*m_insight)) : QString();
    if (limit.isEmpty()) limit = u"Objects of one insight"_s;
  }
  const int most = fontMetrics().averageCharWidth() * kLongestLimit;
  m_limit->setText(fontMetrics().elidedText(limit, Qt::ElideRight, most));
  m_limit->setToolTip(u"Only these are searched: %1. Click to search the whole heap."_s.arg(limit));
  m_limit->setAccessibleName(u"Limited to %1; remove the limit"_s.arg(limit));
  m_limit->setVisible(!limit.isEmpty());
}

void ObjectSearchView::showTotals() {
  const FoundObjectList* list = m_list->isAnswer() ? m_found.get() : nullptr;
  m_retained->setVisible(list && list->found.objects > 0);
  m_retained->setEnabled(list && list->snapshot.has(engine::Stage::Retained) && m_retainedText.isEmpty());
  m_totals->setToolTip({});
  if (!list) {
    m_totals->setText({});
    return;
  }
  const QString totals = objectTotals(list->found);
  m_totals->setText(m_retainedText.isEmpty() ? totals : totals + u" · "_s + m_retainedText);
  m_totals->setToolTip(objectTotalsTip(list->found));
}

void ObjectSearchView::askRetained() {
  if (!m_found) return;
  m_retainedText = u"counting what they retain…"_s;
  showTotals();
  m_bridge.askLong(
      this, kRetainedChannel,
      [list = m_found](const engine::Snapshot& snapshot, engine::ProgressSink* progress, std::stop_token stop) {
        return engine::retainedWith(snapshot, list->found.ids, progress, std::move(stop));
      },
      [](const engine::Progress&) {},
      [this](const engine::Outcome<engine::RetainedSet>& answer) {
        m_retainedText = answer ? u"%1 retained together"_s.arg(bytesText(answer->retained.bytes)) : QString();
        showTotals();
      });
}

void ObjectSearchView::follow(engine::Address object) {
  m_list->follow(object);
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

#include "object_search_view.moc"
