// SPDX-License-Identifier: MIT
#include "views/generations/gc_rows.h"

#include <QObject>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "widgets/text/figures.h"
#include "widgets/text/heap_figures.h"

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
  const QString found = u"the GC's data, found by its shape"_s;
  const auto add = [&](const QString& name, const QString& value, const QString& source, const QString& detail = {}) {
    rows.push_back({.name = name, .value = value, .source = source, .detail = detail, .kind = OfGc});
  };
  add(u"Kind"_s, report.isServer ? u"server"_s : u"workstation"_s, variables);
  add(u"Library"_s, report.library.empty() ? u"libcoreclr.so"_s : fromEngine(report.library), variables);
  add(u"Memory in"_s, report.hasRegions ? u"regions"_s : u"segments"_s, variables);
  add(u"Heaps"_s, fromEngine(engine::describe(report.heaps)), variables);
  if (const auto& plan = report.figures.plan) {
    add(u"Latency mode"_s, fromEngine(engine::pauseMode(plan->pauseMode)), found);
    add(u"Why the last collection began"_s, fromEngine(engine::collectionReason(plan->reason)), found);
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

}  // namespace heapscape::gui
