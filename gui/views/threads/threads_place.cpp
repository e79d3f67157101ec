// SPDX-License-Identifier: MIT
#include "views/threads/threads_place.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>
#include <QWidget>
#include <algorithm>
#include <initializer_list>
#include <set>
#include <utility>

#include "base/address.h"
#include "models/lacking_heap.h"
#include "models/rows/rows_panel.h"
#include "models/rows/rows_table.h"
#include "session/open/summarise.h"
#include "session/stacks/parallel_stacks.h"
#include "session/threads/thread_waits.h"
#include "tables/thread_tables.h"
#include "views/threads/async_panel.h"
#include "views/threads/parallel_panel.h"
#include "views/threads/stack_icicle.h"
#include "views/threads/stack_panel.h"
#include "views/threads/waits_picture.h"
#include "widgets/arranging/split_page.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

/// Says that the list shows only some threads, and which; a click shows all of them again. Hidden while it shows all.
class ThreadsChip : public QWidget {
  Q_OBJECT

 public:
  explicit ThreadsChip(QWidget* parent = nullptr);

  /// `what`: what these have in common, "in Warehouse.Restock".
  void limitTo(const QString& what, const std::vector<engine::Address>& threads);
  void clear();
  bool isLimited() const { return !m_threads.empty(); }
  /// Whether a thread is among those shown.
  bool shows(engine::Address thread) const { return !isLimited() || m_threads.contains(thread); }

 Q_SIGNALS:
  /// The user wants all threads again.
  void removed();

 private:
  std::set<engine::Address> m_threads;
  QPushButton* m_button;
};

namespace {

constexpr int kLetters = 80;

}  // namespace

ThreadsChip::ThreadsChip(QWidget* parent) : QWidget(parent), m_button(new QPushButton(this)) {
  m_button->setObjectName(u"threadsChip"_s);
  m_button->setIcon(symbolIcon(u"close"_s));
  m_button->setFocusPolicy(Qt::TabFocus);
  m_button->setMinimumHeight(std::max(26, fontMetrics().height() * 8 / 5));
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(12, 8, 12, 0);
  line->addWidget(m_button);
  line->addStretch(1);
  connect(m_button, &QPushButton::clicked, this, &ThreadsChip::removed);
  hide();
}

void ThreadsChip::limitTo(const QString& what, const std::vector<engine::Address>& threads) {
  m_threads = {threads.begin(), threads.end()};
  const QString text = u"Only %1 %2"_s.arg(countedText(m_threads.size(), u"thread"_s), what);
  m_button->setText(fontMetrics().elidedText(text, Qt::ElideRight, fontMetrics().averageCharWidth() * kLetters));
  m_button->setToolTip(u"%1.\nClick to show all threads again."_s.arg(text));
  m_button->setAccessibleName(u"%1; show all threads again"_s.arg(text));
  setVisible(isLimited());
}

void ThreadsChip::clear() {
  m_threads.clear();
  hide();
}

