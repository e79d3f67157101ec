// SPDX-License-Identifier: MIT
#include "views/overview/overview_place.h"

#include <QBoxLayout>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QStackedLayout>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <QWidget>
#include <algorithm>
#include <vector>

#include "bridge/engine_bridge.h"
#include "bridge/navigator.h"
#include "models/lacking_heap.h"
#include "models/names/type_name.h"
#include "models/rows/table_setup.h"
#include "session/stacks/parallel_stacks.h"
#include "session/threads/thread_waits.h"
#include "session/types/type_query.h"
#include "views/overview/age_donut.h"
#include "views/overview/alert_strip.h"
#include "views/overview/dump_facts.h"
#include "views/overview/fix_first.h"
#include "views/overview/heap_head.h"
#include "views/overview/missing_files.h"
#include "views/overview/modules_table.h"
#include "views/overview/owners_list.h"
#include "views/overview/top_types_chart.h"
#include "views/overview/types_map.h"
#include "widgets/arranging/layouts.h"
#include "widgets/bar_row.h"
#include "widgets/drawing/colours.h"
#include "widgets/drawing/symbol_icon.h"
#include "widgets/figure_tile.h"
#include "widgets/section.h"
#include "widgets/state_panel.h"
#include "widgets/text/elided_text.h"
#include "widgets/text/figures.h"
#include "widgets/text/fonts.h"

namespace heapscape::gui {

/// The list of what the threads were doing, a line for each group of those that did the same; a line leads to its
/// threads.
class ActivityList : public QWidget {
  Q_OBJECT

 public:
  ActivityList(EngineBridge& bridge, Navigator& navigator, QWidget* parent = nullptr);

  /// Asks once the objects are there.
  void showSnapshot(const engine::Snapshot& snapshot);
  void clear();
  const std::vector<engine::ActivityGroup>& groups() const { return m_groups; }

 private:
  void show(std::vector<engine::ActivityGroup> groups);
  void say(const QString& text);
  void removeLines();

