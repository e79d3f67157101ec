// SPDX-License-Identifier: MIT
#include "views/memory/memory_place.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedLayout>
#include <QTabWidget>
#include <QVBoxLayout>
#include <QWidget>
#include <algorithm>
#include <optional>

#include "bridge/navigator.h"
#include "models/lacking_heap.h"
#include "models/names/reach_text.h"
#include "models/rows/rows_panel.h"
#include "models/treemap_zoom.h"
#include "session/process/process_memory.h"
#include "views/memory/raw_memory_panel.h"
#include "widgets/arranging/layouts.h"
#include "widgets/arranging/split_page.h"
#include "widgets/drawing/picture_legend.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/figure_tile.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/treemap/treemap.h"

namespace heapscape::gui {

/// How much is mapped, how much of it is the GC's, and how much nobody explains.
class MemoryHead : public QWidget {
 public:
  explicit MemoryHead(QWidget* parent = nullptr);

  /// `reach`: of the GC's heap; zero while it is not known.
  void show(const engine::ProcessMemory& memory, const engine::RetainedTotals& reach);

 private:
  FigureTile* m_mapped;
  FigureTile* m_resident;
  FigureTile* m_gc;
  FigureTile* m_unexplained;
  FigureTile* m_inDump;
  ElidedText* m_remark;
};

MemoryHead::MemoryHead(QWidget* parent)
    : QWidget(parent),
      m_mapped(new FigureTile(u"Mapped by the process"_s, this)),
      m_resident(new FigureTile(u"In memory or swapped out"_s, this)),
      m_gc(new FigureTile(u"The GC's"_s, this)),
      m_unexplained(new FigureTile(u"Not explained"_s, this)),
      m_inDump(new FigureTile(u"In the dump"_s, this)),
      m_remark(new ElidedText(this)) {
  m_mapped->setObjectName(u"memoryMapped"_s);
  m_resident->setObjectName(u"memoryResident"_s);
  m_gc->setObjectName(u"memoryGc"_s);
  m_unexplained->setObjectName(u"memoryUnexplained"_s);
  m_inDump->setObjectName(u"memoryInDump"_s);
  m_remark->setObjectName(u"memoryRemark"_s);
  m_remark->setWraps();
  m_remark->setDimmed(true);
  auto* tiles = new TileLayout;
  for (FigureTile* tile : {m_mapped, m_resident, m_gc, m_unexplained, m_inDump}) tiles->addWidget(tile);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 12, 16, 4);
  column->setSpacing(6);
  column->addLayout(tiles);
  column->addWidget(m_remark);
}

void MemoryHead::show(const engine::ProcessMemory& memory, const engine::RetainedTotals& reach) {
  std::uint64_t gc = 0;
  std::uint64_t unexplained = 0;
  std::uint64_t inDump = 0;
  for (const engine::MemoryPart& part : memory.parts) {
    inDump += part.inDumpBytes;
    if (isOfGc(part.owner)) gc += part.bytes;
    if (isUnexplained(part.owner)) unexplained += part.bytes;
  }
  const auto shareOf = [&memory](std::uint64_t bytes) {
    return u"%1 of what is mapped"_s.arg(percentText(bytes, memory.mappedBytes));
  };
  m_mapped->setFigure(bytesText(memory.mappedBytes),
                      memory.reservedBytes > 0 ? u"+ %1 reserved"_s.arg(bytesText(memory.reservedBytes))
                      : memory.isWhole         ? u"every mapping"_s
                                               : u"mappings that the dump lists"_s,
                      u"%1 mapped; %2 of addresses are set aside without memory behind them"_s.arg(
                          exactBytesText(memory.mappedBytes), exactBytesText(memory.reservedBytes)));
  m_resident->setFigure(
      u"≥ "_s + bytesText(memory.resident.atLeastBytes),
      memory.isWhole ? u"at most %1"_s.arg(bytesText(memory.mappedBytes)) : u"this dump gives no upper bound"_s,
      fromEngine(engine::residentText(memory)));
  m_gc->setFigure(bytesText(gc), reach.reachableObjects == 0 ? shareOf(gc) : garbageText(reach) + u" in it"_s,
                  u"%1, %2"_s.arg(exactBytesText(gc), shareOf(gc)));
  m_unexplained->setFigure(
      bytesText(unexplained), shareOf(unexplained),
      u"%1 of native memory that the runtime's structures say nothing of"_s.arg(exactBytesText(unexplained)));
  m_inDump->setFigure(bytesText(inDump), shareOf(inDump), exactBytesText(inDump));
  m_remark->setText(fromEngine(memory.remark));
  m_remark->setVisible(!memory.remark.empty());
}

