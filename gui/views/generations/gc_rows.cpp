// SPDX-License-Identifier: MIT
#include "views/generations/gc_rows.h"

#include <QObject>
#include <algorithm>
#include <cmath>
#include <optional>
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

struct GapRow {
  engine::Generation generation;
  std::uint32_t heap = 0;
  engine::GapNeighbour neighbour;
};

struct GenerationFigures {
  engine::GenerationGaps gaps;
  std::optional<engine::GenerationBudget> budget;
};

template <class Row>
RowColumn<Row> generationColumn(std::function<engine::Generation(const Row&)> of) {
  return {.setup = {.title = QObject::tr("Generation"), .letters = 13, .isSearched = true, .holdsContents = false},
          .words = [of](const Row& row) { return generationText(of(row)); }};
}

template <class Row>
RowColumn<Row> figureColumn(const QString& title, const QString& tip, ColumnLook look,
                            std::function<std::uint64_t(const Row&)> of) {
  return {.setup = {.title = title, .tip = tip, .look = look, .hidesZero = true}, .number = std::move(of)};
}

QString survivalText(float survival) {
  return std::isfinite(survival) ? QObject::tr("%1%").arg(100.0 * static_cast<double>(survival), 0, 'f', 1) : QString();
}

RowSchema<SettingRow> settingSchema() {
  RowSchema<SettingRow> schema;
  schema.columns = {
      {.setup = {.title = QObject::tr("Setting"), .letters = 46, .isSearched = true, .holdsContents = false},
       .words = [](const SettingRow& row) { return row.name; },
       .detail = [](const SettingRow& row) { return row.detail; }},
      {.setup = {.title = QObject::tr("Value"), .letters = 30, .isSearched = true, .holdsContents = true},
       .words = [](const SettingRow& row) { return row.value; },
       .detail = [](const SettingRow& row) { return row.detail; }},
      {.setup = {.title = QObject::tr("From"), .stretches = true, .isSearched = true, .holdsContents = false},
       .words =
           [](const SettingRow& row) {
             return row.isOverruled ? QObject::tr("%1 ⊘ overruled by the environment").arg(row.source) : row.source;
           },
       .isWarning = [](const SettingRow& row) { return row.isOverruled; }},
  };
  schema.kinds = {
      {.name = QObject::tr("The GC's"), .tip = QObject::tr("How the GC itself was set up")},
      {.name = QObject::tr("Asked for"), .tip = QObject::tr("By environment variables and runtimeconfig.json")},
      {.name = QObject::tr("Counted"), .tip = QObject::tr("Why and how blocking collections did what, free regions")},
  };
  schema.kindOf = [](const SettingRow& row) { return row.kind; };
  return schema;
}

void addOwnSettings(const engine::GcReport& report, std::vector<SettingRow>& rows) {
  const QString variables = QObject::tr("the GC's variables");
  const QString found = QObject::tr("the GC's data, found by its shape");
  const auto add = [&](const QString& name, const QString& value, const QString& source, const QString& detail = {}) {
    rows.push_back({.name = name, .value = value, .source = source, .detail = detail, .kind = OfGc});
  };
  add(QObject::tr("Kind"), report.isServer ? QObject::tr("server") : QObject::tr("workstation"), variables);
  add(QObject::tr("Library"), report.library.empty() ? QStringLiteral("libcoreclr.so") : fromEngine(report.library),
      variables);
  add(QObject::tr("Memory in"), report.hasRegions ? QObject::tr("regions") : QObject::tr("segments"), variables);
  add(QObject::tr("Heaps"), fromEngine(engine::describe(report.heaps)), variables);
  if (const auto& plan = report.figures.plan) {
    add(QObject::tr("Latency mode"), fromEngine(engine::pauseMode(plan->pauseMode)), found);
    add(QObject::tr("Why the last collection began"), fromEngine(engine::collectionReason(plan->reason)), found);
  }
  if (const auto& limits = report.figures.limits) {
    add(limits->isRestricted ? QObject::tr("Memory that a container allows") : QObject::tr("Memory of the machine"),
        bytesText(limits->totalPhysicalBytes), found, exactBytesText(limits->totalPhysicalBytes));
    add(QObject::tr("Hard limit of the heap"),
        limits->hardLimitBytes ? bytesText(limits->hardLimitBytes) : QObject::tr("none"), found,
        limits->hardLimitBytes ? exactBytesText(limits->hardLimitBytes) : QString());
    add(QObject::tr("High memory load"), QObject::tr("from %1%").arg(limits->highLoadPercent), found);
  } else {
    add(QObject::tr("Memory limits"), QObject::tr("not known"), found,
        QObject::tr("They were not found in the GC's data, or in more than one place."));
  }
}

