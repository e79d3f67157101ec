// SPDX-License-Identifier: MIT
#include "views/layouts/layouts_place.h"

#include <QSplitter>
#include <QStackedLayout>
#include <algorithm>
#include <utility>

#include "session/layout_query.h"
#include "views/layouts/layout_panel.h"
#include "views/layouts/layout_types_list.h"
#include "widgets/figures.h"
#include "widgets/state_panel.h"

namespace heapscape::gui {
namespace {

TypePopulation populationOf(const engine::Snapshot& snapshot, engine::Address methodTable) {
  const auto& types = snapshot.types();
  const auto found = std::ranges::find(types, methodTable, &engine::TypeRow::methodTable);
  if (found == types.end()) return {};
  const auto type = static_cast<std::size_t>(found - types.begin());
  return {snapshot.typeCounts().count[type], snapshot.typePaddingBytes()[type]};
}

// On the engine thread.
engine::Result<PreparedLayout> readLayout(const engine::Snapshot& snapshot, engine::Address methodTable) {
  HEAPSCAPE_TRY(engine::TypeLayout layout, engine::layoutOf(snapshot, methodTable));
  return prepareLayout(std::move(layout), populationOf(snapshot, methodTable));
}

}  // namespace

LayoutsPlace::LayoutsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_types(new LayoutTypesList(bridge, this)),
      m_panel(new LayoutPanel(this)),
      m_state(new StatePanel(this)),
      m_typeState(new StatePanel(this)),
      m_splitter(new QSplitter(Qt::Horizontal, this)),
      m_pages(new QStackedLayout(this)),
      m_typePages(new QStackedLayout) {
  addParts();
  connect(m_types, &LayoutTypesList::picked, this, [this](engine::Address type) {
    m_navigator.select({{}, type, {}});
  });
  connect(m_types, &LayoutTypesList::firstKnown, this, [this](engine::Address type) {
    if (m_asked) return;
    m_types->follow(type);
    askForLayout(type);
  });
  clear();
}

void LayoutsPlace::addParts() {
  auto* right = new QWidget(m_splitter);
  right->setLayout(m_typePages);
  m_typePages->addWidget(m_panel);
  m_typePages->addWidget(m_typeState);
  m_splitter->addWidget(m_types);
  m_splitter->addWidget(right);
  m_splitter->setStretchFactor(0, 1);
  m_splitter->setStretchFactor(1, 4);
  m_splitter->setChildrenCollapsible(false);
  m_splitter->setHandleWidth(1);
  const int letter = fontMetrics().averageCharWidth();
  m_splitter->setSizes({letter * 46, letter * 150});
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_splitter);
  setFocusProxy(m_types);
}

void LayoutsPlace::showSnapshot(const engine::Snapshot& snapshot) {
  if (!snapshot.has(engine::Stage::Layouts)) {
    m_state->showLoading(tr("Reading the layouts of the types"));
    return showWhole(m_state);
  }
  if (std::exchange(m_isReady, true)) return;  // later stages tell nothing new of layouts
  m_typeState->showLoading(tr("Reading the types"));
  m_typePages->setCurrentWidget(m_typeState);
  showWhole(m_splitter);
  m_types->load();
  follow(m_navigator.location());
}

void LayoutsPlace::clear() {
  m_isReady = false;
  m_asked = {};
  m_types->clear();
  m_state->showEmpty(tr("No dump is open"), tr("Open a core dump to see what its objects look like inside."));
  showWhole(m_state);
}

void LayoutsPlace::follow(const Location& location) {
  const engine::Address type = location.selection.methodTable;
  if (!m_isReady || !type || type == m_asked) return;
  m_types->follow(type);
  askForLayout(type);
}

void LayoutsPlace::askForLayout(engine::Address methodTable) {
  m_asked = methodTable;
  m_bridge.ask(
      this, "layout",
      [methodTable](const engine::Snapshot& snapshot, std::stop_token) { return readLayout(snapshot, methodTable); },
      [this, methodTable](engine::Result<PreparedLayout> layout) { take(methodTable, std::move(layout)); });
}

void LayoutsPlace::take(engine::Address methodTable, engine::Result<PreparedLayout> layout) {
  if (layout) {
    m_panel->show(std::move(*layout));
    return m_typePages->setCurrentWidget(m_panel);
  }
  m_typeState->showFailed(tr("No layout of %1").arg(addressText(methodTable)), fromEngine(layout.error().message()));
  m_typePages->setCurrentWidget(m_typeState);
}

void LayoutsPlace::showWhole(QWidget* page) {
  m_pages->setCurrentWidget(page);
}

}  // namespace heapscape::gui
