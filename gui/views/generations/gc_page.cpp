// SPDX-License-Identifier: MIT
#include "views/generations/gc_page.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStackedLayout>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "models/lacking_heap.h"
#include "models/rows/rows_panel.h"
#include "widgets/arranging/layouts.h"
#include "widgets/figure_tile.h"
#include "widgets/section.h"
#include "widgets/state_panel.h"
#include "widgets/text/figures.h"

namespace heapscape::gui {
namespace {

struct SettingRow {
  QString name;
  QString value;
  QString source;
  QString detail = {};
  bool isOverruled = false;
  std::size_t kind = 0;
};

enum SettingKind : std::size_t { OfGc, Asked, Counted };

template <class Row>
RowColumn<Row> generationColumn(std::function<engine::Generation(const Row&)> of) {
  return {.setup = {.field = "generation", .letters = 13},
          .words = [of](const Row& row) { return generationText(of(row)); }};
}

template <class Row>
RowColumn<Row> exactBytesColumn(const char* field, ColumnBar bar, std::uint64_t Row::*member) {
  return {.setup = {.field = field, .bar = bar},
          .detail = [member](const Row& row) { return exactBytesText(row.*member); }};
}

template <class Row>
void addFields(RowSchema<Row>& schema, std::initializer_list<const char*> fields) {
  for (const char* field : fields) schema.columns.push_back({.setup = {.field = field}});
}

QString survivalText(float survival) {
  return std::isfinite(survival) ? u"%1%"_s.arg(100.0 * static_cast<double>(survival), 0, 'f', 1) : QString();
}

RowSchema<SettingRow> settingSchema() {
  RowSchema<SettingRow> schema;
  schema.columns = {
      {.setup = {.title = u"Setting"_s, .letters = 38, .isSearched = true, .holdsContents = false},
       .words = [](const SettingRow& row) { return row.name; },
       .detail = [](const SettingRow& row) { return row.detail; }},
      {.setup = {.title = u"Value"_s, .letters = 24, .isSearched = true, .holdsContents = true},
       .words = [](const SettingRow& row) { return row.value; },
       .detail = [](const SettingRow& row) { return row.detail; }},
      {.setup = {.title = u"From"_s, .letters = 34, .stretches = true, .isSearched = true, .holdsContents = false},
       .words =
           [](const SettingRow& row) {
             return row.isOverruled ? u"%1 ⊘ overruled by the environment"_s.arg(row.source) : row.source;
           },
       .isWarning = [](const SettingRow& row) { return row.isOverruled; }},
  };
  schema.kinds = {
      {.name = u"The GC's"_s, .tip = u"How the GC itself was set up"_s},
      {.name = u"Asked for"_s, .tip = u"By environment variables and runtimeconfig.json"_s},
      {.name = u"Counted"_s, .tip = u"Why and how blocking collections did what, free regions"_s},
  };
  schema.kindOf = [](const SettingRow& row) { return row.kind; };
  return schema;
}

void addOwnSettings(const engine::GcReport& report, std::vector<SettingRow>& rows) {
  const QString variables = u"the GC's variables"_s;
  const QString found = u"read from GC structures (no symbols)"_s;
  const auto add = [&](const QString& name, const QString& value, const QString& source, const QString& detail = {}) {
    rows.push_back({.name = name, .value = value, .source = source, .detail = detail, .kind = OfGc});
  };
  add(u"Kind"_s, report.isServer ? u"server"_s : u"workstation"_s, variables);
  add(u"Library"_s, report.library.empty() ? u"libcoreclr.so"_s : fromEngine(report.library), variables);
  add(u"Heap layout"_s, report.hasRegions ? u"regions"_s : u"segments"_s, variables);
  add(u"Heaps"_s, fromEngine(engine::describe(report.heaps)), variables);
  if (const auto& plan = report.figures.plan) {
    add(u"Latency mode"_s, fromEngine(engine::pauseMode(plan->pauseMode)), found);
    add(u"Last GC"_s, fromEngine(engine::collectionReason(plan->reason)), found);
  }
  if (const auto& limits = report.figures.limits) {
    add(limits->isRestricted ? u"Memory that a container allows"_s : u"Memory of the machine"_s,
        bytesText(limits->totalPhysicalBytes), found, exactBytesText(limits->totalPhysicalBytes));
    add(u"Hard limit of the heap"_s, limits->hardLimitBytes ? bytesText(limits->hardLimitBytes) : u"none"_s, found,
        limits->hardLimitBytes ? exactBytesText(limits->hardLimitBytes) : QString());
    add(u"High memory load"_s, u"from %1%"_s.arg(limits->highLoadPercent), found);
  } else {
    add(u"Memory limits"_s, u"not known"_s, found,
        u"They were not found in the GC's data, or in more than one place."_s);
  }
}

void addAsked(const engine::GcReport& report, std::vector<SettingRow>& rows) {
  for (const engine::GcSetting& setting : report.settings.settings) {
    const bool isEnvironment = setting.source == engine::GcSettingSource::Environment;
    rows.push_back({.name = fromEngine(setting.name),
                    .value = fromEngine(setting.value),
                    .source = u"%1, %2"_s.arg(isEnvironment ? u"environment"_s : u"runtimeconfig or AppContext"_s,
                                              fromEngine(setting.key)),
                    .detail = setting.number ? u"%1 in decimal"_s.arg(*setting.number) : QString(),
                    .isOverruled = setting.isOverruled,
                    .kind = Asked});
  }
  const auto addMissing = [&](const QString& name, const std::string& why) {
    if (!why.empty()) rows.push_back({.name = name, .value = u"not known"_s, .source = fromEngine(why), .kind = Asked});
  };
  addMissing(u"Environment"_s, report.settings.environmentMissing);
  addMissing(u"Configuration"_s, report.settings.configurationMissing);
}

void addCounted(const engine::GcReport& report, std::vector<SettingRow>& rows) {
  const QString variables = u"the GC's variables"_s;
  const bool hasHeaps = report.heaps.active > 1;
  for (const engine::GcMechanismCount& count : report.history.mechanisms) {
    QString name = u"%1: %2"_s.arg(fromEngine(count.kind), fromEngine(count.name));
    if (hasHeaps && count.kind != "collections") name += u", heap %1"_s.arg(count.heap);
    rows.push_back({.name = name,
                    .value = count.count == 1 ? u"once"_s : u"%1 times"_s.arg(countText(count.count)),
                    .source = variables,
                    .kind = Counted});
  }
  for (const engine::FreeRegions& list : report.history.freeRegions) {
    rows.push_back({.name = list.isForRelease
                                ? u"%1 regions to be released, %2"_s.arg(fromEngine(list.kind), fromEngine(list.list))
                                : u"%1 regions free for use, %2"_s.arg(fromEngine(list.kind), fromEngine(list.list)),
                    .value = u"%1, %2 committed"_s.arg(countText(list.regions), bytesText(list.committedBytes)),
                    .source = variables,
                    .detail = exactBytesText(list.bytes),
                    .kind = Counted});
  }
}

constexpr auto kChannel = "gc";
constexpr std::size_t kShownFailures = 3;  // of heaps that ran out of memory

}  // namespace

RowSchema<engine::GenerationFigures> gcGenerationSchema() {
  using Row = engine::GenerationFigures;
  RowSchema<Row> schema{.table = &engine::generationFiguresTable()};
  schema.columns.push_back(generationColumn<Row>([](const Row& row) { return row.gaps.generation; }));
  schema.columns.back().setup.stretches = true;  // figures stay side by side
  schema.columns.push_back({.setup = {.field = "heap", .letters = 6}});
  addFields(schema, {"bytes"});
  schema.columns.push_back(
      {.setup = {.field = "fragmentation", .bar = ColumnBar::Padding}, .detail = [](const Row& row) {
         return u"%1, %2 of the generation"_s.arg(exactBytesText(row.gaps.freeBytes),
                                                  percentText(row.gaps.freeBytes, row.gaps.bytes));
       }});
  schema.columns.push_back({.setup = {.field = "share", .letters = 8}, .words = [](const Row& row) {
                              return row.gaps.bytes ? percentText(row.gaps.freeBytes, row.gaps.bytes) : QString();
                            }});
  addFields(schema, {"gaps", "largestGap", "budget", "budgetLeft"});
  schema.columns.push_back({.setup = {.field = "survival", .letters = 10}, .words = [](const Row& row) {
                              return row.budget ? survivalText(row.budget->survival) : u"–"_s;
                            }});
  return schema;
}

RowSchema<engine::GapRow> gcGapSchema() {
  using Row = engine::GapRow;
  RowSchema<Row> schema{.table = &engine::gapsTable()};
  schema.columns.push_back(generationColumn<Row>([](const Row& row) { return row.generation; }));
  schema.columns.push_back({.setup = {.field = "heap", .letters = 6}});
  schema.columns.push_back({.setup = {.field = "type", .stretches = true},
                            .type = [](const Row& row) { return row.neighbour.methodTable; }});
  addFields(schema, {"gaps"});
  schema.columns.push_back({.setup = {.field = "gapBytes", .bar = ColumnBar::Padding},
                            .detail = [](const Row& row) { return exactBytesText(row.neighbour.gapBytes); }});
  addFields(schema, {"objectBytes", "pinned"});
  schema.columns.push_back({.setup = {.field = "example"},
                            .object = [](const Row& row) { return row.neighbour.example; },
                            .type = [](const Row& row) { return row.neighbour.methodTable; }});
  return schema;
}

RowSchema<engine::PinGroup> gcPinSchema() {
  using Row = engine::PinGroup;
  RowSchema<Row> schema{.table = &engine::pinsTable()};
  schema.columns.push_back({.setup = {.field = "by", .letters = 19}});
  schema.columns.push_back({.setup = {.field = "holder", .letters = 32}, .words = [](const Row& row) {
                              return row.holder.empty() ? u"not known"_s : fromEngine(row.holder);
                            }});
  schema.columns.push_back({.setup = {.field = "type", .stretches = true}});
  addFields(schema, {"objects"});
  schema.columns.push_back(exactBytesColumn("bytes", ColumnBar::Plain, &Row::bytes));
  schema.columns.push_back({.setup = {.field = "example"}, .object = &Row::example});
  return schema;
}

RowSchema<engine::RecordedCollection> gcCollectionSchema() {
  using Row = engine::RecordedCollection;
  RowSchema<Row> schema{.table = &engine::recordedCollectionsTable()};
  addFields(schema, {"index"});
  schema.columns.push_back({.setup = {.field = "generation", .isInWords = true, .letters = 8},
                            .words = [](const Row& row) { return u"gen%1"_s.arg(row.generation); }});
  schema.columns.push_back({.setup = {.field = "how", .letters = 22, .stretches = true}, .words = [](const Row& row) {
                              switch (engine::mannerOf(row)) {
                                case engine::CollectionManner::Background:
                                  break;
                                case engine::CollectionManner::Compacting:
                                  return u"blocking, compacting"_s;
                                case engine::CollectionManner::Sweeping:
                                  return u"blocking, sweeping"_s;
                              }
                              return u"background"_s;
                            }});
  addFields(schema, {"heapBytes", "fragmentedBytes", "promotedBytes", "committedBytes", "pinnedObjects"});
  schema.columns.push_back(
      {.setup = {.field = "pause", .isInWords = true, .title = u"Pause"_s, .letters = 14}, .words = [](const Row& row) {
         return u"%1 ms"_s.arg(static_cast<double>(engine::pauseOf(row)) / 1000, 0, 'f', 3);
       }});
  return schema;
}

RowSchema<engine::FinalizerBacklog::Type> gcFinalizerSchema() {
  using Row = engine::FinalizerBacklog::Type;
  RowSchema<Row> schema{.table = &engine::finalizerBacklogTable()};
  schema.columns.push_back({.setup = {.field = "type", .stretches = true}});
  addFields(schema, {"objects"});
  schema.columns.push_back(exactBytesColumn("bytes", ColumnBar::Plain, &Row::bytes));
  return schema;
}

std::shared_ptr<const RowList> gcSettingRows(const SharedGcReport& report) {
  std::vector<SettingRow> rows;
  if (report) {
    addOwnSettings(*report, rows);
    addAsked(*report, rows);
    addCounted(*report, rows);
  }
  return makeRowList(std::move(rows), settingSchema());
}

std::shared_ptr<const RowList> gcGenerationRows(const SharedGcReport& report) {
  return makeRowList(report ? engine::listGenerationFigures(*report) : std::vector<engine::GenerationFigures>(),
                     gcGenerationSchema());
}

std::shared_ptr<const RowList> gcGapRows(const SharedGcReport& report) {
  std::vector<engine::GapRow> rows = report ? engine::listGaps(*report) : std::vector<engine::GapRow>();
  std::ranges::stable_sort(rows, std::ranges::greater{},
                           [](const engine::GapRow& row) { return row.neighbour.gapBytes; });
  return makeRowList(std::move(rows), gcGapSchema());
}

std::shared_ptr<const RowList> gcPinRows(const SharedGcReport& report) {
  return makeRowList(report ? report->pins : std::vector<engine::PinGroup>(), gcPinSchema());
}

std::shared_ptr<const RowList> gcCollectionRows(const SharedGcReport& report) {
  return makeRowList(report ? report->figures.recorded : std::vector<engine::RecordedCollection>(),
                     gcCollectionSchema());
}

std::shared_ptr<const RowList> gcFinalizerRows(const SharedGcReport& report) {
  return makeRowList(report ? report->finalizers.types : std::vector<engine::FinalizerBacklog::Type>(),
                     gcFinalizerSchema());
}

GcPage::GcPage(EngineBridge& bridge, Navigator& navigator, QWidget* parent)
    : QWidget(parent),
      m_bridge(bridge),
      m_navigator(navigator),
      m_phase(new Banner(this)),
      m_collections(new FigureTile(u"Collections"_s, this)),
      m_last(new FigureTile(u"Last collection"_s, this)),
      m_free(new FigureTile(u"Fragmentation"_s, this)),
      m_pinned(new FigureTile(u"Pinned objects"_s, this)),
      m_finalizers(new FigureTile(u"Pending finalizers"_s, this)),
      m_sentences(makeNote({}, this)),
      m_tabs(new QTabWidget(this)),
      m_state(new StatePanel(this)),
      m_pages(new QStackedLayout(this)) {
  m_collections->setObjectName(u"gcCollections"_s);
  m_last->setObjectName(u"gcLast"_s);
  m_free->setObjectName(u"gcFree"_s);
  m_pinned->setObjectName(u"gcPinned"_s);
  m_finalizers->setObjectName(u"gcFinalizers"_s);
  m_sentences->setObjectName(u"gcSentences"_s);
  m_tabs->setObjectName(u"gcTabs"_s);
  m_tabs->setDocumentMode(true);
  addList(u"gcSettings"_s, u"Settings"_s, u"settings"_s, u"No settings"_s, {}, gcSettingRows, false);
  addList(u"gcGenerations"_s, u"Generations"_s, u"generations"_s, u"No generations"_s, u"The heap has no segments."_s,
          gcGenerationRows, true);
  addList(u"gcGaps"_s, u"Gaps"_s, u"types"_s, u"No free objects"_s,
          u"No object stands behind a free object: the heap is as dense as can be."_s, gcGapRows, true);
  addList(u"gcPins"_s, u"Pins"_s, u"pins"_s, u"Nothing is pinned"_s, u"No handle and no stack pins an object."_s,
          gcPinRows, true);
  addList(u"gcRecords"_s, u"Records"_s, u"collections"_s, u"No records"_s,
          u"There was no collection yet, or its record was not found in the GC's data."_s, gcCollectionRows, false);
  addList(u"gcFinalizerTypes"_s, u"Finalizers"_s, u"types"_s, u"No finalizer is pending"_s,
          u"The finalizer thread has nothing to do."_s, gcFinalizerRows, true);
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_phase);
  column->addWidget(makeHead());
  column->addWidget(m_tabs, 1);
  m_pages->addWidget(m_state);
  m_pages->addWidget(page);
  clear();
}