namespace {

const QString kParallelZoom = u"parallelStacks"_s;
constexpr double kMostOfThreads = 0.4;  // of the height
constexpr int kLinesOfPages = 12;       // of text: pages can be read in these, so that threads keep a few rows
constexpr int kLinesOfLow = 40;         // of text, for threads and pages together

RowsPanelSetup threadsSetup() {
  RowsPanelSetup setup = RowsPanelSetup::ofList(threadSchema());
  setup.name = u"threads"_s;
  setup.title = u"Threads"_s;
  setup.noun = u"threads"_s;
  setup.filterHint = u"Filter by id, name, what it does or state"_s;
  setup.emptyText = u"The runtime's list of threads is empty or could not be read."_s;
  setup.hasRetained = true;
  return setup;
}

RowsPanelSetup locksSetup() {
  RowsPanelSetup setup = RowsPanelSetup::ofList(lockSchema());
  setup.name = u"locks"_s;
  setup.title = u"Locks"_s;
  setup.noun = u"locks"_s;
  setup.filterHint = u"Filter by type, owner or what it does"_s;
  setup.emptyText = u"No object is locked, and no sync block is in use."_s;
  return setup;
}

RowsPanelSetup exceptionsSetup() {
  RowsPanelSetup setup = RowsPanelSetup::ofList(exceptionSchema());
  setup.name = u"exceptions"_s;
  setup.title = u"Exceptions"_s;
  setup.noun = u"exceptions"_s;
  setup.filterHint = u"Filter by type, message or method"_s;
  setup.loading = u"Looking for exceptions"_s;
  setup.emptyText = u"There is no exception on the heap but those that the runtime keeps ready."_s;
  return setup;
}

RowsPanelSetup localValuesSetup() {
  RowsPanelSetup setup = RowsPanelSetup::ofList(localValueSchema());
  setup.name = u"localValues"_s;
  setup.title = u"Values by thread and context"_s;
  setup.noun = u"values"_s;
  setup.filterHint = u"Filter by name, value or context"_s;
  setup.loading = u"Reading the values of ThreadLocal and AsyncLocal"_s;
  setup.emptyHeading = u"No values by thread"_s;
  setup.emptyText = u"No ThreadLocal has a value on a thread, and no AsyncLocal one in a context."_s;
  return setup;
}

RowsPanelSetup httpSetup() {
  RowsPanelSetup setup = RowsPanelSetup::ofList(httpSchema());
  setup.name = u"httpRequests"_s;
  setup.title = u"HTTP requests in flight"_s;
  setup.noun = u"requests"_s;
  setup.filterHint = u"Filter by host, path or state"_s;
  setup.loading = u"Looking for HTTP requests"_s;
  setup.emptyHeading = u"No HTTP requests"_s;
  setup.emptyText = u"Neither HttpClient nor Kestrel had a request in flight."_s;
  return setup;
}

// How such a list is read: `member` of what `list` answers are its rows.
template <class List, class Row>
RowsPanel::Load loadOf(engine::Outcome<List> (*list)(const engine::Snapshot&, std::stop_token),
                       std::vector<Row> List::*member, RowSchema<Row> (*schema)()) {
  return
      [=](const engine::Snapshot& snapshot, std::stop_token stop) -> engine::Outcome<std::shared_ptr<const RowList>> {
        HEAPSCAPE_TRY(List answer, list(snapshot, stop));
        return makeRowList(std::move(answer.*member), schema(), std::move(answer.findings));
      };
}

template <class Row>
const std::vector<std::uint32_t>& threadsOf(const RowList& rows, std::uint32_t row) {
  return rows.as<Row>(row).threads;
}

engine::Outcome<engine::ExceptionList> equalExceptions(const engine::Snapshot& snapshot, std::stop_token stop) {
  return engine::listExceptions(snapshot, false, std::move(stop));
}

engine::Outcome<engine::LocalValueList> allLocalValues(const engine::Snapshot& snapshot, std::stop_token stop) {
  return engine::listLocalValues(snapshot, {}, std::move(stop));
}

// Those that threads wait for first, then those that are held.
std::vector<engine::LockRow> byInterest(std::vector<engine::LockRow> locks) {
  std::ranges::stable_sort(locks, {}, engine::standingOf);
  return locks;
}

}  // namespace

ThreadsPlace::ThreadsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_threads(new RowsPanel(bridge, navigator, threadsSetup(), {}, this)),
      m_chip(new ThreadsChip(this)),
      m_upper(new QWidget(this)),
      m_stack(new StackPanel(bridge, navigator, this)),
      m_parallel(new ParallelPanel(bridge, this)),
      m_async(new AsyncPanel(bridge, navigator, this)),
      m_locks(new RowsPanel(bridge, navigator, locksSetup(), {}, this)),
      m_waits(new WaitsPanel(this)),
      m_tabs(new QTabWidget(this)) {
  addParts();
  connectParts();
  clear();
}

