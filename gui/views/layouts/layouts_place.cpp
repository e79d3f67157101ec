// SPDX-License-Identifier: MIT
#include "views/layouts/layouts_place.h"

#include <QAbstractButton>
#include <QApplication>
#include <QShortcut>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <utility>

#include "models/layout/framework_text.h"
#include "session/layouts/layout_query.h"
#include "views/layouts/compare/layout_compare_view.h"
#include "views/layouts/layout_panel.h"
#include "views/layouts/layout_types_list.h"
#include "views/layouts/waste/waste_view.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

constexpr int kPatienceMs = 250;  // for the other layouts, before the actual one is shown alone

TypePopulation populationOf(const engine::Snapshot& snapshot, engine::Address methodTable) {
  const engine::TypeId type = snapshot.typeOf(methodTable);
  if (type.isNone() || !snapshot.hasFields()) return {};
  return {.objects = snapshot.typeCounts().count[type.value], .paddingBytes = snapshot.typePaddingBytes()[type.value]};
}

/// The part of a selection that says which layout to show.
Selection typeOf(const Selection& selection) {
  return {.object = {},
          .methodTable = selection.methodTable,
          .segment = {},
          .layoutType = selection.methodTable ? engine::LayoutTypeId{} : selection.layoutType};
}

// On the engine thread.
engine::Result<PreparedLayout> readLayout(const engine::Snapshot& snapshot, engine::Address methodTable) {
  HEAPSCAPE_TRY(engine::TypeLayout layout, engine::layoutOf(snapshot, methodTable));
  return prepareLayout(std::move(layout), populationOf(snapshot, methodTable));
}

// As above, for an assembly.
engine::Result<PreparedLayout> studyLayouts(const engine::DeclaredLayouts& layouts, const Selection& type,
                                            const TypePopulation& population, std::stop_token stop) {
  engine::LayoutTypeId id = type.layoutType;
  if (type.methodTable) {
    HEAPSCAPE_TRY(id, layouts.find(type.methodTable));
  }
  HEAPSCAPE_TRY(engine::TypeStudy study, layouts.study(id, stop));
  if (study.layouts.empty()) {
    return engine::failure(engine::ErrorCode::NotFound, "None of its layouts can be computed.");
  }
  return prepareStudy(std::move(study), population);
}

}  // namespace

LayoutsPlace::LayoutsPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_types(new LayoutTypesList(bridge, this)),
      m_panel(new LayoutPanel(bridge, navigator, this)),
      m_waste(new WasteView(bridge, navigator, this)),
      m_compare(new LayoutCompareView(bridge, navigator, this)),
      m_state(new StatePanel(this)),
      m_typeState(new StatePanel(this)),
      m_splitter(new QSplitter(Qt::Horizontal, this)),
      m_framework(new ElidedText(this)),
      m_tabs(new QTabWidget(this)),
      m_pages(new QStackedLayout(this)),
      m_typePages(new QStackedLayout),
      m_patience(new QTimer(this)) {
  m_patience->setSingleShot(true);
  m_patience->setInterval(kPatienceMs);
  connect(m_patience, &QTimer::timeout, this, &LayoutsPlace::showActual);
  addParts();
  buildTabs();
  addStepKeys();
  connect(m_types, &LayoutTypesList::picked, this, [this](const Selection& type) { m_navigator.select(type); });
  connect(m_panel, &LayoutPanel::typeStepWanted, m_types, &LayoutTypesList::step);
  connect(m_types, &LayoutTypesList::firstKnown, this, [this](const Selection& type) {
    if (!m_asked.isEmpty() && !m_isFirstShown) return;
    showType(type);
    m_isFirstShown = true;
  });
  connect(m_types, &LayoutTypesList::noneKnown, this, [this] {
    if (!m_asked.isEmpty()) return;
    m_typeState->showEmpty(u"No type to show"_s, u"Find one in the list, by a part of its name or by all of it."_s);
    m_typePages->setCurrentWidget(m_typeState);
  });
  clear();
}

LayoutsPlace::~LayoutsPlace() = default;

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
  m_splitter->setSizes({letter * 64, letter * 132});
  m_pages->addWidget(m_state);
  m_pages->addWidget(m_tabs);
  setFocusProxy(m_types);
}

void LayoutsPlace::buildTabs() {
  m_tabs->setObjectName(u"layoutsPages"_s);
  m_tabs->setDocumentMode(true);
  // In the order of LayoutsPage.
  auto* types = new QWidget(m_tabs);
  auto* column = new QVBoxLayout(types);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_splitter, 1);
  column->addWidget(m_framework);
  m_framework->setObjectName(u"layoutsFramework"_s);
  m_framework->setContentsMargins(12, 4, 12, 4);
  m_framework->setDimmed(true);
  m_tabs->addTab(types, u"Types"_s);
  m_tabs->addTab(m_waste, u"Waste"_s);
  m_tabs->addTab(m_compare, u"Compare"_s);
  connect(m_tabs, &QTabWidget::tabBarClicked, this, [this](int index) {
    if (index >= 0 && m_tabs->isTabEnabled(index)) m_navigator.showLayouts(static_cast<LayoutsPage>(index));
  });
}

// The picture takes them itself, and lists and texts have another use for them.
void LayoutsPlace::addStepKeys() {
  for (const int by : {-1, 1}) {
    auto* step = new QShortcut(by < 0 ? Qt::Key_Up : Qt::Key_Down, m_panel);
    step->setContext(Qt::WidgetWithChildrenShortcut);
    step->setEnabled(false);
    connect(step, &QShortcut::activated, m_types, [this, by] { m_types->step(by); });
    connect(qApp, &QApplication::focusChanged, step, [step](const QWidget*, QWidget* now) {
      step->setEnabled(qobject_cast<QAbstractButton*>(now) || qobject_cast<QTabBar*>(now));
    });
  }
}

