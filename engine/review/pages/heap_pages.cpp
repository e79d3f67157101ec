// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "output/text.h"
#include "review/described_rows.h"
#include "review/pages/heap_pictures.h"
#include "review/pages/report_pages.h"
#include "review/review_cells.h"
#include "session/heap/gc_settings.h"
#include "tables/segment_tables.h"

namespace heapscape::engine {
namespace {

ReviewPage factsPage(const Snapshot& snapshot) {
  const Summary& summary = snapshot.summary();
  const RuntimeSummary& runtime = summary.runtime;
  const ObjectTotals totals = snapshot.totals();
  const RetainedTotals retained = snapshot.retainedTotals();
  ReviewTable table{.columns = {{"Figure"}, {"Value"}}, .rows = {}};
  const auto add = [&table](const char* name, const std::string& value) { table.rows.push_back({{name}, {value}}); };
  const auto bytes = [](std::uint64_t size) {
    return fmt::format("{} ({} bytes)", readableBytes(size), readableCount(size));
  };
  add("Runtime", fmt::format(".NET {}, {}", runtime.version, runtime.architecture));
  add("Garbage collector", fmt::format("{}, {}, {}", runtime.isServerGc ? "server" : "workstation",
                                       runtime.hasRegions ? "regions" : "segments", describe(gcHeaps(snapshot))));
  add("Dump", fmt::format("{}, {}", toString(summary.dump.kind), bytes(summary.dump.fileBytes)));
  add("Threads", readableCount(summary.dump.threads));
  add("Objects", fmt::format("{}, {}", readableCount(totals.objects - totals.freeObjects),
                             bytes(totals.bytes - totals.freeBytes)));
  add("Free between them", bytes(totals.freeBytes));
  add("Held by roots",
      fmt::format("{}, {}", countOf(retained.reachableObjects, "object"), bytes(retained.reachableBytes)));
  add("Not held any more",
      fmt::format("{}, {}", countOf(retained.unreachableObjects, "object"), bytes(retained.unreachableBytes)));
  add("Completeness", snapshot.isComplete()
                          ? "Everything was there and read."
                          : fmt::format("{} of the heap was walked; the last page says what is missing.",
                                        percentText(static_cast<std::uint64_t>(snapshot.coverage() * 1e6), 1000000)));
  return {.title = "Summary", .content = std::move(table)};
}

}  // namespace

Outcome<void> addHeapPages(const ReportInput& input, ReviewPages& pages) {
  pages.push_back(factsPage(input.snapshot));
  pages.push_back({.title = "The heap by generation", .content = generationsPicture(input.snapshot)});
  pages.push_back(
      {.title = "Generations",
       .remark = "Gaps are no objects; Free is what they take up.",
       .content = describedRows(listGenerations(input.snapshot),
                                {"generation", "heap", "count", "objectBytes", "freeObjects", "freeBytes", "freeShare"},
                                {.limit = 1000})});
  return {};
}

Outcome<void> addFindingPages(const ReportInput& input, ReviewPages& pages) {
  const Snapshot& snapshot = input.snapshot;
  ReviewPage page{.title = "Completeness"};
  if (snapshot.isComplete()) {
    page.remark = "Nothing was missing or damaged: every figure counts the whole heap.";
    pages.push_back(std::move(page));
    return {};
  }
  ReviewTable table{.columns = {{"Finding"}, {"Address", ReviewCellKind::Address}, {"What it means"}}, .rows = {}};
  for (const Missing& missing : snapshot.summary().missing) {
    table.rows.push_back({{"missing"}, {}, {missing.what + " " + missing.help}});
  }
  for (const Finding& finding : snapshot.findings()) {
    if (table.rows.size() >= input.options.rows) break;
    table.rows.push_back({{toString(finding.kind)}, addressCell(finding.address), {finding.message}});
  }
  const std::uint64_t all = snapshot.summary().missing.size() + snapshot.findings().size() + snapshot.findingsLeftOut();
  table.rowsLeftOut = all - table.rows.size();
  page.remark = "Figures count what was there; what was not is listed here.";
  page.content = std::move(table);
  pages.push_back(std::move(page));
  return {};
}

}  // namespace heapscape::engine