void ThreadsPlace::addParts() {
  m_tabs->setObjectName(u"lockTabs"_s);
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(m_stack, u"Stack"_s);
  m_tabs->addTab(m_parallel, u"Parallel"_s);
  m_tabs->addTab(m_async, u"Async"_s);
  m_tabs->addTab(m_waits, u"Waits"_s);
  m_tabs->addTab(m_locks, u"Locks"_s);
  // Counts come late: the room for them is kept from the start.
  m_tabs->tabBar()->setTabData(m_tabs->indexOf(m_waits), u"Waits  ⚠"_s);
  m_tabs->tabBar()->setTabData(m_tabs->indexOf(m_locks), u"Locks  888"_s);
  addLists();
  auto* lines = new QVBoxLayout(m_upper);
  lines->setContentsMargins(0, 0, 0, 0);
  lines->setSpacing(0);
  lines->addWidget(m_chip);
  lines->addWidget(m_threads, 1);
  m_tabs->setMinimumHeight(kLinesOfPages * fontMetrics().height());
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(new FittedSplit(m_upper, m_threads->findChild<RowsTable*>(), m_tabs, kMostOfThreads, this));
  setFocusProxy(m_threads);
}

void ThreadsPlace::addLists() {
  addList(new RowsPanel(m_bridge, m_navigator, exceptionsSetup(),
                        loadOf(equalExceptions, &engine::ExceptionList::exceptions, exceptionSchema), this),
          u"Exceptions"_s, false, threadsOf<engine::ExceptionRow>);
  addList(new RowsPanel(m_bridge, m_navigator, localValuesSetup(),
                        loadOf(allLocalValues, &engine::LocalValueList::values, localValueSchema), this),
          u"Thread locals"_s, true, threadsOf<engine::LocalValueRow>);
  addList(new RowsPanel(m_bridge, m_navigator, httpSetup(),
                        loadOf(engine::listHttpRequests, &engine::HttpRequestList::requests, httpSchema), this),
          u"HTTP"_s, true, threadsOf<engine::HttpRequestRow>);
}

void ThreadsPlace::addList(RowsPanel* panel, const QString& title, bool needsHeap, ThreadsOfRow threadsOf) {
  const int tab = m_tabs->addTab(panel, title);
  m_tabs->tabBar()->setTabData(tab, title + u"  888"_s);
  m_lists.push_back({.panel = panel, .title = title, .needsHeap = needsHeap, .isOld = false});
  connect(panel, &RowsPanel::loaded, this, [this, panel, tab, title] {
    m_tabs->setTabText(tab, u"%1  %2"_s.arg(title, countText(panel->rows()->size())));
  });
  connect(panel, &RowsPanel::cleared, this, [this, tab, title] { m_tabs->setTabText(tab, title); });
  connect(panel, &RowsPanel::menuOpening, this, [this, panel, threadsOf](QMenu* menu, std::uint32_t row) {
    offerThreads(*menu, threadsOf(*panel->rows(), row));
  });
}

void ThreadsPlace::loadList() {
  if (!m_canAsk || !isVisible()) return;
  const auto shown = std::ranges::find(m_lists, m_tabs->currentWidget(), &ListTab::panel);
  if (shown == m_lists.end()) return;
  if (shown->needsHeap && lacksHeap(*m_bridge.snapshot()))
    shown->panel->showLacking();
  else
    std::exchange(shown->isOld, false) ? shown->panel->reload() : shown->panel->load();
}

void ThreadsPlace::offerThreads(QMenu& menu, const std::vector<std::uint32_t>& threads) {
  if (!m_list) return;
  for (const engine::ThreadRow& thread : m_list->threads) {
    if (std::ranges::find(threads, thread.managedId) == threads.end()) continue;
    menu.addAction(symbolIcon(u"threads"_s), u"Show thread %1"_s.arg(thread.managedId), this,
                   [this, address = thread.address] {
                     m_tabs->setCurrentWidget(m_stack);
                     pickThread(address);
                   });
  }
  if (!menu.isEmpty()) menu.addSeparator();
}

void ThreadsPlace::fitParts() {
  const bool isLow = height() < kLinesOfLow * fontMetrics().height();
  m_upper->setVisible(!isLow || m_tabs->currentWidget() != m_async);
  setFocusProxy(m_upper->isHidden() ? static_cast<QWidget*>(m_tabs) : m_threads);
}

void ThreadsPlace::resizeEvent(QResizeEvent* event) {
  Place::resizeEvent(event);
  fitParts();
}

void ThreadsPlace::bringThreads() {
  if (m_upper->isHidden()) m_tabs->setCurrentWidget(m_stack);
}

