// SPDX-License-Identifier: MIT
#include "views/roots/roots_place.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QTabWidget>
#include <QVBoxLayout>

#include "models/lacking_heap.h"
#include "models/object_menu.h"
#include "models/root_switch.h"
#include "models/rows/rows_panel.h"
#include "models/rows/static_rows.h"
#include "session/references/cuts.h"
#include "tables/root_tables.h"
#include "views/roots/finalizer_rows.h"
#include "views/roots/handle_rows.h"
#include "views/roots/root_rows.h"
#include "views/roots/root_tree_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

namespace {

using Rows = engine::Outcome<std::shared_ptr<const RowList>>;

}  // namespace

RootsPlace::RootsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_tabs(new QTabWidget(this)),
      m_tree(new RootTreePanel(bridge, navigator, this)),
      m_roots(buildRoots()),
      m_finalizers(buildFinalizers()) {
  m_tabs->setObjectName(QStringLiteral("rootTabs"));
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(m_tree, QStringLiteral("By owner"));
  addTab(m_roots, QStringLiteral("All roots"));
  addTab(buildStatics(), QStringLiteral("Statics"));
  addTab(buildHandles(), QStringLiteral("Handles"));
  addTab(m_finalizers, QStringLiteral("Finalizer queue"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 4, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_tabs, 1);
  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(12, 4, 12, 4);
  foot->addWidget(new RootSwitch(bridge, this));
  foot->addStretch(1);
  column->addLayout(foot);
  setFocusProxy(m_tabs);
  connect(&bridge, &EngineBridge::retainedStateChanged, this, &RootsPlace::showLacking);
  connect(&bridge, &EngineBridge::retainedProgressed, this, &RootsPlace::showLacking);
}

RowsPanel* RootsPlace::buildRoots() {
  RowsPanelSetup setup;
  setup.name = QStringLiteral("roots");
  setup.title = QStringLiteral("All roots");
  setup.noun = QStringLiteral("roots");
  setup.filterHint = QStringLiteral("Filter by name, type or address");
  setup.emptyHeading = QStringLiteral("No roots");
  setup.emptyText = QStringLiteral("Nothing holds objects from outside the heap.");
  const RowSchema<engine::HeldRoot> schema = rootSchema();
  setup.columns = schema.setups();
  setup.table = &engine::rootsTable().description();
  setup.sortColumn = kRootAloneColumn;
  setup.descending = true;
  auto* panel = new RowsPanel(m_bridge, m_navigator, std::move(setup), {}, this);
  connect(panel, &RowsPanel::menuOpening, this, [this, panel](QMenu* menu, std::uint32_t row) {
    const auto& roots = static_cast<const RowListOf<engine::HeldRoot>&>(*panel->rows());
    addCut(*menu, m_navigator, cutHereText(), engine::cutOfRoot(roots.at(row).root));
    menu->addSeparator();
  });
  return panel;
}

RowsPanel* RootsPlace::buildStatics() {
  RowsPanelSetup setup;
  setup.name = QStringLiteral("statics");
  setup.title = QStringLiteral("Static fields");
  setup.noun = QStringLiteral("static fields");
  setup.filterHint = QStringLiteral("Filter by type, field or value");
  setup.loading = QStringLiteral("Reading the static fields");
  setup.emptyHeading = QStringLiteral("No static fields");
  setup.emptyText = QStringLiteral("None of the loaded types has static fields that could be read.");
  setup.columns = staticSchema().setups();
  setup.table = &engine::staticsTable().description();
  setup.hasRetained = true;
  setup.sortColumn = kStaticKindColumn;  // what the compiler keeps in images comes last
  const auto load = [](const engine::Snapshot& snapshot, std::stop_token stop) -> Rows {
    HEAPSCAPE_TRY(engine::StaticList list, engine::listStatics(snapshot, {}, stop));
    return makeRowList(std::move(list.statics), staticSchema(), std::move(list.findings));
  };
  return new RowsPanel(m_bridge, m_navigator, std::move(setup), load, this);
}

RowsPanel* RootsPlace::buildHandles() {
  RowsPanelSetup setup;
  setup.name = QStringLiteral("handles");
  setup.title = QStringLiteral("GC handles");
  setup.noun = QStringLiteral("handles");
  setup.filterHint = QStringLiteral("Filter by type or address");
  setup.loading = QStringLiteral("Reading the handle tables");
  setup.emptyHeading = QStringLiteral("No handles");
  setup.emptyText = QStringLiteral("The handle tables hold no handle to an object.");
  setup.columns = handleSchema().setups();
  setup.table = &engine::handlesTable().description();
  setup.hasRetained = true;
  const auto load = [](const engine::Snapshot& snapshot, std::stop_token stop) -> Rows {
    HEAPSCAPE_TRY(engine::HandleList list, engine::listHandles(snapshot, false, stop));
    return makeRowList(std::move(list.handles), handleSchema(), std::move(list.findings));
  };
  return new RowsPanel(m_bridge, m_navigator, std::move(setup), load, this);
}

RowsPanel* RootsPlace::buildFinalizers() {
  RowsPanelSetup setup;
  setup.name = QStringLiteral("finalizers");
  setup.title = QStringLiteral("Objects with a finalizer that has not run");
  setup.noun = QStringLiteral("objects");
  setup.filterHint = QStringLiteral("Filter by type or address");
  setup.loading = QStringLiteral("Reading the finalizer queue");
  setup.emptyHeading = QStringLiteral("The finalizer queue is empty");
  setup.emptyText = QStringLiteral("No object on the heap has a finalizer that is still to run.");
  setup.columns = finalizerSchema().setups();
  setup.table = &engine::finalizersTable().description();
  setup.hasRetained = true;
  const auto load = [](const engine::Snapshot& snapshot, std::stop_token stop) -> Rows {
    HEAPSCAPE_TRY(engine::FinalizerList list, engine::listFinalizers(snapshot, stop));
    return makeRowList(std::move(list.objects), finalizerSchema(), std::move(list.findings));
  };
  return new RowsPanel(m_bridge, m_navigator, std::move(setup), load, this);
}

void RootsPlace::addTab(RowsPanel* panel, const QString& title) {
  const int tab = m_tabs->addTab(panel, title);
  m_panels.push_back(panel);
  connect(panel, &RowsPanel::loaded, this, [this, panel, tab, title] {
    m_tabs->setTabText(tab, QStringLiteral("%1  %2").arg(title, countText(panel->rows()->size())));
  });
  connect(panel, &RowsPanel::cleared, this, [this, tab, title] { m_tabs->setTabText(tab, title); });
  connect(panel, &RowsPanel::found, this, [this, panel] { m_tabs->setCurrentWidget(panel); });
}

void RootsPlace::showSnapshot(const engine::Snapshot& snapshot) {
  m_hasObjects = snapshot.has(engine::Stage::Objects);
  m_hasNoHeap = lacksHeap(snapshot);
  m_areListsOld = m_areRootsOld = snapshot.has(engine::Stage::Retained);
  if (!m_hasObjects && !m_hasNoHeap) {
    for (RowsPanel* panel : m_panels) panel->showWaiting(QStringLiteral("Waiting for the objects of the heap"));
  } else if (isVisible()) {
    load();
  }
}

void RootsPlace::clear() {
  m_hasObjects = m_hasNoHeap = m_areListsOld = m_areRootsOld = false;
  m_listed = {};
  m_tree->show(nullptr);
  for (RowsPanel* panel : m_panels) panel->clear();
}

void RootsPlace::follow(const Location& location) {
  const bool isOther = location.place == PlaceId::Roots && location.listed != m_listed;
  m_listed = location.listed;
  const auto* slot = std::get_if<engine::Address>(&m_listed);
  if (!isOther || !slot) return;
  for (RowsPanel* panel : m_panels) {
    if (panel != m_roots) panel->pick(*slot);
  }
}

void RootsPlace::showEvent(QShowEvent* event) {
  Place::showEvent(event);
  load();
}

void RootsPlace::load() {
  if (!m_hasObjects && !m_hasNoHeap) return;
  for (RowsPanel* panel : m_panels) {
    if (panel == m_roots) continue;
    if (m_hasNoHeap && panel == m_finalizers) {
      panel->showLacking();
      continue;
    }
    m_areListsOld ? panel->reload() : panel->load();
  }
  m_areListsOld = false;
  if (m_areRootsOld) return loadRoots();
  showLacking();
}

void RootsPlace::showLacking() {
  const auto& snapshot = m_bridge.snapshot();
  if ((m_hasObjects || m_hasNoHeap) && snapshot && !snapshot->has(engine::Stage::Retained)) m_roots->showLacking();
}

void RootsPlace::loadRoots() {
  m_areRootsOld = false;
  const auto query = [](const engine::Snapshot& snapshot, std::stop_token stop) {
    return engine::listHeldRoots(snapshot, stop);
  };
  m_bridge.ask(this, "roots", query, [this](engine::Outcome<engine::HeldRoots> answer) {
    if (!answer) {
      if (!answer.error().isCancelled()) m_roots->showFailure(answer.error().error());
      return;
    }
    const auto held = std::make_shared<const engine::HeldRoots>(std::move(*answer));
    m_tree->show(held);
    const auto rows = std::shared_ptr<const std::vector<engine::HeldRoot>>(held, &held->roots);
    m_roots->updateRows(std::make_shared<RowListOf<engine::HeldRoot>>(rows, rootSchema()));
  });
}

}  // namespace heapscape::gui