void GcPage::showRecords() {
  const auto records = std::ranges::find(m_lists, &gcCollectionRows, &List::rowsOf);
  if (records != m_lists.end()) m_tabs->setCurrentWidget(records->panel);
}

QWidget* GcPage::makeHead() {
  auto* head = new QWidget(this);
  auto* tiles = new TileLayout;
  for (FigureTile* tile : {m_collections, m_last, m_free, m_pinned, m_finalizers}) tiles->addWidget(tile);
  auto* column = new QVBoxLayout(head);
  column->setContentsMargins(16, 12, 16, 6);
  column->setSpacing(6);
  column->addLayout(tiles);
  m_sentences->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(m_sentences);
  return head;
}

void GcPage::addList(const QString& name, const QString& title, const QString& noun, const QString& emptyHeading,
                     const QString& emptyText, std::shared_ptr<const RowList> (*rowsOf)(const SharedGcReport&),
                     bool isOfHeap) {
  RowsPanelSetup setup;
  setup.name = name;
  setup.title = title;
  setup.noun = noun;
  setup.filterHint = u"Filter"_s;
  setup.emptyHeading = emptyHeading;
  setup.emptyText = emptyText;
  setup.columns = rowsOf(nullptr)->columns();
  auto* panel = new RowsPanel(m_bridge, m_navigator, std::move(setup), {}, this);
  m_tabs->addTab(panel, title);
  m_lists.push_back({panel, title, rowsOf, isOfHeap});
}