  EngineBridge& m_bridge;
  Navigator& m_navigator;
  std::vector<engine::ActivityGroup> m_groups;
  QVBoxLayout* m_lines;
};

namespace {

// The threads' number, its share as a bar, and what they were doing.
BarLine lineOf(const engine::ActivityGroup& group, std::uint64_t all) {
  const std::uint64_t threads = group.threads.size();
  const QString doing = fromEngine(group.doing);
  const QString tip = u"%1: %2"_s.arg(countedText(threads, u"thread"_s), doing);
  return {.text = doing,
          .figures = {{.text = countText(threads), .room = threads < 1000 ? u"888"_s : QString()}},
          .share = all == 0 ? 0 : static_cast<double>(threads) / static_cast<double>(all),
          .tip = tip,
          .spoken = tip};
}

constexpr auto kActivityListChannel = "overview.activities";
constexpr std::size_t kMostLines = 8;

}  // namespace

ActivityList::ActivityList(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_navigator(navigator), m_lines(new QVBoxLayout(this)) {
  m_lines->setContentsMargins(0, 0, 0, 0);
  m_lines->setSpacing(0);
  setObjectName(u"activities"_s);
}

void ActivityList::removeLines() {
  while (QLayoutItem* item = m_lines->takeAt(0)) {
    // One of them may be what was just clicked.
    if (item->widget()) item->widget()->hide();
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
}

void ActivityList::say(const QString& text) {
  removeLines();
  m_lines->addWidget(makeNote(text, this));
}

void ActivityList::clear() {
  m_bridge.stopAsking(this, kActivityListChannel);
  m_groups.clear();
  say(u"Waiting for the objects of the heap"_s);
}

void ActivityList::showSnapshot(const engine::Snapshot& snapshot) {
  const bool hasNoHeap = lacksHeap(snapshot);
  if (snapshot.isRecorded()) return say(u"A .gcdump file does not tell what threads were doing."_s);
  if (snapshot.stage() != engine::Stage::Objects && !hasNoHeap) return;
  say(u"Reading the stacks"_s);
  using Groups = engine::Outcome<std::vector<engine::ActivityGroup>>;
  const auto query = [](const engine::Snapshot& open, std::stop_token stop) -> Groups {
    HEAPSCAPE_TRY(const engine::StackList stacks, engine::listStacks(open, {.roots = false}, stop));
    return engine::activitiesOf(stacks);
  };
  m_bridge.ask(this, kActivityListChannel, query, [this](Groups groups) {
    if (groups) return show(std::move(*groups));
    if (!groups.error().isCancelled()) say(fromEngine(groups.error().error().message()));
  });
}

void ActivityList::show(std::vector<engine::ActivityGroup> groups) {
  m_groups = std::move(groups);
  if (m_groups.empty()) {
    say(u"The dump holds no stack of the runtime's threads."_s);
    return;
  }
  removeLines();
  std::uint64_t all = 0;
  for (const engine::ActivityGroup& group : m_groups) all += group.threads.size();
  for (std::size_t i = 0; i < std::min(m_groups.size(), kMostLines); ++i) {
    const engine::ActivityGroup& group = m_groups[i];
    auto* row = new BarRow(lineOf(group, all), this);
    row->setObjectName(u"activity%1"_s.arg(i));
    connect(row, &QAbstractButton::clicked, this, [this, activity = ActivityKey{group.doing}] {
      m_navigator.showListed(PlaceId::Threads, activity, m_navigator.location().selection);
    });
    m_lines->addWidget(row);
  }
  if (m_groups.size() > kMostLines) {
    std::uint64_t rest = 0;
    for (std::size_t i = kMostLines; i < m_groups.size(); ++i) rest += m_groups[i].threads.size();
    m_lines->addWidget(makeNote(u"and %1 that do something else"_s.arg(countedText(rest, u"thread"_s)), this));
  }
}

/// A list of what is missing or damaged, an entry each; or that nothing is.
class HealthPanel : public QWidget {
 public:
  explicit HealthPanel(QWidget* parent = nullptr);

  void setReport(const HealthReport& report);
  bool hasItems() const { return !m_report.items.empty(); }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void build();
  void addEntry(QVBoxLayout* list, const QString& symbol, const QColor& colour, const HealthItem& item);

  HealthReport m_report;
  QWidget* m_body = nullptr;
};

HealthPanel::HealthPanel(QWidget* parent) : QWidget(parent) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
}

void HealthPanel::setReport(const HealthReport& report) {
  m_report = report;
  build();
}

void HealthPanel::build() {
  // Not at once: a change of theme walks through all widgets while this is called.
  if (m_body) {
    m_body->hide();
    m_body->deleteLater();
  }
  m_body = new QWidget(this);
  auto* list = new QVBoxLayout(m_body);
  list->setContentsMargins(0, 0, 0, 0);
  list->setSpacing(10);
  const Colours colours(palette());
  if (m_report.items.empty() && m_report.isComplete) {
    const HealthItem fine{
        .title = u"Nothing"_s, .text = u"All of the heap and all names could be read."_s, .address = {}};
    addEntry(list, u"check"_s, colours.of(engine::Generation::Gen1), fine);
  }
  for (const HealthItem& item : m_report.items) addEntry(list, u"warning"_s, colours.warning(), item);
  if (m_report.leftOut > 0) list->addWidget(makeNote(u"and %1 more"_s.arg(countText(m_report.leftOut)), m_body));
  layout()->addWidget(m_body);
}

void HealthPanel::addEntry(QVBoxLayout* list, const QString& symbol, const QColor& colour, const HealthItem& item) {
  auto* icon = new QLabel(m_body);
  icon->setPixmap(symbolPixmap(symbol, colour, qRound(fontMetrics().height() * 1.1), devicePixelRatioF()));
  auto* title = new QLabel(item.title, m_body);
  title->setTextFormat(Qt::PlainText);
  title->setWordWrap(true);
  title->setFont(scaledFont(font(), 1, QFont::DemiBold));
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  words->addWidget(title);
  if (!item.address.isEmpty()) {
    auto* address = new ElidedText(item.address, m_body);
    address->setFont(fixedFont(font()));
    address->setDimmed(true);
    words->addWidget(address);
  }
  if (!item.text.isEmpty()) words->addWidget(makeNote(item.text, m_body));
  auto* entry = new QHBoxLayout;
  entry->setSpacing(8);
  entry->addWidget(icon, 0, Qt::AlignTop);
  entry->addLayout(words, 1);
  list->addLayout(entry);
}

void HealthPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (m_body && event->type() == QEvent::PaletteChange) build();
}

namespace {

constexpr auto kMissingFilesChannel = "overview.missingFiles";
constexpr auto kMissingSymbolsChannel = "overview.missingSymbols";
constexpr auto kMemoryChannel = "overview.memory";
constexpr auto kTopTypesChannel = "overview.topTypes";
constexpr std::size_t kMostTypes = 12;
constexpr std::size_t kMostHealthItems = 6;
constexpr int kFewestModuleRows = 12;
// Heights of the types' picture in lines of text.
constexpr int kLowestMap = 18;
constexpr int kHighestMap = 48;
// The list of what to fix first leaves room for the heap's figures below it.
constexpr int kLinesBesideActions = 36;
constexpr int kFewestActions = 3;
// Widths in characters from which two and three columns fit.
constexpr int kTwoColumns = 120;
constexpr int kThreeColumns = 220;

std::vector<TopType> topTypes(const engine::Snapshot& snapshot, const std::stop_token& stop) {
  const engine::TypeQuery query{.text = {},
                                .isRegularExpression = false,
                                .nameSpace = {},
                                .includeFree = false,
                                .sortBy = engine::TypeColumn::Bytes,
                                .descending = true};
  const engine::TypeCounts& counts = snapshot.typeCounts();
  const auto selection = engine::selectTypes(snapshot, counts, query, stop);
  std::vector<TopType> top;
  if (!selection) return top;
  for (const engine::TypeId type : selection->types) {
    if (top.size() == kMostTypes) break;
    const std::string& name = snapshot.types()[type.value].name;
    top.push_back({.name = fromEngine(name),
                   .shortName = shortTypeName(name),
                   .prefixLength = namespaceLength(name),
                   .methodTable = snapshot.types()[type.value].methodTable,
                   .objects = counts.count[type.value],
                   .bytes = counts.bytes[type.value],
                   .garbageBytes = engine::garbageBytesOf(snapshot, counts, type),
                   .generationBytes = snapshot.isRecorded() ? decltype(TopType::generationBytes)()
                                                            : counts.generationBytes[type.value]});
  }
  return top;
}

}  // namespace

OverviewPlace::OverviewPlace(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : Place(bridge, navigator, parent), m_state(new StatePanel(this)) {
  auto* scroll = new QScrollArea(this);
  scroll->setWidget(buildPage());
  scroll->setWidgetResizable(true);
  m_pages = new QStackedLayout(this);
  m_pages->addWidget(m_state);
  m_pages->addWidget(scroll);
  connect(m_donut, &AgeDonut::generationPicked, this, [this](engine::Generation generation) {
    engine::HeapScope scope;
    scope.generation = generation;
    m_navigator.showTypesIn(scope);
  });
  connect(m_topTypes, &TopTypesChart::typePicked, this, [this](engine::Address methodTable) {
    m_navigator.go(
        {.place = PlaceId::Types, .selection = {.object = {}, .methodTable = methodTable, .segment = {}}, .scope = {}});
  });
  arrange(1);
  clear();
}

QWidget* OverviewPlace::buildPage() {
  m_page = new QWidget(this);
  m_banner = new Banner(m_page);
  m_death = new DeathNotice(m_bridge, m_navigator, m_page);
  m_donut = new AgeDonut(m_page);
  m_topTypes = new TopTypesChart(m_page);
  m_lateDonut = makeLate(m_donut);
  m_lateTypes = makeLate(m_topTypes);
  m_alerts = new AlertStrip(m_bridge, m_navigator, m_page);
  m_head = new HeapHead(m_bridge, m_navigator, m_page);
  m_owners = new OwnersList(m_bridge, m_navigator, m_page);
  m_fixFirst = new FixFirst(InsightsSource::of(m_bridge), m_navigator, m_page);
  m_activities = new ActivityList(m_bridge, m_navigator, m_page);
  m_activitiesSection = new Section(u"What it was doing"_s, m_activities, m_page);
  m_typesMap = new TypesMap(m_bridge, m_navigator, m_page);
  m_mapSection = new Section(u"Types by namespace"_s, m_typesMap, m_page);
  m_donutSection = new Section(u"By generation"_s, m_lateDonut.stack, m_page);
  m_typesSection = new Section(u"Largest types"_s, m_lateTypes.stack, m_page);

  m_facts = new FactList(m_page);
  m_factsSection = new Section(u"Runtime and dump"_s, m_facts, m_page);
  m_healthSection = new Section(u"What is missing"_s, buildHealth(), m_page);
  m_modulesSection = buildModules();

  m_grid = new QGridLayout;
  m_grid->setHorizontalSpacing(32);
  m_grid->setVerticalSpacing(32);
  auto* layout = new QVBoxLayout(m_page);
  layout->setContentsMargins(24, 24, 24, 24);
  layout->setSpacing(24);
  layout->addWidget(m_death);
  layout->addWidget(m_banner);
  layout->addWidget(m_alerts);
  layout->addWidget(m_head);
  layout->addLayout(buildLeaders());
  layout->addWidget(buildTiles());
  layout->addLayout(m_grid);
  layout->addStretch(1);
  return m_page;
}

QBoxLayout* OverviewPlace::buildLeaders() {
  m_leaders = new QBoxLayout(QBoxLayout::LeftToRight);
  m_leaders->setSpacing(32);
  m_leaders->addWidget(new Section(u"Largest owners of what is live"_s, m_owners, m_page), 2);
  m_leaders->addWidget(m_fixFirst, 3);
  return m_leaders;
}

QWidget* OverviewPlace::buildHealth() {
  auto* parts = new QWidget(m_page);
  m_missingFiles = new MissingFiles(parts);
  m_health = new HealthPanel(parts);
  auto* column = new QVBoxLayout(parts);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(12);
  column->addWidget(m_missingFiles);
  column->addWidget(m_health);
  connect(m_missingFiles, &MissingFiles::folderPicked, this, &OverviewPlace::searchPlacePicked);
  connect(m_missingFiles, &MissingFiles::forgetWanted, this, &OverviewPlace::forgetSearchPlacesWanted);
  return parts;
}

void OverviewPlace::setSearchPlaces(const QStringList& places) {
  m_missingFiles->setSearchPlaces(places);
}

QWidget* OverviewPlace::buildTiles() {
  auto* row = new QWidget(m_page);
  auto* layout = new TileLayout;
  const std::array<QString, 4> labels{u"Objects"_s, u"Bytes in objects"_s, u"Free between objects"_s, u"Types"_s};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    m_tiles[i] = new FigureTile(labels[i], row);
    layout->addWidget(m_tiles[i]);
  }
  row->setLayout(layout);
  return row;
}

QWidget* OverviewPlace::buildModules() {
  m_modules = new ModulesTable(m_bridge, m_page);
  connect(m_modules, &ModulesTable::shown, this, &OverviewPlace::fitParts);
  return new Section(u"Modules"_s, m_modules, m_page);
}

OverviewPlace::Late OverviewPlace::makeLate(QWidget* picture) {
  Late late{.stack = new QStackedWidget(m_page), .state = new StatePanel(m_page), .picture = picture};
  late.stack->addWidget(late.state);
  late.stack->addWidget(picture);
  return late;
}

// One column in a narrow window; two; and with room to spare the facts beside the pictures.
void OverviewPlace::arrange(int columns) {
  if (columns == m_columns) return;
  m_columns = columns;
  struct Cell {
    QWidget* part;
    int row, column, span;
  };
  using Cells = std::array<Cell, 7>;
  const Cells one{{{m_activitiesSection, 0, 0, 1},
                   {m_donutSection, 1, 0, 1},
                   {m_typesSection, 2, 0, 1},
                   {m_mapSection, 3, 0, 1},
                   {m_factsSection, 4, 0, 1},
                   {m_healthSection, 5, 0, 1},
                   {m_modulesSection, 6, 0, 1}}};
  const Cells two{{{m_activitiesSection, 0, 0, 2},
                   {m_donutSection, 1, 0, 1},
                   {m_typesSection, 1, 1, 1},
                   {m_mapSection, 2, 0, 2},
                   {m_factsSection, 3, 0, 1},
                   {m_healthSection, 3, 1, 1},
                   {m_modulesSection, 4, 0, 2}}};
  const Cells three{{{m_donutSection, 0, 0, 1},
                     {m_typesSection, 0, 1, 1},
                     {m_activitiesSection, 0, 2, 1},
                     {m_mapSection, 1, 0, 2},
                     {m_factsSection, 1, 2, 1},
                     {m_modulesSection, 2, 0, 2},
                     {m_healthSection, 2, 2, 1}}};
  const Cells& cells = columns == 1 ? one : columns == 2 ? two : three;
  for (const Cell& cell : cells) m_grid->removeWidget(cell.part);
  for (const Cell& cell : cells) m_grid->addWidget(cell.part, cell.row, cell.column, 1, cell.span, Qt::AlignTop);
  m_leaders->setDirection(columns == 1 ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  for (int column = 0; column < 3; ++column)
    m_grid->setColumnStretch(column, column >= columns ? 0 : column == 1 ? 4 : 3);
}

// A tall window has a higher picture and shows more of the modules; a low one scrolls them.
void OverviewPlace::fitParts() {
  m_typesMap->setFixedHeight(
      qBound(fontMetrics().height() * kLowestMap, height() / 2, fontMetrics().height() * kHighestMap));
  const int spare = height() - fontMetrics().height() * kLinesBesideActions;
  m_fixFirst->setMostActions(qBound(kFewestActions, spare / (2 * fontMetrics().height()), FixFirst::kMostActions));
  const int rowHeight = tableRowHeight(*m_modules);
  const int fitting = qMax(kFewestModuleRows, height() * 3 / 5 / rowHeight);
  const int rows = qMin(fitting, m_modules->rows().rowCount());
  m_modules->setFixedHeight(m_modules->horizontalHeader()->sizeHint().height() + rows * rowHeight + 4);
}

void OverviewPlace::resizeEvent(QResizeEvent* event) {
  Place::resizeEvent(event);
  const int characters = width() / fontMetrics().averageCharWidth();
  arrange(characters >= kThreeColumns ? 3 : characters >= kTwoColumns ? 2 : 1);
  fitParts();
}

void OverviewPlace::clear() {
  m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see what its heap holds."_s);
  m_pages->setCurrentIndex(0);
  m_banner->setText(QString());
  m_death->clear();
  for (FigureTile* tile : m_tiles) tile->clear();
  m_bridge.stopAsking(this, kMemoryChannel);
  m_memoryFact.reset();
  m_isMemoryAsked = false;
  m_facts->setFacts({});
  m_missingFiles->clear();
  m_health->setReport({});
  m_modules->clear();
  m_topTypes->setTypes({});
  m_alerts->clear();
  m_head->clear();
  m_owners->clear();
  m_typesMap->clear();
  m_activities->clear();
  for (const Late& late : {m_lateDonut, m_lateTypes}) {
    late.state->showLoading(u"Walking the objects"_s);
    late.stack->setCurrentWidget(late.state);
  }
}

void OverviewPlace::showSnapshot(const engine::Snapshot& snapshot) {
  m_pages->setCurrentIndex(1);
  m_banner->setText(bannerText(snapshot));
  if (snapshot.isRecorded()) return showRecorded(snapshot);
  m_death->showSnapshot(snapshot);
  showFacts(snapshot);
  m_health->setReport(healthReport(snapshot, kMostHealthItems));
  showHealth();
  m_alerts->showSnapshot(snapshot);
  m_head->showSnapshot(snapshot);
  m_owners->showSnapshot(snapshot);
  m_typesMap->showSnapshot(snapshot);
  m_activities->showSnapshot(snapshot);
  if (snapshot.stage() == engine::Stage::Segments) {
    askMissingFiles();
    m_modules->load();
    if (lacksHeap(snapshot)) showNoHeap(snapshot);
  }
  if (snapshot.stage() == engine::Stage::Objects) {
    showFigures(snapshot);
    askTopTypes();
    askMissingSymbols();
  }
  if (!snapshot.has(engine::Stage::Retained)) return;
  m_donut->setShares(ageShares(snapshot.generations(), snapshot.generationReach()));
  askTopTypes();
  askMemory();
}

// What is told by memory, threads and modules stays empty.
void OverviewPlace::showRecorded(const engine::Snapshot& snapshot) {
  showFacts(snapshot);
  m_health->setReport(healthReport(snapshot, kMostHealthItems));
  m_health->show();
  m_alerts->showSnapshot(snapshot);
  m_head->showSnapshot(snapshot);
  m_owners->showSnapshot(snapshot);
  m_typesMap->showSnapshot(snapshot);
  m_activities->showSnapshot(snapshot);
  if (snapshot.has(engine::Stage::Retained)) askTopTypes();
  if (snapshot.stage() != engine::Stage::Objects) return;
  showFigures(snapshot);
  m_lateDonut.stack->setCurrentWidget(m_lateDonut.state);
  m_lateDonut.state->showEmpty(u"Not in a .gcdump file"_s, u"It does not tell how old objects are."_s);
  askTopTypes();
}

void OverviewPlace::showNoHeap(const engine::Snapshot& snapshot) {
  for (const Late& late : {m_lateDonut, m_lateTypes}) showLackingHeap(*late.state, snapshot);
}

void OverviewPlace::showFacts(const engine::Snapshot& snapshot) {
  std::vector<Fact> facts = dumpFacts(snapshot);
  if (m_memoryFact) facts.push_back(*m_memoryFact);
  m_facts->setFacts(facts);
}

void OverviewPlace::askMemory() {
  if (m_isMemoryAsked) return;
  m_isMemoryAsked = true;
  using Answer = engine::Outcome<engine::ProcessMemory>;
  m_bridge.ask(
      this, kMemoryChannel,
      [](const engine::Snapshot& snapshot, std::stop_token stop) -> Answer {
        return engine::processMemoryOf(snapshot, std::move(stop));
      },
      [this](const Answer& memory) {
        const auto& snapshot = m_bridge.snapshot();
        if (!memory || !snapshot) return;
        m_memoryFact = memoryFact(*memory);
        showFacts(*snapshot);
      });
}

void OverviewPlace::showFigures(const engine::Snapshot& snapshot) {
  const HeapFigures live = heapFigures(snapshot.totals());
  const std::size_t segments = snapshot.segments().size();
  std::size_t types = 0;
  for (const engine::TypeRow& type : snapshot.types()) types += type.isFree ? 0 : 1;
  const bool isRecorded = snapshot.isRecorded();
  m_tiles[0]->setFigure(countText(live.objects),
                        isRecorded ? QString() : u"in %1"_s.arg(countedText(segments, u"segment"_s)));
  m_tiles[1]->setFigure(bytesText(live.bytes),
                        live.objects == 0 ? QString() : u"%1 on average"_s.arg(bytesText(live.bytes / live.objects)),
                        exactBytesText(live.bytes));
  if (isRecorded) {
    m_tiles[2]->setFigure(u"?"_s, u"not in a .gcdump file"_s);
    m_tiles[3]->setFigure(countText(types), {});
    return;
  }
  m_tiles[2]->setFigure(bytesText(live.freeBytes),
                        u"%1 of the heap, %2"_s.arg(percentText(live.freeBytes, live.bytes + live.freeBytes),
                                                    countedText(live.freeObjects, u"free object"_s)),
                        exactBytesText(live.freeBytes));
  // A program compiled ahead of time has none.
  const std::size_t modules = snapshot.modules().size();
  m_tiles[3]->setFigure(countText(types), modules ? u"from %1"_s.arg(countedText(modules, u"module"_s)) : QString());
  m_donut->setShares(ageShares(snapshot.generations(), snapshot.generationReach()));
  if (live.objects == 0) {
    for (const Late& late : {m_lateDonut, m_lateTypes}) {
      late.state->showEmpty(u"No objects"_s, u"The heap of this dump holds no object that could be read."_s);
    }
  } else {
    m_lateDonut.stack->setCurrentWidget(m_donut);
  }
}

void OverviewPlace::askMissingFiles() {
  m_bridge.ask(
      this, kMissingFilesChannel,
      [](const engine::Snapshot& snapshot, const std::stop_token&) {
        return std::pair(engine::missingMetadata(snapshot), engine::missingDebugFile(snapshot));
      },
      [this](std::pair<std::vector<engine::MissingMetadata>, std::optional<engine::MissingDebugFile>> missing) {
        const auto& snapshot = m_bridge.snapshot();
        if (!snapshot) return;
        const auto fromFiles =
            std::ranges::count(snapshot->modules(), engine::MetadataSource::File, &engine::ModuleRow::metadata);
        m_missingFiles->setModules(std::move(missing.first), static_cast<std::size_t>(fromFiles));
        m_missingFiles->setDebugFile(std::move(missing.second));
        showHealth();
      });
}

// That nothing is missing is not said below what is.
void OverviewPlace::showHealth() {
  m_health->setVisible(m_health->hasItems() || !m_missingFiles->isAnythingMissing());
}

void OverviewPlace::askMissingSymbols() {
  m_bridge.ask(
      this, kMissingSymbolsChannel,
      [](const engine::Snapshot& snapshot, const std::stop_token& stop) { return missingSymbols(snapshot, stop); },
      [this](engine::Outcome<engine::MissingSymbols> missing) {
        // Why stacks cannot be read is told where they are shown.
        if (missing) m_missingFiles->setSymbols(std::move(*missing));
        showHealth();
      });
}

void OverviewPlace::askTopTypes() {
  m_bridge.ask(
      this, kTopTypesChannel,
      [](const engine::Snapshot& snapshot, const std::stop_token& stop) { return topTypes(snapshot, stop); },
      [this](std::vector<TopType> types) {
        if (types.empty()) return;
        m_topTypes->setTypes(std::move(types));
        m_lateTypes.stack->setCurrentWidget(m_topTypes);
      });
}

}  // namespace heapscape::gui

#include "overview_place.moc"