void addAsked(const engine::GcReport& report, std::vector<SettingRow>& rows) {
  for (const engine::GcSetting& setting : report.settings.settings) {
    const bool isEnvironment = setting.source == engine::GcSettingSource::Environment;
    rows.push_back({.name = fromEngine(setting.name),
                    .value = fromEngine(setting.value),
                    .source = QObject::tr("%1, %2").arg(
                        isEnvironment ? QObject::tr("environment") : QObject::tr("runtimeconfig or AppContext"),
                        fromEngine(setting.key)),
                    .detail = setting.number ? QObject::tr("%1 in decimal").arg(*setting.number) : QString(),
                    .isOverruled = setting.isOverruled,
                    .kind = Asked});
  }
  const auto addMissing = [&](const QString& name, const std::string& why) {
    if (!why.empty())
      rows.push_back({.name = name, .value = QObject::tr("not known"), .source = fromEngine(why), .kind = Asked});
  };
  addMissing(QObject::tr("Environment"), report.settings.environmentMissing);
  addMissing(QObject::tr("Configuration"), report.settings.configurationMissing);
}

void addCounted(const engine::GcReport& report, std::vector<SettingRow>& rows) {
  const QString variables = QObject::tr("the GC's variables");
  const bool hasHeaps = report.heaps.active > 1;
  for (const engine::GcMechanismCount& count : report.history.mechanisms) {
    QString name = QObject::tr("%1: %2").arg(fromEngine(count.kind), fromEngine(count.name));
    if (hasHeaps && count.kind != "collections") name += QObject::tr(", heap %1").arg(count.heap);
    rows.push_back(
        {.name = name,
         .value = count.count == 1 ? QObject::tr("once") : QObject::tr("%1 times").arg(countText(count.count)),
         .source = variables,
         .kind = Counted});
  }
  for (const engine::FreeRegions& list : report.history.freeRegions) {
    rows.push_back(
        {.name = list.isForRelease
                     ? QObject::tr("%1 regions to be released, %2").arg(fromEngine(list.kind), fromEngine(list.list))
                     : QObject::tr("%1 regions free for use, %2").arg(fromEngine(list.kind), fromEngine(list.list)),
         .value = QObject::tr("%1, %2 committed").arg(countText(list.regions), bytesText(list.committedBytes)),
         .source = variables,
         .detail = exactBytesText(list.bytes),
         .kind = Counted});
  }
}

template <class Row>
RowColumn<Row> heapColumn(std::function<std::uint64_t(const Row&)> of) {
  return {.setup = {.title = QObject::tr("Heap"), .look = ColumnLook::Id, .letters = 6}, .number = std::move(of)};
}

}  // namespace

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
  using Row = GenerationFigures;
  std::vector<Row> rows;
  if (report) {
    for (const engine::GenerationGaps& gaps : report->gaps) {
      const engine::GenerationBudget* budget = report->budgetOf(gaps.heap, gaps.generation);
      rows.push_back({gaps, budget ? std::optional(*budget) : std::nullopt});
    }
  }
  RowSchema<Row> schema;
  const auto hasBudget = [](const Row& row) { return row.budget.has_value(); };
  schema.columns = {
      generationColumn<Row>([](const Row& row) { return row.gaps.generation; }),
      heapColumn<Row>([](const Row& row) { return std::uint64_t{row.gaps.heap}; }),
      figureColumn<Row>(QObject::tr("Bytes"), QObject::tr("Objects and the gaps between them"), ColumnLook::Bytes,
                        [](const Row& row) { return row.gaps.bytes; }),
      {.setup = {.title = QObject::tr("Free"),
                 .tip = QObject::tr("Fragmentation: bytes in gaps"),
                 .look = ColumnLook::Bytes,
                 .hidesZero = true,
                 .bar = ColumnBar::Padding},
       .number = [](const Row& row) { return row.gaps.freeBytes; },
       .detail =
           [](const Row& row) {
             return QObject::tr("%1, %2 of the generation")
                 .arg(exactBytesText(row.gaps.freeBytes), percentText(row.gaps.freeBytes, row.gaps.bytes));
           }},
      {.setup = {.title = QObject::tr("Share"),
                 .tip = QObject::tr("Free bytes of all"),
                 .letters = 8,
                 .holdsContents = false},
       .words =
           [](const Row& row) { return row.gaps.bytes ? percentText(row.gaps.freeBytes, row.gaps.bytes) : QString(); }},
      figureColumn<Row>(QObject::tr("Gaps"), {}, ColumnLook::Count, [](const Row& row) { return row.gaps.gaps; }),
      figureColumn<Row>(QObject::tr("Largest gap"), {}, ColumnLook::Bytes,
                        [](const Row& row) { return row.gaps.largestGapBytes; }),
      {.setup = {.title = QObject::tr("Budget"),
                 .tip = QObject::tr("What may be allocated until it is collected; from the GC's data"),
                 .look = ColumnLook::Bytes},
       .number = [](const Row& row) { return row.budget ? row.budget->budgetBytes : 0; },
       .isKnown = hasBudget},
      {.setup = {.title = QObject::tr("Left"),
                 .tip = QObject::tr("Of the budget; negative where it was exceeded"),
                 .look = ColumnLook::SavedBytes},
       .number =
           [](const Row& row) { return row.budget ? static_cast<std::uint64_t>(row.budget->budgetLeftBytes) : 0; },
       .isKnown = hasBudget},
      {.setup = {.title = QObject::tr("Survival"),
                 .tip = QObject::tr("Share of bytes that survived its last collection"),
                 .letters = 10,
                 .holdsContents = false},
       .words = [](const Row& row) { return row.budget ? survivalText(row.budget->survival) : QStringLiteral("–"); }},
  };
  return makeRowList(std::move(rows), std::move(schema));
}