void GcPage::showSnapshot(const engine::Snapshot& snapshot) {
  m_isReady = snapshot.has(engine::Stage::Objects) || lacksHeap(snapshot);
  if (!m_isReady) m_state->showLoading(u"Walking the heap…"_s);
  if (m_isReady && isVisible()) ask();
}

void GcPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (m_isReady) ask();
}

void GcPage::clear() {
  m_bridge.stopAsking(this, kChannel);
  m_isReady = m_isAsked = false;
  for (const List& list : m_lists) {
    list.panel->clear();
    m_tabs->setTabText(m_tabs->indexOf(list.panel), list.title);
  }
  m_state->showEmpty(u"No dump is open"_s, u"Open a core dump to see what its garbage collector was doing."_s);
  m_pages->setCurrentWidget(m_state);
}

void GcPage::ask() {
  if (m_isAsked) return;
  m_isAsked = true;
  m_state->showLoading(u"Looking at free objects, pins and the GC's own figures"_s);
  using Answer = engine::Outcome<SharedGcReport>;
  m_bridge.ask(
      this, kChannel,
      [](const engine::Snapshot& snapshot, std::stop_token stop) -> Answer {
        HEAPSCAPE_TRY(engine::GcReport report, engine::readGcReport(snapshot, std::move(stop)));
        return std::make_shared<const engine::GcReport>(std::move(report));
      },
      [this](Answer answer) {
        if (answer) return take(std::move(*answer));
        m_isAsked = false;
        if (answer.error().isCancelled()) return;
        m_state->showFailed(u"What the GC was doing is not known"_s, fromEngine(answer.error().error().message()));
        m_state->setAction(u"Try again"_s, [this] { ask(); });
        m_pages->setCurrentWidget(m_state);
      });
}

