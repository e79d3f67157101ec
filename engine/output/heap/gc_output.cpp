// SPDX-License-Identifier: MIT
#include "output/heap/gc_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "output/table_output.h"
#include "output/text.h"
#include "tables/gap_tables.h"
#include "tables/gc_tables.h"

namespace heapscape::engine {
namespace {

class GcWriter {
 public:
  GcWriter(JsonWriter& json, const GcReport& report, const RowSelection& selection)
      : m_json(json), m_report(report), m_selection(selection) {}

  void write() {
    m_json.key("gc");
    m_json.beginObject();
    writeSettings();
    writeCollections();
    writeLast();
    if (m_report.hasHeap) writeGenerations();
    writeOutOfMemory();
    writePhase();
    writeFreeRegions();
    writeMechanisms();
    if (m_report.hasHeap) {
      writePins();
      writeFinalizers();
    }
    m_json.endObject();
  }

 private:
  RowSelection whole() const { return {.isRedacted = m_selection.isRedacted}; }

  void writeSettings() {
    m_json.key("settings");
    m_json.beginObject();
    m_json.member("gc", m_report.isServer ? "server" : "workstation");
    m_json.member("library", m_report.library.empty() ? "libcoreclr.so" : m_report.library);
    m_json.member("regions", m_report.hasRegions);
    m_json.member("heaps", m_report.heaps.active);
    m_json.member("heapsCreated", m_report.heaps.created);
    m_json.member("dynamicAdaptation", toString(m_report.heaps.adaptation));
    m_json.key("latencyMode");
    m_report.figures.plan ? m_json.value(pauseMode(m_report.figures.plan->pauseMode)) : m_json.null();
    m_json.key("memory");
    if (const auto& limits = m_report.figures.limits) {
      m_json.beginObject();
      m_json.member("totalPhysicalBytes", limits->totalPhysicalBytes);
      m_json.member("restricted", limits->isRestricted);
      m_json.member("hardLimitBytes", limits->hardLimitBytes);
      m_json.member("highLoadPercent", limits->highLoadPercent);
      m_json.member("veryHighLoadPercent", limits->veryHighLoadPercent);
      m_json.member("how", "shape");
      m_json.endObject();
    } else {
      m_json.null();
    }
    writeTable(m_json, gcSettingsTable().with(m_report.settings.settings), whole());
    m_json.member("environmentMissing", m_report.settings.environmentMissing);
    m_json.member("configurationMissing", m_report.settings.configurationMissing);
    m_json.endObject();
  }

  void writeCollections() {
    writeTable(m_json, collectionCountsTable().with(listCollectionCounts(m_report)), whole());
    m_json.member("collectionsHow", m_report.figures.budgets.empty() ? "unknown" : "shape");
  }

  void writeLast() {
    const GcFigures& figures = m_report.figures;
    m_json.key("last");
    if (figures.recorded.empty() && !figures.plan) {
      m_json.null();
    } else {
      m_json.beginObject();
      m_json.key("begun");
      if (figures.plan) {
        m_json.beginObject();
        m_json.member("index", figures.plan->index);
        m_json.member("generation", figures.plan->generation);
        m_json.member("reason", collectionReason(figures.plan->reason));
        m_json.member("background", figures.plan->isBackground);
        m_json.member("compacting", figures.plan->isCompacting);
        m_json.member("promoting", figures.plan->isPromoting);
        m_json.member("demoting", figures.plan->isDemoting);
        m_json.endObject();
      } else {
        m_json.null();
      }
      writeTable(m_json, recordedCollectionsTable().with(figures.recorded), whole());
      m_json.member("how", "shape");
      m_json.endObject();
    }
  }

  void writeGenerations() {
    // The list behind free objects is as long as wanted; generations are few.
    const Table table = limitInner(generationFiguresTable().with(listGenerationFigures(m_report)), m_selection.limit);
    writeTable(m_json, table, whole());
  }

  void writeOutOfMemory() { writeTable(m_json, outOfMemoryTable().with(m_report.history.outOfMemory), whole()); }

  void writeCoverage(const char* name, const char* of, const Coverage& coverage) {
    m_json.beginObject();
    m_json.member(name, of);
    m_json.member("bytes", coverage.bytes);
    m_json.member("unreadBytes", coverage.unreadBytes);
    m_json.member("percent", coverage.percent());
    m_json.endObject();
  }

