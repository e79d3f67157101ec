// SPDX-License-Identifier: MIT
#include "output/heap/gc_text.h"

#include <fmt/format.h>

#include <utility>

#include "output/table_output.h"
#include "output/text.h"
#include "output/text_table.h"
#include "tables/gap_tables.h"
#include "tables/gc_tables.h"

namespace heapscape::engine {
namespace {

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
    writeGenerations();
    writeGaps();
    writeOutOfMemory();
    writeRegionsAndMechanisms();
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
    title("What stands behind gaps");
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

void writeGcText(Output& output, const GcReport& report, const RowSelection& selection) {
  GcText(output, report, selection).write();
}

}  // namespace heapscape::engine
