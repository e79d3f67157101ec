// SPDX-License-Identifier: MIT
#include "views/memory/memory_place.h"

#include <QScrollArea>
#include <QStackedLayout>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "models/lacking_heap.h"
#include "models/rows/rows_panel.h"
#include "views/memory/memory_head.h"
#include "views/memory/memory_part_bar.h"
#include "views/memory/memory_rows.h"
#include "views/memory/raw_memory_panel.h"
#include "widgets/arranging/flow_layout.h"
#include "widgets/arranging/split_page.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"
#include "widgets/treemap/treemap.h"
#include "widgets/treemap/treemap_trail.h"

namespace heapscape::gui {

namespace {

constexpr auto kChannel = "memory";
constexpr int kFewestLines = 42;  // of text; a lower window scrolls
constexpr SplitPage::Shares kShares{.besideFrom = 220, .beside = 0.52, .above = 2.0 / 3};

RowsPanelSetup listSetup() {
  RowsPanelSetup setup;
  setup.name = QStringLiteral("memory");
  setup.title = QStringLiteral("Memory of the process");
  setup.noun = QStringLiteral("parts");
  setup.filterHint = QStringLiteral("Filter by owner or name");
  setup.emptyHeading = QStringLiteral("No mappings");
  setup.emptyText = QStringLiteral("The dump does not say which memory the process had mapped.");
  setup.columns = memorySchema(0).setups();
  return setup;
}

}  // namespace

MemoryPlace::MemoryPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent),
      m_head(new MemoryHead(this)),
      m_treemap(new Treemap(QStringLiteral("Memory of the process by owner"), QStringLiteral("memory"), this)),
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
  m_tabs->setObjectName(QStringLiteral("memoryTabs"));
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(owners, QStringLiteral("By owner"));
  m_tabs->addTab(m_raw, QStringLiteral("At an address"));
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(0, 4, 0, 0);
  whole->addWidget(m_tabs);
  setFocusProxy(m_tabs);
  m_treemap->setObjectName(QStringLiteral("memoryTreemap"));
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
  head->addWidget(new TreemapTrail(m_treemap, QStringLiteral("All memory"), picture));
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
  if (!m_isReady) m_state->showLoading(QStringLiteral("Walking the objects"));
  m_raw->setReady(m_isReady);
  if (m_isReady && isVisible()) ask();
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
  m_state->showEmpty(QStringLiteral("No dump is open"),
                     QStringLiteral("Open a core dump to see whose the process's memory was."));
  m_pages->setCurrentWidget(m_state);
}

void MemoryPlace::ask() {
  if (m_isAsked) return;
  m_isAsked = true;
  m_state->showLoading(QStringLiteral("Finding out whose the memory is"));
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
        m_state->showFailed(QStringLiteral("Whose the memory is cannot be told"),
                            fromEngine(answer.error().error().message()));
        m_state->setAction(QStringLiteral("Try again"), [this] { ask(); });
        m_pages->setCurrentWidget(m_state);
      });
}

void MemoryPlace::take(std::shared_ptr<const ShownMemory> shown) {
  m_shown = std::move(shown);
  m_head->show(m_shown->memory);
  m_treemap->setGroups(memoryTreemap(m_shown->memory, m_shown->groups));
  m_list->setRows(m_shown->rows);
  m_bar->showNone();
  showLegend();
  m_pages->setCurrentIndex(1);
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
        QStringLiteral("%1  %2 · %3")
            .arg(memoryOwnerText(group.owner), bytesText(group.bytes),
                 percentText(group.bytes, m_shown->memory.mappedBytes)),
        [owner = group.owner](const Colours& colours) { return memorySample(owner, std::nullopt, colours); }, m_legend);
    chip->setToolTip(
        QStringLiteral("%1\n%2\nA click looks into it.").arg(memoryOwnerTip(group.owner), exactBytesText(group.bytes)));
    chip->setLeadsSomewhere(true);
    connect(chip, &QAbstractButton::clicked, this, [this, index] { m_treemap->zoom(index); });
    m_legendLine->addWidget(chip);
  }
}

void MemoryPlace::pickSpot(const TreemapSpot& spot) {
  const engine::ProcessMemory& memory = m_shown->memory;
  const MemoryGroup& group = m_shown->groups[spot.group];
  if (spot.isGroup()) return m_bar->show(wholeOf(memory, group), memory.mappedBytes);
  const std::size_t part = group.parts[spot.part];
  m_bar->show(memory.parts[part], memory.mappedBytes);
  m_list->pick(engine::Address{part + 1});
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