void GcPage::take(SharedGcReport report) {
  for (const List& list : m_lists) {
    auto rows = list.rowsOf(report);
    if (list.isOfHeap && !report->hasHeap) {
      list.panel->showLacking();
      continue;
    }
    m_tabs->setTabText(m_tabs->indexOf(list.panel), u"%1  %2"_s.arg(list.title, countText(rows->size())));
    list.panel->setRows(std::move(rows));
  }
  showFigures(*report);
  showSentences(*report);
  m_pages->setCurrentIndex(1);
}

void GcPage::showFigures(const engine::GcReport& report) {
  const std::vector<std::uint64_t> counts = report.collectionCounts();
  if (counts.empty()) {
    m_collections->setFigure(u"—"_s, u"not known"_s,
                             u"The GC's counters were not found in its data, or in more than one place."_s);
  } else {
    // Each count has those of older generations in it.
    m_collections->setFigure(countText(counts[0]),
                             u"%1 of gen1, %2 of gen2"_s.arg(countText(counts[1]), countText(counts[2])),
                             u"As GC.CollectionCount has it: collections of gen1 took gen0 as well, those of gen2 "
                             "all."_s);
  }
  if (const auto& plan = report.figures.plan) {
    m_last->setFigure(u"gen%1"_s.arg(plan->generation), u"number %1"_s.arg(plan->index),
                      fromEngine(engine::collectionReason(plan->reason)));
  } else if (!report.figures.recorded.empty()) {
    const engine::RecordedCollection& last = report.figures.recorded.front();
    m_last->setFigure(u"gen%1"_s.arg(last.generation), u"number %1"_s.arg(last.index));
  } else {
    m_last->setFigure(u"—"_s, u"not known"_s);
  }
  if (!report.hasHeap) {
    for (FigureTile* tile : {m_free, m_pinned, m_finalizers}) tile->setFigure(u"—"_s, u"no heap in this dump"_s);
    return;
  }
  std::uint64_t bytes = 0, freeBytes = 0, gaps = 0;
  for (const engine::GenerationGaps& generation : report.gaps) {
    bytes += generation.bytes;
    freeBytes += generation.freeBytes;
    gaps += generation.gaps;
  }
  m_free->setFigure(percentText(freeBytes, bytes),
                    u"%1 in %2 free objects"_s.arg(bytesText(freeBytes), countText(gaps)),
                    u"%1 of %2"_s.arg(exactBytesText(freeBytes), exactBytesText(bytes)));
  std::uint64_t pinned = 0;
  for (const engine::PinGroup& group : report.pins) pinned += group.bytes;
  m_pinned->setFigure(countText(report.pinnedObjects), bytesText(pinned), exactBytesText(pinned));
  m_finalizers->setFigure(countText(report.finalizers.ready),
                          u"%1 registered"_s.arg(countText(report.finalizers.registered)),
                          exactBytesText(report.finalizers.readyBytes));
}

