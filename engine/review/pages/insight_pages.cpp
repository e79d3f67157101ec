// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "insight/insight_tables.h"
#include "output/text.h"
#include "review/described_rows.h"
#include "review/pages/report_pages.h"

namespace heapscape::engine {
namespace {

ReviewTable tableOf(const InsightList& list, const DumpReportOptions& options) {
  return describedRows(insightGroupsTable().with(titledInsights(list, kFewInsights)),
                       {"title", "subject", "text", "meaning", "bytes", "objects", "owners", "advice"},
                       {.limit = options.rows, .isRedacted = options.isRedacted});
}

std::string remarkOf(const InsightList& list) {
  if (list.insights.empty()) return "Nothing worth telling was found.";
  std::string remark = fmt::format(
      "Waste could be won back without losing anything: {} bytes. Leaks should probably be let go: {} "
      "bytes. Each byte is counted once, though several insights may name it.",
      readableCount(list.wasteBytes), readableCount(list.leakBytes));
  if (list.smallInsights) {
    remark += fmt::format(" {} that cost less, {} together, {} not listed.", countOf(list.smallInsights, "insight"),
                          readableBytes(list.smallBytes), list.smallInsights == 1 ? "is" : "are");
  }
  return remark;
}

}  // namespace

Outcome<void> addInsightPages(const ReportInput& input, ReviewPages& pages) {
  HEAPSCAPE_TRY(const InsightList list, findInsights(input.snapshot, {}, input.progress, input.stop));
  ReviewPage page{.title = "Insights", .remark = remarkOf(list)};
  if (!list.insights.empty()) page.content = tableOf(list, input.options);
  pages.push_back(std::move(page));
  return {};
}

}  // namespace heapscape::engine