void ThreadsPlace::connectParts() {
  connect(m_tabs, &QTabWidget::currentChanged, this, &ThreadsPlace::fitParts);
  connect(m_tabs, &QTabWidget::currentChanged, this, &ThreadsPlace::loadList);
  connect(m_threads, &RowsPanel::rowPicked, this, &ThreadsPlace::showStackOf);
  connect(m_threads, &RowsPanel::menuOpening, this, [this](QMenu* menu, std::uint32_t row) {
    addThreadCuts(*menu, m_navigator, *m_bridge.snapshot(), m_threads->rows()->identity(row));
  });
  // Who goes through a picture by the keyboard stays in it.
  connect(m_threads, &RowsPanel::found, this, [this] {
    if (!m_parallel->picture()->hasFocus()) m_threads->setFocus();
  });
  connect(m_parallel, &ParallelPanel::threadsWanted, this,
          [this](const QString& frame, const std::vector<engine::Address>& threads) {
            m_navigator.zoom(kParallelZoom, m_parallel->zoomStep());
            threads.empty() ? showAllThreads() : limitTo(u"in %1"_s.arg(frame), threads);
          });
  connect(m_chip, &ThreadsChip::removed, this, [this] {
    m_navigator.zoom(kParallelZoom, 0);
    showAllThreads();
  });
  connect(m_locks, &RowsPanel::found, this, [this] { m_tabs->setCurrentWidget(m_locks); });
  connect(m_waits->picture(), &WaitsPicture::threadPicked, this, &ThreadsPlace::pickThread);
  connect(m_waits->picture(), &WaitsPicture::lockPicked, m_locks, &RowsPanel::pick);
  connect(m_waits->picture(), &WaitsPicture::objectPicked, this,
          [this](engine::Address object) { m_navigator.select({.object = object, .methodTable = {}, .segment = {}}); });
}

void ThreadsPlace::showSnapshot(const engine::Snapshot& snapshot) {
  const bool hasNoHeap = lacksHeap(snapshot);
  // What fields tell of, and what locks are, which a program compiled ahead of time may not have.
  const bool hasFields = snapshot.has(engine::Stage::Layouts) ? snapshot.hasFields() : snapshot.hasAssemblies();
  m_tabs->setTabVisible(m_tabs->indexOf(m_async), hasFields);
  for (const ListTab& list : m_lists)
    if (list.needsHeap) m_tabs->setTabVisible(m_tabs->indexOf(list.panel), hasFields);
  for (QWidget* page : std::initializer_list<QWidget*>{m_waits, m_locks})
    m_tabs->setTabVisible(m_tabs->indexOf(page), snapshot.hasAssemblies());
  m_canAsk = snapshot.has(engine::Stage::Objects) || hasNoHeap;
  if (snapshot.has(engine::Stage::Retained)) {
    m_isAsked = false;  // what they hold is known now, or from other roots
    for (ListTab& list : m_lists) list.isOld = true;
  }
  if (snapshot.stage() == engine::Stage::Objects || snapshot.has(engine::Stage::Retained) || hasNoHeap)
    m_async->refresh();
  if (!m_canAsk) {
    std::vector<RowsPanel*> panels{m_threads, m_locks};
    for (const ListTab& list : m_lists) panels.push_back(list.panel);
    for (RowsPanel* panel : panels) panel->showWaiting(u"Waiting for the objects of the heap"_s);
    m_parallel->showWaiting(u"Waiting for the objects of the heap"_s);
    m_stack->showWaiting(u"Waiting for the objects of the heap"_s);
  } else if (isVisible()) {
    load();
  }
}

void ThreadsPlace::clear() {
  m_canAsk = false;
  m_isAsked = false;
  m_areStacksAsked = false;
  m_list.reset();
  m_lockList.reset();
  m_stacks.reset();
  m_blocked.reset();
  m_activities.reset();
  m_listed = {};
  m_wantedActivity = {};
  m_picked = {};
  m_chip->clear();
  m_threads->clear();
  m_stack->clear(false);
  m_parallel->clear();
  m_async->clear();
  m_locks->clear();
  for (ListTab& list : m_lists) {
    list.panel->clear();
    list.isOld = false;
  }
  m_waits->clear();
  m_tabs->setTabText(m_tabs->indexOf(m_locks), u"Locks"_s);
  m_tabs->setTabText(m_tabs->indexOf(m_waits), u"Waits"_s);
}