  void writePhase() {
    m_json.key("phase");
    m_json.beginObject();
    m_json.member("name", toString(m_report.phase));
    m_json.member("text", m_report.phaseText);
    m_json.member("trust", m_report.trustText);
    m_json.key("coverage");
    m_json.beginArray();
    for (const SegmentCoverage& of : m_report.coverage) writeCoverage("kind", toString(of.kind), of);
    m_json.endArray();
    m_json.key("coverageByGeneration");
    m_json.beginArray();
    for (const GenerationCoverage& of : m_report.coverageByGeneration)
      writeCoverage("generation", toString(of.generation), of);
    m_json.endArray();
    m_json.endObject();
  }

  void writeFreeRegions() { writeTable(m_json, freeRegionsTable().with(m_report.history.freeRegions), whole()); }

  void writeMechanisms() {
    writeTable(m_json, gcMechanismsTable().with(m_report.history.mechanisms), whole());
    m_json.member("mechanismsKnown", m_report.history.hasMechanisms);
    m_json.member("internalRoots", m_report.history.internalRoots);
    m_json.member("bookkeepingElements", m_report.history.bookkeepingElements);
  }

  void writePins() {
    m_json.member("pinnedObjects", m_report.pinnedObjects);
    m_json.key("pins");
    writeRows(m_json, pinsTable().with(m_report.pins), m_selection);
  }

  void writeFinalizers() {
    m_json.key("finalizers");
    m_json.beginObject();
    m_json.member("ready", m_report.finalizers.ready);
    m_json.member("readyBytes", m_report.finalizers.readyBytes);
    m_json.member("registered", m_report.finalizers.registered);
    writeTable(m_json, finalizerBacklogTable().with(m_report.finalizers.types), m_selection);
    m_json.endObject();
  }

  JsonWriter& m_json;
  const GcReport& m_report;
  const RowSelection& m_selection;
};

using Align = TextTable::Align;

// Where nobody said how many.
constexpr std::size_t kShownRows = 5;

class GcText {
 public:
  GcText(Output& output, const GcReport& report, const RowSelection& selection)
      : m_output(output), m_report(report), m_isRedacted(selection.isRedacted) {
    m_rows.limit = selection.limit == SIZE_MAX ? kShownRows : selection.limit;
  }

  void write() {
    writeHead();
    writeSettings();
    writeCollections();
    if (m_report.hasHeap) {
      writeGenerations();
      writeGaps();
    }
    writeOutOfMemory();
    writeRegionsAndMechanisms();
    if (!m_report.hasHeap) {
      line("\nThe dump has no heap: what generations hold, free objects, pins and finalizers are not known.");
      return;
    }
    writePins();
    writeFinalizers();
  }

 private:
  void line(const std::string& text) { m_output.write(text + "\n"); }
  void title(const std::string& text) { m_output.write("\n" + text + "\n"); }

  void writeHead() {
    line(fmt::format("{} GC{}, {}, {}", m_report.isServer ? "Server" : "Workstation",
                     m_report.library.empty() ? "" : " of " + m_report.library,
                     m_report.hasRegions ? "regions" : "segments", describe(m_report.heaps)));
    line(m_report.phaseText);
    if (!m_report.trustText.empty()) line(m_report.trustText);
    for (const GenerationCoverage& coverage : m_report.coverageByGeneration)
      if (coverage.unreadBytes)
        line(fmt::format("Of {} {:.2f}% could be read as objects.", toString(coverage.generation), coverage.percent()));
  }

