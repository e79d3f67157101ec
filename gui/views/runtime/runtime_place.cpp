// SPDX-License-Identifier: MIT
#include "views/runtime/runtime_place.h"

#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "models/lacking_heap.h"
#include "models/rows/module_rows.h"
#include "models/rows/rows_panel.h"
#include "session/objects/object_query.h"
#include "views/runtime/generics_panel.h"
#include "views/runtime/type_page.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

RuntimePlace::RuntimePlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_tabs(new QTabWidget(this)),
      m_type(new TypePage(bridge, navigator, this)),
      m_generics(new GenericsPanel(bridge, navigator, this)),
      m_modules(buildModules()) {
  m_tabs->setObjectName(QStringLiteral("runtimeTabs"));
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(m_type, QStringLiteral("Type"));
  m_tabs->addTab(m_generics, QStringLiteral("Generics"));
  m_tabs->addTab(m_modules, QStringLiteral("Modules"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 4, 0, 0);
  column->addWidget(m_tabs);
  setFocusProxy(m_tabs);
  connect(m_tabs, &QTabWidget::currentChanged, this, &RuntimePlace::loadGenerics);
  connect(m_generics, &GenericsPanel::typeWanted, this, [this](engine::Address type) {
    m_tabs->setCurrentWidget(m_type);
    m_navigator.showType(type);
  });
}

RowsPanel* RuntimePlace::buildModules() {
  RowsPanelSetup setup;
  setup.name = QStringLiteral("modules");
  setup.title = QStringLiteral("Modules");
  setup.noun = QStringLiteral("modules");
  setup.filterHint = QStringLiteral("Filter by name or path");
  setup.emptyHeading = QStringLiteral("No modules");
  setup.emptyText = QStringLiteral("The runtime's list of modules is empty or could not be read.");
  setup.columns = moduleSchema().setups();
  setup.table = &engine::modulesTable().description();
  return new RowsPanel(m_bridge, m_navigator, std::move(setup), {}, this);
}

void RuntimePlace::showSnapshot(const engine::Snapshot& snapshot) {
  m_hasObjects = snapshot.has(engine::Stage::Objects);
  m_hasTypes = m_hasObjects || lacksHeap(snapshot);
  if (snapshot.has(engine::Stage::Segments))
    m_modules->updateRows(makeRowList(engine::listModules(snapshot), moduleSchema()));
  m_tabs->setTabText(m_tabs->indexOf(m_modules),
                     QStringLiteral("Modules  %1").arg(countText(snapshot.modules().size())));
  if (m_hasTypes) follow(m_last);
  if (m_hasObjects) {
    loadGenerics();
  } else if (m_hasTypes) {
    m_generics->showLacking();
  } else {
    m_generics->showWaiting(QStringLiteral("Waiting for the objects of the heap"));
  }
}

void RuntimePlace::clear() {
  m_hasObjects = m_hasTypes = false;
  m_last = {};
  m_type->clear();
  m_generics->clear();
  m_modules->clear();
  m_tabs->setTabText(m_tabs->indexOf(m_modules), QStringLiteral("Modules"));
}

void RuntimePlace::follow(const Location& location) {
  const bool isOther = location.selection.methodTable != m_last.selection.methodTable;
  const bool comesFromElsewhere = m_last.place != PlaceId::Runtime;
  m_last = location;
  if (!m_hasTypes) return;
  m_type->follow(location.selection);
  if (m_hasObjects) m_generics->follow(location.selection.methodTable);
  // Whoever comes here with another type wants to see it; what is picked in the other tabs stays there.
  if (location.place == PlaceId::Runtime && isOther && comesFromElsewhere) m_tabs->setCurrentWidget(m_type);
}

void RuntimePlace::showEvent(QShowEvent* event) {
  Place::showEvent(event);
  loadGenerics();
}

// They take a while to count, so not before somebody wants to see them.
void RuntimePlace::loadGenerics() {
  if (m_hasObjects && m_generics->isVisible()) m_generics->load();
}

}  // namespace heapscape::gui