std::shared_ptr<const RowList> gcGapRows(const SharedGcReport& report) {
  using Row = GapRow;
  std::vector<Row> rows;
  if (report) {
    for (const engine::GenerationGaps& gaps : report->gaps)
      for (const engine::GapNeighbour& neighbour : gaps.neighbours)
        rows.push_back({gaps.generation, gaps.heap, neighbour});
    std::ranges::stable_sort(rows, std::ranges::greater{}, [](const Row& row) { return row.neighbour.gapBytes; });
  }
  RowSchema<Row> schema;
  schema.columns = {
      generationColumn<Row>([](const Row& row) { return row.generation; }),
      heapColumn<Row>([](const Row& row) { return std::uint64_t{row.heap}; }),
      {.setup = {.title = QObject::tr("Type"),
                 .tip = QObject::tr("Of the objects that stand right behind gaps"),
                 .look = ColumnLook::TypeName,
                 .stretches = true,
                 .isSearched = true},
       .words = [](const Row& row) { return fromEngine(row.neighbour.typeName); },
       .link =
           [](const Row& row) {
             return RowLink{{}, row.neighbour.methodTable};
           }},
      figureColumn<Row>(QObject::tr("Gaps"), QObject::tr("That such an object ends"), ColumnLook::Count,
                        [](const Row& row) { return row.neighbour.gaps; }),
      {.setup = {.title = QObject::tr("Free before"),
                 .tip = QObject::tr("Bytes in these gaps"),
                 .look = ColumnLook::Bytes,
                 .bar = ColumnBar::Padding},
       .number = [](const Row& row) { return row.neighbour.gapBytes; },
       .detail = [](const Row& row) { return exactBytesText(row.neighbour.gapBytes); }},
      figureColumn<Row>(QObject::tr("Own bytes"), QObject::tr("Of the objects that stand there"), ColumnLook::Bytes,
                        [](const Row& row) { return row.neighbour.objectBytes; }),
      figureColumn<Row>(QObject::tr("Pinned"), QObject::tr("Of these objects, by a handle or a stack"),
                        ColumnLook::Count, [](const Row& row) { return row.neighbour.pinned; }),
      {.setup = {.title = QObject::tr("Example"),
                 .tip = QObject::tr("Behind the largest of the gaps"),
                 .look = ColumnLook::Address,
                 .isSearched = true},
       .number = [](const Row& row) { return row.neighbour.example.value; },
       .link =
           [](const Row& row) {
             return RowLink{row.neighbour.example, row.neighbour.methodTable};
           }},
  };
  return makeRowList(std::move(rows), std::move(schema));
}