  void writeSettings() {
    title("Settings");
    TextTable table({{"Setting"}, {"Value"}, {"From"}});
    if (const auto& plan = m_report.figures.plan) table.addRow({"Latency mode", pauseMode(plan->pauseMode), "the GC"});
    if (const auto& limits = m_report.figures.limits) {
      table.addRow({"Memory that it sees",
                    readableBytes(limits->totalPhysicalBytes) + (limits->isRestricted ? " (restricted)" : ""),
                    "the GC"});
      table.addRow({"Hard limit of the heap", limits->hardLimitBytes ? readableBytes(limits->hardLimitBytes) : "none",
                    "the GC"});
      table.addRow({"High memory load from", fmt::format("{}%", limits->highLoadPercent), "the GC"});
    }
    for (const GcSetting& setting : m_report.settings.settings) {
      const std::string value = m_isRedacted && !setting.number ? "(left out)" : setting.value;
      table.addRow({setting.name, value, setting.key + (setting.isOverruled ? " (overruled)" : "")});
    }
    table.write(m_output);
    if (m_report.settings.settings.empty() && m_report.settings.environmentMissing.empty() &&
        m_report.settings.configurationMissing.empty())
      line("Nothing was asked of the GC; all other settings are its defaults.");
    for (const std::string& missing : {m_report.settings.environmentMissing, m_report.settings.configurationMissing})
      if (!missing.empty()) line(missing);
    if (!m_report.figures.limits) line("The memory limits that it saw are not known.");
  }

  void writeCollections() {
    title("Collections");
    const std::vector<std::uint64_t> counts = m_report.collectionCounts();
    if (counts.empty()) {
      line("How many there were is not known.");
    } else {
      line(fmt::format("gen0 {}, gen1 {}, gen2 {}", readableCount(counts[0]), readableCount(counts[1]),
                       readableCount(counts[2])));
    }
    if (const auto& plan = m_report.figures.plan)
      line(fmt::format("The last one that began was number {}, of gen{}: {}.", plan->index, plan->generation,
                       collectionReason(plan->reason)));
    if (m_report.figures.recorded.empty()) {
      line("What the last one did is not known.");
      return;
    }
    writeTableText(m_output, recordedCollectionsTable().with(m_report.figures.recorded), {});
  }

  void writeGenerations() {
    title("Generations");
    writeTableText(m_output, generationFiguresTable().with(listGenerationFigures(m_report)), {});
    if (m_report.figures.budgets.empty()) line("Budgets and survival are not known.");
  }

  void writeGaps() {
    std::vector<GapRow> rows;
    for (const GenerationGaps& gaps : m_report.gaps)
      for (const GapNeighbour& neighbour : m_rows.of(gaps.neighbours))
        rows.push_back({gaps.generation, gaps.heap, neighbour});
    if (rows.empty()) return;
    title("What stands behind free objects");
    writeTableText(m_output, gapsTable().with(std::move(rows)), {});
  }

  void writeOutOfMemory() {
    title("Out of memory");
    if (m_report.history.outOfMemory.empty()) line("No allocation has failed.");
    for (const OutOfMemoryRecord& record : m_report.history.outOfMemory) line(describe(record));
  }

  void writeRegionsAndMechanisms() {
    if (!m_report.history.freeRegions.empty()) {
      title("Free regions");
      writeTableText(m_output, freeRegionsTable().with(m_report.history.freeRegions), {});
    }
    if (!m_report.history.mechanisms.empty()) {
      title("What blocking collections did");
      writeTableText(m_output, gcMechanismsTable().with(m_report.history.mechanisms), {});
    }
    if (m_report.history.internalRoots)
      line(
          fmt::format("Internal roots of an analysis of the heap: {}.", readableCount(m_report.history.internalRoots)));
  }

  void writePins() {
    title("Pinned objects");
    if (m_report.pins.empty()) {
      line("Nothing is pinned by a handle or a stack.");
      return;
    }
    writeTableText(m_output, pinsTable().with(m_report.pins), m_rows);
  }

  void writeFinalizers() {
    title("Finalizers");
    line(fmt::format("{} due ({}), {} registered.", countOf(m_report.finalizers.ready, "finalizer"),
                     readableBytes(m_report.finalizers.readyBytes), readableCount(m_report.finalizers.registered)));
    if (!m_report.finalizers.types.empty())
      writeTableText(m_output, finalizerBacklogTable().with(m_report.finalizers.types), m_rows);
  }

  Output& m_output;
  const GcReport& m_report;
  RowSelection m_rows;
  bool m_isRedacted;
};

}  // namespace

void writeGc(JsonWriter& json, const GcReport& report, const RowSelection& selection) {
  GcWriter(json, report, selection).write();
}

void writeGcText(Output& output, const GcReport& report, const RowSelection& selection) {
  GcText(output, report, selection).write();
}

}  // namespace heapscape::engine