void GcPage::showSentences(const engine::GcReport& report) {
  QStringList phase;
  if (report.phase != engine::CollectionPhase::None) phase << fromEngine(report.phaseText);
  if (!report.trustText.empty()) phase << fromEngine(report.trustText);
  for (const engine::GenerationCoverage& coverage : report.coverageByGeneration) {
    if (coverage.unreadBytes == 0) continue;
    phase << u"%1 of %2 could be read."_s.arg(
        percentText(coverage.bytes - std::min(coverage.unreadBytes, coverage.bytes), coverage.bytes),
        generationText(coverage.generation));
  }
  m_phase->setText(phase.join(QLatin1Char(' ')));
  QStringList lines;
  const auto& failures = report.history.outOfMemory;
  for (std::size_t i = 0; i < std::min(failures.size(), kShownFailures); ++i)
    lines << u"⚠ "_s + fromEngine(engine::describe(failures[i]));
  if (failures.size() > kShownFailures)
    lines << u"%1 more heaps ran out of memory."_s.arg(countText(failures.size() - kShownFailures));
  if (failures.empty()) lines << u"No failed allocation is recorded."_s;
  if (const auto& plan = report.figures.plan)
    lines << u"Last GC: %1."_s.arg(fromEngine(engine::collectionReason(plan->reason)));
  m_sentences->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace heapscape::gui