std::shared_ptr<const RowList> gcPinRows(const SharedGcReport& report) {
  using Row = engine::PinGroup;
  RowSchema<Row> schema;
  schema.columns = {
      {.setup = {.title = QObject::tr("Pinned by"), .letters = 19, .isSearched = true, .holdsContents = false},
       .words = [](const Row& row) { return fromEngine(row.kind); }},
      {.setup = {.title = QObject::tr("Held in"),
                 .tip = QObject::tr("The type of an object that keeps the handle, or the method that pins"),
                 .look = ColumnLook::TypeName,
                 .letters = 32,
                 .isSearched = true},
       .words = [](const Row& row) { return row.holder.empty() ? QObject::tr("not known") : fromEngine(row.holder); }},
      {.setup = {.title = QObject::tr("Type"),
                 .tip = QObject::tr("Of the pinned objects"),
                 .look = ColumnLook::TypeName,
                 .stretches = true,
                 .isSearched = true},
       .words = [](const Row& row) { return fromEngine(row.typeName); }},
      figureColumn<Row>(QObject::tr("Objects"), {}, ColumnLook::Count, [](const Row& row) { return row.objects; }),
      {.setup = {.title = QObject::tr("Bytes"), .look = ColumnLook::Bytes, .bar = ColumnBar::Plain},
       .number = [](const Row& row) { return row.bytes; },
       .detail = [](const Row& row) { return exactBytesText(row.bytes); }},
      {.setup = {.title = QObject::tr("One of them"), .look = ColumnLook::Address, .isSearched = true},
       .number = [](const Row& row) { return row.example.value; },
       .link =
           [](const Row& row) {
             return RowLink{row.example, {}};
           }},
  };
  return makeRowList(report ? report->pins : std::vector<Row>(), std::move(schema));
}

std::shared_ptr<const RowList> gcCollectionRows(const SharedGcReport& report) {
  using Row = engine::RecordedCollection;
  RowSchema<Row> schema;
  const auto bytes = [](const QString& title, const QString& tip, std::uint64_t Row::*member) {
    return figureColumn<Row>(title, tip, ColumnLook::Bytes, [member](const Row& row) { return row.*member; });
  };
  schema.columns = {
      {.setup = {.title = QObject::tr("Number"), .look = ColumnLook::Id},
       .number = [](const Row& row) { return row.index; }},
      {.setup = {.title = QObject::tr("Of"), .letters = 8, .holdsContents = false},
       .words = [](const Row& row) { return QObject::tr("gen%1").arg(row.generation); }},
      {.setup = {.title = QObject::tr("How"), .stretches = true, .holdsContents = false},
       .words =
           [](const Row& row) {
             return row.isBackground   ? QObject::tr("background")
                    : row.isCompacting ? QObject::tr("blocking, compacting")
                                       : QObject::tr("blocking, sweeping");
           }},
      bytes(QObject::tr("Heap after"), QObject::tr("Objects and gaps"), &Row::heapSizeBytes),
      bytes(QObject::tr("Fragmented"), QObject::tr("Gaps, of the heap after it"), &Row::fragmentedBytes),
      bytes(QObject::tr("Promoted"), QObject::tr("What survived in the generations that it took"), &Row::promotedBytes),
      bytes(QObject::tr("Committed"), QObject::tr("Memory of the heap"), &Row::committedBytes),
      figureColumn<Row>(QObject::tr("Pinned"), QObject::tr("Objects that it met pinned"), ColumnLook::Count,
                        [](const Row& row) { return row.pinnedObjects; }),
      {.setup = {.title = QObject::tr("Pause"),
                 .tip = QObject::tr("Of the program, in milliseconds"),
                 .letters = 14,
                 .holdsContents = false},
       .words =
           [](const Row& row) {
             const std::uint64_t pause = row.pauseMicroseconds[0] + row.pauseMicroseconds[1];
             return QObject::tr("%1 ms").arg(static_cast<double>(pause) / 1000, 0, 'f', 3);
           }},
  };
  return makeRowList(report ? report->figures.recorded : std::vector<Row>(), std::move(schema));
}

std::shared_ptr<const RowList> gcFinalizerRows(const SharedGcReport& report) {
  using Row = engine::FinalizerBacklog::Type;
  RowSchema<Row> schema;
  schema.columns = {
      {.setup = {.title = QObject::tr("Type"), .look = ColumnLook::TypeName, .stretches = true, .isSearched = true},
       .words = [](const Row& row) { return fromEngine(row.typeName); }},
      figureColumn<Row>(QObject::tr("Objects"), QObject::tr("That wait for the finalizer thread"), ColumnLook::Count,
                        [](const Row& row) { return row.objects; }),
      {.setup = {.title = QObject::tr("Bytes"), .look = ColumnLook::Bytes, .bar = ColumnBar::Plain},
       .number = [](const Row& row) { return row.bytes; },
       .detail = [](const Row& row) { return exactBytesText(row.bytes); }},
  };
  return makeRowList(report ? report->finalizers.types : std::vector<Row>(), std::move(schema));
}

}  // namespace heapscape::gui