void ThreadsPlace::follow(const Location& location) {
  if (location.place == PlaceId::Threads) m_parallel->goToStep(location.zoomOf(kParallelZoom));
  const bool isOther = location.place == PlaceId::Threads && location.listed != m_listed;
  m_listed = location.listed;
  if (!isOther) return;
  if (const auto* activity = std::get_if<ActivityKey>(&m_listed)) {
    m_wantedActivity = *activity;
    showWantedActivity();
    return;
  }
  const auto* threadOrLock = std::get_if<engine::Address>(&m_listed);
  if (!threadOrLock) return;
  pickThread(*threadOrLock);
  m_locks->pick(*threadOrLock);
}

void ThreadsPlace::showEvent(QShowEvent* event) {
  Place::showEvent(event);
  load();
}

void ThreadsPlace::load() {
  if (!m_canAsk) return;
  loadStacks();
  loadList();
  if (m_isAsked) return;
  m_isAsked = true;
  if (!m_threads->rows()) {
    m_threads->showWaiting(u"Reading the threads"_s);
    m_stack->showWaiting(u"Reading the threads"_s);
    m_locks->showWaiting(u"Looking for locks in every object's header"_s);
  }
  const auto query = [](const engine::Snapshot& snapshot, std::stop_token stop) -> engine::Outcome<Answer> {
    HEAPSCAPE_TRY(engine::ThreadList threads, engine::listThreads(snapshot, stop));
    HEAPSCAPE_TRY(engine::LockList locks, engine::listLocks(snapshot, stop));
    return Answer{std::make_shared<const engine::ThreadList>(std::move(threads)),
                  std::make_shared<const engine::LockList>(std::move(locks))};
  };
  m_bridge.ask(this, "threads", query, [this](const engine::Outcome<Answer>& answer) {
    if (answer) return showAnswer(*answer);
    m_isAsked = false;
    if (!answer.error().isCancelled()) showFailure(answer.error().error());
  });
}

// Beside the list, which need not wait for them.
void ThreadsPlace::loadStacks() {
  if (m_areStacksAsked) return;
  m_areStacksAsked = true;
  m_parallel->showWaiting(u"Reading the stacks"_s);
  const auto query = [](const engine::Snapshot& snapshot, std::stop_token stop) {
    return engine::listStacks(snapshot, {}, stop);
  };
  m_bridge.ask(this, "threads.stacks", query, [this](engine::Outcome<engine::StackList> answer) {
    if (!answer) {
      m_areStacksAsked = false;
      if (!answer.error().isCancelled()) m_parallel->showFailure(answer.error().error());
      return showWaits();
    }
    m_stacks = std::make_shared<const engine::StackList>(std::move(*answer));
    auto activities = std::make_shared<ThreadActivities>();
    for (const engine::ThreadStackRow& stack : m_stacks->threads) {
      activities->emplace(stack.thread, fromEngine(engine::activityOf(stack)));
    }
    m_activities = std::move(activities);
    m_parallel->show(m_stacks);
    loadWaits();
    showLocks();
    showThreads();
    showWantedActivity();
  });
}

void ThreadsPlace::showAnswer(const Answer& answer) {
  m_list = answer.threads;
  m_lockList = answer.locks;
  showThreads();
  showLocks();
  loadWaits();
  showWaits();
}

void ThreadsPlace::showLocks() {
  if (!m_lockList) return;
  engine::LockList list = *m_lockList;
  if (m_stacks) engine::addActivities(list, *m_stacks);
  m_tabs->setTabText(m_tabs->indexOf(m_locks), u"Locks  %1"_s.arg(countText(list.locks.size())));
  m_locks->updateRows(makeRowList(byInterest(std::move(list.locks)), lockSchema(), list.findings));
}

