// SPDX-License-Identifier: MIT
#include "views/roots/roots_place.h"

#include <QTabWidget>
#include <QVBoxLayout>

#include "models/rows_panel.h"
#include "models/static_rows.h"
#include "views/roots/finalizer_rows.h"
#include "views/roots/handle_rows.h"
#include "widgets/figures.h"

namespace heapscape::gui {

namespace {

using Rows = engine::Outcome<std::shared_ptr<const RowList>>;

}  // namespace

RootsPlace::RootsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent), m_tabs(new QTabWidget(this)) {
  m_tabs->setObjectName(QStringLiteral("rootTabs"));
  m_tabs->setDocumentMode(true);
  addTab(buildStatics(), tr("Statics"));
  addTab(buildHandles(), tr("Handles"));
  addTab(buildFinalizers(), tr("Finalizer queue"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 4, 0, 0);
  column->addWidget(m_tabs);
  setFocusProxy(m_tabs);
}

RowsPanel* RootsPlace::buildStatics() {
  RowsPanelSetup setup;
  setup.name = QStringLiteral("statics");
  setup.title = tr("Static fields");
  setup.noun = tr("static fields");
  setup.filterHint = tr("Filter by type, field or value");
  setup.loading = tr("Reading the static fields");
  setup.emptyHeading = tr("No static fields");
  setup.emptyText = tr("None of the loaded types has static fields that could be read.");
  setup.columns = staticSchema().setups();
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
  setup.title = tr("GC handles");
  setup.noun = tr("handles");
  setup.filterHint = tr("Filter by type or address");
  setup.loading = tr("Reading the handle tables");
  setup.emptyHeading = tr("No handles");
  setup.emptyText = tr("The handle tables hold no handle to an object.");
  setup.columns = handleSchema().setups();
  const auto load = [](const engine::Snapshot& snapshot, std::stop_token stop) -> Rows {
    HEAPSCAPE_TRY(engine::HandleList list, engine::listHandles(snapshot, false, stop));
    return makeRowList(std::move(list.handles), handleSchema(), std::move(list.findings));
  };
  return new RowsPanel(m_bridge, m_navigator, std::move(setup), load, this);
}

RowsPanel* RootsPlace::buildFinalizers() {
  RowsPanelSetup setup;
  setup.name = QStringLiteral("finalizers");
  setup.title = tr("Objects with a finalizer that has not run");
  setup.noun = tr("objects");
  setup.filterHint = tr("Filter by type or address");
  setup.loading = tr("Reading the finalizer queue");
  setup.emptyHeading = tr("The finalizer queue is empty");
  setup.emptyText = tr("No object on the heap has a finalizer that is still to run.");
  setup.columns = finalizerSchema().setups();
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
  if (!m_hasObjects) {
    for (RowsPanel* panel : m_panels) panel->showWaiting(tr("Waiting for the objects of the heap"));
  } else if (isVisible()) {
    load();
  }
}

void RootsPlace::clear() {
  m_hasObjects = false;
  m_listed = {};
  for (RowsPanel* panel : m_panels) panel->clear();
}

void RootsPlace::follow(const Location& location) {
  const bool isOther = location.place == PlaceId::Roots && location.listed != m_listed;
  m_listed = location.listed;
  if (!isOther || !m_listed) return;
  for (RowsPanel* panel : m_panels) panel->pick(m_listed);
}

void RootsPlace::showEvent(QShowEvent* event) {
  Place::showEvent(event);
  load();
}

void RootsPlace::load() {
  if (!m_hasObjects) return;
  for (RowsPanel* panel : m_panels) panel->load();
}

}  // namespace heapscape::gui