void LayoutsPlace::showSnapshot(const engine::Snapshot& snapshot) {
  if (!snapshot.has(engine::Stage::Layouts)) {
    m_state->showLoading(u"Reading the layouts of the types"_s);
    showWhole(m_state);
    return;
  }
  m_waste->showSnapshot(snapshot);
  m_compare->showSnapshot(snapshot);
  if (std::exchange(m_isReady, true)) return;  // later stages tell nothing new of layouts
  m_typeState->showLoading(u"Reading the types"_s);
  m_typePages->setCurrentWidget(m_typeState);
  showWhole(m_tabs);
  m_types->load();
  follow(m_navigator.location());
}

void LayoutsPlace::showAssembly(const engine::DeclaredLayouts& layouts) {
  showFramework(layouts);
  m_isReady = true;
  m_typeState->showLoading(u"Reading the types"_s);
  m_typePages->setCurrentWidget(m_typeState);
  m_tabs->setTabEnabled(static_cast<int>(LayoutsPage::Waste), false);
  m_tabs->setTabToolTip(static_cast<int>(LayoutsPage::Waste), u"An assembly has no heap that layouts could cost"_s);
  m_compare->showAssembly();
  showWhole(m_tabs);
  m_types->load();
  follow(m_navigator.location());
}

void LayoutsPlace::showFramework(const engine::DeclaredLayouts& layouts) {
  const std::optional<engine::FrameworkRead> framework = layouts.framework();
  m_framework->setVisible(framework.has_value());
  if (!framework) return;
  const QString other = otherFrameworkText(*framework, layouts.runtime().majorVersion);
  const QString read = frameworkText(*framework);
  m_framework->setWarning(!other.isEmpty());
  m_framework->setText(other.isEmpty() ? read : u"⚠ %1 %2"_s.arg(other, read));
}

void LayoutsPlace::clear() {
  m_framework->hide();
  m_isReady = false;
  m_isFirstShown = false;
  m_asked = {};
  m_patience->stop();
  m_actual.reset();
  m_toShow.reset();
  m_panel->clear();
  m_types->clear();
  m_tabs->setTabEnabled(static_cast<int>(LayoutsPage::Waste), true);
  m_tabs->setTabToolTip(static_cast<int>(LayoutsPage::Waste), {});
  m_waste->clear();
  m_compare->clear();
  m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see what its objects look like inside."_s);
  showWhole(m_state);
}

void LayoutsPlace::follow(const Location& location) {
  m_tabs->setCurrentIndex(static_cast<int>(location.layoutsPage));
  const Selection type = typeOf(location.selection);
  if (!m_isReady || type.isEmpty()) return;
  m_isFirstShown = false;
  if (type != m_asked) {
    showType(type);
  } else {
    m_panel->follow(location.selection);
  }
}

void LayoutsPlace::showType(const Selection& type) {
  m_asked = type;
  m_types->follow(type);
  m_patience->stop();
  m_actual.reset();
  m_bridge.stopAsking(this, "study");
  if (!type.methodTable) {
    study(type, {.objects = 0, .paddingBytes = 0, .hasHeap = !m_bridge.isAssembly()});
    return;
  }
  m_bridge.ask(
      this, "layout",
      [type](const engine::Snapshot& snapshot, std::stop_token) { return readLayout(snapshot, type.methodTable); },
      [this, type](engine::Result<PreparedLayout> layout) { takeActual(type, std::move(layout)); });
}

void LayoutsPlace::takeActual(const Selection& type, engine::Result<PreparedLayout> layout) {
  if (!layout) {
    showFailed(layout.error());
    return;
  }
  const TypePopulation population = layout->population;
  m_actual = std::make_unique<PreparedLayout>(std::move(*layout));
  if (!m_bridge.hasLayouts()) {
    showActual();
    return;
  }
  m_patience->start();
  study(type, population);
}

void LayoutsPlace::study(const Selection& type, const TypePopulation& population) {
  m_bridge.ask(
      this, "study",
      [type, population](const engine::DeclaredLayouts& layouts, std::stop_token stop) {
        return studyLayouts(layouts, type, population, stop);
      },
      [this](engine::Result<PreparedLayout> layouts) { takeStudy(std::move(layouts)); });
}

// What the runtime itself has laid out can be shown even where nothing can be computed.
void LayoutsPlace::takeStudy(engine::Result<PreparedLayout> layouts) {
  m_patience->stop();
  if (layouts) {
    showLayout(std::move(*layouts));
    return;
  }
  if (!m_actual) {
    showFailed(layouts.error());
    return;
  }
  m_actual->failure = layouts.error().message();
  showActual();
}

void LayoutsPlace::showActual() {
  if (m_actual) showLayout(*m_actual);
}

void LayoutsPlace::showLayout(PreparedLayout layout) {
  m_toShow = std::make_unique<PreparedLayout>(std::move(layout));
  if (isVisible()) fill();
}

void LayoutsPlace::fill() {
  m_panel->show(std::move(*std::exchange(m_toShow, nullptr)));
  m_typePages->setCurrentWidget(m_panel);
}

// Types are picked everywhere, one after the other where keys go through a list.
void LayoutsPlace::showEvent(QShowEvent* event) {
  Place::showEvent(event);
  if (m_toShow) fill();
}

void LayoutsPlace::showFailed(const engine::Error& error) {
  m_toShow.reset();
  m_typeState->showFailed(u"No layout of this type"_s, fromEngine(error.message()));
  m_typePages->setCurrentWidget(m_typeState);
}

void LayoutsPlace::showWhole(QWidget* page) {
  m_pages->setCurrentWidget(page);
}

}  // namespace heapscape::gui