void ThreadsPlace::loadWaits() {
  if (!m_lockList || !m_stacks || m_blocked) return;
  const auto query = [stacks = m_stacks, locks = m_lockList](const engine::Snapshot& snapshot, std::stop_token stop) {
    return engine::listBlockedThreads(snapshot, *stacks, *locks, stop);
  };
  m_bridge.ask(this, "threads.waits", query, [this](engine::Outcome<engine::BlockedThreads> answer) {
    if (!answer && answer.error().isCancelled()) return;
    m_blocked = engine::BlockedThreads{};
    if (answer) {
      m_blocked = std::move(*answer);
    } else {
      m_blocked->deadlocks = m_lockList->cycles;
    }
    showWaits();
  });
}

void ThreadsPlace::showWaits() {
  if (!m_list) return;
  Waits waits;
  if (m_blocked) {
    const StackFacts facts{*m_stacks, *m_blocked};
    waits = findWaits(*m_list, *m_lockList, &facts);
  } else {
    waits = findWaits(*m_list, *m_lockList);
  }
  m_tabs->setTabText(m_tabs->indexOf(m_waits), waits.cycles.empty() ? u"Waits"_s : u"Waits  ⚠"_s);
  if (waits.isEmpty() && !m_blocked && m_areStacksAsked)
    m_waits->showWaiting(u"Reading the stacks"_s);
  else
    m_waits->show(std::move(waits));
}

void ThreadsPlace::showThreads() {
  if (!m_list) return;
  std::vector<engine::ThreadRow> rows;
  for (const engine::ThreadRow& thread : m_list->threads) {
    if (!m_chip->shows(thread.address)) continue;
    rows.push_back(thread);
    const auto known = m_activities ? m_activities->find(thread.address) : ThreadActivities::const_iterator();
    if (m_activities && known != m_activities->end()) rows.back().doing = known->second.toStdString();
  }
  std::ranges::stable_partition(rows, &engine::ThreadRow::hasDied);  // what people come for
  m_threads->setNote(engine::hasIdsOfOtherNamespace(*m_bridge.snapshot())
                         ? u"The dump has other ids of threads than the process itself, as when a container "
                           "is dumped from its host: they were found by their stacks."_s
                         : QString());
  if (rows.empty()) m_stack->clear(true);
  m_threads->updateRows(makeRowList(std::move(rows), threadSchema(), m_list->findings));
  if (m_threads->currentRow()) return;
  m_picked && m_chip->shows(m_picked) ? m_threads->pick(m_picked) : m_threads->pickFirst();
}

void ThreadsPlace::showStackOf(std::uint32_t row) {
  m_picked = m_threads->rows()->identity(row);
  const auto found = std::ranges::find(m_list->threads, m_picked, &engine::ThreadRow::address);
  if (found != m_list->threads.end()) m_stack->showThread(*found);
}

void ThreadsPlace::limitTo(const QString& what, const std::vector<engine::Address>& threads) {
  bringThreads();
  m_chip->limitTo(what, threads);
  showThreads();
}

void ThreadsPlace::showAllThreads() {
  if (!m_chip->isLimited()) return;
  m_chip->clear();
  m_parallel->showAll();
  m_navigator.keepZoom(kParallelZoom, 0);
  showThreads();
}

void ThreadsPlace::pickThread(engine::Address thread) {
  bringThreads();
  if (!m_chip->shows(thread)) showAllThreads();
  m_threads->pick(thread);
}

void ThreadsPlace::showWantedActivity() {
  if (!m_wantedActivity || !m_stacks) return;
  const ActivityKey wanted = *std::exchange(m_wantedActivity, {});
  for (const engine::ActivityGroup& group : engine::activitiesOf(*m_stacks)) {
    if (group.doing != wanted.doing) continue;
    std::vector<engine::Address> threads;
    for (const std::uint32_t thread : group.threads) threads.push_back(m_stacks->threads[thread].thread);
    m_parallel->showAll();
    m_navigator.keepZoom(kParallelZoom, 0);
    limitTo(fromEngine(group.doing), threads);
  }
}

void ThreadsPlace::showFailure(const engine::Error& error) {
  m_threads->showFailure(error);
  m_locks->showFailure(error);
  m_stack->clear(true);
}

}  // namespace heapscape::gui

#include "threads_place.moc"
