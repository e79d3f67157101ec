// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "insight/action_table.h"
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

ReviewPage planPage(const InsightList& list, const DumpReportOptions& options) {
  const ActionPlan& plan = list.plan;
  ReviewPage page{.title = "Fix first"};
  if (plan.actions.empty()) {
    page.remark = "Nothing that the program itself could change wins memory back.";
    return page;
  }
  page.remark = fmt::format(
      "{} {} back {}{} of the {} on the heap, each byte counted once; {} would be left. What is merely held stands "
      "among the insights.",
      countOf(plan.actions.size(), "action"), plan.actions.size() == 1 ? "wins" : "win",
      plan.isLeast ? "at least " : "", readableBytes(plan.bytes), readableBytes(plan.heapBytes),
      readableBytes(plan.heapBytes - std::min(plan.heapBytes, plan.bytes)));
  page.content = describedRows(insightActionsTable().with(titledActions(list)),
                               {"title", "meaning", "bytes", "addedBytes", "objects"},
                               {.limit = options.rows, .isRedacted = options.isRedacted});
  return page;
}

}  // namespace

Outcome<void> addInsightPages(const ReportInput& input, ReviewPages& pages) {
  HEAPSCAPE_TRY(const InsightList list, findInsights(input.snapshot, {}, input.progress, input.stop));
  ReviewPage page{.title = "Insights", .remark = remarkOf(list)};
  if (!list.insights.empty()) page.content = tableOf(list, input.options);
  pages.push_back(std::move(page));
  // As the overview does, the report leads with what there is to be done.
  pages.insert(pages.begin(), planPage(list, input.options));
  return {};
}

}  // namespace heapscape::engine