/// Above the picture: what is picked, and where else the window shows it.
class MemoryPartBar : public QWidget {
 public:
  explicit MemoryPartBar(Navigator& navigator, QWidget* parent = nullptr);

  void show(const engine::MemoryPart& part, std::uint64_t mappedBytes);
  void showNone();
  /// To the place that shows more of a part; nothing for what no place knows.
  void goTo(const engine::MemoryPart& part);

 private:
  QPushButton* addButton(const QString& name, const QString& symbol, const QString& text, const QString& tip);

  Navigator& m_navigator;
  engine::MemoryPart m_part;
  ElidedText* m_text;
  QPushButton* m_segments;
  QPushButton* m_generations;
  QPushButton* m_types;
  QPushButton* m_threads;
};

MemoryPartBar::MemoryPartBar(Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_navigator(navigator),
      m_text(new ElidedText(this)),
      m_segments(addButton(u"memorySegments"_s, u"segments"_s, u"In segments"_s, u"Where the GC's memory lies"_s)),
      m_generations(
          addButton(u"memoryGenerations"_s, u"generations"_s, u"Generations"_s, u"How old the objects are"_s)),
      m_types(addButton(u"memoryTypes"_s, u"types"_s, u"Types in it"_s, u"The types of its objects"_s)),
      m_threads(addButton(u"memoryThreads"_s, u"threads"_s, u"Threads"_s, u"Whose stacks these are"_s)) {
  m_text->setObjectName(u"memoryPicked"_s);
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(8);
  line->addWidget(m_text, 1);
  for (QPushButton* button : {m_types, m_generations, m_segments, m_threads}) line->addWidget(button);
  connect(m_segments, &QPushButton::clicked, this,
          [this] { m_navigator.showInSegments({.object = m_part.address, .methodTable = {}, .segment = {}}); });
  connect(m_generations, &QPushButton::clicked, this, [this] { m_navigator.goTo(PlaceId::Generations); });
  connect(m_threads, &QPushButton::clicked, this, [this] { m_navigator.goTo(PlaceId::Threads); });
  connect(m_types, &QPushButton::clicked, this, [this] {
    engine::HeapScope scope;
    scope.generation = generationOf(m_part);
    m_navigator.showTypesIn(scope);
  });
  setMinimumHeight(m_types->sizeHint().height());
  showNone();
}

QPushButton* MemoryPartBar::addButton(const QString& name, const QString& symbol, const QString& text,
                                      const QString& tip) {
  auto* button = new QPushButton(symbolIcon(symbol), text, this);
  button->setObjectName(name);
  button->setToolTip(tip);
  return button;
}

void MemoryPartBar::show(const engine::MemoryPart& part, std::uint64_t mappedBytes) {
  m_part = part;
  const QString owner = memoryOwnerText(part.owner);
  const QString name = memoryPartText(part);
  m_text->setDimmed(false);
  m_text->setText(u"%1: %2, %3 of what is mapped, from %4"_s.arg(
      name == owner ? owner : u"%1 › %2"_s.arg(owner, name), bytesText(part.bytes),
      percentText(part.bytes, mappedBytes), addressText(part.address)));
  const bool isOfHeap = isOfGc(part.owner) && part.owner != engine::MemoryOwner::GcBookkeeping;
  m_segments->setVisible(isOfHeap);
  m_generations->setVisible(isOfHeap);
  m_types->setVisible(part.owner == engine::MemoryOwner::GcUsed && generationOf(part).has_value());
  m_threads->setVisible(part.owner == engine::MemoryOwner::ThreadStack);
}

void MemoryPartBar::showNone() {
  m_part = {};
  for (QPushButton* button : {m_types, m_generations, m_segments, m_threads}) button->hide();
  m_text->setDimmed(true);
  m_text->setText(u"Click for details, double-click to zoom in."_s);
}

void MemoryPartBar::goTo(const engine::MemoryPart& part) {
  if (part.owner == engine::MemoryOwner::ThreadStack) {
    m_navigator.goTo(PlaceId::Threads);
    return;
  }
  if (part.owner == engine::MemoryOwner::GcUsed) {
    m_navigator.goTo(PlaceId::Generations);
    return;
  }
  if (isOfGc(part.owner)) {
    m_navigator.goTo(PlaceId::Segments);
    return;
  }
}

namespace {

constexpr auto kChannel = "memory";
constexpr int kFewestLines = 42;  // of text; a lower window scrolls
constexpr SplitPage::Shares kShares{.besideFrom = 220, .beside = 0.52, .above = 2.0 / 3};

RowsPanelSetup listSetup() {
  RowsPanelSetup setup;
  setup.name = u"memory"_s;
  setup.title = u"Memory of the process"_s;
  setup.noun = u"parts"_s;
  setup.filterHint = u"Filter by owner or name"_s;
  setup.emptyHeading = u"No mappings"_s;
  setup.emptyText = u"The dump does not say which memory the process had mapped."_s;
  setup.columns = memorySchema(0).setups();
  return setup;
}

}  // namespace

MemoryPlace::MemoryPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_head(new MemoryHead(this)),
      m_treemap(new Treemap(u"Memory of the process by owner"_s, u"memory"_s, this)),
      m_bar(new MemoryPartBar(navigator, this)),
      m_list(new RowsPanel(bridge, navigator, listSetup(), {}, this)),
      m_legend(new QWidget(this)),
      m_legendLine(new FlowLayout(m_legend, 8)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout),
      m_raw(new RawMemoryPanel(bridge, navigator, this)),
      m_tabs(new QTabWidget(this)) {
  auto* owners = new QWidget(m_tabs);
  owners->setLayout(m_pages);
  m_tabs->setObjectName(u"memoryTabs"_s);
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(owners, u"By owner"_s);
  m_tabs->addTab(m_raw, u"At an address"_s);
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(0, 4, 0, 0);
  whole->addWidget(m_tabs);
  setFocusProxy(m_tabs);
  m_treemap->setObjectName(u"memoryTreemap"_s);
  new TreemapZoom(m_treemap, navigator, PlaceId::Memory);
  setPictureLegend(m_treemap, m_legend);
  m_pages->addWidget(m_state);
  auto* scroll = new QScrollArea(this);
  auto* page = new SplitPage(m_head, buildPicture(), m_list, kShares, scroll);
  page->setMinimumHeight(fontMetrics().height() * kFewestLines);
  scroll->setWidget(page);
  scroll->setWidgetResizable(true);
  m_pages->addWidget(scroll);
  connect(m_treemap, &Treemap::picked, this, &MemoryPlace::pickSpot);
  connect(m_treemap, &Treemap::activated, this, [this](const TreemapSpot& spot) {
    const MemoryGroup& group = m_shown->groups[spot.group];
    m_bar->goTo(m_shown->memory.parts[group.parts[spot.isGroup() ? 0 : spot.part]]);
  });
  connect(m_list, &RowsPanel::rowPicked, this, &MemoryPlace::pickRow);
  connect(m_list, &RowsPanel::rowActivated, this, &MemoryPlace::activate);
  clear();
}

QWidget* MemoryPlace::buildPicture() {
  auto* picture = new QWidget(this);
  auto* map = new QVBoxLayout(picture);
  map->setContentsMargins(16, 0, 16, 0);
  map->setSpacing(4);
  auto* head = new QHBoxLayout;
  head->setSpacing(24);
  head->addWidget(new TreemapTrail(m_treemap, u"All memory"_s, picture));
  head->addWidget(m_bar, 1);
  map->addLayout(head);
  map->addWidget(m_treemap, 1);
  map->addWidget(m_legend);
  return picture;
}

void MemoryPlace::follow(const Location& location) {
  const auto* address = std::get_if<engine::Address>(&location.listed);
  if (location.place != PlaceId::Memory || !address) return;
  m_tabs->setCurrentWidget(m_raw);
  m_raw->showMemory(*address);
}

void MemoryPlace::showSnapshot(const engine::Snapshot& snapshot) {
  m_isReady = snapshot.has(engine::Stage::Objects) || lacksHeap(snapshot);
  if (!m_isReady) m_state->showLoading(u"Walking the objects"_s);
  m_raw->setReady(m_isReady);
  if (m_isReady && isVisible()) ask();
  // What of the objects is live is known last.
  if (!snapshot.has(engine::Stage::Retained) || !m_shown) return;
  m_head->show(m_shown->memory, snapshot.retainedTotals());
  showTreemap();
}

void MemoryPlace::showEvent(QShowEvent* event) {
  Place::showEvent(event);
  if (m_isReady) ask();
}

void MemoryPlace::clear() {
  m_bridge.stopAsking(this, kChannel);
  m_raw->clear();
  m_isReady = false;
  m_isAsked = false;
  m_shown.reset();
  m_treemap->setGroups({});
  m_list->clear();
  m_bar->showNone();
  m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see whose the process's memory was."_s);
  m_pages->setCurrentWidget(m_state);
}

void MemoryPlace::ask() {
  if (m_isAsked) return;
  m_isAsked = true;
  m_state->showLoading(u"Finding out whose the memory is"_s);
  using Answer = engine::Outcome<std::shared_ptr<const ShownMemory>>;
  m_bridge.ask(
      this, kChannel,
      [](const engine::Snapshot& snapshot, std::stop_token stop) -> Answer {
        HEAPSCAPE_TRY(engine::ProcessMemory memory, engine::processMemoryOf(snapshot, std::move(stop)));
        auto shown = std::make_shared<ShownMemory>();
        shown->groups = memoryGroups(memory);
        shown->rows = memoryRows(memory);
        shown->memory = std::move(memory);
        return shown;
      },
      [this](Answer answer) {
        if (answer) return take(std::move(*answer));
        m_isAsked = false;
        if (answer.error().isCancelled()) return;
        m_state->showFailed(u"Whose the memory is, is not known"_s, fromEngine(answer.error().error().message()));
        m_state->setAction(u"Try again"_s, [this] { ask(); });
        m_pages->setCurrentWidget(m_state);
      });
}

void MemoryPlace::take(std::shared_ptr<const ShownMemory> shown) {
  m_shown = std::move(shown);
  m_head->show(m_shown->memory, m_bridge.snapshot() ? m_bridge.snapshot()->retainedTotals() : engine::RetainedTotals());
  showTreemap();
  m_list->setRows(m_shown->rows);
  m_bar->showNone();
  showLegend();
  m_pages->setCurrentIndex(1);
}

void MemoryPlace::showTreemap() {
  const auto& snapshot = m_bridge.snapshot();
  if (m_shown && snapshot) m_treemap->setGroups(memoryTreemap(m_shown->memory, m_shown->groups, *snapshot));
}

void MemoryPlace::showLegend() {
  while (QLayoutItem* item = m_legendLine->takeAt(0)) {
    item->widget()->hide();
    item->widget()->deleteLater();
    delete item;
  }
  for (std::size_t index = 0; index < m_shown->groups.size(); ++index) {
    const MemoryGroup& group = m_shown->groups[index];
    if (group.bytes == 0) continue;
    auto* chip = new LegendChip(
        u"%1  %2 · %3"_s.arg(memoryOwnerText(group.owner), bytesText(group.bytes),
                             percentText(group.bytes, m_shown->memory.mappedBytes)),
        [owner = group.owner](const Colours& colours) { return memorySample(owner, std::nullopt, colours); }, m_legend);
    chip->setToolTip(u"%1\n%2\nA click looks into it."_s.arg(memoryOwnerTip(group.owner), exactBytesText(group.bytes)));
    chip->setLeadsSomewhere(true);
    connect(chip, &QAbstractButton::clicked, this, [this, index] { m_treemap->zoom(index); });
    m_legendLine->addWidget(chip);
  }
}

void MemoryPlace::pickSpot(const TreemapSpot& spot) {
  const engine::ProcessMemory& memory = m_shown->memory;
  const MemoryGroup& group = m_shown->groups[spot.group];
  if (spot.isGroup()) {
    m_bar->show(wholeOf(memory, group), memory.mappedBytes);
    m_navigator.tell({.kind = u"Memory"_s,
                      .title = memoryOwnerText(group.owner),
                      .facts = {{u"Mapped"_s, bytesText(group.bytes)},
                                {u"Of what is mapped"_s, percentText(group.bytes, memory.mappedBytes)},
                                {u"Parts"_s, countText(group.parts.size())},
                                {u"What it is"_s, memoryOwnerTip(group.owner)}}});
    return;
  }
  const std::size_t part = group.parts[spot.part];
  m_bar->show(memory.parts[part], memory.mappedBytes);
  m_list->pick(engine::Address{part + 1});
  m_list->tellCurrent();
}

void MemoryPlace::pickRow(std::uint32_t row) {
  if (!m_shown) return;
  const std::size_t part = m_shown->rows->identity(row).value - 1;
  for (std::size_t group = 0; group < m_shown->groups.size(); ++group) {
    const std::vector<std::size_t>& parts = m_shown->groups[group].parts;
    const auto found = std::ranges::find(parts, part);
    if (found != parts.end())
      m_treemap->mark(TreemapSpot{.group = group, .part = static_cast<std::size_t>(found - parts.begin())});
  }
  m_bar->show(m_shown->memory.parts[part], m_shown->memory.mappedBytes);
}

void MemoryPlace::activate(std::uint32_t row) {
  if (m_shown) m_bar->goTo(m_shown->memory.parts[m_shown->rows->identity(row).value - 1]);
}

}  // namespace heapscape::gui
