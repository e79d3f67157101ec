// SPDX-License-Identifier: MIT
#include "output/heap/gc_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/text.h"
#include "output/text_table.h"

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
    TextTable table({{"Recorded", Align::Right},
                     {"Of"},
                     {"How"},
                     {"Heap after", Align::Right},
                     {"Fragmented", Align::Right},
                     {"Promoted", Align::Right},
                     {"Pinned", Align::Right},
                     {"Pause", Align::Right}});
    for (const RecordedCollection& record : m_report.figures.recorded) {
      const std::uint64_t pause = record.pauseMicroseconds[0] + record.pauseMicroseconds[1];
      table.addRow({fmt::format("{}", record.index), fmt::format("gen{}", record.generation),
                    record.isBackground   ? "background"
                    : record.isCompacting ? "compacting"
                                          : "sweeping",
                    readableBytes(record.heapSizeBytes), readableBytes(record.fragmentedBytes),
                    readableBytes(record.promotedBytes), readableCount(record.pinnedObjects),
                    fmt::format("{:.3f} ms", static_cast<double>(pause) / 1000)});
    }
    table.write(m_output);
  }

  void writeGenerations() {
    title("Generations");
    TextTable table({{"Generation"},
                     {"Heap", Align::Right},
                     {"Bytes", Align::Right},
                     {"Free", Align::Right},
                     {"Share", Align::Right},
                     {"Gaps", Align::Right},
                     {"Largest", Align::Right},
                     {"Budget", Align::Right},
                     {"Left", Align::Right},
                     {"Survival", Align::Right}});
    for (const GenerationGaps& gaps : m_report.gaps) {
      const GenerationBudget* budget = m_report.budgetOf(gaps.heap, gaps.generation);
      const double share = gaps.bytes ? 100 * static_cast<double>(gaps.freeBytes) / static_cast<double>(gaps.bytes) : 0;
      std::string left;
      if (budget && budget->budgetLeftBytes < 0)
        left = "-" + readableBytes(static_cast<std::uint64_t>(-(budget->budgetLeftBytes + 1)) + 1);
      else if (budget)
        left = readableBytes(static_cast<std::uint64_t>(budget->budgetLeftBytes));
      table.addRow({toString(gaps.generation), fmt::format("{}", gaps.heap), readableBytes(gaps.bytes),
                    readableBytes(gaps.freeBytes), fmt::format("{:.1f}%", share), readableCount(gaps.gaps),
                    readableBytes(gaps.largestGapBytes), budget ? readableBytes(budget->budgetBytes) : "", left,
                    budget && std::isfinite(budget->survival) ? fmt::format("{:.1f}%", 100 * budget->survival) : ""});
    }
    table.write(m_output);
    if (m_report.figures.budgets.empty()) line("Budgets and survival are not known.");
  }

  void writeGaps() {
    TextTable table({{"Between gaps of"},
                     {"Type"},
                     {"Gaps", Align::Right},
                     {"Free before", Align::Right},
                     {"Own bytes", Align::Right},
                     {"Pinned", Align::Right}});
    bool hasRows = false;
    for (const GenerationGaps& gaps : m_report.gaps) {
      for (const GapNeighbour& neighbour : m_rows.of(gaps.neighbours)) {
        hasRows = true;
        table.addRow({m_report.heaps.active > 1 ? fmt::format("{}, heap {}", toString(gaps.generation), gaps.heap)
                                                : toString(gaps.generation),
                      neighbour.typeName, readableCount(neighbour.gaps), readableBytes(neighbour.gapBytes),
                      readableBytes(neighbour.objectBytes), readableCount(neighbour.pinned)});
      }
    }
    if (!hasRows) return;
    title("What stands behind gaps");
    table.write(m_output);
  }

  void writeOutOfMemory() {
    title("Out of memory");
    if (m_report.history.outOfMemory.empty()) line("No allocation has failed.");
    for (const OutOfMemoryRecord& record : m_report.history.outOfMemory) line(describe(record));
  }

  void writeRegionsAndMechanisms() {
    if (!m_report.history.freeRegions.empty()) {
      title("Free regions");
      TextTable table({{"List"},
                       {"Kind"},
                       {"Waiting for"},
                       {"Regions", Align::Right},
                       {"Bytes", Align::Right},
                       {"Committed", Align::Right}});
      for (const FreeRegions& list : m_report.history.freeRegions)
        table.addRow({list.list, list.kind, list.isForRelease ? "release" : "use", readableCount(list.regions),
                      readableBytes(list.bytes), readableBytes(list.committedBytes)});
      table.write(m_output);
    }
    if (!m_report.history.mechanisms.empty()) {
      title("What blocking collections did");
      TextTable table({{"Kind"}, {"Name"}, {"Heap", Align::Right}, {"Times", Align::Right}});
      for (const GcMechanismCount& count : m_report.history.mechanisms)
        table.addRow({count.kind, count.name, fmt::format("{}", count.heap), readableCount(count.count)});
      table.write(m_output);
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
    TextTable table({{"By"}, {"Held in"}, {"Type"}, {"Objects", Align::Right}, {"Bytes", Align::Right}});
    for (const PinGroup& group : m_rows.of(m_report.pins))
      table.addRow({group.kind, group.holder.empty() ? "(not known)" : group.holder, group.typeName,
                    readableCount(group.objects), readableBytes(group.bytes)});
    table.write(m_output);
  }

  void writeFinalizers() {
    title("Finalizers");
    line(fmt::format("{} due ({}), {} registered.", countOf(m_report.finalizers.ready, "finalizer"),
                     readableBytes(m_report.finalizers.readyBytes), readableCount(m_report.finalizers.registered)));
    for (const FinalizerBacklog::Type& type : m_rows.of(m_report.finalizers.types))
      line(
          fmt::format("  {} {}, {}", readableCount(type.objects), printable(type.typeName), readableBytes(type.bytes)));
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
