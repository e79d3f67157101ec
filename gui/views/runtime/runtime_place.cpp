// SPDX-License-Identifier: MIT
#include "views/runtime/runtime_place.h"

#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabWidget>
#include <QVBoxLayout>
#include <QWidget>
#include <algorithm>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "models/lacking_heap.h"
#include "models/rows/rows_panel.h"
#include "models/rows/static_rows.h"
#include "session/objects/object_query.h"
#include "session/types/generics_query.h"
#include "views/runtime/field_rows.h"
#include "views/runtime/sharing_picture.h"
#include "views/runtime/type_page.h"
#include "widgets/arranging/split_page.h"
#include "widgets/section.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {

/// Generic types by what they cost, and for the one that is picked, which instantiations share their code.
class GenericsPanel : public QWidget {
  Q_OBJECT

 public:
  GenericsPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  void load();
  void clear();
  void showWaiting(const QString& text);
  /// The dump has no heap, whose objects are counted.
  void showLacking();
  void follow(engine::Address methodTable);
  RowsPanel* list() const { return m_list; }
  SharingPicture* picture() const { return m_picture; }

 Q_SIGNALS:
  void typeWanted(heapscape::engine::Address methodTable);

 private:
  void addParts();
  void show(std::uint32_t row);

  Navigator& m_navigator;
  RowsPanel* m_list;
  QLabel* m_heading;
  QLabel* m_note;
  SharingPicture* m_picture;
  QScrollArea* m_scroll;
};

namespace {

constexpr SplitPage::Shares kGenericsShares{.besideFrom = 190, .beside = 0.66, .above = 0.66};

RowsPanelSetup genericsSetup() {
  RowsPanelSetup setup;
  setup.name = u"generics"_s;
  setup.title = u"Generic types"_s;
  setup.noun = u"generic types"_s;
  setup.filterHint = u"Filter by name"_s;
  setup.loading = u"Counting methods and code of generic types"_s;
  setup.emptyText = u"The runtime has loaded no instantiation of a generic type."_s;
  setup.columns = genericSchema().setups();
  return setup;
}

engine::Outcome<std::shared_ptr<const RowList>> loadGenerics(const engine::Snapshot& snapshot, std::stop_token stop) {
  HEAPSCAPE_TRY(std::vector<engine::GenericDefinition> list, engine::listGenerics(snapshot, {}, stop));
  return makeRowList(std::move(list), genericSchema());
}

}  // namespace

GenericsPanel::GenericsPanel(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_navigator(navigator),
      m_list(new RowsPanel(bridge, navigator, genericsSetup(), loadGenerics, this)),
      m_heading(makeHeading(QString(), this)),
      m_note(makeNote(QString(), this)),
      m_picture(new SharingPicture(this)),
      m_scroll(new QScrollArea(this)) {
  addParts();
  connect(m_list, &RowsPanel::rowPicked, this, &GenericsPanel::show);
  connect(m_list, &RowsPanel::loaded, this, [this] {
    if (m_list->rows()->size() > 0) m_list->pickFirst();
  });
  connect(m_picture, &SharingPicture::typePicked, this,
          [this](engine::Address type) { m_navigator.select({.object = {}, .methodTable = type, .segment = {}}); });
  connect(m_picture, &SharingPicture::typeActivated, this, &GenericsPanel::typeWanted);
  clear();
}

void GenericsPanel::addParts() {
  m_scroll->setWidget(m_picture);
  m_scroll->setWidgetResizable(true);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_scroll->setFrameShape(QFrame::NoFrame);
  auto* side = new QWidget(this);
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 12, 0, 0);
  column->setSpacing(4);
  for (QLabel* label : {m_heading, m_note}) {
    label->setContentsMargins(16, 0, 16, 0);
    label->setWordWrap(true);
    column->addWidget(label);
  }
  column->addWidget(m_scroll, 1);
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(new SplitPage(nullptr, m_list, side, kGenericsShares, this));
  setFocusProxy(m_list);
}

void GenericsPanel::load() {
  m_list->load();
}

void GenericsPanel::showWaiting(const QString& text) {
  m_list->showWaiting(text);
}

void GenericsPanel::showLacking() {
  m_list->showLacking();
}

void GenericsPanel::clear() {
  m_list->clear();
  m_picture->clear();
  m_heading->clear();
  m_note->setText(u"Pick a generic type to see which of its instantiations share their code."_s);
}

void GenericsPanel::follow(engine::Address methodTable) {
  m_picture->follow(methodTable);
}

void GenericsPanel::show(std::uint32_t row) {
  const auto& definition = m_list->rows()->as<engine::GenericDefinition>(row);
  m_heading->setText(shortTypeName(definition.name));
  m_heading->setToolTip(fromEngine(definition.name));
  m_note->setText(u"%1, %2 of code. A box holds those that share one: they differ only in reference types."_s.arg(
      countedText(definition.methodTables, u"instantiation"_s), countedText(definition.codeSets, u"set"_s)));
  m_picture->show(definition);
  m_scroll->verticalScrollBar()->setValue(0);
}

RuntimePlace::RuntimePlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_tabs(new QTabWidget(this)),
      m_type(new TypePage(bridge, navigator, this)),
      m_generics(new GenericsPanel(bridge, navigator, this)),
      m_modules(buildModules()) {
  m_tabs->setObjectName(u"runtimeTabs"_s);
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(m_type, u"Type"_s);
  m_tabs->addTab(m_generics, u"Generics"_s);
  m_tabs->addTab(m_modules, u"Modules"_s);
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
  RowsPanelSetup setup = RowsPanelSetup::ofList(moduleSchema());
  setup.name = u"modules"_s;
  setup.title = u"Modules"_s;
  setup.noun = u"modules"_s;
  setup.filterHint = u"Filter by name or path"_s;
  setup.emptyText = u"The runtime's list of modules is empty or could not be read."_s;
  return new RowsPanel(m_bridge, m_navigator, std::move(setup), {}, this);
}

void RuntimePlace::showSnapshot(const engine::Snapshot& snapshot) {
  m_hasObjects = snapshot.has(engine::Stage::Objects);
  m_hasTypes = m_hasObjects || lacksHeap(snapshot);
  if (snapshot.has(engine::Stage::Segments))
    m_modules->updateRows(makeRowList(engine::listModules(snapshot), moduleSchema()));
  m_tabs->setTabText(m_tabs->indexOf(m_modules), u"Modules  %1"_s.arg(countText(snapshot.modules().size())));
  if (m_hasTypes) follow(m_last);
  if (m_hasObjects) {
    loadGenerics();
  } else if (m_hasTypes) {
    m_generics->showLacking();
  } else {
    m_generics->showWaiting(u"Waiting for the objects of the heap"_s);
  }
}

void RuntimePlace::clear() {
  m_hasObjects = m_hasTypes = false;
  m_last = {};
  m_type->clear();
  m_generics->clear();
  m_modules->clear();
  m_tabs->setTabText(m_tabs->indexOf(m_modules), u"Modules"_s);
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

#include "runtime_place.moc"
