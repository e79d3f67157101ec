// SPDX-License-Identifier: MIT
#include "views/threads/threads_place.h"

#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "models/rows_panel.h"
#include "views/threads/thread_rows.h"
#include "views/threads/waits_panel.h"
#include "views/threads/waits_picture.h"
#include "widgets/figures.h"

namespace heapscape::gui {

namespace {

RowsPanelSetup threadsSetup() {
  RowsPanelSetup setup;
  setup.name = QStringLiteral("threads");
  setup.title = ThreadsPlace::tr("Threads");
  setup.noun = ThreadsPlace::tr("threads");
  setup.filterHint = ThreadsPlace::tr("Filter by id, name or state");
  setup.emptyHeading = ThreadsPlace::tr("No threads");
  setup.emptyText = ThreadsPlace::tr("The runtime's list of threads is empty or could not be read.");
  setup.columns = threadSchema().setups();
  setup.hasRetained = true;
  return setup;
}

RowsPanelSetup locksSetup() {
  RowsPanelSetup setup;
  setup.name = QStringLiteral("locks");
  setup.title = ThreadsPlace::tr("Locks");
  setup.noun = ThreadsPlace::tr("locks");
  setup.filterHint = ThreadsPlace::tr("Filter by type or owner");
  setup.emptyHeading = ThreadsPlace::tr("No locks");
  setup.emptyText = ThreadsPlace::tr("No object is locked, and no sync block is in use.");
  setup.columns = lockSchema().setups();
  return setup;
}

// Those that threads wait for first, then those that are held.
std::vector<engine::LockRow> byInterest(std::vector<engine::LockRow> locks) {
  const RowSchema<engine::LockRow> schema = lockSchema();
  std::ranges::stable_sort(locks, {}, schema.kindOf);
  return locks;
}

}  // namespace

ThreadsPlace::ThreadsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_threads(new RowsPanel(bridge, navigator, threadsSetup(), {}, this)),
      m_locks(new RowsPanel(bridge, navigator, locksSetup(), {}, this)),
      m_waits(new WaitsPanel(this)),
      m_tabs(new QTabWidget(this)),
      m_splitter(new QSplitter(Qt::Vertical, this)) {
  addParts();
  connect(m_threads, &RowsPanel::found, this, [this] { m_threads->setFocus(); });
  connect(m_locks, &RowsPanel::found, this, [this] { m_tabs->setCurrentWidget(m_locks); });
  connect(m_waits->picture(), &WaitsPicture::threadPicked, m_threads, &RowsPanel::pick);
  connect(m_waits->picture(), &WaitsPicture::lockPicked, m_locks, &RowsPanel::pick);
  clear();
}

void ThreadsPlace::addParts() {
  m_tabs->setObjectName(QStringLiteral("lockTabs"));
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(m_waits, tr("Who waits for whom"));
  m_tabs->addTab(m_locks, tr("Locks"));
  m_splitter->addWidget(m_threads);
  m_splitter->addWidget(m_tabs);
  m_splitter->setStretchFactor(0, 1);
  m_splitter->setStretchFactor(1, 1);
  m_splitter->setChildrenCollapsible(false);
  m_splitter->setHandleWidth(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_splitter);
  setFocusProxy(m_threads);
}

void ThreadsPlace::showSnapshot(const engine::Snapshot& snapshot) {
  m_hasObjects = snapshot.has(engine::Stage::Objects);
  if (snapshot.has(engine::Stage::Retained)) m_isAsked = false;  // what they hold is known now, or from other roots
  if (!m_hasObjects) {
    for (RowsPanel* panel : {m_threads, m_locks}) panel->showWaiting(tr("Waiting for the objects of the heap"));
  } else if (isVisible()) {
    load();
  }
}

void ThreadsPlace::clear() {
  m_hasObjects = false;
  m_isAsked = false;
  m_listed = {};
  m_threads->clear();
  m_locks->clear();
  m_waits->clear();
  m_tabs->setTabText(m_tabs->indexOf(m_locks), tr("Locks"));
}

void ThreadsPlace::follow(const Location& location) {
  const bool isOther = location.place == PlaceId::Threads && location.listed != m_listed;
  m_listed = location.listed;
  if (!isOther || !m_listed) return;
  m_threads->pick(m_listed);
  m_locks->pick(m_listed);
}

void ThreadsPlace::showEvent(QShowEvent* event) {
  Place::showEvent(event);
  load();
}

void ThreadsPlace::load() {
  if (!m_hasObjects || m_isAsked) return;
  m_isAsked = true;
  if (!m_threads->rows()) {
    m_threads->showWaiting(tr("Reading the threads"));
    m_locks->showWaiting(tr("Looking for locks in every object's header"));
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

void ThreadsPlace::showAnswer(const Answer& answer) {
  m_threads->updateRows(makeRowList(answer.threads->threads, threadSchema(), answer.threads->findings));
  m_locks->updateRows(makeRowList(byInterest(answer.locks->locks), lockSchema(), answer.locks->findings));
  m_tabs->setTabText(m_tabs->indexOf(m_locks), tr("Locks  %1").arg(countText(answer.locks->locks.size())));
  m_waits->show(findWaits(*answer.threads, *answer.locks));
}

void ThreadsPlace::showFailure(const engine::Error& error) {
  m_threads->showFailure(error);
  m_locks->showFailure(error);
}

}  // namespace heapscape::gui
