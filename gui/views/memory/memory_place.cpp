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
#include "models/rows/rows_panel.h"
#include "session/process/process_memory.h"
#include "views/memory/memory_rows.h"
#include "views/memory/raw_memory_panel.h"
#include "widgets/arranging/layouts.h"
#include "widgets/arranging/split_page.h"
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

  void show(const engine::ProcessMemory& memory);

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
      m_mapped(new FigureTile(QStringLiteral("Mapped by the process"), this)),
      m_resident(new FigureTile(QStringLiteral("In memory or swapped out"), this)),
      m_gc(new FigureTile(QStringLiteral("The GC's"), this)),
      m_unexplained(new FigureTile(QStringLiteral("Not explained"), this)),
      m_inDump(new FigureTile(QStringLiteral("In the dump"), this)),
      m_remark(new ElidedText(this)) {
  m_mapped->setObjectName(QStringLiteral("memoryMapped"));
  m_resident->setObjectName(QStringLiteral("memoryResident"));
  m_gc->setObjectName(QStringLiteral("memoryGc"));
  m_unexplained->setObjectName(QStringLiteral("memoryUnexplained"));
  m_inDump->setObjectName(QStringLiteral("memoryInDump"));
  m_remark->setObjectName(QStringLiteral("memoryRemark"));
  m_remark->setWraps();
  m_remark->setWarning(true);
  auto* tiles = new TileLayout;
  for (FigureTile* tile : {m_mapped, m_resident, m_gc, m_unexplained, m_inDump}) tiles->addWidget(tile);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 12, 16, 4);
  column->setSpacing(6);
  column->addLayout(tiles);
  column->addWidget(m_remark);
}

void MemoryHead::show(const engine::ProcessMemory& memory) {
  std::uint64_t gc = 0;
  std::uint64_t unexplained = 0;
  std::uint64_t inDump = 0;
  for (const engine::MemoryPart& part : memory.parts) {
    inDump += part.inDumpBytes;
    if (isOfGc(part.owner)) gc += part.bytes;
    if (isUnexplained(part.owner)) unexplained += part.bytes;
  }
  const auto shareOf = [&memory](std::uint64_t bytes) {
    return QStringLiteral("%1 of what is mapped").arg(percentText(bytes, memory.mappedBytes));
  };
  m_mapped->setFigure(bytesText(memory.mappedBytes),
                      memory.reservedBytes > 0
                          ? QStringLiteral("and %1 only set aside").arg(bytesText(memory.reservedBytes))
                      : memory.isWhole ? QStringLiteral("every mapping")
                                       : QStringLiteral("mappings that the dump lists"),
                      QStringLiteral("%1 mapped; %2 of addresses are set aside without memory behind them")
                          .arg(exactBytesText(memory.mappedBytes), exactBytesText(memory.reservedBytes)));
  m_resident->setFigure(QStringLiteral("≥ ") + bytesText(memory.resident.atLeastBytes),
                        memory.isWhole ? QStringLiteral("at most %1").arg(bytesText(memory.mappedBytes))
                                       : QStringLiteral("no upper bound in this dump"),
                        fromEngine(engine::residentText(memory)));
  m_gc->setFigure(bytesText(gc), shareOf(gc), exactBytesText(gc));
  m_unexplained->setFigure(bytesText(unexplained), shareOf(unexplained),
                           QStringLiteral("%1 of native memory that the runtime's structures say nothing of")
                               .arg(exactBytesText(unexplained)));
  m_inDump->setFigure(bytesText(inDump), shareOf(inDump), exactBytesText(inDump));
  m_remark->setText(QStringLiteral("⚠ ") + fromEngine(memory.remark));
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
      m_segments(addButton(QStringLiteral("memorySegments"), QStringLiteral("segments"), QStringLiteral("In segments"),
                           QStringLiteral("Where the GC's memory lies"))),
      m_generations(addButton(QStringLiteral("memoryGenerations"), QStringLiteral("generations"),
                              QStringLiteral("Generations"), QStringLiteral("How old the objects are"))),
      m_types(addButton(QStringLiteral("memoryTypes"), QStringLiteral("types"), QStringLiteral("Types in it"),
                        QStringLiteral("The types of its objects"))),
      m_threads(addButton(QStringLiteral("memoryThreads"), QStringLiteral("threads"), QStringLiteral("Threads"),
                          QStringLiteral("Whose stacks these are"))) {
  m_text->setObjectName(QStringLiteral("memoryPicked"));
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
  m_text->setText(QStringLiteral("%1: %2, %3 of all, from %4")
                      .arg(name == owner ? owner : QStringLiteral("%1 › %2").arg(owner, name), bytesText(part.bytes),
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
  m_text->setText(QStringLiteral("A click tells about an area; a double click looks into its owner's memory."));
}

void MemoryPartBar::goTo(const engine::MemoryPart& part) {
  if (part.owner == engine::MemoryOwner::ThreadStack) return m_navigator.goTo(PlaceId::Threads);
  if (part.owner == engine::MemoryOwner::GcUsed) return m_navigator.goTo(PlaceId::Generations);
  if (isOfGc(part.owner)) return m_navigator.goTo(PlaceId::Segments);
}

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
