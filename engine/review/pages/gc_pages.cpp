// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "output/text.h"
#include "review/described_rows.h"
#include "review/pages/report_pages.h"
#include "review/review_cells.h"
#include "session/heap/gc_query.h"
#include "tables/gap_tables.h"

namespace heapscape::engine {
namespace {

std::string remarkOf(const GcReport& report) {
  std::string remark = report.phaseText;
  const std::vector<std::uint64_t> counts = report.collectionCounts();
  if (!counts.empty())
    remark += fmt::format(" Collections: {}, of these {} of gen1 and {} of gen2.", readableCount(counts[0]),
                          readableCount(counts[1]), readableCount(counts[2]));
  if (const auto& plan = report.figures.plan)
    remark += fmt::format(" Why the last one began: {}.", collectionReason(plan->reason));
  for (const OutOfMemoryRecord& record : report.history.outOfMemory) remark += " " + describe(record);
  return remark;
}

ReviewTable settingTable(const GcReport& report, bool isRedacted) {
  ReviewTable table{.columns = {{"Setting"}, {"Value"}, {"From"}}, .rows = {}};
  const auto add = [&](std::string name, std::string value) {
    table.rows.push_back({{std::move(name)}, {std::move(value)}, {"the GC"}});
  };
  add("Kind", report.isServer ? "server" : "workstation");
  add("Library", report.library.empty() ? "libcoreclr.so" : report.library);
  add("Heaps", describe(report.heaps));
  if (const auto& plan = report.figures.plan) add("Latency mode", pauseMode(plan->pauseMode));
  if (const auto& limits = report.figures.limits) {
    add("Memory that it sees", readableBytes(limits->totalPhysicalBytes));
    add("Hard limit of the heap", limits->hardLimitBytes ? readableBytes(limits->hardLimitBytes) : "none");
    add("High memory load from", fmt::format("{}%", limits->highLoadPercent));
  }
  for (const GcSetting& setting : report.settings.settings) {
    ReviewCell value = setting.number ? ReviewCell{setting.value} : contentsCell(isRedacted, setting.value, "•••");
    table.rows.push_back(
        {{setting.name}, std::move(value), {setting.key + (setting.isOverruled ? " (overruled)" : "")}});
  }
  return table;
}

}  // namespace

Outcome<void> addGcPages(const ReportInput& input, ReviewPages& pages) {
  HEAPSCAPE_TRY(const GcReport report, readGcReport(input.snapshot, input.stop));
  pages.push_back({.title = "What the garbage collector was doing",
                   .remark = remarkOf(report),
                   .content = settingTable(report, input.options.isRedacted)});
  pages.push_back({.title = "What stands between gaps",
                   .content = describedRows(gapsTable().with(listGaps(report)),
                                            {"generation", "heap", "type", "gaps", "gapBytes", "pinned"},
                                            {.limit = input.options.rows})});
  return {};
}

}  // namespace heapscape::engine
